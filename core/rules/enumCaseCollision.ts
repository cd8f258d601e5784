import { isObject, type Json, pointerOf } from '../json.js';
import type { Rule } from './rule.js';
import { type Likeness, visitRepeats } from './support/enumLists.js';
import type { Path } from './support/visitSchemas.js';
import { shown } from './support/words.js';

/** Two values that differ in letter case only are one word to a model: which of the two comes back is chance. */
export const enumCaseCollision: Rule = {
  code: 'enum-case-collision',
  severity: 'warning',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, _context, report) {
    visitRepeats(file, likeButForCase, ({ values, path, first, again }) => {
      const value = values[again]!;
      const other = values[first]!;
      // The very same value again is enum-duplicate-value's; the schema's copy of a list in `enums` is told once.
      if (values.indexOf(value) < again || isCopy(file.value, path, value, other)) return;
      report({
        pointer: pointerOf(...path, again),
        message: `${shown(value)} and ${shown(other)} differ only in letter case: a model cannot tell them apart. Keep one of them.`,
        related: [{ file: file.path, pointer: pointerOf(...path, first), message: `${shown(other)} is listed here.` }],
        data: { value, other, first },
      });
    });
  },
};

const likeButForCase: Likeness = {
  same: (left, right) => typeof left === 'string' && typeof right === 'string' && left !== right && areAlike(left, right),
  // The length keeps apart what only folding makes equal, as `same` does.
  key: (value) => (typeof value === 'string' ? `${value.length} ${value.toLowerCase()}` : undefined),
};

/** Length and first letter rule out nearly every pair before anything is folded. */
function areAlike(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  const first = left.charCodeAt(0);
  const second = right.charCodeAt(0);
  const areAscii = first < 0x80 && second < 0x80;
  return (!areAscii || (first | caseBit) === (second | caseBit)) && left.toLowerCase() === right.toLowerCase();
}

/** What upper and lower case letters of ASCII differ in. */
const caseBit = 0x20;

/** Whether a list in the schema belongs to a field whose entry in `enums` holds the same two values. */
function isCopy(value: Json | undefined, path: Path, ...pair: readonly Json[]): boolean {
  const [root, properties, field] = path;
  if (root !== 'output_schema' || properties !== 'properties' || !isObject(value) || !isObject(value.enums)) return false;
  if (!Object.hasOwn(value.enums, field!)) return false;
  const values = value.enums[field!];
  return Array.isArray(values) && pair.every((member) => values.includes(member));
}
