import { LlmError } from '../../../errors.js';
import { isObject, type Json, type JsonObject } from '../../../json.js';
import type { AssistantBlock, FinishReason, ProviderCompletion, TokenUsage } from '../../types.js';
import { type FailureContext, spoken, toAnswerError } from './chatFailure.js';
import { thoughtIn } from './reasoning.js';
import { createToolCalls } from './toolCalls.js';

/** What of a completion does not stand in the answer itself. */
export interface AnswerContext extends FailureContext {
  readonly left_out: readonly string[];
  /** Gives each tool call of the answer its id, from the one the server sent, if it did. */
  readonly toolId: (given: unknown) => string;
}

/** Most characters of one answer; what is longer comes from a server gone mad. */
export const longestAnswer = 64 * 1024 * 1024;

/** Reads a whole answer. @throws LlmError when it is an error, a refusal, filtered, or no completion at all */
export function toCompletion(body: string, context: AnswerContext): ProviderCompletion {
  const answer = parseAnswer(body, context);
  if (answer.error !== undefined && answer.error !== null) throw toAnswerError(answer.error, context);
  const choice = firstChoice(answer);
  const message = choice === undefined ? undefined : choice.message;
  if (choice === undefined || !isObject(message)) throw notACompletion('it holds no choice with a message', context);
  const refusal = typeof message.refusal === 'string' ? message.refusal : '';
  const text = textOf(message.content);
  const thought = thoughtIn(message);
  const calls = createToolCalls(context.toolId);
  calls.take(message, 'whole');
  const said: AssistantBlock[] = [];
  if (thought !== '') said.push({ type: 'thinking', text: thought });
  if (text !== '') said.push({ type: 'text', text });
  const blocks = [...said, ...calls.blocks()];
  return concluded({ text, blocks, refusal, finish: choice.finish_reason, answer, usage: usageOf(answer.usage) }, context);
}

interface Ended {
  readonly text: string;
  readonly blocks: readonly AssistantBlock[];
  readonly refusal: string;
  readonly finish: Json | undefined;
  /** Where `id` and `model` stand. */
  readonly answer: JsonObject;
  readonly usage: TokenUsage | undefined;
}

/** The completion, unless the model refused or a filter cut the answer: then there is nothing to go on with. */
export function concluded({ text, blocks, refusal, finish, answer, usage }: Ended, context: AnswerContext): ProviderCompletion {
  if (refusal !== '') {
    throw new LlmError(
      'refusal',
      `The model refused: ${spoken(refusal, context.key)} Change the prompt or the input, or choose another model.`,
    );
  }
  if (finish === 'content_filter') {
    throw new LlmError('content-filter', `A content filter of ${context.server} cut the answer off. Change the prompt or the input.`);
  }
  const reason = finishReasons.get(finish) ?? 'other';
  const asks = blocks.some(({ type }) => type === 'tool_use');
  return {
    text,
    ...(blocks.some(({ type }) => type !== 'text') && { blocks }),
    // Some servers say `stop`, or nothing, when a tool is asked for.
    finish_reason: asks && (reason === 'stop' || reason === 'other') ? 'tool_use' : reason,
    usage,
    model: typeof answer.model === 'string' ? answer.model : context.model,
    id: typeof answer.id === 'string' ? answer.id : undefined,
    left_out: context.left_out,
    simulated: false,
  };
}

const finishReasons: ReadonlyMap<Json | undefined, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool_use'],
  ['function_call', 'tool_use'],
]);

/** An object, or an error that says what came instead: a page, a cut-off text, something else. */
export function parseAnswer(text: string, context: FailureContext): JsonObject {
  let answer: Json | undefined;
  try {
    answer = JSON.parse(text) as Json;
  } catch {
    const start = text.trimStart();
    if (start.startsWith('<')) {
      throw new LlmError(
        'server',
        `${context.server} answered with a web page instead of JSON. Check base_url, and a proxy if there is one.`,
      );
    }
    if (start.startsWith('{')) {
      throw new LlmError('network', `The answer of ${context.server} was cut off: it is half a JSON object.`, { recoverable: true });
    }
  }
  if (!isObject(answer)) throw notACompletion('it is no JSON object', context);
  return answer;
}

/** The choice with index 0: the only one, unless options asked for more. */
export function firstChoice({ choices }: JsonObject): JsonObject | undefined {
  if (!Array.isArray(choices)) return undefined;
  const isFirst = (choice: Json | undefined) => isObject(choice) && (choice.index === 0 || choice.index === undefined);
  // Nearly always it is the first, and a stream asks a thousand times.
  const first = choices[0] as Json | undefined;
  if (isFirst(first)) return first as JsonObject;
  return (choices as readonly Json[]).find(isFirst) as JsonObject | undefined;
}

/** A text, or the texts of a list of content parts, which some servers send; anything else is no text. */
export function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: Json) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

/** Servers that count cached tokens elsewhere, or thoughts beside the answer instead of in it, are read by what they mean. */
export function usageOf(usage: Json | undefined): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt_tokens = count(usage.prompt_tokens);
  const answer_tokens = count(usage.completion_tokens);
  if (prompt_tokens === undefined || answer_tokens === undefined) return undefined;
  const total = count(usage.total_tokens);
  const thought_tokens = countIn(usage.completion_tokens_details, 'reasoning_tokens') ?? 0;
  const isBeside = thought_tokens > 0 && total === prompt_tokens + answer_tokens + thought_tokens;
  const completion_tokens = isBeside ? answer_tokens + thought_tokens : answer_tokens;
  const cached =
    countIn(usage.prompt_tokens_details, 'cached_tokens') ?? count(usage.prompt_cache_hit_tokens) ?? count(usage.cached_tokens) ?? 0;
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: total ?? prompt_tokens + completion_tokens,
    cached_tokens: Math.min(cached, prompt_tokens),
  };
}

function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

function countIn(details: Json | undefined, name: string): number | undefined {
  return isObject(details) ? count(details[name]) : undefined;
}

function notACompletion(why: string, { server }: FailureContext): LlmError {
  return new LlmError('server', `The answer of ${server} is no chat completion: ${why}. Check base_url.`);
}
