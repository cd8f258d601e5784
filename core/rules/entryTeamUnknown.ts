import { isObject } from '../json.js';
import { findUnknownTeam } from './facts/unknownTeam.js';
import type { Rule } from './rule.js';

/** An `entry_team` that is not a key of `teams`. */
export const entryTeamUnknown: Rule = {
  code: 'entry-team-unknown',
  severity: 'error',
  kinds: ['orchestration'],
  on: 'value',
  check({ value, path }, _context, report) {
    if (!isObject(value)) return;
    const unknown = findUnknownTeam(value, path, value.entry_team);
    if (unknown !== undefined) report({ pointer: '/entry_team', ...unknown });
  },
};
