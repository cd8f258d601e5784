import { InputInvalidError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { ModelFacts, ModelPrice } from '../llm/modelTable.js';
import type { WorstCase } from '../llm/worstCase.js';
import type { ResolvedAgent } from '../snapshot/resolveAgent.js';
import { createAgentPrompt } from './agentPrompt.js';
import type { ComposedPrompt } from './types.js';
import { worstCaseOf } from './worstCaseOf.js';

/** Tokens of an input nobody has given: what is taken for one where an agent has no sample input. */
export const assumedInput = 2000;

export interface StaticWorstCase extends WorstCase {
  /** Which input was counted: the longest sample, or `assumedInput` tokens. */
  readonly input: 'sample' | 'assumed';
}

export interface StaticFacts {
  readonly resolved: Pick<ResolvedAgent, 'config' | 'llm' | 'tools'>;
  readonly model: ModelFacts | undefined;
  readonly price: ModelPrice | undefined;
  /** Sample inputs; those that the agent cannot take are passed over. */
  readonly payloads?: readonly JsonObject[];
}

/**
 * The worst case of any run of an agent, from its files alone and at once: tokens are estimated from above by the length of texts. Undefined
 * for an agent that runs a plan.
 */
export function staticWorstCase({ resolved, model, price, payloads = [] }: StaticFacts): StaticWorstCase | undefined {
  const { config, llm } = resolved;
  if (config.agent_type === 'orchestrating') return undefined;
  const lengths = payloads.flatMap((payload) => lengthWith(payload, resolved) ?? []);
  const prompt = lengths.length > 0 ? Math.max(...lengths) : lengthWithout(resolved) + assumedInput;
  const found = worstCaseOf({ config, llm, model, price }, prompt);
  return found && { ...found, input: lengths.length > 0 ? 'sample' : 'assumed' };
}

/** Undefined for a payload that the agent cannot take. */
function lengthWith(payload: JsonObject, { config, llm, tools }: StaticFacts['resolved']): number | undefined {
  const { compose, checkPayload } = createAgentPrompt({ config, llm, tools, schemas: uncompiled });
  if (checkPayload(payload).length > 0) return undefined;
  try {
    return tokensOf(compose(payload));
  } catch (error) {
    if (error instanceof InputInvalidError) return undefined;
    throw error;
  }
}

/** A template counts as it is written: what stands in place of its paths belongs to the input. */
function lengthWithout({ config: { template, ...config }, llm, tools }: StaticFacts['resolved']): number {
  const written = template === undefined ? config : { ...config, system_text: template };
  return tokensOf(createAgentPrompt({ config: written, llm, tools, schemas: uncompiled }).compose({}));
}

/** What frames messages, and the response format: a little more than vendors count. */
const framing = 20;

function tokensOf({ messages, tools, response_format }: ComposedPrompt): number {
  let tokens = framing;
  for (const { content } of messages) tokens += cautiousTokens(content);
  for (const value of [...tools, ...(response_format ? [response_format] : [])]) tokens += cautiousTokens(JSON.stringify(value));
  return tokens;
}

/** Ordinary text has one token for about four characters; here three, and one for each character beyond ASCII. */
function cautiousTokens(text: string): number {
  let others = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) others += 1;
  return Math.ceil((text.length - others) / 3) + others;
}

/** Schemas of the input are not what decides on its length. */
const uncompiled = { compile: () => ({ ok: true, check: () => [] }) as const };
