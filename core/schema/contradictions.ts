import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { quoted } from '../words.js';
import { fitsSimply } from './simpleSchema.js';

/** Keywords of a schema that no value, or one of the values they list, meets together. */
export interface Contradiction {
  /** Pointer into the schema. */
  readonly pointer: string;
  /** A sentence without advice. */
  readonly message: string;
  /** Whether no value fits; otherwise only one of several types or one of the listed values is refused. */
  readonly isWhole: boolean;
  /** Two keywords whose numbers are swapped. */
  readonly bounds?: Pair;
  /** The type of the listed values, where `type` requires another. */
  readonly type?: string;
  /** Null is allowed by either `type` or `enum`; this keyword lacks it. */
  readonly lacksNull?: 'type' | 'enum';
}

/** Whether a value fits a schema of one keyword; undefined where that is not known. */
type Fits = (schema: JsonObject, value: Json) => boolean | undefined;

/** The contradictions between the keywords of a schema, without those of the schemas inside it. */
export function findContradictions(schema: JsonObject, fits: Fits = fitsSimply): readonly Contradiction[] {
  const together = typeContradiction(schema);
  if (together !== undefined) return [together];
  const keyword = Object.hasOwn(schema, 'const') ? 'const' : 'enum';
  const values = keyword === 'const' ? [schema.const as Json] : listOf(schema.enum);
  if (values.length === 0) return limitContradictions(schema);
  return values.length > mostValues ? [] : [...valueContradictions(keyword, values, schema, fits)].slice(0, mostShown);
}

/** One value of each type; `integer` and `number` share the first number. */
const valueOfEachType: readonly Json[] = ['', 1, 1.5, true, [], {}, null];

/** Types that no value has together, of the schema and the members of its `allOf`. */
function typeContradiction(schema: JsonObject): Contradiction | undefined {
  let values = valueOfEachType;
  for (const [index, part] of [schema, ...listOf(schema.allOf)].entries()) {
    const type = isObject(part) ? part.type : undefined;
    if (type === undefined) continue;
    values = values.filter((value) => fitsSimply({ type }, value) !== false);
    const message = 'No value fits: the types in "allOf" and beside it exclude each other.';
    if (values.length === 0 && index > 0) return { pointer: `/allOf/${index - 1}/type`, message, isWhole: true };
  }
  return undefined;
}

const mostShown = 20;
/** Longer lists come from a program, and checking each value against every other keyword takes time. */
const mostValues = 5_000;

const types = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

/** Of those, the ones that only the compiled schema judges. */
export const compiledKeywords = ['pattern', 'not', 'propertyNames', 'minProperties', 'maxProperties'];

