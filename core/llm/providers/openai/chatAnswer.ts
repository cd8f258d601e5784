import { LlmError } from '../../../errors.js';
import { isObject, type Json, type JsonObject, listOf } from '../../../json.js';
import { createToolIds } from '../../toolCalls.js';
import type { AssistantBlock, FinishReason, ProviderCompletion, TokenUsage } from '../../types.js';
import type { VendorContext } from '../types.js';
import { incompleteAnswer, parseAnswer, strangeAnswer, tokenCount, toProviderCompletion, unreadPart } from '../vendorAnswer.js';
import { spoken, toAnswerError } from '../vendorFailure.js';
import { thoughtIn } from './reasoning.js';
import { createToolCalls } from './toolCalls.js';

/** Reads a whole answer. @throws LlmError when it is an error, a refusal, filtered, or not a completion */
export function toCompletion(body: string, context: VendorContext): ProviderCompletion {
  const answer = parseAnswer(body, context);
  if (answer.error !== undefined && answer.error !== null) throw toAnswerError(answer.error, context);
  const choice = firstChoice(answer);
  const message = choice === undefined ? undefined : choice.message;
  if (choice === undefined || !isObject(message)) throw strangeAnswer('it has no choice with a message', context);
  const refusal = refusalIn(message);
  const text = contentText(message.content);
  const thought = thoughtIn(message);
  const calls = createToolCalls(createToolIds(context.request.messages));
  calls.take(message, 'whole');
  const blocks: AssistantBlock[] = [];
  if (thought !== '') blocks.push({ type: 'thinking', text: thought });
  if (text !== '') blocks.push({ type: 'text', text });
  blocks.push(...calls.blocks());
  const ended = { blocks, refusal, unread: unreadIn(message), finish: choice.finish_reason, answer, usage: usageOf(answer.usage) };
  return concluded(ended, context);
}

interface Ended {
  readonly blocks: readonly AssistantBlock[];
  readonly refusal: string;
  /** See `unreadIn`. */
  readonly unread: string | undefined;
  readonly finish: Json | undefined;
  /** The object with `id` and `model`. */
  readonly answer: JsonObject;
  readonly usage: TokenUsage | undefined;
}

/** The completion. @throws LlmError when the model refused, a filter cut the answer off, or a part of it is not read here */
export function concluded({ blocks, refusal, unread, finish, answer, usage }: Ended, context: VendorContext): ProviderCompletion {
  if (refusal !== '') throw refused(refusal, usage, context);
  if (finish === 'content_filter') throw contentFiltered(usage, context);
  const reason = finishReasons.get(finish);
  if (reason === undefined) throw incompleteAnswer({ word: finish, usage }, context, mayHelp);
  if (unread !== undefined) throw unreadPart(unread, usage, context);
  // Some servers say `stop` when the model calls a tool.
  const callsTools = reason === 'stop' && blocks.some(({ type }) => type === 'tool_use');
  return toProviderCompletion({ blocks, finish: callsTools ? 'tool_use' : reason, usage, model: answer.model, id: answer.id }, context);
}

export function refused(refusal: string, usage: TokenUsage | undefined, { key }: VendorContext): LlmError {
  const advice = 'Change the prompt or the input, or choose another model.';
  const words = spoken(refusal, key);
  return new LlmError('refusal', `The model refused: ${words}${/[.!?]$/.test(words) ? '' : '.'} ${advice}`, { usage });
}

export function contentFiltered(usage: TokenUsage | undefined, { server }: VendorContext): LlmError {
  const message = `A content filter of ${server} cut the answer off. Change the prompt or the input.`;
  return new LlmError('content-filter', message, { finish_reason: 'content_filter', usage });
}

/** The words of OpenAI's API reference for a complete answer or its limit. */
const finishReasons: ReadonlyMap<Json | undefined, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool_use'],
  ['function_call', 'tool_use'],
]);

/** OpenRouter's word for a failure of the model's host, and DeepSeek's for an overloaded server. */
const mayHelp: ReadonlySet<string> = new Set(['error', 'insufficient_system_resource']);

/** The choice with index 0: the only one, unless options request more. */
export function firstChoice({ choices }: JsonObject): JsonObject | undefined {
  if (!Array.isArray(choices)) return undefined;
  return (choices as readonly Json[]).find(
    (choice): choice is JsonObject => isObject(choice) && (choice.index === 0 || choice.index === undefined),
  );
}

/** A text, or the texts of a list of content parts, which some servers send; empty for anything else. */
export function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: Json) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

/** The refusal in a message or a delta: a field, or parts of the content. */
export function refusalIn({ refusal, content }: JsonObject): string {
  const parts = Array.isArray(content) ? content : [];
  return [refusal, ...parts.map((part) => (isObject(part) ? part.refusal : ''))].filter((text) => typeof text === 'string').join('');
}

/** Parts of the content without text that are read elsewhere, or only cite (Mistral). */
const partsWithoutText: ReadonlySet<Json | undefined> = new Set(['thinking', 'refusal', 'reference']);

/** The type of something in a message or a delta that is not read here and may be the answer: an image, sound, a call of no function. */
export function unreadIn({ content, audio, images, tool_calls }: JsonObject): string | undefined {
  const isText = content === undefined || content === null || typeof content === 'string';
  const parts = isText ? [] : [content].flat().map((part) => (isObject(part) ? part : {}));
  const part = parts.find(({ type, text }) => typeof text !== 'string' && !partsWithoutText.has(type));
  if (part !== undefined) return typeof part.type === 'string' ? part.type : 'content';
  if (isObject(audio)) return 'audio';
  if (listOf(images).length > 0) return 'images';
  const call = listOf(tool_calls).find(
    (each) => isObject(each) && typeof each.type === 'string' && !isObject(each.function) && each.type !== 'function',
  );
  return isObject(call) ? String(call.type) : undefined;
}

/** Also reads servers that report cached tokens elsewhere, or thoughts beside the answer instead of within it. */
export function usageOf(usage: Json | undefined): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt_tokens = tokenCount(usage.prompt_tokens);
  const answer_tokens = tokenCount(usage.completion_tokens);
  if (prompt_tokens === undefined || answer_tokens === undefined) return undefined;
  const total = tokenCount(usage.total_tokens);
  const thought_tokens = countIn(usage.completion_tokens_details, 'reasoning_tokens') ?? 0;
  const isBeside = thought_tokens > 0 && total === prompt_tokens + answer_tokens + thought_tokens;
  const completion_tokens = isBeside ? answer_tokens + thought_tokens : answer_tokens;
  const cached =
    countIn(usage.prompt_tokens_details, 'cached_tokens') ??
    tokenCount(usage.prompt_cache_hit_tokens) ??
    tokenCount(usage.cached_tokens) ??
    0;
  const written = countIn(usage.prompt_tokens_details, 'cache_write_tokens') ?? 0;
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: total ?? prompt_tokens + completion_tokens,
    cached_tokens: Math.min(cached, prompt_tokens),
    ...(written > 0 && { cache_write_tokens: Math.min(written, prompt_tokens) }),
    ...(thought_tokens > 0 && { reasoning_tokens: Math.min(thought_tokens, completion_tokens) }),
  };
}

function countIn(details: Json | undefined, name: string): number | undefined {
  return isObject(details) ? tokenCount(details[name]) : undefined;
}
