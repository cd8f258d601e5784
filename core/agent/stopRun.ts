import { abortable } from '../abort.js';
import { InputInvalidError, type Issue } from '../errors.js';
import { isObject, type Json, pointerOf } from '../json.js';
import type { Completion, LlmRequest, Message } from '../llm/types.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import type { Tool } from '../tools/types.js';
import { costLeft } from './checkBudget.js';
import type { Conversation } from './conversation.js';
import type { EventBody } from './events.js';
import type { Change, Gate, KeptChange, Stop, StopPlace } from './gate.js';
import { llmRequest } from './modelCall.js';
import type { Turn } from './turn.js';
import type { RunRequest } from './types.js';

type EditEvent = Extract<EventBody, { type: 'edit' }>;

/** Why nothing of a replay can be changed. */
export const lockedByReplay = 'A replay answers what was recorded, so nothing of it can be changed.';

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
    locked: request.isReplay ? lockedByReplay : undefined,
  };
}

/** What a run needs to stop, and to continue with what was changed there. */
export interface Stopping extends Pick<Turn, 'signal' | 'waitForPerson'>, Pick<RunRequest, 'steps' | 'edits'> {
  readonly gate: Gate;
}

/** The gate of a run that only applies what was changed before. */
export const passing: Gate = () => undefined;

/** The gate of a run. One that applies the changes of an earlier process, or of a recorded run, goes through its stops without asking. */
export function gateOf({ gate, steps, edits }: Pick<RunRequest, 'gate' | 'steps' | 'edits'>): Gate | undefined {
  return gate ?? (steps?.earlier || edits?.take ? passing : undefined);
}

export function stoppingOf({ request: { steps, edits }, signal, waitForPerson }: Turn, gate: Gate): Stopping {
  return { gate, signal, waitForPerson, ...(steps && { steps }), ...(edits && { edits }) };
}

/**
 * Stops, and keeps the stop as a step: with what was changed before the run continues with it, or as passed. What was changed here by an earlier
 * process or in the recorded run is applied without asking, and stops that the earlier process has left are passed.
 *
 * @param stop what a person sees
 * @param apply makes a change part of the run
 * @param kept a change as it is kept; undefined if it changes nothing
 * @throws as `waitAt`; StorageError if the change could not be kept
 */
export async function stopAt(
  stopping: Stopping,
  place: StopPlace,
  stop: () => Stop,
  apply: (change: KeptChange) => void = () => undefined,
  kept: (change: Change) => KeptChange | undefined = () => undefined,
): Promise<void> {
  const { gate, steps, edits } = stopping;
  const { stop: kind, step, call } = place;
  const name = `stop/${kind}/${step}${call === undefined ? '' : `/${call}`}`;
  const isKept = steps?.earlier?.has(name) === true;
  const earlier = isKept ? await steps.step(name, neverAgain) : edits?.take?.(place);
  if (earlier) {
    await edits?.keep?.(place, earlier);
    apply(earlier);
  }
  if (isKept || steps?.earlier?.isAhead()) return;
  const change = await waitAt(stopping, stop());
  const changed = change && kept(change);
  if (!changed) {
    // Nothing waits for it: a stop that is not kept is only shown again.
    if (gate !== passing) steps?.step(name, async () => null).catch(() => undefined);
    return;
  }
  const lasting = steps ? await steps.step(name, async () => changed) : changed;
  await edits?.keep?.(place, lasting);
  apply(lasting);
}

async function neverAgain(): Promise<KeptChange | null> {
  throw new Error('The stop was kept.');
}

/**
 * Waits at a stop, outside the run's time.
 * @throws InputInvalidError for a change that the run does not accept; the signal's reason
 */
export async function waitAt({ gate, signal, waitForPerson }: Stopping, stop: Stop): Promise<Change | undefined> {
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
  const edits: EditEvent[] = [];
  const stop = (): Stop => {
    const before = [...conversation.messages];
    const { signal: _signal, deadline: _deadline, logger: _logger, cache: _cache, ...request } = llmRequest(turn, before, fields);
    const check = ({ messages, ...others }: Change) => [...unused(others, 'model'), ...checkMessages(before, messages ?? before)];
    return { at: 'model', ...stopOf(turn, step), request, tokens: conversation.likely, offered, check };
  };
  const apply = ({ messages = [] }: KeptChange) => {
    for (const [index, message] of messages.entries()) {
      const old = conversation.messages[index];
      if (old === undefined || message === null) continue;
      conversation.replace(index, message);
      const path = pointerOf('messages', index, 'content');
      edits.push(turn.record.edited({ type: 'edit', step, path, before: plain(old.content), after: plain(message.content) }));
    }
  };
  const kept = ({ messages = [] }: Change): KeptChange | undefined => {
    const changed = messages.map((message, index) =>
      textOf(conversation.messages[index] ?? message) === textOf(message) ? null : message,
    );
    return changed.some((message) => message !== null) ? { messages: changed } : undefined;
  };
  await stopAt(stoppingOf(turn, gate), { stop: 'model', step }, stop, apply, kept);
  yield* edits;
}

/** Stops after the answer of a model. Nothing of it can be changed: it is what the model said. */
export async function stopAfterAnswer(turn: Turn, gate: Gate, step: number, completion: Completion): Promise<void> {
  const locked = 'An answer is what the model said. Change what is sent to it instead.';
  const stop = (): Stop => ({ at: 'answer', ...stopOf(turn, step), completion, locked, check: () => [] });
  await stopAt(stoppingOf(turn, gate), { stop: 'answer', step }, stop);
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
