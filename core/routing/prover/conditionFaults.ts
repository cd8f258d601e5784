import type { Json } from '../../json.js';
import { childOf, namesIn, resolved } from '../../schema/schemaChild.js';
import { listIndex } from '../fieldAt.js';
import { isUsable, type JsonType, meets, typeOf } from '../operators/operator.js';
import type { FieldTest } from '../readCondition.js';
import { chooseValues } from './choices.js';
import type { Part } from './domain.js';
import type { Atom, ChoiceContext } from './question.js';

/** A comparison that makes no sense in any combination with other rules. `pointer` is below the team. */
export type ConditionFault = { readonly pointer: string } & (
  | { readonly type: 'task-unknown'; readonly task: string; readonly known: readonly string[] }
  /** The schema has no such field. `missing` is the first missing part of the path, at `depth`; `known` are the fields there. */
  | {
      readonly type: 'field-unknown';
      readonly path: string;
      readonly missing: string;
      readonly depth: number;
      readonly known: readonly string[];
    }
  /** The operator never matches a field of these types. */
  | { readonly type: 'operator-type'; readonly operator: string; readonly types: readonly JsonType[] }
  /** The operator does not accept this `value`; undefined: it needs one. */
  | { readonly type: 'value-type'; readonly operator: string; readonly value: Json | undefined; readonly expects: readonly JsonType[] }
  /** The comparison never holds. `allowed`: all values of the field, if the schema lists them. */
  | { readonly type: 'value-impossible'; readonly value: Json; readonly allowed: readonly Json[] | undefined }
);

/**
 * Judges one comparison by the schema of the output it reads; if that is undefined, only by itself.
 * @param mayHold whether some value meets it, or might
 */
export function findConditionFaults(
  test: FieldTest,
  schema: Json | undefined,
  context: ChoiceContext,
  mayHold: boolean,
): readonly ConditionFault[] {
  const { pointer, path, operator, expected } = test;
  if (!isUsable(operator, expected)) {
    const at = expected === undefined ? pointer : valuePointer(test);
    return [{ type: 'value-type', pointer: at, operator: operator.name, value: expected, expects: operator.expects ?? [] }];
  }
  if (schema === undefined) return [];
  const place = findPlace(test, schema, context);
  if (place === undefined) return [];
  if (place.missing !== undefined) {
    const { missing, depth, known } = place;
    return [{ type: 'field-unknown', pointer: `${pointer}/output_field`, path, missing, depth, known }];
  }

  const { types } = context.domain(place.schema);
  const suits = operator.suits ?? operator.takes;
  const isMeantForMissing = place.mayMiss && operator.whenMissing(expected);
  if (types.length > 0 && !types.some((type) => suits.includes(type)) && !isMeantForMissing) {
    return [{ type: 'operator-type', pointer: `${pointer}/operator`, operator: operator.name, types }];
  }
  return findImpossibleValues(test, place.schema, context, mayHold);
}

interface Place {
  readonly schema: Json;
  readonly mayMiss: boolean;
  readonly missing?: string;
  /** Parts of the path that lead here. */
  readonly depth: number;
  readonly known: readonly string[];
}

/** The schema of the field a path leads to; undefined where that is not decided (places of a list). */
function findPlace({ segments }: FieldTest, schema: Json, { contract, domain }: ChoiceContext): Place | undefined {
  let current = schema;
  let mayMiss = false;
  for (const [depth, segment] of segments.entries()) {
    const { types, parts } = domain(current);
    if (types.includes('array')) {
      const list = parts.length === 1 && listIndex.test(segment) ? parts[0] : undefined;
      if (list?.type !== 'array' || Number(segment) >= list.maxItems) return undefined;
      mayMiss ||= Number(segment) >= list.minItems;
      current = list.items;
      continue;
    }
    const child = types.includes('object') ? childOf(contract, resolved(contract, current), segment) : undefined;
    if (child === undefined || !child.declared)
      return { schema: current, mayMiss, missing: segment, depth, known: namesIn(contract, current) };
    mayMiss ||= !child.required;
    current = child.schema;
  }
  return { schema: current, mayMiss, depth: segments.length, known: [] };
}

function valuePointer({ pointer, expectedAt }: FieldTest): string {
  return expectedAt ?? `${pointer}/value`;
}

function findImpossibleValues(test: FieldTest, field: Json, context: ChoiceContext, mayHold: boolean): readonly ConditionFault[] {
  const { operator, expected } = test;
  const cut = operator.cut(expected);
  const { parts } = context.domain(field);
  if (cut.named !== undefined) {
    const impossible = cut.named.filter(({ value }) => context.fits(field, value) === false);
    return impossible.map(({ value, pointer: inner }) => ({
      type: 'value-impossible',
      pointer: valuePointer(test) + inner,
      value,
      allowed: listed(parts),
    }));
  }
  const asksForValue = cut.part !== undefined || cut.bound !== undefined || cut.pattern !== undefined;
  // That nothing matches may be the point of a negated operator, and vice versa.
  if (expected === undefined || !asksForValue || (mayHold && cut.negated !== true)) return [];
  const desired = cut.negated !== true;
  const atom: Atom = { segments: [], operator, expected, cut };
  const { values, guesses } = chooseValues(context, { atoms: [atom], children: new Map() }, field, false);
  const isWanted = (answer: boolean | undefined) => answer === undefined || answer === desired;
  const takes = (value: Json | undefined) => value !== undefined && operator.takes.includes(typeOf(value));
  const isPossible =
    parts.length === 0 ||
    guesses.some((guess) => isWanted(guess.get(atom))) ||
    values.some((value) => takes(value) && isWanted(meets(operator, value, expected, context.patterns)));
  if (isPossible) return [];
  return [{ type: 'value-impossible', pointer: valuePointer(test), value: expected, allowed: listed(itemParts(parts, context)) }];
}

/** The possible items of a list. */
function itemParts(parts: readonly Part[], { domain }: ChoiceContext): readonly Part[] {
  const list = parts.find((part) => part.type === 'array');
  return list === undefined ? parts : domain(list.items).parts;
}

function listed(parts: readonly Part[]): readonly Json[] | undefined {
  return parts.every((part) => part.type === 'values') ? parts.flatMap((part) => (part.type === 'values' ? part.values : [])) : undefined;
}
