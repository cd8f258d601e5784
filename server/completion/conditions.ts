import { CompletionItemKind } from 'vscode-languageserver';
import { operators } from '../../core/generated/operators.js';
import { isObject, type Json } from '../../core/json.js';
import { findExpectationOperator, findOperator } from '../../core/routing/operators/findOperator.js';
import { type JsonType, jsonTypes, type Operator, typeOf } from '../../core/routing/operators/operator.js';
import { similar } from '../../core/routing/operators/similar.js';
import { type Draft, json, list, openList, raw } from './draft.js';
import { expectationNames, expectedField, expectedSchema } from './expectations.js';
import { agentField, dottedPaths, type FieldPlace, fieldAt, outputSchemaOf, partNames, planAt, shortType, valuesFor } from './outputs.js';
import { payloadKeys } from './payloadKeys.js';
import { choiceOf, chosenFrom } from './schemaDraft.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';

/** The rank of a member of a condition; undefined where it makes no sense. */
export function conditionKeyRank(name: string, spot: Spot): number | undefined {
  const written = spot.members();
  const inPlan = planAt(spot.path) !== undefined;
  const hasPart = written.has('task') || written.has('step');
  const hasField = written.has('output_field') || written.has('context_field');
  switch (name) {
    case 'task':
      return inPlan ? undefined : 0;
    case 'step':
      return inPlan ? 0 : undefined;
    case 'output_field':
      return hasPart ? 0 : 4;
    case 'status':
      return hasPart ? 1 : 4;
    case 'operator':
      return hasField ? 0 : 5;
    case 'value': {
      const operator = findOperator(written.get('operator'));
      if (operator !== undefined && operator.expects === undefined) return undefined;
      return operator === undefined ? 5 : 0;
    }
    case 'context_field':
      return 2;
    default:
      return spot.cursor.siblings.length === 0 ? 3 : undefined;
  }
}

/** The field that the condition at the cursor compares. */
function comparedField(spot: Spot, written: ReadonlyMap<string, Json | undefined>): FieldPlace | undefined {
  if (spot.kind === 'payload') return expectedField(spot, written);
  const part = written.get('task') ?? written.get('step');
  const output = written.get('output_field');
  if (typeof part === 'string' && typeof output === 'string') return fieldAt(outputSchemaOf(spot, part), output);
  const context = written.get('context_field');
  if (typeof context !== 'string') return undefined;
  const value = spot.valueAt(['context', ...context.split('.')]);
  return value === undefined ? undefined : { schema: { type: typeOf(value) }, root: true };
}

function typesIn({ schema }: FieldPlace): readonly JsonType[] {
  if (!isObject(schema)) return [];
  const listed: readonly Json[] = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type];
  const types = listed.map((type) => (type === 'integer' ? 'number' : type)) as JsonType[];
  if (types.length > 0) return types;
  return Array.isArray(schema.enum) ? [...new Set((schema.enum as readonly Json[]).map(typeOf))] : [];
}

/** Operators that fit the field's type; all where it is unknown. */
export function operatorValues(spot: Spot): readonly Suggestion[] {
  const field = comparedField(spot, spot.members());
  const types = field === undefined ? [] : typesIn(field);
  const fits = ({ takes, suits = takes }: Operator) => types.length === 0 || types.some((type) => suits.includes(type));
  const offered = spot.kind === 'payload' ? [...operators, similar] : operators;
  return offered.filter(fits).map((operator) => ({
    type: 'value',
    label: operator.name,
    value: json(operator.name),
    kind: CompletionItemKind.Operator,
    detail: operator.expects === undefined ? 'needs no value' : '',
    docs: { type: 'operator', name: operator.name },
    rank: 1,
  }));
}

/** The values that the compared field may have; for `in`, a list to choose from. */
export function comparedValues(spot: Spot): readonly Suggestion[] {
  const isItem = typeof spot.path.at(-1) === 'number';
  const written = isItem ? membersAround(spot) : spot.members();
  const field = comparedField(spot, written);
  if (field === undefined) return [];
  const operator = written.get('operator');
  const values = comparable(field, operator, isItem);
  const item = (value: Json, index: number): Suggestion => ({
    type: 'value',
    label: typeof value === 'string' ? value : JSON.stringify(value),
    value: json(value),
    kind: CompletionItemKind.EnumMember,
    detail: shortType(field),
    rank: index < 50 ? 1 : 2,
  });
  if (isItem) {
    const listed = spot.valueAt(spot.path.slice(0, -1));
    const others = Array.isArray(listed) ? (listed as readonly Json[]) : [];
    return values.filter((value) => value === spot.cursor.typed || !others.includes(value)).map(item);
  }
  if (!expectsOnly(operator, 'array')) return values.map(item);
  if (values.length === 0) return [];
  return [{ type: 'value', label: '[…]', value: list(choiceOf(values)), kind: CompletionItemKind.Value, detail: 'one of these', rank: 1 }];
}

