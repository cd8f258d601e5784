import type { ConfigFile } from '../../config/configFile.js';
import { createTeamGraph, type TeamGraph } from '../../routing/teamGraph.js';
import type { RuleContext } from '../rule.js';
import { forLastFile } from './forLastFile.js';
import { teamProofsOf } from './routingProofs.js';

/**
 * The ways between the teams of an orchestration, without those of rules that are proven to take nothing. Where rules are proven to take
 * everything, a run does not end for want of a route.
 */
export const teamGraphOf = forLastFile((file: ConfigFile, context: RuleContext): TeamGraph => {
  const dead = new Set<string>();
  const exhaustive = new Set<string>();
  for (const { team, proof, isFaulty } of teamProofsOf(file, context)) {
    if (proof.coverage.verdict === 'exhaustive') exhaustive.add(team.id);
    // A mistake in a condition is said where it stands; what it leads to is not.
    for (const [rule, { verdict }] of proof.rules.entries()) if (verdict !== 'possible' && !isFaulty(rule)) dead.add(`${rule} ${team.id}`);
  }
  const graph = createTeamGraph(file.value ?? null, (team, rule) => dead.has(`${rule} ${team}`));
  return { ...graph, open: new Set([...graph.open].filter((team) => !exhaustive.has(team))) };
});

/** Whether a `${VAR}` decides where a run goes, so that nothing is known about the ways. */
export function hasUnknownWays({ entry, edges }: TeamGraph): boolean {
  return entry?.includes('${') === true || edges.some(({ to }) => to?.includes('${') === true);
}
