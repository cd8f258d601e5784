import { messageWeight } from './messageText.js';
import type { ModelPrice } from './modelTable.js';
import { mostCost } from './price.js';
import type { Message, ResponseFormat, ToolDefinition } from './types.js';

/** An estimate of how many tokens something takes, without counting them. */
export interface TokenSize {
  /** Never exceeded: every token covers at least one byte of UTF-8. */
  readonly most: number;
  /** The likely number: about 3.5 ASCII characters per token, one token for every other character; slightly high for English prose. */
  readonly likely: number;
}

/** What vendors add around a message, a tool or a schema; more than any of them documents. */
const frame = 16;

export function sizeOfText(text: string): TokenSize {
  let ascii = 0;
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) ascii += 1;
    // A lone surrogate is sent as three bytes, and counts here as half a character.
    else bytes += unit < 0x800 ? 2 : 3;
  }
  return { most: ascii + bytes, likely: Math.ceil(ascii / 3.5 + (text.length - ascii)) };
}

export function sizeOfMessage(message: Message): TokenSize {
  return framed(sizeOfText(messageWeight(message)));
}

/** What is sent beside the messages. */
export function sizeOfExtras(tools: readonly ToolDefinition[], format: ResponseFormat | null): TokenSize {
  let total: TokenSize = { most: 0, likely: 0 };
  for (const { name, description, parameters } of tools) {
    total = sum(total, framed(sizeOfText(`${name} ${description} ${JSON.stringify(parameters)}`)));
  }
  return format ? sum(total, framed(sizeOfText(JSON.stringify(format.json_schema)))) : total;
}

/** A whole request. What a run may spend, and what is told before it, are both reckoned by its `most`. */
export function sizeOfRequest(messages: readonly Message[], tools: readonly ToolDefinition[], format: ResponseFormat | null): TokenSize {
  return messages.map(sizeOfMessage).reduce(sum, sizeOfExtras(tools, format));
}

/**
 * What one call costs at most, in USD.
 *
 * @param input tokens sent at most
 * @param output tokens received at most; undefined when unknown, in which case the answer is not counted
 */
export function worstCostOfCall(input: number, output: number | undefined, price: ModelPrice): number {
  return mostCost({ prompt_tokens: input, completion_tokens: output ?? 0 }, price);
}

function framed({ most, likely }: TokenSize): TokenSize {
  return { most: most + frame, likely: likely + 4 };
}

function sum(left: TokenSize, right: TokenSize): TokenSize {
  return { most: left.most + right.most, likely: left.likely + right.likely };
}
