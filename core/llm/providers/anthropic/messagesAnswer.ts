import { LlmError } from '../../../errors.js';
import { isObject, type Json, type JsonObject } from '../../../json.js';
import { createToolIds, toToolInput } from '../../toolCalls.js';
import type { AssistantBlock, FinishReason, TokenUsage } from '../../types.js';
import type { VendorCompletion, VendorContext } from '../types.js';
import { incompleteAnswer, parseAnswer, strangeAnswer, tokenCount, toProviderCompletion, unreadPart } from '../vendorAnswer.js';
import { spoken, toAnswerError } from '../vendorFailure.js';
import { toErrorBody } from './messagesFailure.js';

/** Reads a whole answer. @throws LlmError when it is an error, a refusal, or not a message */
export function toCompletion(text: string, context: VendorContext): VendorCompletion {
  const message = parseAnswer(text, context);
  if (message.type === 'error') throw toAnswerError(toErrorBody(message), context);
  if (!Array.isArray(message.content)) throw strangeAnswer('it has no content', context);
  return concluded(message, message.content as readonly Json[], context);
}

/**
 * The completion of a message whose `content` is complete.
 *
 * @throws LlmError when the model refused, since there is nothing to continue with
 */
export function concluded(message: JsonObject, content: readonly Json[], context: VendorContext): VendorCompletion {
  const { stop_reason, stop_details, stop_sequence, model, id } = message;
  const usage = usageOf(message.usage);
  if (stop_reason === 'refusal') throw refusal(stop_details, usage, context);
  const finish = finishReasons.get(stop_reason);
  if (finish === undefined) throw incompleteAnswer({ word: stop_reason, usage }, context);
  const unread = content.filter(isObject).find(({ type }) => !isRead(type));
  if (unread !== undefined) throw unreadPart(String(unread.type), usage, context);
  const idOf = createToolIds(context.request.messages);
  const blocks = content.flatMap((block) => (isObject(block) ? (toBlock(block, idOf) ?? []) : []));
  const paused = stop_reason === 'pause_turn' ? { paused: content } : {};
  return { ...toProviderCompletion({ blocks, finish, stop_sequence, usage, model, id }, context), ...paused };
}

const finishReasons: ReadonlyMap<Json | undefined, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_use'],
  // The turn continues when it is sent back: see `paused`.
  ['pause_turn', 'stop'],
]);

function refusal(details: Json | undefined, usage: TokenUsage | undefined, { server, key }: VendorContext): LlmError {
  const { explanation, category } = isObject(details) ? details : ({} as JsonObject);
  const words = [explanation, category].find((each) => typeof each === 'string' && each !== '');
  const reason = typeof words === 'string' ? `: ${spoken(words, key)}` : '';
  return new LlmError(
    'refusal',
    `The model of ${server} refused${reason}${/[.!?]$/.test(reason) ? '' : '.'} Change the prompt or the input, or choose another model.`,
    { finish_reason: 'refusal', usage },
  );
}

const ours: ReadonlySet<Json | undefined> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use']);
/** Blocks that the vendor documents as done on its side (API reference, "Messages", content blocks). Their results end in `_tool_result`. */
const doneByVendor: ReadonlySet<Json | undefined> = new Set(['server_tool_use', 'mcp_tool_use', 'container_upload', 'compaction']);

function isRead(type: Json | undefined): boolean {
  return ours.has(type) || doneByVendor.has(type) || (typeof type === 'string' && type.endsWith('_tool_result'));
}

/** Blocks of tools that run at the vendor have no counterpart here and are left out. */
function toBlock(block: JsonObject, idOf: (sentId: unknown) => string): AssistantBlock | undefined {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: textIn(block.text) };
    case 'thinking':
      return {
        type: 'thinking',
        text: textIn(block.thinking),
        ...(textIn(block.signature) !== '' && { signature: textIn(block.signature) }),
      };
    case 'redacted_thinking':
      return { type: 'thinking', text: '', signature: textIn(block.data), redacted: true };
    case 'tool_use':
      return { type: 'tool_use', id: idOf(block.id), name: textIn(block.name), ...toToolInput(block.input) };
    default:
      return undefined;
  }
}

export function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The API counts cache reads and writes beside the rest of the prompt; here the prompt includes them. */
function usageOf(usage: Json | undefined): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const input = tokenCount(usage.input_tokens);
  const completion_tokens = tokenCount(usage.output_tokens);
  if (input === undefined || completion_tokens === undefined) return undefined;
  const cached_tokens = tokenCount(usage.cache_read_input_tokens) ?? 0;
  const written = tokenCount(usage.cache_creation_input_tokens) ?? 0;
  const prompt_tokens = input + cached_tokens + written;
  const total_tokens = prompt_tokens + completion_tokens;
  return { prompt_tokens, completion_tokens, total_tokens, cached_tokens, ...(written > 0 && { cache_write_tokens: written }) };
}
