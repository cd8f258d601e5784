import { isObject, type Json } from '../../json.js';

/** The judges that expectations name, each once, in order. */
export function judgesOf(expect: readonly Json[]): readonly string[] {
  const found = new Set<string>();
  const waiting = [...expect].reverse();
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    if (Array.isArray(entry)) waiting.push(...[...entry].reverse());
    if (!isObject(entry)) continue;
    if (typeof entry.judge === 'string') found.add(entry.judge);
    for (const part of [entry.not, entry.any]) if (part !== undefined) waiting.push(part);
  }
  return [...found];
}
