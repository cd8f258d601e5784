import type { Json } from '../../json.js';
import { isUsable, type JsonType, meets } from '../operators/operator.js';
import type { FieldTest } from '../readCondition.js';
import { chooseValues } from './choices.js';
import { domainOf, type Part, typesIn } from './domain.js';
import { childOf, namesIn, resolve } from './outputSchema.js';
import type { Atom, ChoiceContext } from './question.js';

/** A comparison that cannot be meant, whatever the other rules say. `pointer` is below the team. */
export type ConditionFault = { readonly pointer: string } & (
  | { readonly type: 'task-unknown'; readonly task: string; readonly known: readonly string[] }
  /** The schema has no such field. `missing` is the first part of the path it lacks, `known` what it has there. */
  | { readonly type: 'field-unknown'; readonly path: string; readonly missing: string; readonly known: readonly string[] }
  /** The operator never matches a field of these types. */
  | { readonly type: 'operator-type'; readonly operator: string; readonly types: readonly JsonType[] }
  /** The operator takes no such `value`; undefined: it needs one. */
  | { readonly type: 'value-type'; readonly operator: string; readonly value: Json | undefined; readonly expects: readonly JsonType[] }
  /** The field is never so. `allowed`: all values it may have, where the schema lists them. */
  | { readonly type: 'value-impossible'; readonly value: Json; readonly allowed: readonly Json[] | undefined }
);

/** Judges one comparison by the schema of the output it looks at; by itself alone where that is undefined. */
export function findConditionFaults(test: FieldTest, schema: Json | undefined, context: ChoiceContext): readonly ConditionFault[] {
  const { pointer, path, operator, expected } = test;
  if (!isUsable(operator, expected)) {
    const at = expected === undefined ? pointer : `${pointer}/value`;
    return [{ type: 'value-type', pointer: at, operator: operator.name, value: expected, expects: operator.expects ?? [] }];
  }
  if (schema === undefined) return [];
  const place = findPlace(test, schema, context.root);
  if (place === undefined) return [];
  if (place.missing !== undefined) {
    return [{ type: 'field-unknown', pointer: `${pointer}/output_field`, path, missing: place.missing, known: place.known }];
  }

  const field = place.schema;
  const domain = domainOf(field, context.root);
  const types = typesIn(domain);
  const suits = operator.suits ?? operator.takes;
  const isMeantForMissing = operator.whenMissing(expected) && place.mayMiss;
  if (types.length > 0 && !types.some((type) => suits.includes(type)) && !isMeantForMissing) {
    return [{ type: 'operator-type', pointer: `${pointer}/operator`, operator: operator.name, types }];
  }
  return impossibleValues(test, field, domain, context);
}

interface Place {
  readonly schema: Json;
  readonly mayMiss: boolean;
  readonly missing?: string;
  readonly known: readonly string[];
}

/** The schema of the field a path leads to; undefined where that is not decided (places of a list). */
function findPlace({ segments }: FieldTest, schema: Json, root: Json): Place | undefined {
  let current = schema;
  let mayMiss = false;
  for (const segment of segments) {
    const types = typesIn(domainOf(current, root));
    if (types.includes('array')) return undefined;
    const known = namesIn(current, root);
    const child = types.includes('object') ? childOf(resolve(current, root), segment, root) : undefined;
    if (child === undefined || !child.declared) return { schema: current, mayMiss, missing: segment, known };
    mayMiss ||= !child.required;
    current = child.schema;
  }
  return { schema: current, mayMiss, known: [] };
}

function impossibleValues({ pointer, operator, expected }: FieldTest, field: Json, domain: readonly Part[], context: ChoiceContext) {
  const cut = operator.cut(expected);
  const at = `${pointer}/value`;
  const faults: ConditionFault[] = [];
  for (const { value, pointer: inner } of cut.named ?? []) {
    if (context.fits(field, value) === false)
      faults.push({ type: 'value-impossible', pointer: at + inner, value, allowed: listed(domain) });
  }
  if (expected === undefined || (cut.part === undefined && cut.bound === undefined && cut.pattern === undefined)) return faults;

  const atom: Atom = { segments: [], operator, expected, cut };
  const { values, guesses } = chooseValues(context, { atoms: [atom], children: new Map() }, field, false);
  const holds = (answer: boolean | undefined) => answer === undefined || answer !== (cut.negated === true);
  const suits = operator.suits ?? operator.takes;
  const isPossible =
    guesses.some((guess) => holds(guess.get(atom))) ||
    domain.length === 0 ||
    values.some((value) => value !== undefined && takes(value, suits) && holds(meets(operator, value, expected, context.patterns)));
  if (!isPossible) faults.push({ type: 'value-impossible', pointer: at, value: expected, allowed: allowedParts(domain, context) });
  return faults;
}

const takes = (value: Json, types: readonly JsonType[]) =>
  typesIn([{ type: 'values', values: [value] }]).some((type) => types.includes(type));

/** Of a list, what its items may be. */
function allowedParts(domain: readonly Part[], { root }: ChoiceContext): readonly Json[] | undefined {
  const [only] = domain.filter((part) => part.type !== 'values');
  return only?.type === 'array' ? listed(domainOf(only.items, root)) : listed(domain);
}

function listed(domain: readonly Part[]): readonly Json[] | undefined {
  return domain.every((part) => part.type === 'values') ? domain.flatMap((part) => (part.type === 'values' ? part.values : [])) : undefined;
}
