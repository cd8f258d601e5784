import { capitalized } from '../words.js';
import type { Repair } from './types.js';

export type SyntaxRepair = 'comma' | 'missing comma' | 'bracket' | 'quotes' | 'bare key' | 'comment' | 'control' | 'literal' | 'space';

/** The repairs made while reading, counted by kind: a million stray commas are one line. */
export interface RepairLog {
  /** @param at UTF-16 units from the start of the answer @param count default 1 */
  note(repair: SyntaxRepair, at: number, count?: number): void;
  /** One `syntax` repair per kind, in the order of their first place. */
  list(): readonly Repair[];
}

const sayings: { readonly [repair in SyntaxRepair]: readonly [singular: string, plural: string] } = {
  comma: ['left out a stray comma', 'left out # stray commas'],
  'missing comma': ['put in a missing comma', 'put in # missing commas'],
  bracket: ['put in a missing closing bracket', 'put in # missing closing brackets'],
  quotes: ['read a single quote as JSON', 'read # single quotes as JSON'],
  'bare key': ['put a key in quotes', 'put # keys in quotes'],
  comment: ['left out a comment', 'left out # comments'],
  control: ['kept a raw control character inside a string', 'kept # raw control characters inside strings'],
  literal: ['read a Python literal as JSON', 'read # Python literals as JSON'],
  space: ['left out space that JSON does not know', 'left out space that JSON does not know in # places'],
};

export function createRepairLog(): RepairLog {
  const noted = new Map<SyntaxRepair, { readonly at: number; count: number }>();
  return {
    note(repair, at, count = 1) {
      const entry = noted.get(repair);
      if (entry) entry.count += count;
      else noted.set(repair, { at, count });
    },
    list: () =>
      [...noted].map(([repair, { at, count }]) => {
        const [singular, plural] = sayings[repair];
        const text = count === 1 ? singular : plural.replace('#', String(count));
        return { kind: 'syntax', message: `${capitalized(text)} (at character ${at + 1}).` };
      }),
  };
}
