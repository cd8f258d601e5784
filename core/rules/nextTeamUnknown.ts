import { routesIn, teamsIn } from '../config/orchestrationParts.js';
import { isObject } from '../json.js';
import { findUnknownTeam } from './facts/unknownTeam.js';
import type { Rule } from './rule.js';

/** A `next_team` or `default` that is not a key of `teams`. */
export const nextTeamUnknown: Rule = {
  code: 'next-team-unknown',
  severity: 'error',
  kinds: ['orchestration'],
  on: 'value',
  check({ value, path }, _context, report) {
    if (!isObject(value)) return;
    for (const { next, pointer } of teamsIn(value).flatMap(routesIn)) {
      const unknown = findUnknownTeam(value, path, next);
      if (unknown !== undefined) report({ pointer, ...unknown });
    }
  },
};
