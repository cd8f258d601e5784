import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Stop } from '../../core/agent/gate.js';
import { changeTo } from '../../core/debug/setValue.js';
import { linesOf } from '../../core/debug/variables.js';

const call = { at: 'tool', call: {} } as unknown as Stop;
const set = (value: string, line: number, typed: string) => {
  const values = { arguments: { text: value } };
  const change = changeTo(call, { path: ['arguments', 'text'], line }, typed, values, values);
  return (change.input as { text: string }).text;
};

test('one line of a text is set, and nothing else of it', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '\r', '\u2028', ' ') });
  fc.assert(
    fc.property(text, fc.nat(), fc.stringMatching(/^[a-z ]{0,5}$/), (before, at, typed) => {
      const lines = linesOf(before);
      const line = (at % lines.length) + 1;
      const after = set(before, line, typed);
      expect(linesOf(after)).toEqual(lines.with(line - 1, typed));
      expect(after.length - before.length).toBe(typed.length - (lines[line - 1] ?? '').length);
    }),
  );
});

test('a value is set as what it is', () => {
  const values = { arguments: { text: 'a', number: 1, list: ['x'] } };
  const at = (path: readonly string[], typed: string) => changeTo(call, { path: ['arguments', ...path] }, typed, values, values).input;
  expect(at(['text'], '"one\\ntwo"')).toMatchObject({ text: 'one\ntwo' });
  expect(at(['text'], '"just quoted')).toMatchObject({ text: '"just quoted' });
  expect(at(['number'], '{"a": 1}')).toMatchObject({ number: { a: 1 } });
  expect(at(['list', '0'], 'y')).toMatchObject({ list: ['y'] });
  expect(at(['new'], 'true')).toMatchObject({ new: true });
  expect(() => at(['number'], 'two')).toThrow('This is not JSON: two.');
  expect(() => at(['list', '3'], 'y')).toThrow('There is no arguments.list.3 here.');
  expect(() => set('a\nb', 3, 'c')).toThrow('There is no line 3.');
});
