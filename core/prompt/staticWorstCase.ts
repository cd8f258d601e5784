import { InputInvalidError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { ModelFacts, ModelPrice } from '../llm/modelTable.js';
import { type WorstCase, worstCase } from '../llm/worstCase.js';
import type { ResolvedAgent } from '../snapshot/resolveAgent.js';
import { createAgentPrompt } from './agentPrompt.js';
import { planWorstCase } from './planWorstCase.js';
import type { ComposedPrompt } from './types.js';
import { isFree, priceToPay, worstCaseOf } from './worstCaseOf.js';

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
  /** The agents that plans call, by `name@version`. Default: none. */
  readonly called?: ((reference: string) => StaticFacts | undefined) | undefined;
}

/**
 * The worst case of any run of an agent, from its files alone and at once: tokens are estimated from above by the length of texts. Agents and
 * prompts of a plan are counted with an input of `assumedInput` tokens each. Undefined for an agent that should follow a plan
 * and has none, and for one whose plan calls one that is not there.
 */
export function staticWorstCase(facts: StaticFacts): StaticWorstCase | undefined {
  const { agent_type, execution_plan } = facts.resolved.config;
  if (agent_type === 'orchestrating') return execution_plan && ofPlan(facts);
  const { resolved, payloads = [] } = facts;
  const lengths = payloads.flatMap((payload) => lengthWith(payload, resolved) ?? []);
  if (lengths.length === 0) return assumed(facts);
  const found = worstCaseOf({ ...resolved, ...factsOf(facts) }, Math.max(...lengths));
  return found && { ...found, input: 'sample' };
}

function assumed(facts: StaticFacts): StaticWorstCase | undefined {
  const found = worstCaseOf({ ...facts.resolved, ...factsOf(facts) }, lengthWithout(facts.resolved) + assumedInput);
  return found && { ...found, input: 'assumed' };
}

function ofPlan(facts: StaticFacts): StaticWorstCase | undefined {
  const found = planWorstCase(facts, {
    configOf: ({ resolved }) => resolved.config,
    called: (reference) => facts.called?.(reference),
    plain: assumed,
    prompt(agent, text) {
      const { config, llm } = agent.resolved;
      return worstCase({
        calls: 1,
        prompt_tokens: lengthWithout(agent.resolved) + cautiousTokens(text) + assumedInput,
        max_output_tokens: config.max_output_tokens ?? (isFree(llm) ? 0 : undefined),
        model: agent.model,
        price: priceToPay(llm, agent.price),
      });
    },
  });
  return found && { ...found, input: 'assumed' };
}

function factsOf({ model, price }: StaticFacts): Pick<StaticFacts, 'model' | 'price'> {
  return { model, price };
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
