import { countMessageTokens, loadTokenCounter, type TokenCounter } from '../llm/countTokens.js';
import type { AgentPrompt } from './agentPrompt.js';
import type { ComposedPrompt } from './types.js';

/** Tokens of the contents, and of the whole request without its response format. */
export interface PromptTokens {
  /** One number for each message. */
  readonly messages: readonly number[];
  readonly total: number;
  /** The model's own tokenizer is not known, or a text is too long to be counted whole. */
  readonly estimated: boolean;
}

/** What an agent sends for a payload, as it is shown: the same in the terminal and in the editor. */
export interface PromptDescription extends ComposedPrompt {
  readonly model_name: string;
  readonly tokens: PromptTokens;
  readonly snapshot_hash: string;
}

/** @param payload already checked @throws InputInvalidError when the template names what the payload lacks */
export async function describePrompt(
  { compose, model_name }: AgentPrompt,
  { hash }: { readonly hash: string },
  payload: unknown,
): Promise<PromptDescription> {
  const { messages, response_format, source_map } = compose(payload);
  return { messages, response_format, source_map, model_name, tokens: await countTokens(model_name, messages), snapshot_hash: hash };
}

async function countTokens(model: string, messages: ComposedPrompt['messages']): Promise<PromptTokens> {
  const tokenizer = await loadTokenCounter([model]);
  // Each text once: a prompt may hold megabytes.
  const counts = new Map(messages.map(({ content }) => [content, tokenizer.count(model, content)]));
  const counter: TokenCounter = { count: (name, text) => counts.get(text) ?? tokenizer.count(name, text) };
  const { tokens: total, exact } = countMessageTokens(counter, model, messages);
  return { messages: messages.map(({ content }) => counter.count(model, content).tokens), total, estimated: !exact };
}
