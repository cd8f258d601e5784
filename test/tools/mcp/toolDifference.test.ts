import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/json.js';
import { toolDifference } from '../../../core/tools/mcp/lock.js';

const shown = (...tools: Parameters<typeof toolDifference>) =>
  toolDifference(...tools).map(({ mark, text }) => `${mark} ${text}`.trimEnd());
const tool = (description: string, parameters: JsonObject = { type: 'object' }) => ({ description, parameters });

test('lines of the description and of the schema are compared', () => {
  expect(shown(tool('Reads.\nFast.'), tool('Reads.\nSlowly.', { type: 'object', minProperties: 1 }))).toEqual([
    '  Reads.',
    '- Fast.',
    '+ Slowly.',
    '  "parameters": {',
    '+   "minProperties": 1,',
    '    "type": "object"',
    '  }',
  ]);
  expect(shown(tool('Reads.'), null)).toEqual(['- Reads.', '- "parameters": {', '-   "type": "object"', '- }']);
});

test('both tools can be read from their difference', () => {
  const anyTool = fc.record({
    description: fc.string().map((text) => text.replaceAll(' ', '\n')),
    parameters: fc.dictionary(fc.string(), fc.jsonValue()).map((value) => value as JsonObject),
  });
  fc.assert(
    fc.property(anyTool, anyTool, (before, after) => {
      const lines = toolDifference(before, after);
      const side = (mark: string) => lines.filter((line) => line.mark !== mark).map(({ text }) => text);
      expect(side('+')).toEqual(toolDifference(before, null).map(({ text }) => text));
      expect(side('-')).toEqual(toolDifference(after, null).map(({ text }) => text));
    }),
  );
});
