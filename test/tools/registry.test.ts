import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { createToolRegistry, defineTool } from '../../core/tools/registry.js';
import type { StandardSchema } from '../../core/tools/standardSchema.js';
import { toolContext } from './support.js';

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      unit: { enum: ['C', 'F'] },
      at: { type: 'array', items: { type: 'number' } },
    },
    required: ['city'],
    additionalProperties: false,
  },
  examples: [{ city: 'Bern' }],
  idempotent: true,
  side_effects: false,
  call({ city, days, unit, at }) {
    expectTypeOf(city).toEqualTypeOf<string>();
    expectTypeOf(days).toEqualTypeOf<number | undefined>();
    expectTypeOf(unit).toEqualTypeOf<'C' | 'F' | undefined>();
    expectTypeOf(at).toEqualTypeOf<readonly number[] | undefined>();
    return { content: `Sunny in ${city}.`, hints: { source_quality: 'high' } };
  },
});

describe('a tool of an embedder', () => {
  test('has what a run needs, careful where nothing is said', () => {
    expect(weather).toMatchObject({
      name: 'weather',
      idempotent: true,
      side_effects: false,
      needs_approval: false,
      origin: { type: 'skill' },
    });
    const pay = defineTool({ name: 'pay', description: 'Pays.', call: () => 'paid' });
    expect(pay).toMatchObject({ idempotent: false, side_effects: true, parameters: { type: 'object', additionalProperties: false } });
  });

  test('says what it does only if its code does', () => {
    const mail = defineTool({ name: 'mail', description: 'Sends.', labels: { sends: true }, call: () => 'sent' });
    expect(mail.labels).toEqual({ sends: true });
    expect(weather).not.toHaveProperty('labels');
  });

  test('answers with an outcome, a text or any JSON', async () => {
    const answer = (value: unknown) => defineTool({ name: 'x', description: 'x', call: () => value as string }).call({}, toolContext());
    expect(await weather.call({ city: 'Bern' }, toolContext())).toEqual({ content: 'Sunny in Bern.', hints: { source_quality: 'high' } });
    expect(await answer('text')).toEqual({ content: 'text', value: 'text' });
    expect(await answer({ a: [1] })).toEqual({ content: '{"a":[1]}', value: { a: [1] } });
    expect(await answer({ content: 5 })).toEqual({ content: '{"content":5}', value: { content: 5 } });
    expect(await answer(undefined)).toEqual({ content: 'null', value: null });
    expect(await answer(false)).toEqual({ content: 'false', value: false });
  });

  test.each([
    [{ name: 'two words' }, 'cannot be named'],
    [{ name: '' }, 'cannot be named'],
    [{ name: 'x'.repeat(65) }, 'cannot be named'],
    [{ description: ' ' }, 'no description'],
    [{ parameters: { type: 'array' } }, '"type": "object"'],
    [{ parameters: {} }, '"type": "object"'],
    [{ labels: { sends: 'yes' } }, 'The labels of the tool x'],
    [{ labels: { send: true } }, 'The labels of the tool x'],
    [{ labels: ['sends'] }, 'The labels of the tool x'],
  ])('%j is refused', (fields, words) => {
    expect(() => defineTool({ name: 'x', description: 'x', call: () => null, ...(fields as object) })).toThrow(words);
  });
});

describe('parameters that are a Standard Schema', () => {
  test('of Zod give the type, the JSON Schema and the check, and the function gets their output', async () => {
    const seen: unknown[] = [];
    const order = defineTool({
      name: 'order',
      description: 'Orders.',
      parameters: z.object({
        item: z.string().min(2),
        count: z.number().int().default(1),
        at: z
          .string()
          .transform((text) => new Date(text))
          .optional(),
      }),
      call(input) {
        expectTypeOf(input).toEqualTypeOf<{ item: string; count: number; at?: Date | undefined }>();
        seen.push(input);
        return 'ordered';
      },
    });
    expect(order.parameters).toMatchObject({ type: 'object', properties: { item: { type: 'string', minLength: 2 } }, required: ['item'] });
    expect(order.parameters).not.toHaveProperty('$schema');
    expect(() => createToolRegistry([order])).not.toThrow();
    expect(await order.call({ item: 'bolts', at: '2026-01-01' }, toolContext())).toMatchObject({ content: 'ordered' });
    expect(seen).toEqual([{ item: 'bolts', count: 1, at: new Date('2026-01-01') }]);
    const refused = await order.call({ item: 'x', count: 1.5 }, toolContext());
    expect(refused).toMatchObject({ is_error: true, content: expect.stringMatching(/was not called:\n- \/item: .*\n- \/count: /) });
    expect(seen).toHaveLength(1);
  });

  /** A schema of a vendor without a converter, a function as ArkType's are. */
  function even(more: object = {}): StandardSchema<{ n: number }, { half: number }> {
    const validate = (value: unknown) => {
      const { n } = value as { n: number };
      return n % 2 === 0 ? { value: { half: n / 2 } } : { issues: [{ message: 'must be even', path: [{ key: 'n' }] }] };
    };
    return Object.assign(
      () => undefined,
      { '~standard': { version: 1 as const, vendor: 'handmade', validate: async (value: unknown) => validate(value) } },
      more,
    );
  }
  const parameters = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

  test('of any other vendor need its converter, or the JSON Schema beside them', async () => {
    const options = { name: 'halve', description: 'Halves.', call: ({ half }: { half: number }) => half };
    expect(() => defineTool({ ...options, parameters: even() })).toThrow(
      'The parameters of the tool halve are a schema of handmade, which provides no JSON Schema. Give the JSON Schema as "json_schema" beside them.',
    );
    expect(defineTool({ ...options, parameters: even({ toJsonSchema: () => parameters }) }).parameters).toEqual(parameters);
    const halve = defineTool({ ...options, parameters: even(), json_schema: parameters });
    expect(halve.parameters).toEqual(parameters);
    expect(await halve.call({ n: 4 }, toolContext())).toEqual({ content: '2', value: 2 });
    expect(await halve.call({ n: 3 }, toolContext())).toMatchObject({
      is_error: true,
      content: expect.stringContaining('- /n: must be even'),
    });
  });

  test('that their vendor cannot write as JSON Schema are refused with its reason', () => {
    const big = { name: 'big', description: 'x', parameters: z.object({ n: z.bigint() }), call: () => null };
    expect(() => defineTool(big)).toThrow(/The parameters of the tool big have no JSON Schema, says zod: .*json_schema/);
  });
});

describe('a registry', () => {
  test('finds its tools by name, and never has two of one', () => {
    expect(createToolRegistry([weather]).get('weather')).toBe(weather);
    expect(createToolRegistry([weather]).get('constructor')).toBeUndefined();
    expect(() => createToolRegistry([weather, weather])).toThrow('two tools named weather');
  });

  test('says which schema or example is wrong', async () => {
    const compiler = await loadSchemaCompiler();
    expect(() => createToolRegistry([weather]).check(compiler)).not.toThrow();
    const broken = defineTool({
      name: 'x',
      description: 'x',
      parameters: { type: 'object', properties: { a: { type: 'text' } } },
      call: () => null,
    });
    expect(() => createToolRegistry([broken]).check(compiler)).toThrow('The parameters of the tool x are not a JSON Schema');
    const example = defineTool({ name: 'x', description: 'x', examples: [{ a: 1 }], call: () => null });
    expect(() => createToolRegistry([example]).check(compiler)).toThrow('An example of the tool x');
  });
});
