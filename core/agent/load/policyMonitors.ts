import { agentSubject, orchestrationSubject } from '../../permits/subject.js';
import { loadPatterns } from '../../routing/patterns.js';
import { frozenGraph } from '../../rules/facts/routingProofs.js';
import type { SchemaCompiler } from '../../schema/schemaCompiler.js';
import type { SnapshotValue } from '../../snapshot/snapshotValue.js';
import type { ResolvedAgent } from '../../snapshot/types.js';
import type { Agent } from '../types.js';

/**
 * Enforces the policy of a snapshot in the runs of its agents, by the proof that `check` makes of the files. The proof is made once, with the first
 * run that needs it.
 *
 * @returns what starts it for a run of an instance; undefined without a policy
 */
export function policyMonitors(
  { policy, orchestration, kind, name }: SnapshotValue,
  agents: ReadonlyMap<string, ResolvedAgent>,
  schemas: SchemaCompiler,
): ((instance: string) => NonNullable<Agent['monitor']>) | undefined {
  if (policy === undefined) return undefined;
  const prove = async () => {
    const { createMonitors } = await import('../../permits/monitor.js');
    return createMonitors(await subjectOf(), policy);
  };
  const subjectOf = async () => {
    if (kind === 'orchestration' && orchestration !== undefined) {
      const graph = frozenGraph(orchestration, agents, { schemas, patterns: await loadPatterns() });
      return orchestrationSubject(name, orchestration, agents, graph);
    }
    const agent = agents.get(name);
    if (agent === undefined) throw new Error('The snapshot of an agent does not contain it.');
    return agentSubject(agent, new Map([...agents].filter(([instance]) => instance !== name)));
  };
  let proof: ReturnType<typeof prove> | undefined;
  return (instance) => async (hasSession) => {
    proof ??= prove();
    return (await proof)(instance, hasSession);
  };
}
