import type { ForbiddenFlow, Policy } from '../generated/types.js';
import { isObject, pointerOf } from '../json.js';
import type { Tool } from '../tools/types.js';
import { createFlowGraph, type FlowGraph, type FlowNode, type GraphTool, idOf, subjectId } from './flowGraph.js';
import { labelsOf } from './labels.js';
import { assertionWords } from './permitWords.js';
import { isMeant } from './policyTerms.js';
import { coveredBy, flowReach, sourcesOf } from './prove.js';
import { type Reach, reachFrom, wayTo } from './reach.js';
import { sessionStore } from './stores.js';
import { type PermitSubject, toolId } from './subject.js';
import { wayWords } from './words.js';

/**
 * What a policy says of a call. `assertion`: its pointer in the policy. `way`: nodes from a source to the call; empty where no flow matters. `words`: the
 * assertion, and that way. `isSure`: false where labels are missing, so that the call may be harmless.
 */
export type Judgement =
  | { readonly outcome: 'allow' }
  | {
      readonly outcome: 'ask' | 'deny';
      readonly assertion: string;
      readonly way: readonly FlowNode[];
      readonly words: string;
      readonly isSure: boolean;
    };

/** Judges the calls of one run of one agent. */
export interface PolicyMonitor {
  /** Before a call. To be asked is to be asked for this very call, whatever allows its tool otherwise. */
  judge(tool: RunTool): Judgement;
  /** After a call whose answer the agent reads. */
  called(tool: RunTool): void;
}

type RunTool = Pick<Tool, 'name' | 'origin' | 'labels'>;

interface Flow {
  readonly flow: ForbiddenFlow;
  readonly assertion: string;
  readonly sure: Reach;
  readonly possible: Reach;
}

/** Where the data of a flow's source goes. */
interface FlowReaches {
  readonly reach: Reach;
  /** Before the agent has read anything. */
  readonly unread: Reach;
  readonly isSure: boolean;
}

/**
 * Enforces a policy in the runs of a subject by the graph that proves it: a call is denied only where the proof finds a flow, and at the latest when
 * that flow would happen. What others may give the agent counts from the beginning; answers of its own tools count once it has called them.
 *
 * @returns the monitor for one run of an agent of the subject; `hasSession`: whether that run continues a conversation
 */
export function createMonitors(subject: PermitSubject, policy: Policy): (instance: string, hasSession: boolean) => PolicyMonitor {
  const graph = createFlowGraph([subject]);
  const flows = (policy.never ?? []).map(
    (flow, index): Flow => ({ flow, assertion: pointerOf('never', index), ...flowReach(graph, flow.from) }),
  );
  const limits = Object.entries(policy.agents ?? {}).flatMap(([name, { may_not }]) => {
    const instances = coveredBy(name, subject);
    return may_not.map((what, index) => ({ what, instances, assertion: pointerOf('agents', name, 'may_not', index) }));
  });
  return (instance, hasSession) =>
    createMonitor(
      { subject, policy, graph, flows, limits: limits.filter(({ instances }) => instances.has(instance)) },
      instance,
      hasSession,
    );
}

interface Proof {
  readonly subject: PermitSubject;
  readonly policy: Policy;
  readonly graph: FlowGraph;
  readonly flows: readonly Flow[];
  readonly limits: readonly { readonly what: string; readonly assertion: string }[];
}

