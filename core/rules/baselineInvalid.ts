import { isObject, type Json, listOf, pointerOf } from '../json.js';
import type { Rule } from './rule.js';

/** Verdicts that no eval writes; they come from editing by hand or from a merge that kept both sides. */
export const baselineInvalid: Rule = {
  code: 'baseline-invalid',
  severity: 'error',
  kinds: ['baseline'],
  on: 'value',
  check({ value }, _context, report) {
    if (!isObject(value)) return;
    const firstByKey = new Map<string, { readonly index: number; readonly date: Json | undefined }>();
    for (const [index, verdict] of listOf(value.verdicts).entries()) {
      if (!isObject(verdict)) continue;
      const { case: name, version, llm, passes, repeats, date } = verdict;
      if (typeof passes === 'number' && typeof repeats === 'number' && passes > repeats)
        report({
          pointer: pointerOf('verdicts', index, 'passes'),
          message: `${passes} of ${repeats} repeats cannot have passed. Restore the verdict from git, or remove it: the case then runs again.`,
          data: { verdict: index },
        });
      if (typeof name !== 'string') continue;
      const key = JSON.stringify([name, version ?? null, llm ?? null]);
      const first = firstByKey.get(key);
      if (first === undefined) {
        firstByKey.set(key, { index, date });
        continue;
      }
      // The older of two verdicts is the one to remove; on the same day, the second.
      const older = String(date ?? '') > String(first.date ?? '') ? first.index : index;
      if (older === first.index) firstByKey.set(key, { index, date });
      report({
        pointer: pointerOf('verdicts', older, 'case'),
        message: `There are two verdicts on the case ${JSON.stringify(name)}${subjectText(version, llm)}, and this is the older one. Remove it.`,
        data: { verdict: older },
      });
    }
  },
};

function subjectText(version: Json | undefined, llm: Json | undefined): string {
  return `${typeof version === 'string' ? ` of ${version}` : ''}${typeof llm === 'string' ? ` with ${llm}` : ''}`;
}
