import { sizeOfExtras, sizeOfMessage, type TokenSize } from '../llm/callCost.js';
import type { Message, ResponseFormat, TokenUsage, ToolDefinition, UserBlock, UserMessage } from '../llm/types.js';
import type { Agent } from './types.js';

/** What was left out to fit the context window of the model. */
export interface Dropped {
  /** Tool results that were replaced by a short note. */
  readonly tool_results: number;
  /** Messages left out whole. */
  readonly messages: number;
}

/** Tokens an answer may take beyond its own count when it is sent back. */
const answerFrame = 64;

export type Part = 'system' | 'prompt' | 'answer' | 'results' | 'note';

const noneDropped: Dropped = { tool_results: 0, messages: 0 };

/**
 * The messages of the next model call, and how many tokens they take. Grows by one message at a time; counts of the provider
 * replace estimates as soon as they arrive, and sizes are measured when first asked for.
 */
export class Conversation {
  /** Passed to every call as it is, never copied. */
  readonly messages: Message[] = [];
  readonly #parts: Part[] = [];
  readonly #sizes = new WeakMap<Message, TokenSize>();
  /** Measures what is sent in addition to the messages, unless the provider has counted it by then. */
  #extras: (() => TokenSize) | undefined;
  #most = 0;
  #likely = 0;
  /** Messages from here on are not in the two sums yet. */
  #uncounted = 0;
  /** Where the prompt of this run is; everything before it except the system message is history. */
  #promptAt = 0;

  constructor(tools: readonly ToolDefinition[] = [], format: ResponseFormat | null = null) {
    this.#extras = () => sizeOfExtras(tools, format);
  }

  /** The next call has no more tokens than this. Leaving something out does not lower it, since its size was never counted. */
  get most(): number {
    this.#count();
    return this.#most;
  }

  /** The next call has about as many tokens. */
  get likely(): number {
    this.#count();
    return this.#likely;
  }

  add(message: Message, part: Part): void {
    if (part === 'prompt') this.#promptAt = this.messages.length;
    this.messages.push(message);
    this.#parts.push(part);
  }

  /** Another message in the place of one, of the same role. What the provider has counted of the old one is corrected by the estimate of both. */
  replace(index: number, message: Message): void {
    const old = this.messages[index];
    if (old === undefined) return;
    this.messages[index] = message;
    if (index >= this.#uncounted) return;
    const [before, after] = [this.#sizeOf(old), this.#sizeOf(message)];
    this.#most += Math.max(0, after.most - before.likely);
    this.#likely = Math.max(0, this.#likely + after.likely - before.likely);
  }

  /** All messages so far, including the answer added last, took this many tokens. */
  counted({ prompt_tokens, completion_tokens }: TokenUsage): void {
    const tokens = prompt_tokens + completion_tokens;
    if (tokens <= 0) return;
    this.#extras = undefined;
    this.#uncounted = this.messages.length;
    this.#most = tokens + answerFrame;
    this.#likely = tokens;
  }

  /**
   * Drops messages until about `limit` tokens remain: the oldest tool results first, then the oldest turns. The system message, the prompt of
   * this run and the last turn stay.
   */
  fit(limit: number): Dropped {
    if (this.likely <= limit) return noneDropped;
    let tool_results = 0;
    for (let at = 1; at < this.messages.length - 1 && this.#likely > limit; at += 1) tool_results += this.#forget(at);
    let messages = 0;
    while (this.#likely > limit) {
      const dropped = this.#dropOldest();
      if (dropped === 0) break;
      messages += dropped;
    }
    return tool_results + messages === 0 ? noneDropped : { tool_results, messages };
  }

  #count(): void {
    if (this.#extras) this.#include(this.#extras());
    this.#extras = undefined;
    for (; this.#uncounted < this.messages.length; this.#uncounted += 1) {
      const message = this.messages[this.#uncounted];
      if (message) this.#include(this.#sizeOf(message));
    }
  }

  #include({ most, likely }: TokenSize): void {
    this.#most += most;
    this.#likely += likely;
  }

  #sizeOf(message: Message): TokenSize {
    const size = this.#sizes.get(message) ?? sizeOfMessage(message);
    this.#sizes.set(message, size);
    return size;
  }

  /** Replaces the results in one message by a note. */
  #forget(at: number): number {
    const message = this.messages[at];
    if (this.#parts[at] !== 'results' || message?.role !== 'user') return 0;
    const { content } = message;
    const note: UserMessage =
      typeof content === 'string' ? { role: 'user', content: noteOfText } : { role: 'user', content: content.map(shortened) };
    const saved = this.#sizeOf(message).likely - this.#sizeOf(note).likely;
    if (saved <= 0) return 0;
    this.messages[at] = note;
    this.#parts[at] = 'note';
    this.#likely -= saved;
    return typeof content === 'string' ? 1 : content.length;
  }

  /** Drops one exchange of the history, or one turn of this run. Returns how many messages that was. */
  #dropOldest(): number {
    const isHistory = this.#promptAt > 1;
    const from = isHistory ? 1 : this.#promptAt + 1;
    const next = this.#parts.findIndex((part, at) => at > from && (isHistory ? part === 'prompt' : part === 'answer'));
    // The model continues from the last turn.
    if (next < 0) return 0;
    const dropped = this.messages.splice(from, next - from);
    this.#parts.splice(from, next - from);
    this.#uncounted -= dropped.length;
    if (isHistory) this.#promptAt -= dropped.length;
    for (const message of dropped) this.#likely -= this.#sizeOf(message).likely;
    return dropped.length;
  }
}

const noteOfText = 'Observation: [left out to make room]';

function shortened(block: UserBlock): UserBlock {
  if (block.type === 'text') return block;
  return { ...block, content: `[The result of ${block.name} was left out to make room.]` };
}

/** Tokens kept free for an answer if the config sets no limit. */
const usualAnswer = 4096;
/** The fewest characters per token in typical tool results. */
const charactersPerToken = 3;

/** Tokens the messages of a call may take, so that the answer has room too; undefined when the model's context window is unknown. */
export function contextRoom({ model, prompt }: Agent): number | undefined {
  const window = model?.context_window;
  if (window === undefined) return undefined;
  const answer = prompt.max_output_tokens ?? Math.min(model?.max_output_tokens ?? usualAnswer, usualAnswer);
  return Math.max(0, window - Math.min(answer, Math.floor(window / 2)));
}

/** Most characters of all results of one turn: `limit`, or a quarter of the room if that is less. */
export function observationRoom(agent: Agent, limit: number): number {
  const room = contextRoom(agent);
  return room === undefined ? limit : Math.min(limit, Math.floor((room / 4) * charactersPerToken));
}
