import { isEqual } from '../jsonText/jsonCompare.js';
import { createFlowGraph, type FlowGraph, type GraphTool } from '../permits/flowGraph.js';
import { assertionsOf, flowWords } from '../permits/permitWords.js';
import { agentSubject, orchestrationSubject, type PermitSubject } from '../permits/subject.js';
import { flowsOf, type PermittedFlow } from '../permits/subjectPermits.js';
import type { ProverTools } from '../routing/prover/choiceContext.js';
import { frozenGraph } from '../rules/facts/routingProofs.js';
import { type ComparedSide, placeOf } from './comparedSide.js';
import type { PermissionChange } from './types.js';

/**
 * Where what strangers wrote, and what is private, may go that it could not before, and the reverse; and the assertions of the policy that come and
 * go. A flow that depends on labels that are missing is neither new nor gone.
 */
export function compareFlows(before: ComparedSide, after: ComparedSide, prover: ProverTools): readonly PermissionChange[] {
  return [...flowChanges(before, after, prover), ...policyChanges(before, after)];
}

interface SideFlow {
  readonly flow: PermittedFlow;
  readonly call: GraphTool;
}

interface SideFlows {
  readonly graph: FlowGraph;
  /** By source and tool. */
  readonly sure: ReadonlyMap<string, SideFlow>;
  readonly possible: ReadonlySet<string>;
}

function flowChanges(before: ComparedSide, after: ComparedSide, prover: ProverTools): readonly PermissionChange[] {
  if (before.agents.size === 0 || after.agents.size === 0) return [];
  const [old, current] = [flowsIn(before, prover), flowsIn(after, prover)];
  const missingFrom = ({ sure }: SideFlows, other: SideFlows) =>
    [...sure].filter(([key]) => !other.sure.has(key) && !other.possible.has(key));
  const change = ({ flow, call }: SideFlow, { graph }: SideFlows, other: SideFlows, isAfter: boolean): PermissionChange => {
    const source = flow.from === 'untrusted' ? 'What strangers wrote' : 'What is private';
    const { side } = isAfter ? after : before;
    return {
      // Where only labels say otherwise than before, it could happen before.
      direction: isRelabelled(flow, call, other) ? 'unknown' : isAfter ? 'widened' : 'narrowed',
      instance: call.instance,
      also: [],
      subject: 'flow',
      name: call.id,
      message: isAfter
        ? `${source} may reach ${call.id}: ${flowWords({ ...flow, calls: [call] }, graph)}.`
        : `${source} may no longer reach ${call.id}.`,
      place: call.place === undefined ? null : { ...call.place, side },
    };
  };
  return [
    ...missingFrom(current, old).map(([, flow]) => change(flow, current, old, true)),
    ...missingFrom(old, current).map(([, flow]) => change(flow, old, current, false)),
  ];
}

function flowsIn(side: ComparedSide, prover: ProverTools): SideFlows {
  const graph = createFlowGraph([subjectOf(side, prover)]);
  const entries = flowsOf(graph).flatMap((flow) => flow.calls.map((call) => [`${flow.from} ${call.id}`, { flow, call }] as const));
  return {
    graph,
    sure: new Map(entries.filter(([, { flow }]) => flow.isSure)),
    possible: new Set(entries.flatMap(([key, { flow }]) => (flow.isSure ? [] : [key]))),
  };
}

function subjectOf({ value, agents }: ComparedSide, prover: ProverTools): PermitSubject {
  const resolved = new Map([...agents].map(([instance, agent]) => [instance, agent.resolved]));
  if (value.orchestration !== undefined)
    return orchestrationSubject(value.name, value.orchestration, resolved, frozenGraph(value.orchestration, resolved, prover));
  const agent = resolved.get(value.name);
  if (agent === undefined) throw new Error('The snapshot of an agent does not contain it.');
  resolved.delete(value.name);
  return agentSubject(agent, resolved);
}

/** Whether the other side has the source and the tool, with other labels. */
function isRelabelled({ way: [first] }: PermittedFlow, call: GraphTool, { graph }: SideFlows): boolean {
  const ends = first?.type === 'answer' ? [first.tool, call] : [call];
  return ends.some(({ id, labels }) => {
    const counterpart = graph.tools.find((tool) => tool.id === id);
    return counterpart !== undefined && !isEqual({ ...counterpart.labels.has }, { ...labels.has });
  });
}

function policyChanges(before: ComparedSide, after: ComparedSide): readonly PermissionChange[] {
  const [old, current] = [before, after].map(
    (side) => new Map(assertionsOf(side.value.policy ?? {}).map(({ words, pointer }) => [words, pointer])),
  );
  const missingFrom = (side: ComparedSide, assertions: typeof old, others: typeof old) =>
    [...(assertions ?? [])].flatMap(([words, pointer]): readonly PermissionChange[] => {
      if (others?.has(words)) return [];
      const isAfter = side === after;
      return [
        {
          direction: isAfter ? 'narrowed' : 'widened',
          instance: after.value.name,
          also: [],
          subject: 'policy',
          name: words,
          message: isAfter ? `The policy holds it to: ${words}.` : `The policy no longer holds it to: ${words}.`,
          place: placeOf(side, `/policy${pointer}`) ?? null,
        },
      ];
    });
  return [...missingFrom(after, current, old), ...missingFrom(before, old, current)];
}
