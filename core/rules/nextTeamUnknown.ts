import { routesIn, type TeamPart, teamsIn } from '../config/orchestrationParts.js';
import { isObject, type Json } from '../json.js';
import { quoted } from '../words.js';
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
    const teams = teamsIn(value);
    for (const { next, pointer } of teams.flatMap(routesIn)) {
      const unknown = findUnknownTeam(value, path, next);
      if (unknown === undefined) continue;
      const meansEnd = isEndWord(next, teams);
      const message = meansEnd ? `There is no team ${quoted(next)}; null, without quotes, ends a run.` : unknown.message;
      report({ pointer, ...unknown, message, ...(meansEnd && { data: { ...unknown.data, nearest: [], ends: true } }) });
    }
  },
};

/** Words that stand for the end of a run in other tools, LangGraph among them. */
const endWords = new Set(['end', 'null', 'none', 'nil', 'stop', 'finish', 'finished', 'done', 'exit', 'terminate']);

/** Whether an unknown `next_team` stands for the end of a run, rather than for a team whose name differs only in letter case. */
function isEndWord(next: Json | undefined, teams: readonly TeamPart[]): next is string {
  if (typeof next !== 'string' || teams.some(({ id }) => id.toLowerCase() === next.toLowerCase())) return false;
  return endWords.has(next.toLowerCase().replace(/^_+|_+$/g, ''));
}
