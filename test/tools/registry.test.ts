import { describe, expect, expectTypeOf, test } from 'vitest';
import { loadSchemaCompiler } from '../../core/schema/loadSchemaCompiler.js';
import { createToolRegistry, defineTool } from '../../core/tools/registry.js';
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
    [{ name: 'two words' }, 'cannot be called'],
    [{ name: '' }, 'cannot be called'],
    [{ name: 'x'.repeat(65) }, 'cannot be called'],
    [{ description: ' ' }, 'no description'],
    [{ parameters: { type: 'array' } }, '"type": "object"'],
    [{ parameters: {} }, '"type": "object"'],
  ])('%j is refused', (fields, words) => {
    expect(() => defineTool({ name: 'x', description: 'x', call: () => null, ...fields })).toThrow(words);
  });
});

describe('a registry', () => {
  test('finds its tools by name, and never has two of one', () => {
    expect(createToolRegistry([weather]).get('weather')).toBe(weather);
    expect(createToolRegistry([weather]).get('constructor')).toBeUndefined();
    expect(() => createToolRegistry([weather, weather])).toThrow('two tools called weather');
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
    expect(() => createToolRegistry([broken]).check(compiler)).toThrow('The parameters of the tool x are no JSON Schema');
    const example = defineTool({ name: 'x', description: 'x', examples: [{ a: 1 }], call: () => null });
    expect(() => createToolRegistry([example]).check(compiler)).toThrow('An example of the tool x');
  });
});
