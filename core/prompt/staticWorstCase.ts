import { InputInvalidError } from '../errors.js';
import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { sizeOfRequest } from '../llm/callCost.js';
import type { ModelFacts, ModelPrice } from '../llm/modelTable.js';
import { isFree } from '../llm/price.js';
import { type WorstCase, worstCase } from '../llm/worstCase.js';
import type { ResolvedAgent } from '../snapshot/types.js';
import { createAgentPrompt } from './agentPrompt.js';
import { systemTemplateOf, templatesOf, userTemplateOf } from './agentTemplates.js';
import { uncompiled } from './compileOnce.js';
import { planWorstCase } from './planWorstCase.js';
import { findTemplatePaths } from './template.js';
import { answerBound, type InputBound, inputBound } from './tokenBounds.js';
import type { ComposedPrompt } from './types.js';
import { type CostFacts, priceToPay, worstCaseOf } from './worstCaseOf.js';

/** Tokens assumed for the input of an agent without a payload, unless agentstack.json says otherwise. */
export const assumedInput = 2000;

export interface StaticWorstCase extends WorstCase {
  /** Which input was counted: the longest sample, a bounded one, or one that comes partly from outside. */
  readonly input: 'sample' | 'bounded' | 'assumed';
}

export interface StaticFacts {
  readonly resolved: Pick<ResolvedAgent, 'config' | 'llm' | 'tools'>;
  readonly model: ModelFacts | undefined;
  readonly price: ModelPrice | undefined;
  /** Payloads; those that the agent does not accept are skipped. */
  readonly payloads?: readonly JsonObject[];
  /** The bound of an input, if one is known. Default: `assumed_input` tokens. */
  readonly input?: InputBound | undefined;
  /** Tokens of the conversation that the agent continues. Default: none. */
  readonly history?: number | undefined;
  /** Tokens of input from outside. Default: `assumedInput`. */
  readonly assumed_input?: number | undefined;
  /** The agents that plans call, by `name@version`. Default: none. */
  readonly called?: ((reference: string) => StaticFacts | undefined) | undefined;
}

/**
 * The worst case of any run of an agent, computed at once from its files alone: text lengths give an upper bound of tokens. Inputs of agents and
 * prompts of a plan are bounded by their templates. Undefined for an agent that should follow a plan and has none, and for one whose
 * plan calls an agent that does not exist.
 */
export function staticWorstCase(facts: StaticFacts): StaticWorstCase | undefined {
  const { agent_type, execution_plan } = facts.resolved.config;
  if (agent_type === 'orchestrating') return execution_plan && ofPlan(facts);
  const { resolved, payloads = [], history = 0 } = facts;
  const lengths = payloads.flatMap((payload) => lengthWith(payload, resolved) ?? []);
  if (lengths.length === 0) return withInput(facts, inputOf(facts));
  const worst = worstCaseOf(factsOf(facts), history + Math.max(...lengths));
  return worst && { ...worst, input: 'sample' };
}

function inputOf({ input, assumed_input = assumedInput }: StaticFacts): InputBound {
  return input ?? { tokens: assumed_input, isAssumed: true };
}

function withInput(facts: StaticFacts, input: InputBound): StaticWorstCase | undefined {
  const { resolved } = facts;
  const worst = worstCaseOf(factsOf(facts), lengthWithout(resolved) + timesTaken(resolved) * input.tokens);
  return worst && { ...worst, input: kindOf(input) };
}

function kindOf({ isAssumed }: InputBound): StaticWorstCase['input'] {
  return isAssumed ? 'assumed' : 'bounded';
}

/** How often the input, or the part of it that occurs most often, is in the prompt: in its templates, and as the payload. */
function timesTaken({ config }: StaticFacts['resolved']): number {
  const [system, user] = [systemTemplateOf(config), userTemplateOf(config)];
  return (system ? timesIn(system.text) : 0) + (user ? timesIn(user.text) : 1);
}

