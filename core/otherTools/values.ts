import { isObject, type Json, pointerOf } from '../json.js';
import type { At, ImportSource } from './types.js';

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

/** Where the key of a profile is: a text that names an environment variable in any way stands for it, any other is a reference, or the key itself. */
export function keyFields(text: string): { readonly api_key_env: string } | { readonly api_key: string } {
  const [, first, second, third] = /^(?:\$\{(?:env:)?([A-Za-z_]\w*)\}|\{env:([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*))$/.exec(text.trim()) ?? [];
  const variable = first ?? second ?? third;
  return variable === undefined ? { api_key: text } : { api_key_env: variable };
}
