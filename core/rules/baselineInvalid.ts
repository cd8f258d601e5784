import { isObject, type Json, listOf, pointerOf } from '../json.js';
import type { Rule } from './rule.js';

/** Verdicts that no eval writes: by hand, or by a merge that took both sides. */
export const baselineInvalid: Rule = {
  code: 'baseline-invalid',
  severity: 'error',
  kinds: ['baseline'],
  on: 'value',
  check({ value }, _context, report) {
    if (!isObject(value)) return;
    const seen = new Map<string, { readonly index: number; readonly date: Json | undefined }>();
    for (const [index, verdict] of listOf(value.verdicts).entries()) {
      if (!isObject(verdict)) continue;
      const { case: name, version, llm, passes, repeats, date } = verdict;
      if (typeof passes === 'number' && typeof repeats === 'number' && passes > repeats)
        report({
          pointer: pointerOf('verdicts', index, 'passes'),
          message: `${passes} of ${repeats} repeats cannot have passed. Restore the verdict from git, or remove it: the case is asked again then.`,
          data: { verdict: index },
        });
      if (typeof name !== 'string') continue;
      const key = JSON.stringify([name, version ?? null, llm ?? null]);
      const first = seen.get(key);
      if (first === undefined) {
        seen.set(key, { index, date });
        continue;
      }
      // The older of two is the one to remove, and the second of two of one day.
      const older = String(date ?? '') > String(first.date ?? '') ? first.index : index;
      if (older === first.index) seen.set(key, { index, date });
      report({
        pointer: pointerOf('verdicts', older, 'case'),
        message: `There are two verdicts on the case ${JSON.stringify(name)}${wordsOf(version, llm)}, and this is the older one. Remove it.`,
        data: { verdict: older },
      });
    }
  },
};

function wordsOf(version: Json | undefined, llm: Json | undefined): string {
  return `${typeof version === 'string' ? ` of ${version}` : ''}${typeof llm === 'string' ? ` with ${llm}` : ''}`;
}
