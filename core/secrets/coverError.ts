import { AgentStackError } from '../errors.js';
import type { KnownSecrets } from '../ports.js';
import { coverAll } from './coverValue.js';

/** Nested causes are kept up to this depth. */
const deepest = 5;

/**
 * A thrown error with every secret in its message and fields covered: of the same class, and the error itself if it holds none. For foreign errors,
 * objects are left out: they may be anything, even a request with its headers.
 */
export function coverError(thrown: unknown, secrets: KnownSecrets | undefined, depth = 0): unknown {
  if (!(thrown instanceof Error)) return typeof thrown === 'string' ? coverAll(thrown, secrets) : thrown;
  const properties = Object.getOwnPropertyDescriptors(thrown) as { [name: string]: PropertyDescriptor };
  let isSame = true;
  for (const [name, property] of Object.entries(properties)) {
    const value: unknown = property.value;
    const masked = name === 'cause' && depth < deepest ? coverError(value, secrets, depth + 1) : coverField(value, name, thrown, secrets);
    isSame &&= masked === value;
    if (masked !== value) properties[name] = { ...property, value: masked };
  }
  return isSame ? thrown : Object.create(Object.getPrototypeOf(thrown), properties);
}

function coverField(value: unknown, name: string, error: Error, secrets: KnownSecrets | undefined): unknown {
  if (typeof value !== 'object' || value === null || error instanceof AgentStackError) return coverAll(value, secrets, name);
  return undefined;
}
