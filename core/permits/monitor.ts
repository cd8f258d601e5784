import type { ForbiddenFlow, Policy } from '../generated/types.js';
import { isObject, pointerOf } from '../json.js';
import type { Tool } from '../tools/types.js';
import { createFlowGraph, type FlowGraph, type FlowNode, type GraphTool, idOf, subjectId } from './flowGraph.js';
import { labelsOf } from './labels.js';
import { isMeant } from './policyTerms.js';
import { coveredBy, flowReach, sourcesOf } from './prove.js';
import { type Reach, reachFrom, wayTo } from './reach.js';
import { sessionStore } from './stores.js';
import { type PermitSubject, toolId } from './subject.js';

/**
 * What a policy says of a call. `assertion`: its pointer in the policy. `way`: nodes from a source to the call; empty where no flow matters. `isSure`:
 * false where labels are missing, so that the call may be harmless.
 */
export type Judgement =
  | { readonly outcome: 'allow' }
  | { readonly outcome: 'ask' | 'deny'; readonly assertion: string; readonly way: readonly FlowNode[]; readonly isSure: boolean };

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
  /** Where data comes from that the agent has not read: not what a tool repeats to it, but what a store kept of earlier runs. */
  const unread = flows.map(({ flow, possible }) => {
    const stores = [...possible.keys()].filter((node_id) => graph.nodes.get(node_id)?.type === 'store');
    return reachFrom(graph, [...sourcesOf(graph, flow.from), ...stores], { isBlocked: (node_id) => node_id === idOf(reads) });
  });
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

  /** How data of the flow's source comes to a call, as far as this run has gone; undefined if it does not. */
  function wayOf({ flow, possible }: Flow, before: Reach, tool: GraphTool): readonly FlowNode[] | undefined {
    const call: FlowNode = { type: 'call', subject: id, tool };
    const isListed = tools.includes(tool);
    if (isPlan) {
      const ends = isListed ? [call] : tools.filter(({ open }) => open !== undefined).map((each): FlowNode => ({ ...call, tool: each }));
      const end = ends.map(idOf).find((each) => possible.has(each));
      return end === undefined ? undefined : nodesOf(wayTo(possible, end));
    }
    if (isListed && !possible.has(idOf(call))) return undefined;
    const input = inputs.find((each) => possible.has(each));
    if (input !== undefined) return [...nodesOf(wayTo(possible, input)), reads, call];
    for (const source of called.values()) {
      const answer: FlowNode = { type: 'answer', subject: id, tool: source };
      if (before.has(idOf(answer))) return [...nodesOf(wayTo(before, idOf(answer))), reads, call];
      if (!tools.includes(source) && isMeant(flow.from, source) !== false) return [answer, reads, call];
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
      for (const { what, assertion } of limits) {
        const isForbidden = isMeant(what, tool);
        if (isForbidden !== false) judgements.push({ outcome: 'deny', assertion, way: [], isSure: isForbidden === true });
      }
      for (const [index, each] of flows.entries()) {
        const isSink = isMeant(each.flow.to, tool);
        const way = isSink === false ? undefined : wayOf(each, unread[index] ?? new Map(), tool);
        if (way === undefined) continue;
        const isSure = isSink === true && each.sure.has(idOf({ type: 'call', subject: id, tool }));
        judgements.push({ outcome: each.flow.without === 'approval' ? 'ask' : 'deny', assertion: each.assertion, way, isSure });
      }
      for (const [index, entry] of (policy.only_after_approval ?? []).entries()) {
        if (isMeant(entry, tool) === true)
          judgements.push({ outcome: 'ask', assertion: pointerOf('only_after_approval', index), way: [], isSure: true });
      }
      return judgements.find(({ outcome }) => outcome === 'deny') ?? judgements[0] ?? { outcome: 'allow' };
    },
  };
}
