import type { PermitsReport, ReportedCall, ReportedChange, ReportedFlow, ReportedNode } from '../generated/types.js';
import type { FlowChange } from './changes.js';
import type { FlowGraph, FlowNode, GraphTool } from './flowGraph.js';
import { assertionWords, assumptions, changeWords } from './permitWords.js';
import type { ProjectPermits } from './projectPermits.js';
import type { PermittedFlow } from './subjectPermits.js';
import { wayWords } from './words.js';

/** What `agent-stack permits --json` prints of the project. */
export function permitsReport({ subjects, between, graph, policy, unread }: ProjectPermits): Omit<PermitsReport, 'format' | 'other_tools'> {
  return {
    subjects: subjects.map(({ file, isExposed, problems, permits: { graph: own, flows, policy: verdicts, ...permits } }) => ({
      ...permits,
      file,
      exposed: isExposed,
      problems,
      flows: flows.map((flow) => flowReport(flow, own)),
      policy: verdicts.map(({ pointer, outcome, offences }) => ({
        pointer,
        assertion: assertionWords(policy, pointer),
        outcome,
        calls: offences.map(({ tool, way, isSure }) => ({ ...callReport(tool), is_sure: isSure, way: nodesOf(own, way).map(nodeReport) })),
      })),
    })),
    between: between.map((flow) => flowReport(flow, graph)),
    assumptions,
    unread,
  };
}

function flowReport({ from, way, calls, isSure, changes }: PermittedFlow, graph: FlowGraph): ReportedFlow {
  const [first] = calls;
  const words = first === undefined ? '' : wayWords(graph, [...way, { type: 'call', subject: first.subject, tool: first }], { from });
  return {
    from,
    is_sure: isSure,
    words,
    way: way.map(nodeReport),
    calls: calls.map(callReport),
    changes: changes.map((change) => changeReport(change, graph)),
  };
}

function nodesOf({ nodes }: FlowGraph, way: readonly string[]): readonly FlowNode[] {
  return way.flatMap((id) => nodes.get(id) ?? []);
}

function callReport({ subject, instance, id, place, asks }: GraphTool): ReportedCall {
  return { tool: id, subject, instance, asks: asks ?? null, ...(place && { place }) };
}

/** Without what only the graph needs. */
function nodeReport(node: FlowNode): ReportedNode {
  if (!('tool' in node)) return node;
  const { type, subject, tool } = node;
  return { type, subject, instance: tool.instance, tool: tool.id };
}

function changeReport(change: FlowChange, graph: FlowGraph): ReportedChange {
  const agentOf = (instance: string) => graph.tools.find((tool) => tool.instance === instance)?.agent_name ?? instance;
  const words = changeWords(change, agentOf);
  switch (change.type) {
    case 'contract':
      return { type: change.type, words, instance: change.instance, path: change.path };
    case 'approval':
    case 'drop':
      return { type: change.type, words, instance: change.tool.instance, tool: change.tool.id };
  }
}
