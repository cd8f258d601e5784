import type { ConfigFile } from '../config/configFile.js';
import type { RuleContext } from './rule.js';

/**
 * Caches the result of a function for the last file it was called with: rules run one after another on the same file, and several
 * of them need the same facts. The result lives as long as its context.
 */
export function forLastFile<T>(compute: (file: ConfigFile, context: RuleContext) => T): (file: ConfigFile, context: RuleContext) => T {
  const last = new WeakMap<RuleContext, { file: ConfigFile; answer: T }>();
  return (file, context) => {
    const kept = last.get(context);
    if (kept?.file === file) return kept.answer;
    const answer = compute(file, context);
    last.set(context, { file, answer });
    return answer;
  };
}
