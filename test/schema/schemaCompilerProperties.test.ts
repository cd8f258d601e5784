import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, valueAt } from '../../core/json.js';
import { isMultipleOf } from '../../core/jsonText/jsonCompare.js';
import { createSchemaCompiler } from '../../core/schema/ajvSchemaCompiler.js';
import { fitsSimply } from '../../core/schema/simpleSchema.js';
import { runs } from '../support/effort.js';
import { anySchema, anyValue, simpleSchema } from './schemaArbitraries.js';

const compiler = createSchemaCompiler();

/** What plain ajv says, its own keywords but one, references and patterns untouched. */
function ajvSays(schema: JsonObject | boolean, value: Json, dialect: 'draft-07' | '2020-12'): boolean {
  const options = { strict: false, logger: false, ownProperties: true, validateSchema: false } as const;
  const ajv = dialect === '2020-12' ? new Ajv2020(options) : new Ajv(options);
  addFormats.default(ajv);
  // Plain ajv divides in binary floating point; what is right is tested below.
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({ keyword: 'multipleOf', type: 'number', validate: (step: number, value: number) => isMultipleOf(value, step) });
  return ajv.validate(schema, value);
}

describe('a compiled schema', () => {
  test.each(['draft-07', '2020-12'] as const)(
    'accepts and refuses what ajv does (%s)',
    (dialect) => {
      const marker = dialect === '2020-12' ? { $schema: 'https://json-schema.org/draft/2020-12/schema' } : {};
      fc.assert(
        fc.property(anySchema(dialect), fc.array(anyValue, { minLength: 1, maxLength: 4 }), (schema, values) => {
          // Plain ajv calls these names when it compares objects, and throws when they are values.
          fc.pre(!/constructor|toString/.test(JSON.stringify([schema, values])));
          // What these have evaluated plain ajv does not know; the public suite does.
          const text = JSON.stringify(schema);
          fc.pre(!/unevaluated/.test(text) || !/"(?:if|contains|anyOf|oneOf)"/.test(text));
          const marked = { ...schema, ...marker };
          const compiled = compiler.compile(marked);
          expect(compiled.ok ? [] : compiled.problems).toEqual([]);
          for (const value of values) {
            const issues = compiled.ok ? compiled.check(value) : [];
            expect({ schema, value, fits: issues.length === 0 }).toEqual({ schema, value, fits: ajvSays(marked, value, dialect) });
          }
        }),
        { numRuns: runs(80, 250) },
      );
    },
    60_000,
  );

  test('gives each issue once, in words, at a place that exists', () => {
    fc.assert(
      fc.property(anySchema('draft-07'), anyValue, (schema, value) => {
        const compiled = compiler.compile(schema);
        if (!compiled.ok) return;
        const issues = compiled.check(value);
        expect(new Set(issues.map(({ path, message }) => `${path} ${message}`)).size).toBe(issues.length);
        for (const { path, message, keyword } of issues) {
          expect(valueAt(value, path), `${path} ${message}`).toBeDefined();
          expect(message).toMatch(/^(must|is) .*([^.]|\.\.\.)$/s);
          expect(keyword).not.toBe('if');
        }
      }),
      { numRuns: runs(150, 500) },
    );
  }, 60_000);

  test('never throws, whatever the schema', () => {
    const keyword = fc.constantFrom(
      ...[
        'type',
        'enum',
        'const',
        '$ref',
        '$id',
        '$anchor',
        '$dynamicRef',
        '$recursiveRef',
        '$schema',
        '$defs',
        'definitions',
        'properties',
        'items',
        'allOf',
        'anyOf',
        'oneOf',
        'not',
      ],
      ...[
        'required',
        'pattern',
        'patternProperties',
        'format',
        'dependencies',
        'if',
        'else',
        'minLength',
        'maximum',
        'multipleOf',
        '__proto__',
        'constructor',
        'nullable',
        '$async',
        'id',
        '$data',
      ],
    );
    const text = fc.constantFrom(
      '#',
      '#/',
      '#/allOf/0',
      '#a',
      'a',
      'http://[',
      'urn:a',
      '%',
      '(',
      '[a-',
      '(?=a)',
      'string',
      'object',
      'date',
      '__proto__',
      '',
    );
    const { node } = fc.letrec<{ node: Json }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'medium' },
        fc.oneof(text, fc.integer({ min: -2, max: 3 }), fc.boolean(), fc.constant(null)) as fc.Arbitrary<Json>,
        fc.array(tie('node'), { maxLength: 3 }) as fc.Arbitrary<Json>,
        fc.array(fc.tuple(keyword, tie('node')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)) as fc.Arbitrary<Json>,
      ),
    }));
    fc.assert(
      fc.property(node, anyValue, (schema, value) => {
        if (!isObject(schema) && typeof schema !== 'boolean') return;
        const compiled = compiler.compile(schema);
        if (compiled.ok) compiled.check(value);
        else
          for (const { pointer, kind } of compiled.problems) {
            expect(['schema', 'ref', 'pattern']).toContain(kind);
            if (kind !== 'pattern') expect(valueAt(schema, pointer)).toBeDefined();
          }
      }),
      { numRuns: runs(800, 3_000) },
    );
  }, 60_000);
});

