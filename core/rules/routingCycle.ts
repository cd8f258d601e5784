import { findCycles, findUnreachable } from '../routing/teamGraph.js';
import type { Rule } from './rule.js';
import { hasUnknownWays, teamGraphOf } from './support/routingGraph.js';
import { needsProverTools } from './support/routingProofs.js';
import { listed, shown } from './support/words.js';

/** Teams that lead to each other and nowhere else: only `max_total_teams` and `max_recursion_depth` end such a run. */
export const routingCycle: Rule = {
  code: 'routing-cycle',
  severity: 'warning',
  kinds: ['orchestration'],
  on: 'value',
  needsSchemas: needsProverTools,
  check(file, context, report) {
    const graph = teamGraphOf(file, context);
    if (hasUnknownWays(graph)) return;
    // A cycle that no run gets into is no cycle; that its teams are unreachable is said.
    const unreachable = new Set(findUnreachable(graph));
    for (const { teams, edges, endless } of findCycles(graph)) {
      const [first, ...others] = edges;
      const isReached = teams.some((team) => !unreachable.has(team));
      if (!endless || first === undefined || !isReached) continue;
      const circle = teams.length === 1 ? `${shown(teams[0])} leads only to itself` : `${listed(teams)} lead only to each other`;
      report({
        pointer: first.pointer,
        related: others
          .slice(0, mostShown)
          .map(({ pointer, to }) => ({ file: file.path, pointer, message: `This leads on to ${shown(to)}.` })),
        message: `${circle}, and no way leads out: only the limits end such a run. Let a rule or default end it with null, or lead elsewhere.`,
        data: { teams, edges: edges.map(({ pointer }) => pointer) },
      });
    }
  },
};

/** More places than that show nothing more. */
const mostShown = 20;
