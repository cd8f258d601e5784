import type { Policy } from '../generated/types.js';
import { groupBy } from '../groupBy.js';
import { type FlowChange, smallestChanges } from './changes.js';
import { createFlowGraph, type FlowGraph, type FlowNode, type GraphTool } from './flowGraph.js';
import type { Label, LabelSource } from './labels.js';
import { type AssertionVerdict, flowOffences, type Offence, provePolicy, sourcesOf } from './prove.js';
import type { PermitSubject } from './subject.js';

/** What a tool can do to the outside. */
export type Power = 'read' | 'write' | 'send' | 'run';

export const powers: readonly Power[] = ['read', 'write', 'send', 'run'];

/** A tool that gives a subject a power. */
export interface Permit {
  /** `server/tool`, or the name of a tool of no server. */
  readonly tool: string;
  /** Names of the agents that have it. */
  readonly agents: readonly string[];
  readonly labels: readonly Label[];
  /** Whether each call asks for approval; null where only its code knows. */
  readonly asks: boolean | null;
  readonly source: LabelSource;
}

/** Data that may get from a source to calls by the same way. */
export interface PermittedFlow {
  readonly from: 'untrusted' | 'private';
  /** From the answer of a source to the last node before the calls. */
  readonly way: readonly FlowNode[];
  /** The calls, with what the policy may forbid of them. */
  readonly calls: readonly GraphTool[];
  /** False where it depends on labels that nobody has given. */
  readonly isSure: boolean;
  /** Each of them ends the flow to the first of the calls, as far as it is sure. */
  readonly changes: readonly FlowChange[];
}

/** What an agent or orchestration may do, and where what it reads may go. */
export interface SubjectPermits {
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  readonly version?: string;
  readonly may: Readonly<Record<Power, readonly Permit[]>>;
  /** Tools of which it is not known, at least in part, what they do. `claims`: their server says some of it. */
  readonly unlabelled: readonly Permit[];
  /** Servers whose tools have never been listed. */
  readonly unlisted: readonly string[];
  /** Entries with a variable in them. */
  readonly variables: readonly string[];
  /** Tools that no file and no loaded code describes. */
  readonly undeclared: readonly string[];
  /** Agents and servers that it uses and that do not exist or cannot be read. */
  readonly missing: readonly string[];
  readonly flows: readonly PermittedFlow[];
  /** Where a contract lets no text through, so that no flow passes: `Triage.label`. */
  readonly held: readonly { readonly agent: string; readonly path: readonly string[] }[];
  /** What the policy says of it, in the order of the policy; empty without one. */
  readonly policy: readonly AssertionVerdict[];
  readonly graph: FlowGraph;
}

/** Data that leaves with a call of `sends` is a loss only if it is private; what strangers wrote is a risk wherever it makes something happen. */
const looked: readonly (readonly [from: PermittedFlow['from'], to: readonly Label[]])[] = [
  ['untrusted', ['sends', 'changes', 'destroys', 'runs_code']],
  ['private', ['sends']],
];

export function subjectPermits(subject: PermitSubject, policy: Policy = {}): SubjectPermits {
  const graph = createFlowGraph([subject]);
  const { kind, name, version } = subject;
  const described = graph.tools.filter(({ open }) => open === undefined);
  const having = (isMeant: (tool: GraphTool) => boolean) => permitsOf(described.filter(isMeant));
  const open = (why: GraphTool['open']) => [...new Set(graph.tools.flatMap((tool) => (tool.open === why ? [tool.id] : [])))];
  const agentName = (instance: string) => subject.agents.get(instance)?.config.agent_name ?? instance;
  return {
    kind,
    name,
    ...(version !== undefined && { version }),
    may: {
      read: having(
        ({ labels: { has, reads } }) => reads === 'public' || reads === 'private' || has.private === true || has.untrusted === true,
      ),
      write: having(({ labels: { has } }) => has.changes === true || has.destroys === true),
      send: having(({ labels: { has } }) => has.sends === true),
      run: having(({ labels: { has } }) => has.runs_code === true),
    },
    unlabelled: having(({ labels: { source } }) => source === 'none' || source === 'claims'),
    unlisted: open('unlisted').map((id) => id.replace(/\/\*$/, '')),
    variables: open('variable'),
    undeclared: open('undeclared'),
    missing: open('missing'),
    flows: flowsOf(graph),
    held: graph.held.map(({ instance, path }) => ({ agent: agentName(instance), path })),
    policy: provePolicy(graph, [subject], policy),
    graph,
  };
}

/** Each tool once, with all agents that have it. */
function permitsOf(tools: readonly GraphTool[]): readonly Permit[] {
  return [...groupBy(tools, ({ id }) => id)].map(([tool, same]) => {
    const [{ labels, asks }] = same as [GraphTool, ...GraphTool[]];
    const has = Object.entries(labels.has).flatMap(([label, isTrue]) => (isTrue ? [label as Label] : []));
    return { tool, agents: [...new Set(same.map(({ agent_name }) => agent_name))], labels: has, asks: asks ?? null, source: labels.source };
  });
}

/**
 * Where what strangers wrote, and what is private, may go: one way to each call.
 *
 * @param isWanted the flows that are looked at. Default: all
 */
export function flowsOf(
  graph: FlowGraph,
  isWanted: (from: string, call: GraphTool, isSure: boolean) => boolean = () => true,
): readonly PermittedFlow[] {
  return looked.flatMap(([from, to]) => {
    const sources = { sure: new Set(sourcesOf(graph, from, true)), possible: new Set(sourcesOf(graph, from)) };
    const calls = new Map<string, Offence>();
    for (const label of to) {
      for (const offence of flowOffences(graph, { from, to: label }, {})) {
        const id = JSON.stringify([offence.tool.subject, offence.tool.instance, offence.tool.id]);
        if (calls.get(id)?.isSure !== true) calls.set(id, offence);
      }
    }
    const wanted = [...calls.values()].filter(({ tool, isSure }) => isWanted(from, tool, isSure));
    const byWay = groupBy(wanted, ({ isSure, way }) => JSON.stringify([isSure, way.slice(0, -1)]));
    return [...byWay.values()].flatMap((same): readonly PermittedFlow[] => {
      const [first] = same;
      if (first === undefined) return [];
      return [
        {
          from,
          way: first.way.slice(0, -1).flatMap((id) => graph.nodes.get(id) ?? []),
          calls: same.map(({ tool }) => tool),
          isSure: first.isSure,
          changes: smallestChanges(graph, first.isSure ? sources.sure : sources.possible, first),
        },
      ];
    });
  });
}
