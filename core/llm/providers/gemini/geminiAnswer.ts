import { LlmError } from '../../../errors.js';
import { isObject, type Json, type JsonObject, listOf } from '../../../json.js';
import { createToolIds, toToolInput } from '../../toolCalls.js';
import type { AssistantBlock, FinishReason, ProviderCompletion, ProviderPart, TokenUsage } from '../../types.js';
import type { VendorContext } from '../types.js';
import { cutStream, incompleteAnswer, parseAnswer, strangeAnswer, tokenCount, toProviderCompletion, unreadPart } from '../vendorAnswer.js';
import { checkAnswerLength } from '../vendorBody.js';
import { spoken, toAnswerError } from '../vendorFailure.js';
import { readGeminiError } from './geminiFailure.js';

/** Reads a whole answer. @throws LlmError when it is an error, filtered, or not an answer */
export function toCompletion(text: string, context: VendorContext): ProviderCompletion {
  const answer = parseAnswer(text, context);
  if (!isObject(answer.error) && !Array.isArray(answer.candidates) && !isObject(answer.promptFeedback))
    throw strangeAnswer('it has no candidates', context);
  const gathered = createGeminiAnswer(context);
  gathered.take(answer);
  return gathered.conclude('whole');
}

/** Assembles an answer from one piece or from the chunks of a stream, which have the same form. */
export interface GeminiAnswer {
  /** What the chunk adds to text and thoughts, in their order. @throws LlmError */
  take(chunk: JsonObject): readonly ProviderPart[];
  /** @throws LlmError when the answer was filtered, or a stream ended early */
  conclude(form: 'whole' | 'stream'): ProviderCompletion;
}

export function createGeminiAnswer(context: VendorContext): GeminiAnswer {
  const idOf = createToolIds(context.request.messages);
  const blocks: AssistantBlock[] = [];
  let latest: JsonObject = {};
  let finish: JsonObject = {};
  let usage: TokenUsage | undefined;
  let size = 0;
  /** What a part holds that is not read. */
  let unread: string | undefined;

  const take = (chunk: JsonObject): readonly ProviderPart[] => {
    if (chunk.error !== undefined && chunk.error !== null) throw toAnswerError(readGeminiError(chunk).body, context);
    if (isObject(chunk.promptFeedback) && typeof chunk.promptFeedback.blockReason === 'string')
      throw blocked(chunk.promptFeedback, usageOf(chunk.usageMetadata), context);
    latest = { ...latest, ...chunk };
    usage = usageOf(chunk.usageMetadata) ?? usage;
    const candidate = firstCandidate(chunk);
    if (candidate === undefined) return [];
    if (typeof candidate.finishReason === 'string') finish = candidate;
    const parts = isObject(candidate.content) ? listOf(candidate.content.parts) : [];
    return parts.flatMap((part) => (isObject(part) ? takePart(part) : []));
  };
  const takePart = (part: JsonObject): readonly ProviderPart[] => {
    const signature = typeof part.thoughtSignature === 'string' ? part.thoughtSignature : undefined;
    size += JSON.stringify(part).length;
    checkAnswerLength(size, context);
    if (isObject(part.functionCall)) {
      const { id, name, args } = part.functionCall;
      blocks.push({
        type: 'tool_use',
        id: idOf(id),
        name: typeof name === 'string' ? name : '',
        ...toToolInput(args),
        ...(signature && { signature }),
      });
      return [];
    }
    unread ??= Object.keys(part).find((key) => !readKeys.has(key));
    const text = typeof part.text === 'string' ? part.text : '';
    const isThought = part.thought === true;
    if (text !== '' || isThought) append(isThought ? 'thinking' : 'text', text, isThought ? signature : undefined);
    // A text block has no field for a signature, so it follows as a hidden thought.
    if (signature !== undefined && !isThought) blocks.push({ type: 'thinking', text: '', signature, redacted: true });
    if (text === '') return [];
    return isThought ? [{ type: 'thinking', text }] : [{ type: 'text', text: text }];
  };
  /** Consecutive pieces of text form one block; a signature ends its block. */
  const append = (type: 'text' | 'thinking', text: string, signature: string | undefined): void => {
    const last = blocks.at(-1);
    const goesOn = last?.type === type && !('signature' in last);
    const fullText = goesOn ? `${last.text}${text}` : text;
    const block: AssistantBlock = type === 'text' ? { type, text: fullText } : { type, text: fullText, ...(signature && { signature }) };
    blocks.splice(goesOn ? -1 : blocks.length, goesOn ? 1 : 0, block);
  };
  const conclude = (form: 'whole' | 'stream'): ProviderCompletion => {
    const reason = typeof finish.finishReason === 'string' ? finish.finishReason : undefined;
    if (reason === undefined) throw form === 'stream' ? cutStream(context) : strangeAnswer('it does not say why it ended', context);
    if (filtered.has(reason)) throw cutByFilter(reason, finish, usage, context);
    const ended = finishOf(reason, blocks);
    if (ended === undefined) throw incompleteAnswer({ word: reason, usage, vendorWords: finish.finishMessage }, context, mayHelp);
    if (unread !== undefined) throw unreadPart(unread, usage, context);
    const { modelVersion: model, responseId: id } = latest;
    return toProviderCompletion({ blocks, finish: ended, usage, model, id }, context);
  };
  return { take, conclude };
}

