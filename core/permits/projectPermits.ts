import type { Policy } from '../generated/types.js';
import { createFlowGraph, type FlowGraph } from './flowGraph.js';
import type { FileSubject, ProjectSubjects } from './readSubjects.js';
import { flowsOf, type PermittedFlow, type SubjectPermits, subjectPermits } from './subjectPermits.js';

/** What the agents and orchestrations of a project may do in one environment. */
export interface ProjectPermits {
  readonly subjects: readonly (Pick<FileSubject, 'file' | 'isExposed' | 'problems'> & { readonly permits: SubjectPermits })[];
  /** Flows that only several of them make possible, by what servers, files and sessions keep between runs. Their nodes are in `graph`. */
  readonly between: readonly PermittedFlow[];
  readonly graph: FlowGraph;
  /** Empty if nothing is asserted. */
  readonly policy: Policy;
  /** Files that are not JSON objects or cannot be read. */
  readonly unread: readonly string[];
}

/** @param isWanted the subjects that are looked at; flows between subjects are those to their tools, from any. Default: all */
export function projectPermits(
  { subjects, unread }: ProjectSubjects,
  policy: Policy = {},
  isWanted: (subject: FileSubject['subject']) => boolean = () => true,
): ProjectPermits {
  const wanted = subjects.filter(({ subject }) => isWanted(subject));
  const pages = wanted.map(({ subject, ...about }) => ({ ...about, permits: subjectPermits(subject, policy) }));
  const graph = createFlowGraph(subjects.map(({ subject }) => subject));
  const ids = new Set(pages.flatMap(({ permits }) => permits.graph.tools.map(({ subject }) => subject)));
  const alone = pages.flatMap(({ permits }) => permits.flows);
  const isKnown = flowsKnown(alone);
  const between = flowsOf(graph, (from, call, isSure) => ids.has(call.subject) && !isKnown(from, call, isSure));
  return { subjects: pages, between, graph, policy, unread };
}

/** Whether one of these flows leads to a call; to a sure one only those that are sure. */
function flowsKnown(flows: readonly PermittedFlow[]): (from: string, call: PermittedFlow['calls'][number], isSure: boolean) => boolean {
  const keyOf = (from: string, { subject, instance, id }: PermittedFlow['calls'][number]) => JSON.stringify([from, subject, instance, id]);
  const keys = new Set(flows.flatMap(({ from, calls, isSure }) => (isSure ? calls.map((call) => keyOf(from, call)) : [])));
  const possible = new Set(flows.flatMap(({ from, calls }) => calls.map((call) => keyOf(from, call))));
  return (from, call, isSure) => (isSure ? keys : possible).has(keyOf(from, call));
}
