import type { LinearRegExp } from '../schema/linearRegExp.js';

/** Compiles a regular expression of a condition. The same pattern yields the same object. */
export type Patterns = (pattern: string) => LinearRegExp;

/** The linear-time engine with a cache of its own. Loaded by the first call, since most conditions have no `matches`. */
export async function loadPatterns(): Promise<Patterns> {
  const { linearRegExp } = await import('../schema/linearRegExp.js');
  const compiled = new Map<string, LinearRegExp>();
  return (pattern) => {
    const known = compiled.get(pattern);
    if (known !== undefined) return known;
    const fresh = linearRegExp(pattern);
    compiled.set(pattern, fresh);
    return fresh;
  };
}
