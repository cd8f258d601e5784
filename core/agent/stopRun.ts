import { abortable } from '../abort.js';
import { InputInvalidError, type Issue } from '../errors.js';
import { isObject, type Json, pointerOf } from '../json.js';
import type { Completion, LlmRequest, Message } from '../llm/types.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import type { Tool } from '../tools/types.js';
import { costLeft } from './checkBudget.js';
import type { Conversation } from './conversation.js';
import type { EventBody } from './events.js';
import type { Change, Gate, Stop } from './gate.js';
import { llmRequest } from './modelCall.js';
import type { Turn } from './turn.js';

type EditEvent = Extract<EventBody, { type: 'edit' }>;

/** Why a run whose steps are kept cannot be changed. */
export const lockedBySteps =
  'This run keeps its steps, and a resumed run would not have the change. Start it without keeping them to change it.';

const lockedByReplay = 'A replay answers what was recorded, so nothing of it can be changed.';

/** The common fields of the stops of an agent. */
export function stopOf(turn: Turn, step: number) {
  const { request, record } = turn;
  return {
    agent: request.agent,
    run_id: record.run_id,
    callers: request.callers ?? [],
    caller_steps: request.caller_steps ?? [],
    plan_step: turn.plan?.step,
    plan_outcomes: turn.plan && Object.fromEntries(turn.plan.outcomes),
    step,
    payload: request.payload,
    used: { total_tokens: record.usage.tokens.total_tokens, cost: record.usage.cost },
    cost_left: costLeft(turn),
    locked: request.isReplay ? lockedByReplay : request.steps && lockedBySteps,
  };
}

/**
 * Waits at a stop, outside the run's time.
 * @throws InputInvalidError for a change that the run does not accept; the signal's reason
 */
export async function waitAt(
  gate: Gate,
  stop: Stop,
  { signal, waitForPerson }: Pick<Turn, 'signal' | 'waitForPerson'>,
): Promise<Change | undefined> {
  const change = await abortable(waitForPerson(Promise.resolve(stop).then(gate)), signal);
  if (change === undefined || Object.keys(change).length === 0) return undefined;
  const issues = stop.locked === undefined ? await stop.check(change) : [toIssue('', stop.locked)];
  if (issues.length === 0) return change;
  throw new InputInvalidError(`The change at the stop cannot be used: ${issues.map(({ message }) => message).join(' ')}`, issues);
}

/** Stops before a model call, and applies what was changed in its messages. */
export async function* stopBeforeModel(
  turn: Turn,
  gate: Gate,
  {
    conversation,
    fields,
    step,
    tools: offered = [],
  }: {
    readonly conversation: Conversation;
    readonly fields: Partial<LlmRequest>;
    readonly step: number;
    readonly tools?: readonly Tool[];
  },
): AsyncGenerator<EventBody, void, undefined> {
  const before = [...conversation.messages];
  const { signal: _signal, deadline: _deadline, logger: _logger, cache: _cache, ...request } = llmRequest(turn, before, fields);
  const check = ({ messages, ...others }: Change) => [...unused(others, 'model'), ...checkMessages(before, messages ?? before)];
  const stop = { at: 'model', ...stopOf(turn, step), request, tokens: conversation.likely, offered, check } as const;
  const change = await waitAt(gate, stop, turn);
  for (const [index, message] of change?.messages?.entries() ?? []) {
    const old = before[index];
    if (old === undefined || textOf(old) === textOf(message)) continue;
    conversation.replace(index, message);
    yield turn.record.edited({
      type: 'edit',
      step,
      path: pointerOf('messages', index, 'content'),
      before: plain(old.content),
      after: plain(message.content),
    });
  }
}

/** Stops after the answer of a model. Nothing of it can be changed: it is what the model said. */
export async function stopAfterAnswer(turn: Turn, gate: Gate, step: number, completion: Completion): Promise<void> {
  const locked = 'An answer is what the model said. Change what is sent to it instead.';
  await waitAt(gate, { at: 'answer', ...stopOf(turn, step), completion, locked, check: () => [] }, turn);
}

/** Fields of a change that its stop does not take. */
export function unused(others: Change, at: Stop['at']): readonly Issue[] {
  return Object.keys(others).map((name) => toIssue(`/${name}`, `${JSON.stringify(name)} cannot be changed at a stop of the kind "${at}".`));
}

export function toIssue(path: string, message: string): Issue {
  return { path, keyword: 'edit', message };
}

/**
 * Providers refuse calls without results, results without calls, and thoughts that are not the model's own: so texts, and the contents of
 * results, are all that may differ.
 */
function checkMessages(before: readonly Message[], after: readonly unknown[]): readonly Issue[] {
  if (after.length !== before.length)
    return [toIssue('/messages', `There are ${before.length} messages, not ${after.length}: messages cannot be added or removed here.`)];
  return before.flatMap((old, index) => {
    const message = after[index];
    const path = pointerOf('messages', index);
    if (!isObject(message) || message.role !== old.role)
      return [toIssue(path, `Message ${index + 1} must stay one of the role "${old.role}".`)];
    const { content, ...others } = message;
    if (Object.keys(others).length > 1) return [toIssue(path, `Message ${index + 1} has fields that messages do not have.`)];
    if (typeof old.content === 'string') {
      if (typeof content !== 'string') return [toIssue(`${path}/content`, `The content of message ${index + 1} must stay a text.`)];
      const isEmptied = content.trim() === '' && old.content.trim() !== '';
      return isEmptied ? [toIssue(`${path}/content`, `Message ${index + 1} is empty, which providers refuse.`)] : [];
    }
    const words = `Of message ${index + 1} only texts, and the contents of tool results, can be changed.`;
    if (!Array.isArray(content) || content.length !== old.content.length) return [toIssue(`${path}/content`, words)];
    const isSame = old.content.every((block, at) => textOf(withoutText(block, content[at])) === textOf(withoutText(block, block)));
    return isSame ? [] : [toIssue(`${path}/content`, words)];
  });
}

/** A block without what may be changed in a block like `old`. */
function withoutText(old: { readonly type: string }, block: unknown): object {
  if (!isObject(block)) return {};
  const name = old.type === 'text' ? 'text' : old.type === 'tool_result' ? 'content' : undefined;
  if (name === undefined || typeof block[name] !== 'string') return block;
  return { ...block, [name]: '' };
}

function plain(content: Message['content']): EditEvent['before'] {
  return JSON.parse(JSON.stringify(content)) as EditEvent['before'];
}

/** Messages are plain JSON; their types say more than `Json` can. */
function textOf(value: object): string {
  return canonicalJson(value as unknown as Json);
}
