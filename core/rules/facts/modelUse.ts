import type { ConfigFile } from '../../config/configFile.js';
import { defaultProvider } from '../../config/defaults.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import type { ModelFacts } from '../../llm/modelTable.js';
import { quoted } from '../../words.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { findGiven, type Given, isWritten, type Layers, layersOf } from './layers.js';

/** The model an agent or an llm profile asks, as far as it is written without `${VAR}`. */
export interface ModelUse {
  readonly layers: Pick<Layers, 'fragments'>;
  readonly model: Given & { readonly value: string };
  readonly provider: string;
  /** Undefined where the built-in default holds. */
  readonly providerGiven: Given | undefined;
  readonly facts: ModelFacts | undefined;
}

/** Undefined when no model is named, or a variable names it. An llm profile is looked at by itself, an agent with all that lies under it. */
export const findModelUse = forLastFile(lookUp);

function lookUp(file: ConfigFile, context: RuleContext): ModelUse | undefined {
  const layers = file.identity.kind === 'llm' ? profileAlone(file) : layersOf(file, context);
  if (layers === undefined) return undefined;
  const model = findGiven(layers, 'model_name');
  if (model === undefined || typeof model.value !== 'string' || model.value.includes('${')) return undefined;
  const providerGiven = findGiven(layers, 'provider');
  const provider = providerGiven?.value ?? (file.identity.kind === 'llm' ? providerBelow(file, context) : defaultProvider);
  if (typeof provider !== 'string' || provider.includes('${')) return undefined;
  const facts = context.models.find(model.value, provider);
  return { layers, model: { ...model, value: model.value }, provider, providerGiven, facts };
}

/** Whether the model, its provider and these values all stand in the llm profile: then the finding is the profile's, not that of every agent above it. */
export function isProfilesOwn(file: ConfigFile, { model, providerGiven }: ModelUse, ...values: readonly Given[]): boolean {
  const involved = providerGiven === undefined ? [model, ...values] : [model, providerGiven, ...values];
  return involved.every(({ fragment }) => fragment.layer === 'llm' && fragment.file !== file.path);
}

/** `"gpt-4.1-mini"`, with the name the facts stand under where that is another: a dated or fine-tuned model. */
export function modelWords({ model, facts }: ModelUse): string {
  const written = quoted(model.value);
  return facts === undefined || facts.name === model.value ? written : `${written} (${facts.name})`;
}

/** A number that some file gives; undefined for a default. */
export function findWrittenNumber({ layers }: ModelUse, field: string): (Given & { readonly value: number }) | undefined {
  const setting = findGiven(layers, field);
  return isWritten(setting) && typeof setting.value === 'number' ? { ...setting, value: setting.value } : undefined;
}

function profileAlone(file: ConfigFile): Pick<Layers, 'fragments'> | undefined {
  if (!isObject(file.value)) return undefined;
  return { fragments: [{ layer: 'llm', file: file.path, pointer: '', kind: 'llm', value: file.value }] };
}

/** A profile without a provider may get it from what lies under it; then it depends on the agent, and agents are checked. */
function providerBelow({ identity }: ConfigFile, { project }: RuleContext): string | undefined {
  const files = [project.value('system', 'system'), project.value('system', project.settings.environment)];
  const gives = (value: Json | undefined) => isObject(value) && Object.hasOwn(value, 'provider');
  const somewhere = files.some((file) => file !== undefined && (gives(file.agent_defaults) || gives(memberOf(file.llms, identity.name))));
  return somewhere ? undefined : defaultProvider;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}