test('a multiple of 10^-n is what has at most n digits behind the point', () => {
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 5 });
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), digits, fc.integer({ min: 0, max: 5 }), (whole, behind, most) => {
      const value = Number(`${whole}.${behind.join('')}0`);
      const written = behind.join('').replace(/0+$/, '').length;
      expect({ value, most, fits: isMultipleOf(value, Number(`1e-${most}`)) }).toEqual({ value, most, fits: written <= most });
    }),
    { numRuns: runs(500, 3_000) },
  );
});

describe('fitsSimply', () => {
  test('says what the compiled schema says, or nothing', () => {
    const numRuns = runs(400, 1_500);
    let answered = 0;
    const schemas = fc.oneof(simpleSchema, anySchema('draft-07'));
    fc.assert(
      fc.property(schemas, fc.array(anyValue, { minLength: 1, maxLength: 4 }), (schema, values) => {
        for (const value of values) {
          const fits = fitsSimply(schema, value);
          if (fits === undefined) continue;
          answered++;
          const compiled = compiler.compile(schema);
          expect({ schema, value, fits }).toEqual({ schema, value, fits: compiled.ok && compiled.check(value).length === 0 });
        }
      }),
      { numRuns },
    );
    expect(answered).toBeGreaterThan(numRuns / 2);
  }, 60_000);

  test('knows whole numbers, code points, and names of Object.prototype', () => {
    expect(fitsSimply({ type: 'integer' }, 3.0)).toBe(true);
    expect(fitsSimply({ type: 'integer' }, 3.5)).toBe(false);
    expect(fitsSimply({ type: ['number', 'null'] }, Number.POSITIVE_INFINITY)).toBe(false);
    expect(fitsSimply({ maxLength: 2 }, '😀😀')).toBe(true);
    expect(fitsSimply({ minLength: 3 }, '😀😀')).toBe(false);
    expect(fitsSimply({ required: ['constructor'] }, {})).toBe(false);
    expect(fitsSimply({ properties: {}, additionalProperties: false }, JSON.parse('{"__proto__":1}') as Json)).toBe(false);
    expect(fitsSimply(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as Json, JSON.parse('{"__proto__":1}') as Json)).toBe(
      false,
    );
    expect(fitsSimply({ enum: [{ a: [1, { b: 2 }] }] }, { a: [1, { b: 2 }] })).toBe(true);
    expect(fitsSimply({ const: { a: 1, b: 2 } }, { b: 2, a: 1 })).toBe(true);
  });

  test('leaves to the compiler what is not simple or not valid', () => {
    const notSimple: Json[] = [
      ...[
        { pattern: 'a' },
        { format: 'date' },
        { $ref: '#' },
        { anyOf: [] },
        { items: [{}] },
        { additionalProperties: {} },
        { nullable: true },
        { $defs: {} },
      ],
      ...[
        { type: 'text' },
        { type: [] },
        { type: ['string', 'string'] },
        { minimum: '1' },
        { minLength: -1 },
        { maxLength: 1.5 },
        { enum: 'a' },
        { required: ['a', 'a'] },
        { required: 'a' },
      ],
      ...[
        { properties: { a: { pattern: 'x' } } },
        { properties: { a: 1 } },
        { items: { not: {} } },
        { title: 1 },
        { uniqueItems: 'yes' },
        { constructor: 1 },
        'string',
        3,
        null,
        [],
      ],
    ];
    for (const schema of notSimple) expect({ schema, fits: fitsSimply(schema, {}) }).toEqual({ schema, fits: undefined });
    let deep: JsonObject = {};
    for (let level = 0; level < 100_000; level++) deep = { items: deep };
    expect(fitsSimply(deep, [])).toBeUndefined();
  });
});
