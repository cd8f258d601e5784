import type { ConfigFile } from '../../config/configFile.js';
import { defaultProvider } from '../../config/defaults.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import type { ModelFacts } from '../../llm/modelTable.js';
import { quoted } from '../../words.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { findSetting, isWritten, type Layers, layersOf, type Setting } from './layers.js';

/** The model that an agent or an llm profile uses, if it is written without `${VAR}`. */
export interface ModelUse {
  readonly layers: Pick<Layers, 'fragments'>;
  readonly model: Setting & { readonly value: string };
  readonly provider: string;
  /** Undefined where the built-in default applies. */
  readonly providerGiven: Setting | undefined;
  readonly facts: ModelFacts | undefined;
}

/** Undefined when no model is named, or a variable names it. An llm profile is read alone, an agent with all its layers. */
export const findModelUse = forLastFile(computeModelUse);

function computeModelUse(file: ConfigFile, context: RuleContext): ModelUse | undefined {
  const layers = file.identity.kind === 'llm' ? profileAlone(file) : layersOf(file, context);
  if (layers === undefined) return undefined;
  const model = findSetting(layers, 'model_name');
  if (model === undefined || typeof model.value !== 'string' || model.value.includes('${')) return undefined;
  const providerGiven = findSetting(layers, 'provider');
  const provider = providerGiven?.value ?? (file.identity.kind === 'llm' ? providerBelow(file, context) : defaultProvider);
  if (typeof provider !== 'string' || provider.includes('${')) return undefined;
  const facts = context.models.find(model.value, provider);
  return { layers, model: { ...model, value: model.value }, provider, providerGiven, facts };
}

/** Whether the model, its provider and these values all come from the llm profile: then the profile has the finding, not each agent that uses it. */
export function isProfilesOwn(file: ConfigFile, { model, providerGiven }: ModelUse, ...values: readonly Setting[]): boolean {
  const involved = providerGiven === undefined ? [model, ...values] : [model, providerGiven, ...values];
  return involved.every(({ fragment }) => fragment.layer === 'llm' && fragment.file !== file.path);
}

/** `"gpt-4.1-mini"`, with the name under which its facts are known if that differs: a dated or fine-tuned model. */
export function modelWords({ model, facts }: ModelUse): string {
  const written = quoted(model.value);
  return facts === undefined || facts.name === model.value ? written : `${written} (${facts.name})`;
}

/** A number that a file gives; undefined for a default. */
export function findWrittenNumber({ layers }: ModelUse, field: string): (Setting & { readonly value: number }) | undefined {
  const setting = findSetting(layers, field);
  return isWritten(setting) && typeof setting.value === 'number' ? { ...setting, value: setting.value } : undefined;
}

function profileAlone(file: ConfigFile): Pick<Layers, 'fragments'> | undefined {
  if (!isObject(file.value)) return undefined;
  return { fragments: [{ layer: 'llm', file: file.path, pointer: '', kind: 'llm', value: file.value }] };
}

/** The provider of a profile without one; undefined where a lower layer may give it, so that only agents can be checked. */
function providerBelow({ identity }: ConfigFile, { project }: RuleContext): string | undefined {
  const files = [project.value('system', 'system'), project.value('system', project.settings.environment)];
  const lowerLayers = files.flatMap((file) => [file?.agent_defaults, memberOf(file?.llms, identity.name)]);
  return lowerLayers.some((layer) => memberOf(layer, 'provider') !== undefined) ? undefined : defaultProvider;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}
