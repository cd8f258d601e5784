import { isObject, type Json, type JsonObject, listOf } from '../../../json.js';
import { createToolIds, toToolInput } from '../../toolCalls.js';
import type { AssistantBlock, FinishReason, ProviderCompletion, TokenUsage } from '../../types.js';
import type { VendorContext } from '../types.js';
import { incompleteAnswer, parseAnswer, strangeAnswer, tokenCount, toProviderCompletion, unreadPart } from '../vendorAnswer.js';
import { toAnswerError } from '../vendorFailure.js';
import { contentFiltered, refused } from './chatAnswer.js';
import { reasoningSignature } from './responsesInput.js';

/** Reads a whole answer. @throws LlmError when it is an error, a refusal, filtered, or not a response */
export function toCompletion(body: string, context: VendorContext): ProviderCompletion {
  const response = parseAnswer(body, context);
  if (isObject(response.error)) throw toAnswerError(response.error, context);
  if (!Array.isArray(response.output)) throw strangeAnswer('it has no output', context);
  return concluded(response, listOf(response.output), context);
}

/** The completion of a response with all of its items. @throws LlmError when it failed, the model refused, or a filter cut it off */
export function concluded(response: JsonObject, output: readonly Json[], context: VendorContext): ProviderCompletion {
  const { status, error, incomplete_details: details, usage, model, id } = response;
  if (status === 'failed') throw toAnswerError(isObject(error) ? error : {}, context);
  const items = output.filter(isObject);
  const tokens = usageOf(usage);
  const refusal = items.flatMap(({ content }) => listOf(content)).map((part) => textIn(part, 'refusal'));
  if (refusal.some((text) => text !== '')) throw refused(refusal.join(''), tokens, context);
  const why = isObject(details) ? details.reason : undefined;
  if (status === 'incomplete' && why === 'content_filter') throw contentFiltered(tokens, context);
  const parts = items.flatMap(({ type, content }) => (type === 'message' ? listOf(content).filter(isObject) : []));
  const unread = items.find((item) => !isRead(item, items)) ?? parts.find(({ text, refusal }) => typeof (text ?? refusal) !== 'string');
  if (unread !== undefined) throw unreadPart(String(unread.type), tokens, context);
  const idOf = createToolIds(context.request.messages);
  const blocks = items.flatMap((item) => toBlocks(item, idOf));
  const finish = finishOf(status, why, blocks);
  if (finish === undefined) throw incompleteAnswer({ word: why ?? status, usage: tokens }, context);
  return toProviderCompletion({ blocks, finish, usage: tokens, model, id }, context);
}

/** Undefined where the answer is not complete, or does not say so. */
function finishOf(status: Json | undefined, why: Json | undefined, blocks: readonly AssistantBlock[]): FinishReason | undefined {
  if (status === 'incomplete') return why === 'max_output_tokens' ? 'length' : undefined;
  if (status !== 'completed') return undefined;
  return blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'stop';
}

/** Items that the vendor documents as done on its side (API reference, "Responses", output items). An image that it made is the answer. */
const doneByVendor: ReadonlySet<Json | undefined> = new Set([
  'file_search_call',
  'web_search_call',
  'code_interpreter_call',
  'mcp_call',
  'mcp_list_tools',
  'tool_search_call',
  'additional_tools',
  'compaction',
  'program',
]);

/** Whether an item is one of ours, or of a tool that ran at the vendor. Shells and patches run there or here: there, their output follows. */
function isRead({ type, call_id }: JsonObject, items: readonly JsonObject[]): boolean {
  if (type === 'message' || type === 'reasoning' || type === 'function_call' || doneByVendor.has(type)) return true;
  if (typeof type !== 'string') return false;
  return type.endsWith('_output') || items.some((other) => other.type === `${type}_output` && other.call_id === call_id);
}

/** Items of tools that run at the vendor have no counterpart here and are left out. */
function toBlocks(item: JsonObject, idOf: (sentId: unknown) => string): readonly AssistantBlock[] {
  switch (item.type) {
    case 'message': {
      const text = listOf(item.content)
        .map((part) => textIn(part, 'text'))
        .join('');
      return text === '' ? [] : [{ type: isAnswer(item) ? 'text' : 'thinking', text }];
    }
    case 'reasoning':
      return toThought(item);
    case 'function_call': {
      const name = typeof item.name === 'string' ? item.name : '';
      return [{ type: 'tool_use', id: idOf(item.call_id), name, ...toToolInput(item.arguments) }];
    }
    default:
      return [];
  }
}

/** Whether a message is part of the answer, and not a comment on the way (`phase: commentary`). Older models have no phase. */
export function isAnswer({ phase }: JsonObject): boolean {
  return phase === undefined || phase === null || phase === 'final_answer';
}

/** The visible part of a thought: its summary, or the thought itself where the server sends it. */
function toThought({ id, summary, content, encrypted_content: encrypted }: JsonObject): readonly AssistantBlock[] {
  const texts = [summary, content].map((parts) => joinedThought(listOf(parts).map((part) => textIn(part, 'text'))));
  const text = texts.find((each) => each !== '') ?? '';
  const signature = typeof id === 'string' && typeof encrypted === 'string' ? reasoningSignature(id, encrypted) : undefined;
  if (text === '') return signature === undefined ? [] : [{ type: 'thinking', text, signature, redacted: true }];
  return [{ type: 'thinking', text, ...(signature !== undefined && { signature }) }];
}

/** The parts of a summary are paragraphs. */
export const betweenThoughts = '\n\n';

function joinedThought(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(betweenThoughts);
}

function textIn(part: Json, field: 'text' | 'refusal'): string {
  const text = isObject(part) ? part[field] : undefined;
  return typeof text === 'string' ? text : '';
}

function usageOf(usage: Json | undefined): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt_tokens = tokenCount(usage.input_tokens);
  const completion_tokens = tokenCount(usage.output_tokens);
  if (prompt_tokens === undefined || completion_tokens === undefined) return undefined;
  const { input_tokens_details: input, output_tokens_details: output } = usage;
  const cached = (isObject(input) ? tokenCount(input.cached_tokens) : undefined) ?? 0;
  const written = (isObject(input) ? tokenCount(input.cache_write_tokens) : undefined) ?? 0;
  const thought = (isObject(output) ? tokenCount(output.reasoning_tokens) : undefined) ?? 0;
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: tokenCount(usage.total_tokens) ?? prompt_tokens + completion_tokens,
    cached_tokens: Math.min(cached, prompt_tokens),
    ...(written > 0 && { cache_write_tokens: Math.min(written, prompt_tokens) }),
    ...(thought > 0 && { reasoning_tokens: Math.min(thought, completion_tokens) }),
  };
}
