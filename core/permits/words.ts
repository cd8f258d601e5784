import { type FlowGraph, type FlowNode, idOf } from './flowGraph.js';
import type { Label } from './labels.js';
import { isLabel, sinkLabels, sourceLabels } from './policyTerms.js';
import { filesStore, sessionStore } from './stores.js';
import type { SubjectTool } from './subject.js';

/** What an assertion is about: only the labels that it names are shown. */
export interface WayEnds {
  readonly from?: string;
  readonly to?: string;
}

/** A way as one line: `github/search_issues (untrusted) -> Triage.summary (free text) -> Mailer -> mail/send (sends)`. */
export function wayWords(graph: Pick<FlowGraph, 'nodes' | 'agents'>, way: readonly (string | FlowNode)[], ends: WayEnds = {}): string {
  const nodes = way.flatMap((each) => (typeof each === 'string' ? (graph.nodes.get(each) ?? []) : [each]));
  const words = nodes.flatMap((node, index) => nodeWords(graph, node, nodes[index - 1], nodes[index + 1], ends));
  return words.filter((word, index) => word !== words[index - 1]).join(' -> ');
}

function nodeWords(
  { agents }: Pick<FlowGraph, 'agents'>,
  node: FlowNode,
  before: FlowNode | undefined,
  after: FlowNode | undefined,
  { from, to }: WayEnds,
): readonly string[] {
  switch (node.type) {
    case 'answer':
      // What a tool repeats was shown with its call.
      if (before?.type === 'call') return [];
      return [toolWords(node.tool, before === undefined ? sourceLabels : [], from)];
    case 'call':
      return [toolWords(node.tool, after === undefined ? sinkLabels : [], to)];
    case 'reads':
      return after?.type === 'call' ? [agentName(node.subject, node.instance)] : [];
    case 'payload':
      return [];
    case 'output': {
      const name = agentName(node.subject, node.instance);
      return [node.path.length === 0 ? `the answer of ${name} (free text)` : `${[name, ...node.path].join('.')} (free text)`];
    }
    case 'step':
      return [`the answer of step ${node.step} (free text)`];
    case 'context':
      return [`context.${node.key}`];
    case 'store':
      return [storeWords(node.store)];
  }

  function agentName(subject: string, instance: string): string {
    return agents.get(idOf({ type: 'reads', subject, instance })) ?? instance;
  }
}

/** `mail/send (sends)`. @param named the term of the assertion: a label or a tool */
function toolWords({ id, labels: known, open }: SubjectTool, shown: readonly Label[], named: string | undefined): string {
  if (open !== undefined) return `${id} (${openWords[open]})`;
  const matter = named !== undefined && isLabel(named) && shown.length > 0 ? [named] : shown;
  if (matter.length > 0 && matter.every((label) => known.has[label] === undefined)) return `${id} (not labelled)`;
  const has = matter.filter((label) => known.has[label] === true);
  return has.length === 0 ? id : `${id} (${has.join(', ')})`;
}

const openWords = {
  unlisted: 'tools not listed',
  variable: 'known only in a run',
  missing: 'cannot be read',
  undeclared: 'described nowhere',
} as const;

function storeWords(store: string): string {
  if (store === filesStore) return 'the files of the project';
  return store === sessionStore ? 'the session' : `the data of ${store.replace(/^(server|sent) /, '')}`;
}
