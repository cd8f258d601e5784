import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../../json.js';
import { isEqual } from '../../jsonText/jsonCompare.js';
import { listed, quoted } from '../../words.js';
import { findSchemaChanges, type SchemaChange } from './schemaChanges.js';

/** The fields of an agent or orchestration that say what goes in and comes out; any JSON. */
export interface ContractValues {
  readonly output_schema?: Json | undefined;
  readonly input_schema?: Json | undefined;
  readonly enums?: Json | undefined;
  readonly defaults?: Json | undefined;
  readonly input_keys?: Json | undefined;
}

/** A change of such a field. Pointers are below the field. */
export interface ContractFieldChange extends Omit<SchemaChange, 'change'> {
  readonly part: keyof ContractValues | 'agent_type';
  readonly side: 'input' | 'output';
  readonly change:
    | SchemaChange['change']
    | 'schema-added'
    | 'schema-removed'
    | 'default-added'
    | 'default-changed'
    | 'default-removed'
    | 'input-key-added'
    | 'input-key-removed';
}

type OneChange = Omit<ContractFieldChange, 'part' | 'side'>;

/** Everything that changes for readers of answers and for callers: one judgement for the rule about files and for comparisons of snapshots. */
export function findContractChanges(before: ContractValues, after: ContractValues): readonly ContractFieldChange[] {
  return [...outputChanges(before, after), ...inputChanges(before, after)];
}

function outputChanges(before: ContractValues, after: ContractValues): readonly ContractFieldChange[] {
  const changes: ContractFieldChange[] = [];
  const add = (part: keyof ContractValues, change: OneChange) => changes.push({ part, side: 'output', ...change });
  const { output_schema: was } = before;
  const { output_schema: is } = after;
  const filled = isObject(after.defaults) ? after.defaults : {};
  if (isObject(was) && isObject(is)) {
    for (const change of findSchemaChanges(was, is, 'output')) {
      const isFilled = change.change === 'field-optional' && Object.hasOwn(filled, change.field);
      const message = `${quoted(change.field)} is no longer required, and filled in where an answer lacks it.`;
      add('output_schema', isFilled ? { ...change, effect: 'compatible', message } : change);
    }
  } else if (isObject(was)) {
    const message = 'The output schema is gone: readers find no fields.';
    add('output_schema', { effect: 'breaking', change: 'schema-removed', field: '', pointer: '', gone: '', target: 'key', message });
  } else if (isObject(is)) {
    const message = 'The output has a schema now: readers of a text meet an object.';
    add('output_schema', { effect: 'breaking', change: 'schema-added', field: '', pointer: '', target: 'key', message });
  }
  for (const change of enumChanges(before, after)) add('enums', change);
  for (const change of defaultChanges(before, after)) add('defaults', change);
  return changes;
}

/** The lists of fields whose values the schemas do not list; other changes are found in the schema. */
function enumChanges(before: ContractValues, after: ContractValues): readonly OneChange[] {
  if (!isObject(before.enums) || !isObject(after.enums) || isEqual(before.enums, after.enums)) return [];
  const changes: OneChange[] = [];
  for (const field in before.enums) {
    if (hasField(before, field) || hasField(after, field)) continue;
    const was = before.enums[field];
    const is = Object.hasOwn(after.enums, field) ? after.enums[field] : undefined;
    if (!Array.isArray(was) || !Array.isArray(is)) continue;
    const old = new Set<Json>(was);
    const current = new Set<Json>(is);
    const removed = was.filter((value: Json) => !current.has(value));
    if (removed.length > 0) {
      const message = `${quoted(field)} can no longer be ${listed(removed, 'or')}: readers wait for it in vain.`;
      const place = { field, pointer: pointerOf(field), target: 'key' } as const;
      changes.push({ effect: 'breaking', change: 'values-removed', ...place, message, data: { values: removed } });
    }
    is.forEach((value: Json, index) => {
      if (old.has(value)) return;
      const message = `${quoted(field)} may now be ${quoted(value)}, a value that readers do not know.`;
      const place = { field, pointer: pointerOf(field, index), target: 'value' } as const;
      changes.push({ effect: 'breaking', change: 'values-added', ...place, message, data: { values: [value] } });
    });
  }
  return changes;
}

function hasField({ output_schema: schema }: ContractValues, field: string): boolean {
  return isObject(schema) && isObject(schema.properties) && Object.hasOwn(schema.properties, field);
}

