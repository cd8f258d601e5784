import { routesIn, teamsIn } from '../config/orchestrationParts.js';
import { isObject } from '../json.js';
import { quoted } from '../words.js';
import type { Rule } from './rule.js';

/** A team that neither `entry_team` nor the routing of another team names. */
export const unusedTeam: Rule = {
  code: 'unused-team',
  severity: 'hint',
  kinds: ['orchestration'],
  on: 'value',
  check({ value }, _context, report) {
    if (!isObject(value)) return;
    const teams = teamsIn(value);
    const named = new Set<unknown>([value.entry_team]);
    for (const team of teams) for (const { next } of routesIn(team)) if (next !== team.id) named.add(next);
    // Only a run knows the team that a variable names.
    if ([...named].some((name) => typeof name === 'string' && name.includes('${'))) return;
    for (const { id, pointer } of teams) {
      if (named.has(id)) continue;
      report({ pointer, target: 'key', message: `No team leads to ${quoted(id)}, and it is not the entry_team.`, data: { team: id } });
    }
  },
};
