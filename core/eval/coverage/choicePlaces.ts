import { isObject, type Json, pointerOf } from '../../json.js';
import { isEqual } from '../../jsonText/jsonCompare.js';
import type { OutputContract, SchemaPlace } from '../../schema/outputContract.js';

/** A value that a schema lists for a field. */
export interface ListedChoice {
  /** JSON pointer of the value in the root schema. */
  readonly pointer: string;
  /** `tone`, or `items.kind` for a field of a field. */
  readonly field: string;
  readonly value: Json;
}

/** The depth limit of nested fields: a recursive schema never ends. */
const deepest = 50;

/** The values that an output schema lists for its fields, nested ones included; each place once. */
export function listedChoices(contract: OutputContract): readonly ListedChoice[] {
  const listed = new Map<string, ListedChoice>();
  const seen = new Set<string>();
  const visit = (place: SchemaPlace, field: string, depth: number): void => {
    if (depth > deepest || seen.has(place.pointer)) return;
    seen.add(place.pointer);
    const choices = contract.choices(place);
    for (const [index, value] of choices?.values.entries() ?? []) {
      const pointer = choices?.pointerAt(index) ?? '';
      if (!listed.has(pointer)) listed.set(pointer, { pointer, field, value });
    }
    if (choices !== undefined) return;
    for (const [name, child] of fieldsOf(contract, place)) visit(child, join(field, name), depth + 1);
    const items = itemsOf(contract, place);
    if (items !== undefined) visit(items, field, depth + 1);
  };
  visit({ schema: contract.root, pointer: '' }, '', 0);
  return [...listed.values()];
}

/** The pointers of `listedChoices` whose values an answer contains. */
export function answeredChoices(contract: OutputContract, answer: Json): ReadonlySet<string> {
  const answered = new Set<string>();
  const visit = (place: SchemaPlace, value: Json, depth: number): void => {
    if (depth > deepest) return;
    const choices = contract.choices(place);
    if (choices !== undefined) {
      for (const answer of choices.multiple && Array.isArray(value) ? (value as readonly Json[]) : [value]) {
        const index = choices.values.findIndex((listed) => isEqual(listed, answer));
        if (index >= 0) answered.add(choices.pointerAt(index));
      }
    } else if (Array.isArray(value)) {
      const items = itemsOf(contract, place);
      if (items !== undefined) for (const item of value as readonly Json[]) visit(items, item, depth + 1);
    } else if (isObject(value)) {
      for (const [name, child] of fieldsOf(contract, place)) {
        const inner = Object.hasOwn(value, name) ? value[name] : undefined;
        if (inner !== undefined) visit(child, inner, depth + 1);
      }
    }
  };
  visit({ schema: contract.root, pointer: '' }, answer, 0);
  return answered;
}

/** The values of a schema, and of the schema that its `$ref` points to. */
function fieldsOf(contract: OutputContract, place: SchemaPlace): readonly (readonly [string, SchemaPlace])[] {
  return contract.meanings(place).flatMap(({ schema: { properties }, pointer }) => {
    if (!isObject(properties)) return [];
    return Object.entries(properties).map(
      ([name, schema]) => [name, { schema, pointer: `${pointer}${pointerOf('properties', name)}` }] as const,
    );
  });
}

function itemsOf(contract: OutputContract, place: SchemaPlace): SchemaPlace | undefined {
  const listSchema = contract.meanings(place).find(({ schema }) => isObject(schema.items));
  return listSchema?.schema.items === undefined ? undefined : { schema: listSchema.schema.items, pointer: `${listSchema.pointer}/items` };
}

function join(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}
