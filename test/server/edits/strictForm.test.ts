import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import '../../support/seed.js';
import type { Json, JsonObject } from '../../../core/json.js';
import { editTowards } from '../../../core/jsonText/editTowards.js';
import { applyReplacements, JsonEdit } from '../../../core/jsonText/jsonEdit.js';
import { toStrictForm } from '../../../server/edits/strictForm.js';
import { trimmedReplacement } from '../../../server/edits/trimmedReplacement.js';

describe('a schema in strict form', () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      'is closed and requires everything, what was optional may be null',
      { type: 'object', properties: { a: { type: 'string' }, b: { enum: ['x', 1] } } },
      {
        type: 'object',
        properties: { a: { type: ['string', 'null'] }, b: { type: ['string', 'number', 'null'], enum: ['x', 1, null] } },
        required: ['a', 'b'],
        additionalProperties: false,
      },
    ],
    [
      'has anyOf for oneOf, and is strict inside',
      {
        type: 'object',
        additionalProperties: false,
        required: ['a'],
        properties: {
          a: {
            oneOf: [
              { type: 'string', minLength: 2 },
              { type: 'object', properties: {} },
            ],
          },
        },
      },
      {
        type: 'object',
        additionalProperties: false,
        required: ['a'],
        properties: { a: { anyOf: [{ type: 'string' }, { type: 'object', properties: {}, additionalProperties: false }] } },
      },
    ],
    [
      'lets a reference be null beside it',
      { type: 'object', additionalProperties: false, properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } },
      {
        type: 'object',
        additionalProperties: false,
        properties: { a: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] } },
        $defs: { a: { type: 'string' } },
        required: ['a'],
      },
    ],
  ])('%s', (_how, schema, strict) => {
    const form = toStrictForm(schema);
    expect(form.left).toEqual([]);
    expect(form.schema).toEqual(strict);
  });

  test('says what it costs, and what only the author can rewrite', () => {
    const schema: JsonObject = {
      type: 'object',
      required: ['a', 'b'],
      additionalProperties: false,
      properties: { a: { type: 'string', maxLength: 3 }, b: { type: 'object', additionalProperties: { type: 'string' } } },
    };
    const form = toStrictForm(schema);
    expect(form.dropped).toEqual(['maxLength']);
    expect(form.left.map(({ pointer }) => pointer)).toEqual(['/properties/b/additionalProperties']);
  });

  test('takes properties with the names of keywords for what they are', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { additionalProperties: { type: 'string' }, minLength: { type: 'string' }, $ref: { type: 'string' } },
    };
    const form = toStrictForm(schema);
    expect(form.left).toEqual([]);
    expect(Object.keys(form.schema.properties as JsonObject)).toEqual(['additionalProperties', 'minLength', '$ref']);
    expect(form.schema.additionalProperties).toBe(false);
  });
});

const key = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'x/y', '~'), fc.string({ maxLength: 3 }));
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0.5, 'x'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.uniqueArray(fc.tuple(key, tie('value')), { maxLength: 4, selector: ([name]) => name }).map((entries) => Object.fromEntries(entries)),
  ),
}));

test('edited towards any other value, a text says exactly that', () => {
  fc.assert(
    fc.property(value, value, fc.constantFrom(undefined, 2, '\t'), (before, after, indent) => {
      const text = JSON.stringify({ v: before }, null, indent);
      const edit = new JsonEdit(text);
      editTowards(edit, '/v', before, after);
      expect(JSON.parse(applyReplacements(text, edit.replacements()))).toEqual({ v: after });
    }),
    { numRuns: 1000 },
  );
});

test('one replacement makes one text of another, and parts no character', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '😀', '😁', '\r\n', '\n', '"'), maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const replacements = trimmedReplacement(before, after);
      expect(applyReplacements(before, replacements)).toBe(after);
      for (const { start, end } of replacements) {
        for (const at of [start, end])
          expect(/[\ud800-\udbff\r]$/.test(before.slice(0, at)) && /^[\udc00-\udfff\n]/.test(before.slice(at))).toBe(false);
      }
    }),
  );
});
