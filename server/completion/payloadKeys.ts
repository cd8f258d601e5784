import { isObject, type Json, listOf } from '../../core/json.js';

/** A key of an agent's input, and the schema that input_schema has for it. */
export interface PayloadKey {
  readonly name: string;
  readonly schema: Json | undefined;
  readonly required: boolean;
}

/** Keys of an agent's input: first those in `input_keys`, then those of its schema. */
export function payloadKeys(inputKeys: Json | undefined, inputSchema: Json | undefined): readonly PayloadKey[] {
  const listed = listOf(inputKeys).filter((key): key is string => typeof key === 'string' && key !== '');
  const properties = isObject(inputSchema) && isObject(inputSchema.properties) ? inputSchema.properties : {};
  const required = isObject(inputSchema) ? listOf(inputSchema.required) : [];
  const names = new Set([...listed, ...Object.keys(properties)]);
  return [...names].map((name) => ({
    name,
    schema: Object.hasOwn(properties, name) ? properties[name] : undefined,
    required: listed.includes(name) || required.includes(name),
  }));
}
