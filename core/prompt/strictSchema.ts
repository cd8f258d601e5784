import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { OutputContract } from '../schema/outputContract.js';

/** One reason why a schema cannot be sent with `strict: true`. */
export interface StrictViolation {
  /** JSON pointer to the smallest invalid part of the schema. */
  readonly pointer: string;
  /** The keyword at fault: one of JSON Schema, or the exceeded limit (`depth`, `size`, `enum`). */
  readonly keyword: string;
  /** What strict mode refuses and what it requires instead; one line. */
  readonly message: string;
}

/** Where the limits below come from, for messages that quote them. */
export const strictLimitsSource =
  'OpenAI guide "Structured Outputs", supported schemas (developers.openai.com, as of 2026-02, read 2026-11-21)';

/** Numbers of the guide. Lengths are counted in UTF-16 units. */
export const strictLimits = {
  properties: 5_000,
  depth: 10,
  strings: 120_000,
  enumValues: 1_000,
  /** An enum of strings with more values than this may hold a total of `largeEnumStrings` units of text. */
  largeEnum: 250,
  largeEnumStrings: 15_000,
} as const;

const supportedKeywords = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'definitions',
  'title',
  'description',
  'pattern',
  'format',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'minItems',
  'maxItems',
]);
/** Identifying keywords that every generator writes at the root. */
const rootKeywords = new Set(['$schema', '$id', '$comment']);
const besideRootReference = new Set([...rootKeywords, '$defs', 'definitions']);
const refusedForFineTuned = new Set(['pattern', 'format', 'minimum', 'maximum', 'multipleOf', 'minItems', 'maxItems']);
const supportedFormats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);
const supportedTypes = new Set(['string', 'number', 'boolean', 'integer', 'object', 'array', 'null']);

/**
 * Every reason why OpenAI's strict structured outputs would refuse this schema, in schema order, overall limits last; empty if `strict: true`
 * may be sent. Where the guide and the service's known refusals differ, the stricter applies: a schema wrongly called loose
 * costs a guarantee, one wrongly called strict costs every call.
 */
export function findStrictViolations(schema: JsonObject, options: StrictOptions = {}): readonly StrictViolation[] {
  const violations: StrictViolation[] = [];
  const sizes: Sizes = { properties: 0, strings: 0, enumValues: 0 };
  const contract = new OutputContract(schema);
  const report = (pointer: string, keyword: string, message: string) => {
    violations.push({ pointer, keyword, message });
  };

  if (schema.anyOf !== undefined) report('/anyOf', 'anyOf', 'The root must be one object, not a choice (anyOf).');
  else if (schema.type !== 'object') report('/type', 'type', 'The root must say "type": "object".');

  checkNode(schema, '', 0, { contract, fineTuned: options.fineTuned === true, sizes, report });

  if (sizes.properties > strictLimits.properties) {
    report('/properties', 'size', `The schema has ${sizes.properties} properties in all; at most ${strictLimits.properties} are allowed.`);
  }
  if (sizes.enumValues > strictLimits.enumValues) {
    report('', 'enum', `The schema has ${sizes.enumValues} enum values in all; at most ${strictLimits.enumValues} are allowed.`);
  }
  if (sizes.strings > strictLimits.strings) {
    report(
      '',
      'size',
      `Names, enum and const values hold ${sizes.strings} characters in all; at most ${strictLimits.strings} are allowed.`,
    );
  }
  const depth = depthOf(schema, contract);
  if (depth > strictLimits.depth) {
    report(
      '',
      'depth',
      `Objects and arrays are nested ${depth > walkLimit ? `over ${walkLimit}` : depth} levels deep; at most ${strictLimits.depth} are allowed.`,
    );
  }
  return violations;
}

interface StrictOptions {
  /** The model is an `ft:` model, which supports fewer keywords. Default false. */
  readonly fineTuned?: boolean;
}

interface Sizes {
  properties: number;
  strings: number;
  enumValues: number;
}

interface Walk {
  readonly contract: OutputContract;
  readonly fineTuned: boolean;
  readonly sizes: Sizes;
  readonly report: (pointer: string, keyword: string, message: string) => void;
}

function checkNode(node: Json | undefined, pointer: string, level: number, walk: Walk): void {
  if (level > walkLimit) {
    walk.report(pointer, 'depth', `Schemas lie more than ${walkLimit} deep inside each other.`);
    return;
  }
  if (!isObject(node)) {
    walk.report(pointer, 'type', 'A schema here must be an object with a type; true and false say nothing the model can follow.');
    return;
  }
  checkKeywords(node, pointer, walk);
  if (node.$ref !== undefined) checkReference(node, pointer, walk);
  else {
    checkType(node, pointer, walk);
    if (isObjectSchema(node)) checkObject(node, pointer, walk);
    if (typesOf(node).includes('array') && node.items === undefined) walk.report(pointer, 'items', 'An array must describe its items.');
  }
  countValues(node, pointer, walk);

  for (const container of ['$defs', 'definitions', 'properties'] as const) {
    const children = node[container];
    if (!isObject(children)) continue;
    for (const name of Object.keys(children)) {
      walk.sizes.strings += name.length;
      if (container === 'properties') walk.sizes.properties += 1;
      const child = children[name];
      const place = `${pointer}${pointerOf(container, name)}`;
      checkNode(child, place, level + 1, walk);
    }
  }
  if (Array.isArray(node.anyOf)) {
    node.anyOf.forEach((member, index) => {
      checkNode(member, `${pointer}/anyOf/${index}`, level + 1, walk);
    });
  }
  if (Array.isArray(node.items))
    walk.report(`${pointer}/items`, 'items', 'items must be one schema for every element; tuples are not supported.');
  else if (node.items !== undefined) checkNode(node.items, `${pointer}/items`, level + 1, walk);
}