/** The values that an operator may compare a field with. A list is compared with its items. */
function comparable(field: FieldPlace, operator: Json | undefined, isItem = false): readonly Json[] {
  const { takes = jsonTypes, expects = jsonTypes } = findExpectationOperator(operator) ?? {};
  // A bound, a pattern or an example is not among the values of the field.
  if (!expects.includes('array')) return [];
  const comparesParts = !takes.includes('null');
  const isList = typesIn(field).includes('array');
  // A list is also equal to one with the same items.
  if (isList && !isItem && !comparesParts) return [];
  if (!isList && comparesParts) return [];
  return valuesFor(field);
}

function expectsOnly(operator: Json | undefined, type: JsonType): boolean {
  const expects = findOperator(operator)?.expects;
  return expects?.length === 1 && expects[0] === type;
}

/** The scalars of the condition when the cursor is in its `value` list. */
function membersAround(spot: Spot): ReadonlyMap<string, Json | undefined> {
  const condition = spot.valueAt(spot.path.slice(0, -2));
  return new Map(isObject(condition) ? Object.entries(condition) : []);
}

/** The value inserted with a member of a condition; undefined where nothing is known. */
export function conditionMemberDraft(name: string, spot: Spot): Draft | undefined {
  switch (name) {
    case 'task':
    case 'step':
      return chosenFrom(partValues(spot).map(({ label }) => label));
    case 'output_field':
      return chosenFrom(outputFieldValues(spot).map(({ label }) => label));
    case 'operator':
      return chosenFrom(operatorValues(spot).map(({ label }) => label));
    default:
      return valueDraft(spot);
  }
}

function valueDraft(spot: Spot): Draft | undefined {
  const written = spot.members();
  const field = comparedField(spot, written);
  const operator = written.get('operator');
  if (expectsOnly(operator, 'number')) return raw('0');
  const values = field === undefined ? [] : comparable(field, operator);
  if (expectsOnly(operator, 'array')) return values.length > 0 ? list(choiceOf(values)) : openList;
  if (values.length > 0) return choiceOf(values);
  return field !== undefined && typesIn(field)[0] === 'number' ? raw('0') : undefined;
}

/** Tasks of the team, or steps of the plan. */
export function partValues(spot: Spot): readonly Suggestion[] {
  if (spot.kind === 'payload') return expectationNames('task', spot) ?? [];
  return partNames(spot).map((name) => ({ type: 'value', label: name, value: json(name), kind: CompletionItemKind.Reference, rank: 1 }));
}

/** Dotted paths into the output of the task the condition names. */
export function outputFieldValues(spot: Spot): readonly Suggestion[] {
  const written = spot.members();
  const part = written.get('task') ?? written.get('step');
  const isCase = spot.kind === 'payload';
  if (!isCase && typeof part !== 'string') return [];
  return dottedPaths(isCase ? expectedSchema(spot, written) : outputSchemaOf(spot, String(part))).map(({ path, place }) => ({
    type: 'value',
    label: path,
    value: json(path),
    kind: CompletionItemKind.Field,
    detail: shortType(place),
    rank: path.includes('.') ? 2 : 1,
  }));
}

/** Dotted paths into the initial context and into what rules write to it. The context of a plan is its input. */
export function contextFieldValues(spot: Spot): readonly Suggestion[] {
  if (spot.kind === 'payload') return expectationNames('context_field', spot) ?? [];
  const plan = planAt(spot.path);
  const paths = plan === undefined ? contextPaths(spot) : inputPaths(spot, plan.slice(0, -1));
  return paths.map((path) => ({ type: 'value', label: path, value: json(path), kind: CompletionItemKind.Field, rank: 1 }));
}

function inputPaths(spot: Spot, base: Spot['path']): readonly string[] {
  const keys = payloadKeys(agentField(spot, base, 'input_keys'), agentField(spot, base, 'input_schema'));
  return keys.flatMap(({ name, schema }) => [name, ...dottedPaths(schema).map(({ path }) => `${name}.${path}`)]);
}

/** Every dotted path that the context is known to have. */
export function contextPaths(spot: Spot): readonly string[] {
  const paths = new Set<string>();
  const collect = (value: Json | undefined, at: string, depth: number) => {
    if (!isObject(value) || depth > 4) return;
    for (const [key, item] of Object.entries(value)) {
      if (!/^[^.{}\s]+$/.test(key) || paths.size > 500) continue;
      const path = at === '' ? key : `${at}.${key}`;
      paths.add(path);
      collect(item, path, depth + 1);
    }
  };
  collect(spot.valueAt(['context']), '', 0);
  for (const { name } of payloadKeys(spot.valueAt(['input_keys']), spot.valueAt(['input_schema']))) paths.add(name);
  const teams = spot.valueAt(['teams']);
  for (const team of isObject(teams) ? Object.values(teams) : []) {
    const routing = isObject(team) ? team.routing : undefined;
    const rules = isObject(routing) && Array.isArray(routing.rules) ? (routing.rules as readonly Json[]) : [];
    for (const rule of rules) if (isObject(rule)) collect(rule.context_updates, '', 0);
  }
  return [...paths];
}
