import { sizeOfRequest } from '../llm/callCost.js';
import { countMessageTokens, loadTokenCounter, type TokenCounter } from '../llm/countTokens.js';
import type { ModelFacts, ModelPrice } from '../llm/modelTable.js';
import type { WorstCase } from '../llm/worstCase.js';
import type { ResolvedAgent } from '../snapshot/types.js';
import type { AgentPrompt } from './agentPrompt.js';
import type { ComposedPrompt } from './types.js';
import { type PastRuns, type TypicalCost, type TypicalFacts, typicalCost } from './typicalCost.js';
import { worstCaseOf } from './worstCaseOf.js';

/** Tokens of the contents, and of the whole request without its response format. */
export interface PromptTokens {
  /** One number for each message. */
  readonly messages: readonly number[];
  /** Of the tools as compact JSON; vendors write them in their own form. Absent if none are sent. */
  readonly tools?: number;
  readonly total: number;
  /** The model's own tokenizer is not known, or a text is too long to be counted whole. */
  readonly estimated: boolean;
}

/** What an agent sends for a payload, for display: the same in the terminal and in the editor. */
export interface PromptDescription extends ComposedPrompt {
  readonly model_name: string;
  readonly tokens: PromptTokens;
  readonly snapshot_hash: string;
  /** MCP servers whose tools have not been listed yet, so they are not included here. */
  readonly unlisted_servers: readonly string[];
  /** What a run of this prompt can use at most; null for an agent that runs a plan. */
  readonly worst_case: WorstCase | null;
  /** What it is likely to cost; null if unknown. */
  readonly typical_cost: TypicalCost | null;
}

/** The agent described, as its factory loads it. */
export interface DescribedAgent {
  readonly prompt: Pick<AgentPrompt, 'compose' | 'model_name'>;
  readonly snapshot: { readonly hash: string };
  readonly resolved: Pick<ResolvedAgent, 'config' | 'llm' | 'unlisted'>;
  readonly model: ModelFacts | undefined;
  readonly price: ModelPrice | undefined;
}

/** @param payload already checked @param past of the same agent and model @throws InputInvalidError if the payload lacks a path of the template */
export async function describePrompt(agent: DescribedAgent, payload: unknown, past?: PastRuns): Promise<PromptDescription> {
  const { prompt, snapshot, resolved } = agent;
  const composed = prompt.compose(payload);
  const { messages, response_format, tools, source_map } = composed;
  return {
    messages,
    response_format,
    tools,
    source_map,
    model_name: prompt.model_name,
    snapshot_hash: snapshot.hash,
    unlisted_servers: resolved.unlisted,
    ...(await measurePrompt(agent, composed, past)),
  };
}

/** The figures of a composed prompt, without its sources. */
export async function measurePrompt(
  { prompt, resolved: { config, llm }, model, price }: Omit<DescribedAgent, 'snapshot'>,
  composed: ComposedPrompt,
  past?: PastRuns,
): Promise<Pick<PromptDescription, 'tokens' | 'worst_case' | 'typical_cost'>> {
  const tokens = await countTokens(prompt.model_name, composed);
  return { tokens, ...costsOf({ config, llm, model, price }, composed, tokens, past) };
}

/** What a run of a prompt costs at most and, if known, typically. The bound is computed like the run's own check before a call. */
export function costsOf(
  facts: TypicalFacts,
  { messages, tools, response_format }: Pick<ComposedPrompt, 'messages' | 'tools' | 'response_format'>,
  { total }: Pick<PromptTokens, 'total'>,
  past?: PastRuns,
): Pick<PromptDescription, 'worst_case' | 'typical_cost'> {
  return {
    worst_case: worstCaseOf(facts, sizeOfRequest(messages, tools, response_format).most) ?? null,
    typical_cost: typicalCost(facts, total, past) ?? null,
  };
}

async function countTokens(model: string, { messages, tools }: Pick<ComposedPrompt, 'messages' | 'tools'>): Promise<PromptTokens> {
  const tokenizer = await loadTokenCounter([model]);
  // Each text is counted once: a prompt may hold megabytes.
  const counts = new Map(messages.map(({ content }) => [content, tokenizer.count(model, content)]));
  const counter: TokenCounter = { count: (name, text) => counts.get(text) ?? tokenizer.count(name, text) };
  const { tokens: total, exact } = countMessageTokens(counter, model, messages);
  const each = messages.map(({ content }) => counter.count(model, content).tokens);
  if (tools.length === 0) return { messages: each, total, estimated: !exact };
  const ofTools = tokenizer.count(model, JSON.stringify(tools)).tokens;
  return { messages: each, tools: ofTools, total: total + ofTools, estimated: true };
}
