import { agentsInPlan } from '../config/agentToolChoice.js';
import type { ForbiddenFlow, Policy } from '../generated/types.js';
import { pointerOf } from '../json.js';
import { type FlowGraph, type GraphTool, idOf, subjectId } from './flowGraph.js';
import { hasMeaning, isMeant } from './policyTerms.js';
import { type Reach, reachFrom, wayTo } from './reach.js';
import type { PermitSubject } from './subject.js';

/** A call that an assertion forbids. */
export interface Offence {
  readonly tool: GraphTool;
  /** Nodes of the graph from the answer of a source to the call. Empty where the call itself is forbidden. */
  readonly way: readonly string[];
  /** False where it depends on labels that nobody has given, or on tools that only a run knows. */
  readonly isSure: boolean;
  /** Whether an approval permits the call. */
  readonly isApprovable: boolean;
}

/** `not_known`: no call is surely forbidden, but some may be. */
export type Outcome = 'proved' | 'refuted' | 'not_known';

export interface AssertionVerdict {
  /** Of the assertion, in the policy: `/never/0`, `/only_after_approval/0`, `/agents/{name}/may_not/0`. */
  readonly pointer: string;
  readonly outcome: Outcome;
  /** In the order of the tools; those that are sure first. */
  readonly offences: readonly Offence[];
}

/** Proves or refutes each assertion of a policy for some subjects, in the order of the policy. Entries of `agents` about others are left out. */
export function provePolicy(graph: FlowGraph, subjects: readonly PermitSubject[], policy: Policy): readonly AssertionVerdict[] {
  const { never = [], only_after_approval = [], agents = {} } = policy;
  return [
    ...never.map((flow, index): AssertionVerdict => {
      const pointer = pointerOf('never', index);
      // The rule `policy-unknown` reports it.
      if (!hasMeaning(flow)) return { pointer, outcome: 'not_known', offences: [] };
      return verdictOf(pointer, flowOffences(graph, flow, policy));
    }),
    // The run asks before each call of such a tool, whatever else allows it.
    ...only_after_approval.map((_, index) => verdictOf(pointerOf('only_after_approval', index), [])),
    ...Object.entries(agents).flatMap(([name, { may_not }]) => {
      const covered = new Map(subjects.map((subject) => [subjectId(subject), coveredBy(name, subject)]));
      if ([...covered.values()].every(({ size }) => size === 0)) return [];
      const tools = graph.tools.filter(({ subject, instance }) => covered.get(subject)?.has(instance));
      return may_not.map((what, index) => verdictOf(pointerOf('agents', name, 'may_not', index), callOffences(tools, what)));
    }),
  ];
}

function verdictOf(pointer: string, offences: readonly Offence[]): AssertionVerdict {
  const sure = offences.filter(({ isSure }) => isSure);
  const outcome = sure.length > 0 ? 'refuted' : offences.length > 0 ? 'not_known' : 'proved';
  return { pointer, outcome, offences: [...sure, ...offences.filter(({ isSure }) => !isSure)] };
}

function callOffences(tools: readonly GraphTool[], what: string): readonly Offence[] {
  return tools.flatMap((tool) => {
    const isForbidden = isMeant(what, tool);
    return isForbidden === false ? [] : [{ tool, way: [], isSure: isForbidden === true, isApprovable: false }];
  });
}

export function flowOffences(graph: FlowGraph, flow: ForbiddenFlow, policy: Policy): readonly Offence[] {
  const { sure, possible } = flowReach(graph, flow.from);
  return graph.tools.flatMap((tool): readonly Offence[] => {
    const isSink = isMeant(flow.to, tool);
    const call = idOf({ type: 'call', subject: tool.subject, tool });
    if (isSink === false || !possible.has(call) || (flow.without === 'approval' && isApproved(tool, policy) === true)) return [];
    const isSure = isSink === true && sure.has(call) && (flow.without === undefined || isApproved(tool, policy) === false);
    return [{ tool, way: wayTo(sure.has(call) ? sure : possible, call), isSure, isApprovable: flow.without === 'approval' }];
  });
}

/** The answers of the tools that `from` names, and of those that it may name. */
export function sourcesOf(graph: FlowGraph, from: string, isSure = false): readonly string[] {
  return graph.tools.flatMap((tool) => {
    const isSource = isMeant(from, tool);
    return isSource === false || (isSure && isSource === undefined) ? [] : [idOf({ type: 'answer', subject: tool.subject, tool })];
  });
}

interface FlowReach {
  readonly sure: Reach;
  readonly possible: Reach;
}

const reaches = new WeakMap<FlowGraph, Map<string, FlowReach>>();

/** Where data from what `from` names surely and possibly goes. A graph is asked for the same source by many assertions. */
export function flowReach(graph: FlowGraph, from: string): FlowReach {
  const known = reaches.get(graph) ?? new Map<string, FlowReach>();
  reaches.set(graph, known);
  const reach = known.get(from) ?? findReach(graph, from);
  known.set(from, reach);
  return reach;
}

function findReach(graph: FlowGraph, from: string): FlowReach {
  const certain = sourcesOf(graph, from, true);
  const all = sourcesOf(graph, from);
  const sure = reachFrom(graph, certain, { isSure: true });
  return { sure, possible: graph.isSure && all.length === certain.length ? sure : reachFrom(graph, all) };
}

/** Whether somebody approves each call of a tool; undefined where only its code knows. */
export function isApproved(tool: GraphTool, { only_after_approval = [] }: Policy): boolean | undefined {
  return only_after_approval.some((entry) => isMeant(entry, tool) === true) ? true : tool.asks;
}

/** The instances that an entry of `agents` is about: agents of its name with all that their plans call, or those of an orchestration. */
export function coveredBy(name: string, { kind, name: subject_name, agents }: PermitSubject): ReadonlySet<string> {
  const isWhole = kind === 'orchestration' && subject_name === name;
  const covered = new Set([...agents].flatMap(([instance, { config }]) => (isWhole || config.agent_name === name ? [instance] : [])));
  // A set grows while it is iterated.
  for (const instance of covered) for (const called of agentsInPlan(agents.get(instance)?.config.execution_plan)) covered.add(called);
  return covered;
}