/** A default fills in what an answer lacks, so that readers always find the field. */
function defaultChanges(before: ContractValues, after: ContractValues): readonly OneChange[] {
  const was = isObject(before.defaults) ? before.defaults : {};
  const is = isObject(after.defaults) ? after.defaults : {};
  const required = isObject(after.output_schema) ? listOf(after.output_schema.required) : [];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((field): OneChange[] => {
    const name = quoted(field);
    const common = { field, pointer: pointerOf(field), target: 'key' } as const;
    const [old, now] = [own(was, field), own(is, field)];
    if (old === undefined)
      return [
        { ...common, effect: 'compatible', change: 'default-added', message: `${name} is ${quoted(now)} now where an answer lacks it.` },
      ];
    if (now !== undefined) {
      const message = `${name} is ${quoted(now)} now where an answer lacks it (was ${quoted(old)}).`;
      return isEqual(old, now) ? [] : [{ ...common, effect: 'compatible', change: 'default-changed', message }];
    }
    // A field that is gone altogether is a change of the schema.
    if (!hasField(after, field)) return [];
    const isNeeded = required.includes(field);
    const what = isNeeded ? 'an answer without it is rejected' : 'readers may find nothing there';
    const message = `${name} is no longer filled in where an answer lacks it: ${what}.`;
    return [
      { ...common, pointer: '', gone: pointerOf(field), effect: isNeeded ? 'compatible' : 'breaking', change: 'default-removed', message },
    ];
  });
}

function inputChanges(before: ContractValues, after: ContractValues): readonly ContractFieldChange[] {
  const schemas = { was: before.input_schema, is: after.input_schema };
  const needed = {
    before: new Set([...listOf(before.input_keys), ...requiredIn(schemas.was)]),
    after: new Set([...listOf(after.input_keys), ...requiredIn(schemas.is)]),
  };
  const changes: ContractFieldChange[] = [];
  if (isObject(schemas.was) || isObject(schemas.is)) {
    const all = [schemas.was, schemas.is].flatMap((schema) => (isObject(schema) && isObject(schema.properties) ? [schema.properties] : []));
    const described = all.flatMap((properties) => Object.keys(properties));
    const was = withKeys(asObjects(schemas.was, schemas.is), before.input_keys, described);
    const is = withKeys(asObjects(schemas.is, schemas.was), after.input_keys, described);
    for (const change of findSchemaChanges(was, is, 'input')) {
      const { change: what, field } = change;
      if ((what === 'field-required' && needed.before.has(field)) || (what === 'field-optional' && needed.after.has(field))) continue;
      changes.push({ part: 'input_schema', side: 'input', ...change });
    }
  }
  const add = (change: OneChange) => changes.push({ part: 'input_keys', side: 'input', ...change });
  listOf(after.input_keys).forEach((key, index) => {
    if (typeof key !== 'string' || needed.before.has(key)) return;
    const message = `The input key ${quoted(key)} is new: callers that do not send it are refused.`;
    add({ effect: 'breaking', change: 'input-key-added', field: key, pointer: `/${index}`, target: 'value', message });
  });
  listOf(before.input_keys).forEach((key, index) => {
    if (typeof key !== 'string' || needed.after.has(key)) return;
    const message = `The input key ${quoted(key)} is no longer needed.`;
    add({ effect: 'compatible', change: 'input-key-removed', field: key, pointer: '', gone: `/${index}`, target: 'value', message });
  });
  return changes;
}

/** An input schema; without one, any object is legal. */
function asObjects(schema: Json | undefined, other: Json | undefined): JsonObject {
  if (isObject(schema)) return schema;
  return isObject(other) && other.type !== undefined ? { type: other.type } : {};
}

/** With the input keys that only the other schema describes: they may have any value. */
function withKeys(schema: JsonObject, keys: Json | undefined, described: readonly string[]): JsonObject {
  const { properties } = schema;
  const own = isObject(properties) ? properties : {};
  const free = listOf(keys).filter((key) => typeof key === 'string' && described.includes(key) && !Object.hasOwn(own, key));
  return free.length === 0 ? schema : { ...schema, properties: { ...own, ...Object.fromEntries(free.map((key) => [key, {}])) } };
}

function requiredIn(schema: Json | undefined): readonly Json[] {
  return isObject(schema) ? listOf(schema.required) : [];
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