/** What a part may hold: ours, and what the API documents as done or told on its side (reference, "Content", `Part`). */
const readKeys: ReadonlySet<string> = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'functionCall',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
  'partMetadata',
]);

/** Reasons that mean a filter of the provider cut the answer off. */
const filtered: ReadonlySet<string> = new Set(['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'IMAGE_SAFETY']);

/** Reasons that depend on how the model wrote this one answer. */
const mayHelp: ReadonlySet<string> = new Set([
  'OTHER',
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
]);

/** Undefined for a reason that the API does not document as the end of a complete answer or as its limit. */
function finishOf(reason: string, blocks: readonly AssistantBlock[]): FinishReason | undefined {
  if (reason === 'STOP') return blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'stop';
  // CONTINUATION is a limit, too, of one request; it comes with a continuation token that nothing here keeps.
  return reason === 'MAX_TOKENS' || reason === 'CONTINUATION' ? 'length' : undefined;
}

function cutByFilter(
  reason: string,
  { finishMessage }: JsonObject,
  usage: TokenUsage | undefined,
  { server, key }: VendorContext,
): LlmError {
  const details = typeof finishMessage === 'string' && finishMessage !== '' ? `: ${spoken(finishMessage, key)}` : '.';
  return new LlmError(
    'content-filter',
    `A content filter of ${server} cut the answer off (${reason})${details}${/[.!?]$/.test(details) ? '' : '.'} Change the prompt or the input.`,
    { finish_reason: reason, usage },
  );
}

function blocked({ blockReason, blockReasonMessage }: JsonObject, usage: TokenUsage | undefined, { server, key }: VendorContext): LlmError {
  const reason = typeof blockReasonMessage === 'string' && blockReasonMessage !== '' ? `: ${spoken(blockReasonMessage, key)}` : '.';
  return new LlmError(
    'content-filter',
    `${server} filtered the prompt out (${String(blockReason)})${reason}${/[.!?]$/.test(reason) ? '' : '.'} Change the prompt or the input.`,
    { finish_reason: String(blockReason), usage },
  );
}

/** The candidate with index 0: the only one, unless options asked for more. */
function firstCandidate({ candidates }: JsonObject): JsonObject | undefined {
  if (!Array.isArray(candidates)) return undefined;
  return (candidates as readonly Json[]).find(
    (each): each is JsonObject => isObject(each) && (each.index === undefined || each.index === 0),
  );
}

/** Thoughts are counted and billed beside the answer; here they are part of it. */
function usageOf(usage: Json | undefined): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt = tokenCount(usage.promptTokenCount);
  if (prompt === undefined) return undefined;
  const prompt_tokens = prompt + (tokenCount(usage.toolUsePromptTokenCount) ?? 0);
  const reasoning_tokens = tokenCount(usage.thoughtsTokenCount) ?? 0;
  const completion_tokens = (tokenCount(usage.candidatesTokenCount) ?? 0) + reasoning_tokens;
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    cached_tokens: Math.min(tokenCount(usage.cachedContentTokenCount) ?? 0, prompt_tokens),
    ...(reasoning_tokens > 0 && { reasoning_tokens }),
  };
}