function createMonitor({ subject, policy, graph, flows, limits }: Proof, instance: string, hasSession: boolean): PolicyMonitor {
  const agent = subject.agents.get(instance);
  if (agent === undefined) throw new Error(`A policy was about to be enforced without the agent ${instance}.`);
  const id = subjectId(subject);
  const tools = graph.tools.filter((tool) => tool.instance === instance);
  const reads: FlowNode = { type: 'reads', subject: id, instance };
  const inputs = [...graph.nodes].flatMap(([node_id, node]) => (node.type === 'payload' && node.instance === instance ? [node_id] : []));
  if (hasSession) inputs.push(idOf({ type: 'store', subject: '', store: sessionStore }));
  const isPlan = agent.config.agent_type === 'orchestrating';
  const called = new Map<string, GraphTool>();
  /** Of what the agent has not read, there is not what a tool repeats to it, but what a store kept of earlier runs. */
  const reachesOf = (from: string, reach: Reach, isSure: boolean): FlowReaches => {
    const stores = [...reach.keys()].filter((node_id) => graph.nodes.get(node_id)?.type === 'store');
    const starts = [...sourcesOf(graph, from, isSure), ...stores];
    return { reach, unread: reachFrom(graph, starts, { isSure, isBlocked: (node_id) => node_id === idOf(reads) }), isSure };
  };
  const reaches = flows.map(
    ({ flow: { from }, sure, possible }) => [reachesOf(from, sure, true), reachesOf(from, possible, false)] as const,
  );
  const nodesOf = (way: readonly string[]) => way.flatMap((node_id) => graph.nodes.get(node_id) ?? []);

  /** As in the graph; a tool that the files do not list has the labels that are known without them. */
  function toGraphTool({ name, origin, labels }: RunTool): GraphTool {
    const tool_id = toolId({ name, origin });
    const listed = tools.find((tool) => tool.open === undefined && tool.origin.type === origin.type && tool.id === tool_id);
    if (listed !== undefined) return listed;
    const server = origin.type === 'mcp' ? agent?.servers[origin.client_id] : undefined;
    const known = labelsOf({ name, origin, ...(labels && { labels }) }, isObject(server) ? server : undefined);
    return {
      subject: id,
      instance,
      agent_name: agent?.config.agent_name ?? '',
      name,
      origin,
      id: tool_id,
      labels: known,
      asks: true,
      place: undefined,
    };
  }

  /** The entries of the graph that stand for a tool: itself, or those of tools that only a run knows. */
  function listedFor(tool: GraphTool): readonly GraphTool[] {
    if (tools.includes(tool)) return [tool];
    const client_id = tool.origin.type === 'mcp' ? tool.origin.client_id : undefined;
    return tools.filter(
      ({ open, origin }) => open === 'variable' || (open === 'unlisted' && origin.type === 'mcp' && origin.client_id === client_id),
    );
  }

  /** How data of a flow's source comes to a call, as far as this run has gone; undefined if it does not. */
  function wayOf(from: string, { reach, unread, isSure }: FlowReaches, tool: GraphTool): readonly FlowNode[] | undefined {
    const call: FlowNode = { type: 'call', subject: id, tool };
    if (isPlan) {
      const end = listedFor(tool)
        .map((each) => idOf({ ...call, tool: each }))
        .find((each) => reach.has(each));
      return end === undefined ? undefined : nodesOf(wayTo(reach, end));
    }
    if (tools.includes(tool) && !reach.has(idOf(call))) return undefined;
    const input = inputs.find((each) => reach.has(each));
    if (input !== undefined) return [...nodesOf(wayTo(reach, input)), reads, call];
    for (const source of called.values()) {
      const isSource = tools.includes(source) ? false : isMeant(from, source);
      if (isSource === true || (isSource === undefined && !isSure)) return [{ type: 'answer', subject: id, tool: source }, reads, call];
      const answer = listedFor(source)
        .map((each) => idOf({ type: 'answer', subject: id, tool: each }))
        .find((each) => unread.has(each));
      if (answer !== undefined) return [...nodesOf(wayTo(unread, answer)), reads, call];
    }
    return undefined;
  }

  return {
    called(tool) {
      called.set(toolId(tool), toGraphTool(tool));
    },
    judge(runTool) {
      const tool = toGraphTool(runTool);
      const judgements: Exclude<Judgement, { outcome: 'allow' }>[] = [];
      const add = (outcome: 'ask' | 'deny', assertion: string, isSure: boolean, way: readonly FlowNode[] = [], flow?: ForbiddenFlow) => {
        const words = [assertionWords(policy, assertion), ...(flow ? [wayWords(graph, way, flow)] : [])].join(': ');
        judgements.push({ outcome, assertion, way, words, isSure });
      };
      for (const { what, assertion } of limits) {
        const isForbidden = isMeant(what, tool);
        if (isForbidden !== false) add('deny', assertion, isForbidden === true);
      }
      for (const [index, { flow, assertion }] of flows.entries()) {
        const isSink = isMeant(flow.to, tool);
        for (const each of isSink === false ? [] : (reaches[index] ?? [])) {
          const way = wayOf(flow.from, each, tool);
          if (way === undefined) continue;
          add(flow.without === 'approval' ? 'ask' : 'deny', assertion, each.isSure && isSink === true, way, flow);
          break;
        }
      }
      for (const [index, entry] of (policy.only_after_approval ?? []).entries()) {
        const isNamed = isMeant(entry, tool);
        if (isNamed !== false) add('ask', pointerOf('only_after_approval', index), isNamed === true);
      }
      return judgements.find(({ outcome }) => outcome === 'deny') ?? judgements[0] ?? { outcome: 'allow' };
    },
  };
}
