import type { LinearRegExp } from '../schema/linearRegExp.js';

/** Compiles a regular expression of a condition. The same pattern yields the same object. */
export type Patterns = (pattern: string, options?: { readonly ignoreCase?: boolean }) => LinearRegExp;

/** The linear-time engine with a separate cache. Loaded by the first call, since most conditions have no `matches`. */
export async function loadPatterns(): Promise<Patterns> {
  const { linearRegExp } = await import('../schema/linearRegExp.js');
  const compiled = new Map<string, LinearRegExp>();
  return (pattern, { ignoreCase = false } = {}) => {
    const key = `${ignoreCase} ${pattern}`;
    const before = compiled.get(key);
    if (before !== undefined) return before;
    const fresh = linearRegExp(pattern, { ignoreCase });
    compiled.set(key, fresh);
    return fresh;
  };
}
