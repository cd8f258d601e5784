import type { ConfigFile } from '../../config/configFile.js';
import { defaultProvider } from '../../config/defaults.js';
import { isObject, type JsonObject } from '../../json.js';
import { mostTokens } from '../../llm/fewestTokens.js';
import { providersWithKnownModels } from '../../llm/modelTable.js';
import type { RuleCode } from '../codes.js';
import type { RuleContext } from '../rule.js';
import { findGiven, hasHalfPrice, isWritten } from './layers.js';
import { type LowerLayers, layersBelow } from './layersBelow.js';
import { findPlainTemplate } from './plainTemplate.js';

/** The rules that have nothing to say about an agent whose setup is plain. A test holds this true. */
export const setupRules: ReadonlySet<RuleCode> = new Set<RuleCode>([
  'temperature-unsupported',
  'max-output-exceeds-model',
  'context-window-exceeded',
  'deprecated-model',
  'unknown-model',
  'unknown-llm',
  'unknown-persona',
  'unknown-prompt',
  'unknown-agent',
  'unknown-agent-version',
  'unknown-mcp-server',
  'unknown-skill',
  'unknown-tool',
  'mcp-tool-drift',
  'cost-above-budget',
  'task-unknown',
  'prompt-variable-unknown',
  'input-key-unused',
  'few-shot-fits-schema',
  'effective-config-incomplete',
  'name-matches-path',
  'version-matches-path',
  'duplicate-identity',
  'condition-field-unknown',
  'condition-operator-type',
  'condition-value-impossible',
  'routing-cycle',
]);

/**
 * Whether an agent is called as its file is, and gets its model and its prompt in the plainest way: a single-shot agent whose model comes from
 * the layers below and takes all that is given; whose profile, persona and prompt exist; whose texts surely fit the window; without budget,
 * plan and tools.
 * What lies below is the same for many agents and is looked at once, so this costs a few comparisons.
 */
export function isPlainSetup({ path, identity, value }: ConfigFile, context: RuleContext): boolean {
  const { kind, name, version, id } = identity;
  if (kind !== 'agent' || version === undefined || !isObject(value) || !hasOnlyNames(value)) return false;
  if (value.agent_name !== name || value.version !== version || context.project.twins(kind, id).length > 0) return false;
  // Whoever asks what runs cost wants to know it of every agent.
  if (context.maxCost !== undefined) return false;
  const layers = layersBelow(context, { path, name, version, value });
  const below = layers && lookBelow(layers, context);
  if (below === undefined) return false;

  const { mode, system_text, purpose_text, output_schema, max_output_tokens, prompts } = value;
  if (mode === undefined ? !below.hasMode : mode !== 'Chooser' && mode !== 'Writer' && mode !== 'Extractor') return false;
  if (output_schema === undefined ? !below.hasSchema : !isObject(output_schema)) return false;
  const own = system_text === undefined ? below.systemLength : lengthOf(system_text);
  const system = prompts === undefined ? own : findPlainTemplate(value, context);
  const purpose = purpose_text === undefined ? below.purposeLength : lengthOf(purpose_text);
  const output = max_output_tokens === undefined ? below.output : max_output_tokens;
  if (system === undefined || purpose === undefined || typeof output !== 'number') return false;
  if (!(output <= below.mostOutput && mostTokens(system + purpose) + output <= below.window)) return false;
  for (const parameter of below.refused) if (value[parameter] !== undefined) return false;
  return true;
}

/** Whether the agent itself says nothing of model, type, plan and tools but the names of its profile and persona. */
function hasOnlyNames(agent: JsonObject): boolean {
  const { agent_type, model_name, provider, budget, execution_plan, client_ids, persona_key, llm_config_id } = agent;
  return (
    agent_type === undefined &&
    model_name === undefined &&
    provider === undefined &&
    budget === undefined &&
    execution_plan === undefined &&
    client_ids === undefined &&
    isPlainName(persona_key) &&
    isPlainName(llm_config_id)
  );
}

function isPlainName(name: JsonObject[string] | undefined): boolean {
  return name === undefined || (typeof name === 'string' && !name.includes('${'));
}

function lengthOf(text: JsonObject[string]): number | undefined {
  return typeof text === 'string' ? text.length : undefined;
}

/** What lies below an agent, as far as a plain setup depends on it. Lengths are in UTF-16 units, all else in tokens. */
interface Below {
  readonly hasMode: boolean;
  readonly hasSchema: boolean;
  readonly systemLength: number | undefined;
  readonly purposeLength: number | undefined;
  /** 0 when nobody asks for a number. */
  readonly output: number;
  /** Infinite when nobody knows. */
  readonly mostOutput: number;
  readonly window: number;
  /** Parameters that the model refuses; none of them is written below. */
  readonly refused: readonly string[];
}

/** Undefined where nothing above could be plain. */
function lookBelow(layers: LowerLayers, context: RuleContext): Below | undefined {
  const known = looked.get(layers);
  if (known !== undefined) return known.below;
  const below = compute(layers, context);
  looked.set(layers, { below });
  return below;
}

/** Layers belong to one context, and so does what is found in them. */
const looked = new WeakMap<LowerLayers, { readonly below: Below | undefined }>();

function compute(layers: LowerLayers, context: RuleContext): Below | undefined {
  if (!layers.isWhole || hasHalfPrice(layers) || findGiven(layers, 'agent_type')?.value !== 'single_shot') return undefined;
  for (const { value } of layers.fragments)
    if (value.prompts !== undefined || value.budget !== undefined || value.execution_plan !== undefined) return undefined;
  const limits = limitsOf(layers, context);
  const output = findGiven(layers, 'max_output_tokens')?.value ?? 0;
  if (limits === undefined || typeof output !== 'number') return undefined;
  const lengthBelow = (field: string) => lengthOf(findGiven(layers, field)?.value ?? null);
  return {
    ...limits,
    hasMode: findGiven(layers, 'mode') !== undefined,
    hasSchema: findGiven(layers, 'output_schema') !== undefined,
    systemLength: lengthBelow('system_text'),
    purposeLength: lengthBelow('purpose_text'),
    output,
  };
}

/** What the model takes; undefined where there is none, or something is to be said about it. */
function limitsOf(layers: LowerLayers, { models }: RuleContext): Pick<Below, 'mostOutput' | 'window' | 'refused'> | undefined {
  const given = findGiven(layers, 'model_name');
  const providerGiven = findGiven(layers, 'provider');
  const model = given?.value;
  const provider = providerGiven?.value ?? defaultProvider;
  if (typeof model !== 'string' || typeof provider !== 'string') return undefined;
  if (model.includes('${') || provider.includes('${')) return unlimited;
  // What is to be said of the model itself is said of the profile that names it.
  const isProfiles = given?.fragment.layer === 'llm' && (providerGiven === undefined || providerGiven.fragment.layer === 'llm');
  const facts = models.find(model, provider);
  if (facts === undefined) return isProfiles || !providersWithKnownModels.has(provider) ? unlimited : undefined;
  const { deprecated, unsupported: refused, max_output_tokens, context_window } = facts;
  if ((deprecated !== undefined && !isProfiles) || refused.some((parameter) => isWritten(findGiven(layers, parameter)))) return undefined;
  return { mostOutput: max_output_tokens ?? Number.POSITIVE_INFINITY, window: context_window ?? Number.POSITIVE_INFINITY, refused };
}

/** Of a model that a variable names, or that nobody here knows, nothing can be said. */
const unlimited = { mostOutput: Number.POSITIVE_INFINITY, window: Number.POSITIVE_INFINITY, refused: [] };
