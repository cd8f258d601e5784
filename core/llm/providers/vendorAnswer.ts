import { LlmError } from '../../errors.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import { quoteInexactNumbers } from '../../jsonText/exactNumbers.js';
import type { AssistantBlock, FinishReason, ProviderCompletion, TokenUsage } from '../types.js';
import type { FailureContext, VendorContext } from './types.js';
import { spoken } from './vendorFailure.js';

/** An object, or an error that says what arrived instead: a page, a cut-off text, something else. */
export function parseAnswer(text: string, { server }: FailureContext): JsonObject {
  let answer: Json | undefined;
  try {
    // It may contain tool arguments: a number that would change its value is passed on as a text.
    answer = JSON.parse(quoteInexactNumbers(text)) as Json;
  } catch {
    const start = text.trimStart();
    if (start.startsWith('<'))
      throw new LlmError('server', `${server} answered with a web page instead of JSON. Check base_url, and a proxy if there is one.`);
    if (start.startsWith('{'))
      throw new LlmError('network', `The answer of ${server} was cut off: it is half a JSON object.`, { recoverable: true });
  }
  if (!isObject(answer)) throw strangeAnswer('expected a JSON object', { server });
  return answer;
}

/** The answer does not have the vendor's format. */
export function strangeAnswer(why: string, { server }: Pick<FailureContext, 'server'>): LlmError {
  return new LlmError('server', `The answer of ${server} is not a chat completion: ${why}. Check base_url.`);
}

/** A stream that ended before the answer did. */
export function cutStream({ server }: FailureContext): LlmError {
  return new LlmError('network', `The stream of ${server} stopped before the answer was complete.`, { recoverable: true });
}

/** The parts of a vendor's answer that go with a failure. */
export interface Ending {
  /** The vendor's finish reason: anything, or nothing. */
  readonly word: Json | undefined;
  readonly usage: TokenUsage | undefined;
  /** What the vendor adds in words. */
  readonly vendorWords?: Json | undefined;
}

const noWords: ReadonlySet<string> = new Set();

/**
 * The failure of an answer whose finish reason the vendor does not document as the end of a complete answer: it may be only half of one.
 *
 * @param mayHelp finish reasons after which a retry may succeed; default: none
 */
export function incompleteAnswer({ word, usage, vendorWords: said }: Ending, { server, key }: FailureContext, mayHelp = noWords): LlmError {
  const isNamed = word !== undefined && word !== null && word !== '';
  const finish_reason = isNamed ? spoken(typeof word === 'string' ? word : JSON.stringify(word), key) : undefined;
  const why = finish_reason === undefined ? 'without saying why' : `with the reason ${JSON.stringify(finish_reason)}`;
  const details = typeof said === 'string' && said.trim() !== '' ? ` ${spoken(said.trim(), key)}` : '';
  return new LlmError('incomplete', `The answer of ${server} is not complete: it ended ${why}.${details}`, {
    recoverable: typeof word === 'string' && mayHelp.has(word),
    finish_reason,
    usage,
  });
}

/**
 * The failure of an answer with a part that is neither text, thought nor a call of our tools, nor one that the vendor documents as done on its side:
 * it may be the answer itself, or wait for something that nothing here does.
 */
export function unreadPart(type: string, usage: TokenUsage | undefined, { server, key }: FailureContext): LlmError {
  const name = spoken(type, key);
  return new LlmError(
    'incomplete',
    `The answer of ${server} has a part of type ${JSON.stringify(name)}, which is not read here. Take what asks for it out of the options of the llm profile.`,
    { finish_reason: name, usage },
  );
}

export interface EndedAnswer {
  readonly blocks: readonly AssistantBlock[];
  readonly finish: FinishReason;
  readonly stop_sequence?: Json | undefined;
  readonly usage: TokenUsage | undefined;
  /** As in the answer; may be missing. */
  readonly model: Json | undefined;
  readonly id: Json | undefined;
}

export function toProviderCompletion(
  { blocks, finish, stop_sequence, usage, model, id }: EndedAnswer,
  context: VendorContext,
): ProviderCompletion {
  return {
    text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    ...(blocks.some(({ type }) => type !== 'text') && { blocks }),
    finish_reason: finish,
    ...(typeof stop_sequence === 'string' && stop_sequence !== '' && { stop_sequence }),
    usage,
    model: typeof model === 'string' && model !== '' ? model : context.model,
    id: typeof id === 'string' && id !== '' ? id : undefined,
    left_out: context.left_out,
    simulated: false,
  };
}

/** A count of tokens; undefined for anything else. */
export function tokenCount(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
