import { isObject, type Json, pointerOf } from '../json.js';
import { isDeviceName, isLegalName } from '../kinds.js';
import type { ImportSource } from './importSource.js';
import type { At, FieldMeaning } from './types.js';

/** A text of an object that is not empty. */
export function textField(value: Json | undefined, key: string): string | undefined {
  const text = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** The place of a member. */
export function within({ source, pointer }: At, ...segments: readonly (string | number)[]): At {
  return { source, pointer: pointer + pointerOf(...segments) };
}

/** What a file is called: without folders, without its endings, and without a last `config`. */
export function stemOf({ path }: Pick<ImportSource, 'path'>): string {
  const name = path.split('/').at(-1) ?? path;
  const stem = name.replace(/(?:\.(?:json|jsonc|ya?ml|md|agent|config))+$/i, '');
  return stem.replace(/(?<=.)[._-]?(?:agent)?[._-]?config$/i, '') || 'agent';
}

/** What counts retries elsewhere. */
export const retryAttempts: FieldMeaning = {
  field: 'retry_attempts',
  difference: 'It counts tries, the first included: retries + 1.',
  convert: (retries) => retries + 1,
};

/** Where the key of a profile is: a text that names an environment variable in any way stands for it, any other is a reference, or the key itself. */
export function keyFields(text: string): { readonly api_key_env: string } | { readonly api_key: string } {
  const [, first, second, third] = /^(?:\$\{(?:env:)?([A-Za-z_]\w*)\}|\{env:([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*))$/.exec(text.trim()) ?? [];
  const variable = first ?? second ?? third;
  return variable === undefined ? { api_key: text } : { api_key_env: variable };
}

const longest = 64;

/**
 * A legal name (`isLegalName`) made of any text: accents are taken off, every run of other characters becomes one underscore. The text itself where
 * it is legal.
 *
 * @param fallback a legal name, for a text of which nothing is left
 */
export function cleanName(text: string, fallback: string): string {
  if (isLegalName(text)) return text;
  const plain = text
    // A longer text is not a name, so the rest is ignored.
    .slice(0, 1000)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[._-]+/, '')
    .slice(0, longest)
    .replace(/[._-]+$/, '');
  if (plain === '') return fallback;
  return isDeviceName(plain) ? `${plain.replaceAll('.', '_').slice(0, longest - 1)}_` : plain;
}

/** A legal part name (of a team, a task or a step), which has no dot. */
export function cleanPartName(text: string, fallback: string): string {
  return cleanName(text.replaceAll('.', '_'), fallback).replaceAll('.', '_');
}

/** The name itself, or the first free one of it with a number. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number++) free = `${name.slice(0, 60)}_${number}`;
  return free;
}
