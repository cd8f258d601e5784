import type { ConfigFile } from '../../config/configFile.js';
import type { RelatedPlace } from '../../finding.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';
import { collectFragments } from '../../snapshot/collectFragments.js';
import { agentTable, fits, llmTable } from '../../snapshot/fields.js';
import type { Fragment } from '../../snapshot/layering.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';

/** A value as the deciding layer gives it, not yet expanded. */
export interface Setting {
  readonly value: Json;
  readonly fragment: Fragment;
  /** In the fragment's file. */
  readonly pointer: string;
}

/** The layers under an agent file, and the file itself on top. */
export interface Layers {
  /** Lowest first; the first holds the built-in defaults, the last is the file. */
  readonly fragments: readonly [Fragment, ...Fragment[]];
  readonly hasLlm: boolean;
}

/** The layers of an agent, collected once per file; undefined where they depend on a `${VAR}`, whose value rules do not know. */
export const layersOf = forLastFile((file: ConfigFile, context: RuleContext): Layers | undefined => {
  const { kind, version } = file.identity;
  if (kind !== 'agent' || version === undefined || !isObject(file.value)) return undefined;
  return toLayers(context.effective(file).layers);
});

interface LayeredAgent {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly value: JsonObject;
}

/** The agent as the highest layer, over its persona, its profile and the defaults. */
export function collectLayers({ project }: RuleContext, { path, name, version, value }: LayeredAgent): Layers | undefined {
  const request = { agent_name: name, version, file: { path, value }, project, variables: { get: () => undefined } };
  // The rules about each layer report its problems, in its own file.
  return toLayers(collectFragments(request, project.settings.environment, () => undefined).fragments);
}

function toLayers([lowest, ...above]: readonly Fragment[]): Layers | undefined {
  if (lowest === undefined) return undefined;
  const fragments = [lowest, ...above] as const;
  return fragments.some(isChosenByVariable) ? undefined : { fragments, hasLlm: fragments.some(({ layer }) => layer === 'llm') };
}

function isChosenByVariable({ value }: Fragment): boolean {
  return hasPlaceholder(value.persona_key) || hasPlaceholder(value.llm_config_id);
}

function hasPlaceholder(value: Json | undefined): boolean {
  return typeof value === 'string' && value.includes('${');
}

/** The effective value of a field of an agent or a connection; undefined when no layer gives it, or a null removes it. */
export function findSetting({ fragments }: Pick<Layers, 'fragments'>, name: string, part?: string): Setting | undefined {
  const table = agentTable.default.has(name) ? agentTable : llmTable;
  for (let index = fragments.length - 1; index >= 0; index -= 1) {
    const fragment = fragments[index] as Fragment;
    const value = valueIn(fragment, name, part);
    const form = value === undefined ? undefined : table[fragment.kind].get(name);
    if (value === undefined || form === undefined) continue;
    // A null brings back the built-in default of a field that a run needs.
    if (value === null) return form.default !== undefined && fragment.file !== null ? defaultOf(fragments[0], name, part) : undefined;
    if (part !== undefined || fits(form, value)) return givenBy(fragment, name, part, value);
  }
  return undefined;
}

function defaultOf(lowest: Fragment, name: string, part: string | undefined): Setting | undefined {
  const value = lowest.file === null ? valueIn(lowest, name, part) : undefined;
  return value === undefined || value === null ? undefined : givenBy(lowest, name, part, value);
}

function givenBy(fragment: Fragment, name: string, part: string | undefined, value: Json): Setting {
  const pointer = part === undefined ? pointerOf(name) : pointerOf(name, part);
  return { value, fragment, pointer: fragment.pointer + pointer };
}

function valueIn({ value }: Fragment, name: string, part: string | undefined): Json | undefined {
  const whole = memberOf(value, name);
  return part === undefined || whole === undefined ? whole : memberOf(whole, part);
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (value === null) return null;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Whether the value is written in a file: built-in defaults never contradict anything. */
export function isWritten(setting: Setting | undefined): setting is Setting {
  return setting !== undefined && setting.fragment.file !== null;
}

/**
 * Where in the checked file a finding about a value belongs: on the value itself, or on the reference that brings it in, or at the root.
 * A value from elsewhere is shown as a related place.
 */
export function placeOf(file: ConfigFile, setting: Setting, message: string): { pointer: string; related?: readonly RelatedPlace[] } {
  const { fragment, pointer } = setting;
  if (fragment.file === file.path) return { pointer };
  const place = { pointer: referenceTo(file, fragment) };
  return fragment.file === null ? place : { ...place, related: [{ file: fragment.file, pointer, message: message }] };
}

function referenceTo(file: ConfigFile, { layer }: Fragment): string {
  const value = isObject(file.value) ? file.value : {};
  // The profile may be chosen by a persona.
  const references = layer === 'llm' ? ['llm_config_id', 'persona_key'] : layer === 'persona' ? ['persona_key'] : [];
  const reference = references.find((name) => typeof value[name] === 'string');
  return reference === undefined ? '' : pointerOf(reference);
}

/** The keys that the input of an agent has or may have; undefined when the agent does not describe its input, or allows other keys. */
export function inputKeysOf(stack: Layers): ReadonlySet<string> | undefined {
  return inputKeys(findSetting(stack, 'input_keys')?.value, findSetting(stack, 'input_schema')?.value);
}

/** The same of an effective config. */
export function inputKeys(listed: Json | undefined, schema: Json | undefined): ReadonlySet<string> | undefined {
  const keys = stringsIn(listed);
  const properties = isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : undefined;
  if (keys === undefined && properties === undefined) return undefined;
  if (isObject(schema) && mayAddKeys(schema)) return undefined;
  return new Set([...(keys ?? []), ...(properties ?? [])]);
}

/** Whether a schema has keywords that may add keys; these are not followed. */
function mayAddKeys(schema: JsonObject): boolean {
  return ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'dependentSchemas'].some((keyword) =>
    Object.hasOwn(schema, keyword),
  );
}

/** The strings in a list; undefined for another value. */
export function stringsIn(value: Json | undefined): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}