/** Keywords that alone may refuse a listed value. */
const refusing = [
  ...['type', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
  ...['multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'items', 'properties', 'required', ...compiledKeywords],
];

function* valueContradictions(
  keyword: 'const' | 'enum',
  values: readonly Json[],
  schema: JsonObject,
  fits: Fits,
): Generator<Contradiction> {
  const otherKeywords = refusing.filter((name) => name !== keyword && Object.hasOwn(schema, name));
  const refusersOf = values.map((value) => otherKeywords.filter((name) => fits({ [name]: schema[name] as Json }, value) === false));
  const fitting = values.filter((_, index) => refusersOf[index]?.length === 0);
  if (fitting.length === 0) {
    const shared = otherKeywords.find((name) => refusersOf.every((refusers) => refusers.includes(name)));
    const [type] = types.filter((name) => values.every((value) => fitsSimply({ type: name }, value)));
    const what = keyword === 'const' ? `"const" is ${quoted(values[0] as Json)}` : '"enum" lists the only values';
    const why =
      shared === undefined ? 'the other keywords refuse each' : `${wordsOf(shared, schema)} refuses ${values.length > 1 ? 'each' : 'it'}`;
    yield {
      pointer: `/${keyword}`,
      message: `No value fits: ${what}, and ${why}.`,
      isWhole: true,
      ...(shared === 'type' && type && { type }),
    };
    return;
  }
  for (const [index, [name]] of refusersOf.entries()) {
    const value = values[index] as Json;
    if (name === undefined) continue;
    const lacksNull = value === null && name === 'type' ? ({ lacksNull: 'type' } as const) : {};
    yield {
      pointer: `/enum/${index}`,
      message: `"enum" lists ${quoted(value)}, and ${wordsOf(name, schema)} refuses it.`,
      isWhole: false,
      ...lacksNull,
    };
  }
  for (const [index, type] of listOf(schema.type).entries()) {
    if (fitting.some((value) => fitsSimply({ type }, value) !== false)) continue;
    const lacksNull = type === 'null' && keyword === 'enum' ? ({ lacksNull: 'enum' } as const) : {};
    yield {
      pointer: `/type/${index}`,
      message: `"type" allows ${quoted(type)}, and no value of "${keyword}" is one: it is refused.`,
      isWhole: false,
      ...lacksNull,
    };
  }
}

/** `"maximum": 5`; for a long value only the keyword. */
function wordsOf(keyword: string, schema: JsonObject): string {
  const value = schema[keyword] as Json;
  return isObject(value) || keyword === 'enum' ? `"${keyword}"` : `"${keyword}": ${JSON.stringify(value)}`;
}

/** The words for the values of some types, and the pairs of keywords between which no such value exists. */
const limits: readonly {
  readonly of: string;
  readonly types: readonly string[];
  readonly faults: (schema: JsonObject) => readonly Pair[];
}[] = [
  { of: 'number', types: ['number', 'integer'], faults: numberFaults },
  { of: 'text', types: ['string'], faults: (schema) => crossing(schema, ['minLength', 'maxLength']) },
  { of: 'list', types: ['array'], faults: listFaults },
  { of: 'object', types: ['object'], faults: objectFaults },
];

/** A lower and an upper bound. */
type Pair = readonly [least: string, most: string];

function limitContradictions(schema: JsonObject): readonly Contradiction[] {
  const schemaTypes = schema.type === undefined ? types : [schema.type].flat();
  return limits.flatMap(({ of, types: ofType, faults }) => {
    if (!schemaTypes.some((type) => ofType.includes(String(type)))) return [];
    return faults(schema).map((pair): Contradiction => {
      const written = [...new Set(pair)].filter((name) => Object.hasOwn(schema, name));
      const message = `No ${of} fits ${written.map((name) => wordsOf(name, schema)).join(' and ')}.`;
      const [low, high] = pair.map((name) => schema[name]);
      const bounds = typeof low === 'number' && typeof high === 'number' && low > high ? { bounds: pair } : {};
      return {
        ...bounds,
        pointer: `/${written.at(-1)}`,
        message,
        isWhole: schema.type === undefined || schemaTypes.every((type) => ofType.includes(String(type))),
      };
    });
  });
}

function crossing(schema: JsonObject, ...pairs: readonly Pair[]): readonly Pair[] {
  return pairs.filter(
    ([least, most]) => numberOf(schema[least], Number.NEGATIVE_INFINITY) > numberOf(schema[most], Number.POSITIVE_INFINITY),
  );
}

const numberOf = (value: Json | undefined, otherwise: number) => (typeof value === 'number' ? value : otherwise);

function numberFaults(schema: JsonObject): readonly Pair[] {
  const crossed = crossing(
    schema,
    ['minimum', 'maximum'],
    ['exclusiveMinimum', 'maximum'],
    ['minimum', 'exclusiveMaximum'],
    ['exclusiveMinimum', 'exclusiveMaximum'],
  );
  if (crossed.length > 0) return crossed.slice(0, 1);
  const [minimum, above] = ['minimum', 'exclusiveMinimum'].map((name) => numberOf(schema[name], Number.NEGATIVE_INFINITY)) as [
    number,
    number,
  ];
  const [maximum, below] = ['maximum', 'exclusiveMaximum'].map((name) => numberOf(schema[name], Number.POSITIVE_INFINITY)) as [
    number,
    number,
  ];
  const [low, high] = [Math.max(minimum, above), Math.min(maximum, below)];
  const names: Pair = [
    above >= minimum && above > Number.NEGATIVE_INFINITY ? 'exclusiveMinimum' : 'minimum',
    below <= maximum && below < Number.POSITIVE_INFINITY ? 'exclusiveMaximum' : 'maximum',
  ];
  if (low === high && (low === above || high === below)) return [names];
  const step = numberOf(schema.multipleOf, schema.type === 'integer' ? 1 : 0);
  // Steps that binary fractions cannot distinguish from a limit may fit.
  const isBetween = (edge: number, limit: number) => Math.abs(edge - limit) < 1e-9;
  const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
  const from = low === above && isBetween(first, low / step) ? first + 1 : first;
  const to = high === below && isBetween(last, high / step) ? last - 1 : last;
  return step > 0 && Number.isFinite(low) && Number.isFinite(high) && from > to ? [names] : [];
}

function listFaults(schema: JsonObject): readonly Pair[] {
  const { contains, items, uniqueItems } = schema;
  const pairs: Pair[] = [['minItems', 'maxItems']];
  if (contains !== undefined) pairs.push(['minContains', 'maxContains'], ['minContains', 'maxItems']);
  const choices = isObject(items) && uniqueItems === true ? listOf(items.enum) : [];
  const tooFew: Pair[] = choices.length > 0 && numberOf(schema.minItems, 0) > choices.length ? [['items', 'minItems']] : [];
  return [...crossing(schema, ...pairs), ...tooFew];
}

function objectFaults(schema: JsonObject): readonly Pair[] {
  const { properties, required } = schema;
  const names = listOf(required).filter((name) => typeof name === 'string');
  const isRefused = isObject(properties) && names.some((name) => Object.hasOwn(properties, name) && properties[name] === false);
  return [
    ...crossing(schema, ['minProperties', 'maxProperties']),
    ...(names.length > numberOf(schema.maxProperties, Number.POSITIVE_INFINITY) ? [['required', 'maxProperties'] as const] : []),
    ...(isRefused ? [['properties', 'required'] as const] : []),
  ];
}
