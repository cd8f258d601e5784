import type { ForbiddenFlow, Policy } from '../generated/types.js';
import { groupBy } from '../groupBy.js';
import { pointerOf, segmentsOf } from '../json.js';

import { dotted, inEnglish, type Translate } from '../words.js';
import type { FlowChange } from './changes.js';
import type { FlowGraph, FlowNode, GraphTool } from './flowGraph.js';
import { type Permit, type PermittedFlow, type Power, powers, type SubjectPermits } from './subjectPermits.js';
import { wayWords } from './words.js';

/** What holds of every answer, in one place: nothing is proved beyond it. */
export const assumptions: readonly string[] = [
  'A tool does what its labels say, and nothing else; its answer may repeat what it was given.',
  'A model may copy anything that it has read into any text that it writes, but a contract holds it to its enums, numbers and booleans.',
  'Whoever approves a call reads it. What a caller sends, and what files of the project say, is trusted.',
  'Not followed: which of several routes or values a model chooses, providers of models, what tools of your own keep between runs, and what other programs read and write.',
];

const deeds: Readonly<Record<Power, string>> = { read: 'read', write: 'change data', send: 'send', run: 'run code' };

/** A sentence for each power, then one for what is not known. */
export function permitSentences(permits: SubjectPermits): readonly string[] {
  const { may, unlabelled, unlisted, variables, undeclared, missing } = permits;
  const isWhole = unlabelled.length + unlisted.length + variables.length + undeclared.length + missing.length === 0;
  return [
    ...powers.map((power) => powerSentence(power, may[power], permits, isWhole)),
    ...(unlabelled.length === 0
      ? []
      : [`Not known: what ${namesOf(unlabelled)} ${unlabelled.length === 1 ? 'does' : 'do'}, without labels.`]),
    ...(unlisted.length === 0 ? [] : [`Not known: the tools of ${unlisted.join(', ')}, which have never been listed.`]),
    ...(variables.length === 0 ? [] : [`Not known: what ${variables.join(', ')} ${variables.length === 1 ? 'names' : 'name'}.`]),
    ...(undeclared.length === 0
      ? []
      : [`Not known: what ${undeclared.join(', ')} ${undeclared.length === 1 ? 'does' : 'do'}, which no file describes.`]),
    ...(missing.length === 0 ? [] : [`Not known: what ${missing.join(', ')} may do, which cannot be read.`]),
  ];
}

function namesOf(unlabelled: readonly Permit[]): string {
  return unlabelled.map(({ tool, source }) => (source === 'claims' ? `${tool} (only claimed by its server)` : tool)).join(', ');
}

function powerSentence(power: Power, permits: readonly Permit[], subject: SubjectPermits, isWhole: boolean): string {
  const deed = deeds[power];
  if (permits.length === 0) {
    const nothing = power === 'send' || power === 'read' ? ' anything' : '';
    return isWhole ? `May not ${deed}${nothing}.` : `May not ${deed}${nothing} with a tool whose labels are known.`;
  }
  const groups = [...groupBy(permits, ({ asks }) => asks)].map(([asks, same]) => {
    const tools = same.map((permit) => toolWords(power, permit, subject));
    return `${tools.join(', ')}${approvalWords(asks, same.length)}`;
  });
  return `May ${deed} with ${groups.join('; with ')}.`;
}

function toolWords(power: Power, { tool, labels, agents, source }: Permit, { kind, name }: SubjectPermits): string {
  const has = (label: Permit['labels'][number]) => labels.includes(label);
  const details = [
    ...(power === 'read' ? [has('private') ? 'private' : 'public', ...(has('untrusted') ? ['written by strangers'] : [])] : []),
    ...(power === 'write' && has('destroys') ? ['destroys'] : []),
    ...(source === 'claims' ? ['its server claims'] : []),
    ...(kind === 'agent' && agents.length === 1 && agents[0] === name ? [] : [`agent ${agents.join(', ')}`]),
  ];
  return details.length === 0 ? tool : `${tool} (${details.join(', ')})`;
}

function approvalWords(asks: boolean | null, count: number): string {
  const each = count === 1 ? '' : ', each';
  if (asks === null) return `${each === '' ? ',' : ', each'} as its code asks for approval or not`;
  return asks ? `${each || ','} after an approval` : `${each || ','} without an approval`;
}

