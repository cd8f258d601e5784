import type { ConfigFile } from '../../config/configFile.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import type { RuleCode } from '../codes.js';
import type { RuleContext } from '../rule.js';
import { findGiven, layersOf } from './layers.js';
import { isPlainSchema } from './plainSchema.js';

/** The rules that have nothing to say about an agent whose contract is plain. A test holds this true. */
export const contractRules: ReadonlySet<RuleCode> = new Set<RuleCode>([
  'enums-match-schema',
  'enum-missing',
  'enum-duplicate-value',
  'enum-empty',
  'enum-case-collision',
  'chooser-needs-enums',
  'required-undefined',
  'default-fits-schema',
  'default-unknown-field',
  'output-schema-invalid',
  'schema-portability',
  'pattern-unsupported',
]);

/**
 * Whether an agent's output schema, `enums` and `defaults` agree in the plainest way: the schema is plain (`isPlainSchema`), `enums` lists the
 * same values in the same order for exactly the fields that have an enum, no two of them alike, and each default is one of its field's
 * values. Nearly every agent is like that, and one look at it takes the place of a dozen.
 */
export function isPlainContract(file: ConfigFile, context: RuleContext): boolean {
  if (file.identity.kind !== 'agent' || !isObject(file.value)) return false;
  const { output_schema: schema, input_schema, execution_plan, mode } = file.value;
  if (!isObject(schema) || input_schema !== undefined || execution_plan !== undefined || !isPlainSchema(schema)) return false;
  const enums = ownOrAbsent(file, context, 'enums');
  const defaults = ownOrAbsent(file, context, 'defaults');
  if (enums === undefined || defaults === undefined) return false;
  const properties = schema.properties as JsonObject;
  const isChooser = mode !== 'Writer' && mode !== 'Extractor';
  return areListed(properties, enums, isChooser) && areValues(properties, defaults);
}

/** The file's own object; an empty one when no layer gives any; undefined when it is another's, or no object. */
function ownOrAbsent(file: ConfigFile, context: RuleContext, field: 'enums' | 'defaults'): JsonObject | undefined {
  const value = (file.value as JsonObject)[field];
  if (value !== undefined) return isObject(value) ? value : undefined;
  const stack = layersOf(file, context);
  return stack !== undefined && findGiven(stack, field) === undefined ? nothing : undefined;
}

const nothing: JsonObject = {};

/** @param all whether every field has to have a list, as for a Chooser */
function areListed(properties: JsonObject, enums: JsonObject, all: boolean): boolean {
  let lists = 0;
  for (const name in properties) {
    const listed = listOf(properties[name] as JsonObject);
    if (listed === undefined) {
      if (all) return false;
      continue;
    }
    const values = Object.hasOwn(enums, name) ? enums[name] : undefined;
    if (!Array.isArray(values) || !areSame(values, listed) || !areUnlike(listed)) return false;
    lists += 1;
  }
  for (const _name in enums) lists -= 1;
  return lists === 0;
}

/** The texts a plain field is limited to. */
function listOf(field: JsonObject): readonly Json[] | undefined {
  const { enum: own, items } = field;
  if (Array.isArray(own)) return own;
  return isObject(items) && Array.isArray(items.enum) ? items.enum : undefined;
}

function areSame(values: readonly Json[], listed: readonly Json[]): boolean {
  if (values.length !== listed.length) return false;
  for (let index = 0; index < values.length; index++) if (values[index] !== listed[index]) return false;
  return true;
}

/** No two are equal or differ in letter case only. Of a long list nothing is said. */
function areUnlike(values: readonly Json[]): boolean {
  if (values.length > longList) return false;
  for (let right = 1; right < values.length; right++) {
    const last = values[right] as string;
    for (let left = 0; left < right; left++) {
      const first = values[left] as string;
      // Folding may change the length of a text, but not make two texts of ASCII with different first letters alike.
      if (mayBeAlike(first.charCodeAt(0), last.charCodeAt(0)) && first.toLowerCase() === last.toLowerCase()) return false;
    }
  }
  return true;
}

const longList = 32;

function mayBeAlike(left: number, right: number): boolean {
  return left >= 0x80 || right >= 0x80 || (left | 0x20) === (right | 0x20) || Number.isNaN(left) || Number.isNaN(right);
}

function areValues(properties: JsonObject, defaults: JsonObject): boolean {
  for (const name in defaults) {
    if (!Object.hasOwn(properties, name)) return false;
    const { type, enum: values } = properties[name] as JsonObject;
    const value = defaults[name] as Json;
    if (Array.isArray(values) ? !values.includes(value) : typeof value !== type) return false;
  }
  return true;
}
