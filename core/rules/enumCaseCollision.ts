import { isObject, type Json, segmentsOf } from '../json.js';
import { quoted } from '../words.js';
import { findRepeats } from './facts/enumLists.js';
import type { Rule } from './rule.js';

/** Two values that differ in letter case only: to a model they are one word, and it returns either. */
export const enumCaseCollision: Rule = {
  code: 'enum-case-collision',
  severity: 'warning',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, context, report) {
    for (const { values, pointer, first, again } of findRepeats(file, context)) {
      const value = values[again]!;
      const earlier = values[first]!;
      // Equal values are reported by enum-duplicate-value; a list that the schema copies from `enums` is reported once.
      if (value === earlier || isCopy(file.value, pointer, value, earlier)) continue;
      report({
        pointer: `${pointer}/${again}`,
        message: `${quoted(value)} and ${quoted(earlier)} differ only in letter case: a model cannot tell them apart. Keep one of them.`,
        related: [{ file: file.path, pointer: `${pointer}/${first}`, message: `${quoted(earlier)} is listed here.` }],
        data: { value, other: earlier, first },
      });
    }
  },
};

/** Whether a list in the schema belongs to a field whose entry in `enums` holds the same two values. */
function isCopy(value: Json | undefined, pointer: string, ...pair: readonly Json[]): boolean {
  const [root, properties, field] = segmentsOf(pointer);
  if (root !== 'output_schema' || properties !== 'properties' || !isObject(value) || !isObject(value.enums)) return false;
  if (!Object.hasOwn(value.enums, field!)) return false;
  const values = value.enums[field!];
  return Array.isArray(values) && pair.every((member) => values.includes(member));
}
