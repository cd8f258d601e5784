import type { ImportSource } from './types.js';

/** What a file is called: without folders, without its endings, and without a last `config`. */
export function stemOf({ path }: Pick<ImportSource, 'path'>): string {
  const name = path.split('/').at(-1) ?? path;
  const stem = name.replace(/(?:\.(?:json|jsonc|ya?ml|md|agent|config))+$/i, '');
  return stem.replace(/(?<=.)[._-]?(?:agent)?[._-]?config$/i, '') || 'agent';
}