function checkKeywords(node: JsonObject, pointer: string, walk: Walk): void {
  for (const keyword of Object.keys(node)) {
    if (!supportedKeywords.has(keyword)) {
      if (pointer === '' && rootKeywords.has(keyword)) continue;
      walk.report(`${pointer}${pointerOf(keyword)}`, keyword, `Strict mode does not support ${JSON.stringify(keyword)}.`);
    } else if (walk.fineTuned && refusedForFineTuned.has(keyword)) {
      walk.report(
        `${pointer}${pointerOf(keyword)}`,
        keyword,
        `Strict mode does not support ${JSON.stringify(keyword)} for fine-tuned models.`,
      );
    } else if (keyword === 'format' && !supportedFormats.has(String(node.format))) {
      walk.report(
        `${pointer}/format`,
        keyword,
        `Strict mode does not support the format ${JSON.stringify(node.format)}; it knows ${[...supportedFormats].join(', ')}.`,
      );
    }
  }
}

function checkReference(node: JsonObject, pointer: string, walk: Walk): void {
  if (walk.contract.target(node) === undefined) {
    walk.report(`${pointer}/$ref`, '$ref', `$ref ${JSON.stringify(node.$ref)} points to nothing in this schema.`);
  }
  const siblings = Object.keys(node).filter((key) => key !== '$ref' && !(pointer === '' && besideRootReference.has(key)));
  if (siblings.length > 0) walk.report(pointer, '$ref', `$ref may not stand beside other keywords: ${siblings.join(', ')}.`);
}

function checkType(node: JsonObject, pointer: string, walk: Walk): void {
  if (node.type === undefined) {
    if (node.anyOf === undefined && pointer !== '') walk.report(pointer, 'type', 'Every value must have a type (or anyOf, or $ref).');
    return;
  }
  for (const type of typesOf(node)) {
    if (!supportedTypes.has(type)) walk.report(`${pointer}/type`, 'type', `Strict mode does not know the type ${JSON.stringify(type)}.`);
  }
}

function checkObject(node: JsonObject, pointer: string, walk: Walk): void {
  if (node.additionalProperties !== false) {
    const place = node.additionalProperties === undefined ? pointer : `${pointer}/additionalProperties`;
    walk.report(place, 'additionalProperties', 'Every object must say "additionalProperties": false.');
  }
  const properties = isObject(node.properties) ? node.properties : {};
  const required = new Set(Array.isArray(node.required) ? node.required : []);
  for (const name of Object.keys(properties)) {
    if (required.has(name)) continue;
    walk.report(
      `${pointer}${pointerOf('properties', name)}`,
      'required',
      `Every property must be required: ${JSON.stringify(name)} is not. An optional one allows null instead.`,
    );
  }
  for (const name of required) {
    if (typeof name === 'string' && Object.hasOwn(properties, name)) continue;
    walk.report(`${pointer}/required`, 'required', `required names ${JSON.stringify(name)}, which properties lacks.`);
  }
}

function countValues(node: JsonObject, pointer: string, walk: Walk): void {
  if (typeof node.const === 'string') walk.sizes.strings += node.const.length;
  if (!Array.isArray(node.enum)) return;
  let length = 0;
  for (const value of node.enum) if (typeof value === 'string') length += value.length;
  walk.sizes.enumValues += node.enum.length;
  walk.sizes.strings += length;
  if (node.enum.length > strictLimits.largeEnum && length > strictLimits.largeEnumStrings) {
    walk.report(
      `${pointer}/enum`,
      'enum',
      `An enum of more than ${strictLimits.largeEnum} values may hold ${strictLimits.largeEnumStrings} characters; this one holds ${length}.`,
    );
  }
}

/** Deeper than any schema that could pass; keeps the recursion from overflowing the stack. */
const walkLimit = 128;

/**
 * Objects and arrays on the longest path from here to a leaf, this one included. References are followed once: a recursive
 * schema is allowed and counts with the depth of one round.
 */
function depthOf(node: Json | undefined, contract: OutputContract, depths = new Map<JsonObject, number>(), level = 0): number {
  if (!isObject(node) || level > walkLimit) return 0;
  const seen = depths.get(node);
  if (seen !== undefined) return seen;
  depths.set(node, 0);

  let below = 0;
  if (isObject(node.properties)) {
    for (const child of Object.values(node.properties)) below = Math.max(below, depthOf(child, contract, depths, level + 1));
  }
  if (!Array.isArray(node.items)) below = Math.max(below, depthOf(node.items, contract, depths, level + 1));
  let beside = depthOf(contract.target(node)?.schema, contract, depths, level + 1);
  if (Array.isArray(node.anyOf)) for (const member of node.anyOf) beside = Math.max(beside, depthOf(member, contract, depths, level + 1));

  const ownDepth = isObjectSchema(node) || typesOf(node).includes('array') ? below + 1 : below;
  const depth = Math.max(ownDepth, beside);
  depths.set(node, depth);
  return depth;
}

function isObjectSchema(node: JsonObject): boolean {
  return typesOf(node).includes('object') || node.properties !== undefined;
}

function typesOf(node: JsonObject): readonly string[] {
  if (typeof node.type === 'string') return [node.type];
  return Array.isArray(node.type) ? node.type.map(String) : [];
}
