import { isObject, type Json, type JsonObject } from '../json.js';
import { isWrittenForUs } from './mark.js';
import type { Format } from './types.js';

type Is = (value: Json | undefined) => boolean;
type Mark = NonNullable<Format['mark']>;

/** One of these keys with a value of its form is enough. */
export function anyOf(marks: Readonly<Record<string, Is>>): Mark {
  return (value) => Object.keys(marks).find((key) => Object.hasOwn(value, key) && marks[key]?.(value[key]));
}

/** All of these keys with values of their forms. */
export function allOf(marks: Readonly<Record<string, Is>>): Mark {
  const keys = Object.keys(marks);
  return (value) => (keys.every((key) => Object.hasOwn(value, key) && marks[key]?.(value[key])) ? keys[0] : undefined);
}

export const isString: Is = (value) => typeof value === 'string';
export const isNumber: Is = (value) => typeof value === 'number';
export const isBoolean: Is = (value) => typeof value === 'boolean';
export const isList: Is = (value) => Array.isArray(value);

/** The host and path of an object's `$schema` where it is an address. */
export function schemaAddress({ $schema }: JsonObject): string | undefined {
  return typeof $schema === 'string' ? /^https?:\/\/(?:www\.)?(.+)$/.exec($schema)?.[1] : undefined;
}

/** The first format that an object is of, by its `$schema` or by keys that only that tool uses, and the key that shows it. */
export function findFormat(value: Json, formats: readonly Format[]): { readonly what: string; readonly key: string } | undefined {
  if (!isObject(value) || isWrittenForUs(value)) return undefined;
  const address = schemaAddress(value);
  for (const { what, schema, mark } of formats) {
    const key = address !== undefined && schema?.test(address) ? '$schema' : mark?.(value);
    if (key !== undefined) return { what, key };
  }
  return undefined;
}