function timesIn(template: string): number {
  if (!template.includes('{{')) return 0;
  const times = new Map<string, number>();
  for (const { segments } of findTemplatePaths(template)) times.set(segments[1] ?? '', (times.get(segments[1] ?? '') ?? 0) + 1);
  const whole = times.get('') ?? 0;
  times.delete('');
  return whole + Math.max(0, ...times.values());
}

function ofPlan(facts: StaticFacts): StaticWorstCase | undefined {
  const { assumed_input = assumedInput } = facts;
  let isAssumed = false;
  const input = inputOf(facts);
  const worst = planWorstCase(
    facts,
    {
      configOf: ({ resolved }) => resolved.config,
      called: (reference) => facts.called?.(reference),
      plain: (agent, tokens) => withInput(agent, { tokens, isAssumed: false }),
      prompt(agent, tokens, input_tokens) {
        const { config, llm } = agent.resolved;
        const inSystem = (timesTaken(agent.resolved) - 1) * input_tokens;
        isAssumed ||= inSystem > 0 && input.isAssumed;
        return worstCase({
          calls: 1,
          prompt_tokens: lengthWithout(agent.resolved) + tokens + inSystem,
          max_output_tokens: config.max_output_tokens ?? (isFree(llm) ? 0 : undefined),
          model: agent.model,
          price: priceToPay(llm, agent.price),
        });
      },
      inputOf(agent, { input: template, llm }, tokens) {
        const written = llm ?? template;
        if (written === undefined) {
          isAssumed ||= input.isAssumed;
          return tokens;
        }
        const bound = inputBound(written, (segments) => boundInPlan(agent, segments, tokens), assumed_input);
        isAssumed ||= bound.isAssumed || (input.isAssumed && readsInput(written));
        return bound.tokens;
      },
    },
    input.tokens,
  );
  return worst && { ...worst, input: isAssumed ? 'assumed' : 'bounded' };
}

function readsInput(template: Json): boolean {
  return /\{\{[ \t]*input\b/.test(JSON.stringify(template));
}

/** The bound of the value at a path in a plan. The output of a skill is not known before the run. */
function boundInPlan(agent: StaticFacts, [root, name, , ...rest]: readonly string[], input: number): InputBound {
  if (root === 'input') return { tokens: input, isAssumed: false };
  const step = listOf(agent.resolved.config.execution_plan?.steps).find((each) => isObject(each) && each.name === name);
  if (!isObject(step)) return unknownPart;
  const called = typeof step.agent === 'string' ? agent.called?.(step.agent) : undefined;
  const { config } = agent.resolved;
  const writer = called
    ? { config: called.resolved.config, model: called.model }
    : // A prompt is answered with text, whatever the agent's own output is.
      typeof step.llm === 'string' && {
        config: {
          agent_type: 'single_shot' as const,
          ...(config.max_output_tokens !== undefined && { max_output_tokens: config.max_output_tokens }),
        },
        model: agent.model,
      };
  const tokens = writer ? answerBound(writer, rest) : undefined;
  return tokens === undefined ? unknownPart : { tokens, isAssumed: false };
}

const unknownPart: InputBound = { tokens: 0, isAssumed: true };

/** Field by field: the origins of a resolved agent are read on first access, and take long. */
function factsOf({ resolved: { config, llm }, model, price }: StaticFacts): CostFacts {
  return { config, llm, model, price };
}

/** Undefined for a payload that the agent does not accept. */
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

/** Templates count as written: the values of their paths belong to the input. */
function lengthWithout({ config, llm, tools }: StaticFacts['resolved']): number {
  const { template: _, ...others } = config;
  // Other braces are as long, and begin no path.
  const texts = templatesOf(config).map(({ field, text }) => [field === 'template' ? 'system_text' : field, text.replaceAll('{{', '[[')]);
  const written = { ...others, ...Object.fromEntries(texts) };
  return tokensOf(createAgentPrompt({ config: written, llm, tools, schemas: uncompiled }).compose({}));
}

function tokensOf({ messages, tools, response_format }: ComposedPrompt): number {
  return sizeOfRequest(messages, tools, response_format).most;
}
