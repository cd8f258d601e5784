import type { ConfigFile } from '../config/configFile.js';
import type { RuleContext } from './rule.js';

/**
 * Makes a function that keeps its answer about the file it was last asked about: rules run one after the other on the same file, and several
 * of them look at the same things. What is kept lives as long as its context.
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
