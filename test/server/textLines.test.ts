import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextLines } from '../../server/textLines.js';
import { somewhere } from '../support/somewhere.js';

const text = fc.string({ unit: fc.constantFrom('a', '\n', '\n', 'b', '\r', '\r\n', 'ä'), maxLength: 40 });

test('the lines of a text that has changed are those of the text read anew', () => {
  fc.assert(
    fc.property(text, text, somewhere, somewhere, (before, inserted, one, other) => {
      const [start, end] = [one, other].map((at) => Math.floor(at * before.length)).sort((left, right) => left - right) as [number, number];
      const after = before.slice(0, start) + inserted + before.slice(end);
      const changed = new TextLines(before).changed(after, { start, endBefore: end, endAfter: start + inserted.length });
      expect(changed.starts).toEqual(new TextLines(after).starts);
    }),
    { numRuns: 2000 },
  );
});
