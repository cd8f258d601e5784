import { LlmError } from '../../../errors.js';
import type { Json, JsonObject } from '../../../json.js';
import { OutputContract } from '../../../schema/outputContract.js';
import { alternatives } from './alternatives.js';
import { arrayValues } from './arrayValues.js';
import { createChecks, equal, type Schema, typesOf } from './fits.js';
import { numberValues } from './numberValues.js';
import { objectValues } from './objectValues.js';
import { fold, type Payload, sharedWords, wordsOf } from './payload.js';
import { fullDepth, type Make, type Place } from './place.js';
import { stringValues } from './stringValue.js';

/** The most candidate values to look at before giving up. */
const mostSteps = 50_000;
const mostDepth = 40;

/**
 * A value that satisfies a schema, made of its enums, constants and defaults and of the words of the payload. The same schema and
 * payload always give the same value.
 *
 * @throws LlmError `bad-request` when no such value is found
 */
export function makeAnswer(schema: JsonObject, payload: Payload): Json {
  const value = createMaker(schema, payload)([schema], { name: '', depth: 0, taken: [] });
  if (value !== undefined) return value;
  const advice = 'Does one exist, and a short one? Check its limits, or use a real model.';
  throw new LlmError('bad-request', `The offline provider found no value that satisfies the output schema. ${advice}`);
}

/** Tries the ways to satisfy a schema, and for each the likely values, until one passes the check. */
function createMaker(root: JsonObject, payload: Payload): Make {
  const checks = createChecks(new OutputContract(root));
  /** Results by schemas, name and depth, including failures: attempts that differ elsewhere need them again. */
  const attempts = new Map<string, Json | undefined>();
  const schemaIds = new Map<Schema, number>();
  let steps = 0;

  const idOf = (schema: Schema): number => {
    const id = schemaIds.get(schema) ?? schemaIds.size;
    schemaIds.set(schema, id);
    return id;
  };
  const make: Make = (schemas, place) => {
    if (place.depth > mostDepth) return undefined;
    if (place.taken.length > 0) return search(schemas, place);
    const key = JSON.stringify([schemas.map(idOf), place.name, place.depth]);
    if (!attempts.has(key)) attempts.set(key, search(schemas, place));
    return attempts.get(key);
  };
  const search: Make = (schemas, place) => {
    for (const plain of ordered(alternatives(schemas, checks.targetsOf), place.depth)) {
      for (const value of candidates(plain, place)) {
        if (++steps > mostSteps) return undefined;
        if (place.taken.some((other) => equal(other, value))) continue;
        if (schemas.every((schema) => checks.fits(schema, value))) return value;
      }
    }
    return undefined;
  };

  function* candidates(plain: readonly JsonObject[], place: Place): Generator<Json, void, undefined> {
    const fixed = plain.find((schema) => Object.hasOwn(schema, 'const') || Array.isArray(schema.enum));
    const defaults = plain.filter((schema) => Object.hasOwn(schema, 'default')).map((schema) => schema.default!);
    if (fixed !== undefined) {
      const labels = Object.hasOwn(fixed, 'const') ? [fixed.const!] : (fixed.enum as readonly Json[]);
      yield* ranked(labels, defaults, payload);
      return;
    }
    const payloadValue = payload.values.get(fold(place.name));
    if (payloadValue !== undefined) yield payloadValue;
    yield* defaults;
    for (const type of typesFor(plain)) yield* valuesOf(type, plain, place);
  }

  function valuesOf(type: string, plain: readonly JsonObject[], place: Place): Iterable<Json> {
    switch (type) {
      case 'string':
        return stringValues(place.name, plain, payload);
      case 'integer':
      case 'number':
        return numberValues(plain, payload);
      case 'boolean': {
        const isMentioned = wordsOf(place.name).some((word) => payload.words.has(word));
        return [isMentioned, !isMentioned];
      }
      case 'array':
        return arrayValues(plain, place, { make, checks, payload });
      case 'object':
        return objectValues(plain, place, { make, checks });
      default:
        return [null];
    }
  }

  return make;
}

/** Labels by the number of words they share with the payload; with none, a default comes first, then the schema's own order. */
function ranked(labels: readonly Json[], defaults: readonly Json[], payload: Payload): Json[] {
  const scored = labels.map((label) => {
    const shared = typeof label === 'string' ? sharedWords(label, payload) : 0;
    return { label, score: shared > 0 ? shared + 1 : defaults.some((each) => equal(each, label)) ? 1 : 0 };
  });
  return scored.sort((left, right) => right.score - left.score).map(({ label }) => label);
}

/** Deep down, ways that end (texts, numbers, null) come before those that nest further. */
function ordered(ways: Iterable<readonly JsonObject[]>, depth: number): Iterable<readonly JsonObject[]> {
  if (depth < fullDepth) return ways;
  const goesOn = (way: readonly JsonObject[]) => (['object', 'array'].includes(typesFor(way)[0] ?? '') ? 1 : 0);
  const some: (readonly JsonObject[])[] = [];
  for (const way of ways) if (some.push(way) >= 200) break;
  return some.sort((left, right) => goesOn(left) - goesOn(right));
}

const everyType = ['string', 'number', 'boolean', 'object', 'array', 'null'];
const keywordsOf: readonly (readonly [string, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'minProperties', 'patternProperties', 'propertyNames']],
  ['array', ['items', 'prefixItems', 'minItems', 'contains', 'uniqueItems']],
  ['number', ['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum']],
];

/** The types that all schemas allow, null last; where none names a type, the one its keywords apply to comes first. */
function typesFor(plain: readonly JsonObject[]): string[] {
  const typedSchemas = plain.filter(({ type }) => type !== undefined).map(typesOf);
  if (typedSchemas.length === 0) {
    const likely = keywordsOf.find(([, keywords]) => plain.some((schema) => keywords.some((keyword) => Object.hasOwn(schema, keyword))));
    return [...new Set([...(likely === undefined ? [] : [likely[0]]), ...everyType])];
  }
  const isAllowed = (type: string) =>
    typedSchemas.every((types) => types.includes(type) || (type === 'integer' && types.includes('number')));
  const types = [...new Set(typedSchemas.flat())].filter(isAllowed);
  return [...types.filter((type) => type !== 'null'), ...types.filter((type) => type === 'null')];
}
