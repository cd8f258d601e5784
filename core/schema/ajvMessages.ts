import type { Json } from '../json.js';
import { shorten } from '../words.js';

export type Params = Readonly<Record<string, unknown>>;

/** The requirement of a violated keyword, as the end of a sentence about the value: `must be at most 2`. */
export function messageOf(keyword: string, params: Params): string {
  return phrases.get(keyword)?.(params) ?? `must satisfy "${keyword}"`;
}

/** `"a", "b" or "c"`; for a long list its beginning and the number of the others. */
function listOf(values: readonly unknown[], most = 12): string {
  const words = values.slice(0, most).map((value) => shorten(JSON.stringify(value), 80, '...'));
  if (values.length > most) return `${words.join(', ')} or one of ${values.length - most} more`;
  return joinWith(words, 'or');
}

export function joinWith(parts: readonly string[], word: 'or' | 'and'): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${word} ${last}`;
}

/** `a string`, `a number or null`: the types of a `type` keyword. */
export function typesOf(type: unknown): string {
  const types = [type].flat().map(String);
  return joinWith(
    types.flatMap((name) => typeNames.get(name) ?? name),
    'or',
  );
}

const typeNames: ReadonlyMap<string, string | string[]> = new Map<string, string | string[]>([
  ['string', 'a string'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', ['true', 'false']],
  ['object', 'an object'],
  ['array', 'a list'],
  ['null', 'null'],
]);

const quote = (name: unknown) => shorten(JSON.stringify(name), 80, '...');
const count = (limit: unknown, noun: string) => `${String(limit)} ${noun}${limit === 1 ? '' : 's'}`;
const atLeast = (noun: string) => (params: Params) =>
  params.limit === 1 ? 'must not be empty' : `must have at least ${count(params.limit, noun)}`;
const atMost = (noun: string) => (params: Params) =>
  params.limit === 0 ? 'must be empty' : `must have at most ${count(params.limit, noun)}`;
const withDependency = ({ property, missingProperty }: Params) =>
  `must have the field ${quote(missingProperty)}, because it has ${quote(property)}`;

const phrases: ReadonlyMap<string, (params: Params) => string> = new Map(
  Object.entries({
    type: ({ type }) => `must be ${typesOf(type)}`,
    enum: ({ allowedValues }) => `must be ${onlyOr(allowedValues as readonly Json[])}`,
    const: ({ allowedValue }) => `must be ${quote(allowedValue)}`,
    required: ({ missingProperty }) => `must have the field ${quote(missingProperty)}`,
    dependencies: withDependency,
    dependentRequired: withDependency,
    additionalProperties: ({ additionalProperty }) => `must not have the field ${quote(additionalProperty)}`,
    unevaluatedProperties: ({ unevaluatedProperty }) => `must not have the field ${quote(unevaluatedProperty)}`,
    'false schema': () => 'is not allowed here',
    minimum: ({ limit }) => `must be at least ${String(limit)}`,
    maximum: ({ limit }) => `must be at most ${String(limit)}`,
    exclusiveMinimum: ({ limit }) => `must be more than ${String(limit)}`,
    exclusiveMaximum: ({ limit }) => `must be less than ${String(limit)}`,
    multipleOf: ({ multipleOf }) => `must be a multiple of ${String(multipleOf)}`,
    minLength: atLeast('character'),
    maxLength: atMost('character'),
    minItems: atLeast('item'),
    maxItems: atMost('item'),
    minProperties: atLeast('field'),
    maxProperties: atMost('field'),
    additionalItems: atMost('item'),
    items: atMost('item'),
    unevaluatedItems: ({ len }) => `must have at most ${count(len, 'item')}`,
    uniqueItems: () => 'must not hold the same item twice',
    contains: ({ minContains, maxContains }) => `must hold ${containsRange(minContains, maxContains)} of the kind "contains" describes`,
    pattern: ({ pattern }) => `must match the pattern ${shorten(String(pattern), 80, '...')}`,
    format: ({ format }) => `must be a valid ${String(format)}`,
    propertyNames: ({ propertyName }) => `must not have a field called ${quote(propertyName)}`,
    not: () => 'must not be what "not" describes',
    if: ({ failingKeyword }) => `must fit "${String(failingKeyword)}", because it fits "if"`,
    anyOf: ({ count: all }) => `must fit one of ${all} alternatives`,
    oneOf: ({ count: all }) => `must fit exactly one of ${all} alternatives`,
  }),
);

function onlyOr(values: readonly Json[]): string {
  return values.length < 3 ? listOf(values) : `one of ${listOf(values)}`;
}

function containsRange(least: unknown, most: unknown): string {
  if (most === undefined) return `at least ${count(least, 'item')}`;
  return `${String(least)} to ${count(most, 'item')}`;
}
