import type { PlacedFinding } from '../../../core/finding.js';
import type { Json } from '../../../core/json.js';
import { sizeOfRequest, worstCostOfCall } from '../../../core/llm/callCost.js';
import { estimateCost, isFree } from '../../../core/llm/price.js';
import type { WorstCase } from '../../../core/llm/worstCase.js';
import { costsOf, type PromptTokens } from '../../../core/prompt/describePrompt.js';
import { findFields } from '../../../core/prompt/fields.js';
import type { Stretch } from '../../../core/prompt/sourcePlaces.js';
import type { PastRuns } from '../../../core/prompt/typicalCost.js';
import { toVisibleJson } from '../../../core/visibleText.js';
import type { Composition, PreviewState } from './agentPreview.js';
import type { FactsView, FormatView, ProblemsView, ToolsView } from './messages.js';

/** Facts about a prompt beside its text. */
export function factsOf(composition: Composition, tokens: PromptTokens, past?: PastRuns): FactsView {
  const { resolved, prompt, model, price, snapshot } = composition.draft;
  const { defaults = {} } = resolved.config;
  const outputLimit = prompt.max_output_tokens ?? model?.max_output_tokens ?? null;
  const usage = { prompt_tokens: tokens.total, completion_tokens: 0, cached_tokens: 0 };
  const { config, llm } = resolved;
  const { worst_case, typical_cost } = costsOf({ config, llm, model, price }, composition, tokens, past);
  const { messages, tools, response_format } = composition;
  const sent = sizeOfRequest(messages, tools, response_format).most;
  const most = outputLimit !== null && price ? worstCostOfCall(sent, outputLimit, price) : null;
  return {
    model: prompt.model_name,
    provider: resolved.llm.provider,
    profile: resolved.llm.llm_id ?? null,
    environment: resolved.environment_name,
    tokens: { messages: tokens.messages, tools: tokens.tools ?? null, total: tokens.total, isEstimated: tokens.estimated },
    contextWindow: model?.context_window ?? null,
    outputLimit,
    isFree: isFree(resolved.llm),
    cost: price ? { input: estimateCost(usage, price), typical: typical_cost?.usd ?? null, most } : null,
    worst: worstOf(config, worst_case),
    hash: snapshot?.hash ?? null,
    defaults: Object.entries(defaults).map(([field, value]) => ({ field, value: JSON.stringify(value) })),
  };
}

function worstOf({ budget }: Composition['draft']['resolved']['config'], worst: WorstCase | null): FactsView['worst'] {
  if (worst === null || (worst.calls === 1 && budget?.max_cost === undefined)) return null;
  const { calls, limit, cost, unknown } = worst;
  return { calls, limit, isBudget: limit !== null && (cost === null || limit < cost), unknown };
}

const mostErrors = 50;

export function problemsOf({ issues }: Pick<PreviewState, 'issues'>, errors: readonly PlacedFinding[]): ProblemsView {
  return {
    errors: errors
      .slice(0, mostErrors)
      .map(({ message, code, file, line, column }) => ({ message, code, place: `${file}:${line}:${column}` })),
    more: Math.max(0, errors.length - mostErrors),
    issues: issues(),
  };
}

const longestSchema = 100_000;

/** The response format as the provider gets it; null if the schema is in the prompt, or there is no schema. */
export function formatOf({ response_format, draft }: Pick<Composition, 'response_format' | 'draft'>): FormatView | null {
  if (response_format === null) return null;
  const { name, strict, schema } = response_format.json_schema;
  const reasons = draft.prompt.strict_reasons.map(({ pointer, message }) => `${pointer}: ${message}`);
  return { name, strict, reasons, schema: toVisibleJson(schema).slice(0, longestSchema) };
}

const longestParameters = 20_000;

/** The tools of the agent that are known from files; null for an agent without tools. */
export function toolsOf({ tools: sent, draft }: Pick<Composition, 'tools' | 'draft'>): ToolsView | null {
  const { tools, unlisted } = draft.resolved;
  if (tools.length === 0 && unlisted.length === 0) return null;
  return {
    tools: tools.map(({ name, description, parameters, origin, source }) => ({
      name,
      origin: origin.type === 'mcp' ? origin.client_id : origin.type,
      description,
      parameters: toVisibleJson(parameters).slice(0, longestParameters),
      place: source?.file ?? null,
    })),
    unlisted,
    isInText: sent.length === 0 && tools.length > 0,
  };
}

/** Whether a stretch is the value a field gets when the answer leaves it out. */
export function defaultFinder({ draft }: Pick<Composition, 'draft'>): (stretch: Stretch) => boolean {
  const { config, origins } = draft.resolved;
  const { defaults = {} } = config;
  const places = new Set<string>();
  for (const { name, choices = [] } of findFields(config)) {
    if (!Object.hasOwn(defaults, name)) continue;
    for (const { value, pointer } of choices) {
      if (!isDefault(defaults[name], value)) continue;
      const origin = origins.get(pointer);
      if (origin !== undefined) places.add(`${origin.file} ${origin.pointer}`);
    }
  }
  return ({ file, pointer }) => places.has(`${file} ${pointer}`);
}

function isDefault(given: Json | undefined, choice: Json): boolean {
  return given === choice || (Array.isArray(given) && given.includes(choice));
}
