import { pointerOf } from '../json.js';
import { createTeamGraph, findUnreachable } from '../routing/teamGraph.js';
import { quoted } from '../words.js';
import { hasUnknownRoutes, needsProverTools, teamGraphOf } from './facts/routingProofs.js';
import type { Rule } from './rule.js';

/** A team that no route from `entry_team` reaches; rules proven to match nothing are not routes. */
export const unreachableTeam: Rule = {
  code: 'unreachable-team',
  severity: 'warning',
  kinds: ['orchestration'],
  on: 'value',
  needsSchemas: needsProverTools,
  check(file, context, report) {
    const graph = teamGraphOf(file, context);
    if (hasUnknownRoutes(graph)) return;
    const written = new Set(findUnreachable(createTeamGraph(file.value ?? null)));
    for (const team of findUnreachable(graph)) {
      const entry = graph.entry as string;
      const why = written.has(team) ? '' : ': the rules that would lead there never match';
      report({
        pointer: pointerOf('teams', team),
        target: 'key',
        related: [{ file: file.path, pointer: '/entry_team', message: 'A run starts here.' }],
        message: `No route from the entry_team ${quoted(entry)} leads to ${quoted(team)}${why}.`,
        data: { team, entry },
      });
    }
  },
};