/** `github/search (untrusted) -> Triage -> mail/send (sends), mail/reply (sends), after an approval`. */
export function flowWords({ from, way, calls }: PermittedFlow, graph: FlowGraph): string {
  const callOf = (tool: GraphTool): FlowNode => ({ type: 'call', subject: tool.subject, tool });
  const [first, ...others] = calls;
  if (first === undefined) throw new Error('A flow leads to no call.');
  const words = [wayWords(graph, [...way, callOf(first)], { from }), ...others.map((tool) => wayWords(graph, [callOf(tool)]))];
  return `${words.join(', ')}${calls.every(({ asks }) => asks === true) ? ', after an approval' : ''}`;
}

/** An order to the user: `Hold Triage.summary to an enum`. `agentOf`: the name of an instance. */
export function changeWords(change: FlowChange, agentOf: (instance: string) => string): string {
  switch (change.type) {
    case 'contract': {
      const path = dotted(change.path);
      return `hold ${path === '' ? 'the answer' : path} of ${agentOf(change.instance)} to an enum`;
    }
    case 'approval':
      return `ask for approval of ${change.tool.id}`;
    case 'drop':
      return `take ${change.tool.id} from ${change.tool.agent_name}`;
  }
}

/** `may: read github, change mail after approval`. Undefined for a subject without tools. */
export function permitSummary(permits: SubjectPermits, t: Translate = inEnglish): string | undefined {
  const words = powerWords(permits, t);
  return words === undefined ? undefined : t('may: {0}', words);
}

/** `read github, change mail after approval, send with mail after approval`. Undefined for a subject without tools. */
export function powerWords(
  { may, unlabelled, unlisted, variables, undeclared, missing }: SubjectPermits,
  t: Translate = inEnglish,
): string | undefined {
  const parts = powers.flatMap((power) => {
    const permits = may[power];
    if (permits.length === 0) return [];
    const sources = [...new Set(permits.map(({ tool }) => tool.split('/')[0] ?? tool))];
    const names = sources.length > 3 ? [...sources.slice(0, 2), t('{0} more', String(sources.length - 2))] : sources;
    const words = shortDeeds(names.join(', '), t)[power];
    return [power !== 'read' && permits.every(({ asks }) => asks === true) ? t('{0} after approval', words) : words];
  });
  const unknown = unlabelled.length + unlisted.length + variables.length + undeclared.length + missing.length;
  if (unknown > 0) parts.push(t('{0} not known', String(unknown)));
  return parts.length === 0 ? undefined : parts.join(', ');
}

function shortDeeds(names: string, t: Translate): Readonly<Record<Power, string>> {
  return { read: t('read {0}', names), write: t('change {0}', names), send: t('send with {0}', names), run: t('run code with {0}', names) };
}

/** The flow that an assertion forbids; undefined for one that forbids calls. */
export function flowAt({ never = [] }: Policy, pointer: string): ForbiddenFlow | undefined {
  const [part, index] = segmentsOf(pointer);
  return part === 'never' ? never[Number(index)] : undefined;
}

/** `never untrusted -> sends without approval`, `approval before mail/delete_*`, `Triage may not: sends`. */
export function assertionWords({ never = [], only_after_approval = [], agents = {} }: Policy, pointer: string): string {
  const [part, key = '', , index = ''] = segmentsOf(pointer);
  switch (part) {
    case 'never': {
      const flow = never[Number(key)];
      if (flow === undefined) break;
      return `never ${flow.from} -> ${flow.to}${flow.without === undefined ? '' : ` without ${flow.without}`}`;
    }
    case 'only_after_approval':
      return `approval before ${only_after_approval[Number(key)] ?? ''}`;
    case 'agents':
      return `${key} may not: ${agents[key]?.may_not[Number(index)] ?? ''}`;
  }
  throw new Error(`${pointer} is no assertion of the policy.`);
}

/** Every assertion of a policy, in its order. */
export function assertionsOf(policy: Policy): readonly { readonly pointer: string; readonly words: string }[] {
  const { never = [], only_after_approval = [], agents = {} } = policy;
  const pointers = [
    ...never.map((_, index) => pointerOf('never', index)),
    ...only_after_approval.map((_, index) => pointerOf('only_after_approval', index)),
    ...Object.entries(agents).flatMap(([name, { may_not }]) => may_not.map((_, index) => pointerOf('agents', name, 'may_not', index))),
  ];
  return pointers.map((pointer) => ({ pointer, words: assertionWords(policy, pointer) }));
}
