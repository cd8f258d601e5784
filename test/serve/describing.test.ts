import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SharedBudget } from '../../core/agent/sharedBudget.js';
import { bothBudgets } from '../../core/project/runExposed.js';
import { findExposed, namesOfExposed, nameTools, saysExpose, type Unnamed } from '../../core/serve/exposed.js';
import { contextSchemaOf, inputSchemaOf, textKeyOf } from '../../core/serve/inputSchemaOf.js';
import { payloadOf } from '../../core/serve/payloadOf.js';

const exposed = (kind: Unnamed['kind'], name: string, version: string | null): Unnamed => ({
  kind,
  name,
  version,
  id: version === null ? name : `${name}@${version}`,
  file: `${name}.json`,
  description: name,
  input_schema: { type: 'object' },
  text_key: undefined,
  calls_tools: false,
  models: [],
  streams_text: false,
});

describe('names of tools', () => {
  test('the newest version has the name of its agent, older ones their version behind it', () => {
    const named = nameTools([exposed('agent', 'Tone', 'v2'), exposed('agent', 'Tone', 'v10'), exposed('orchestration', 'Tone', null)]);
    expect(named.map(({ id, tool_name }) => [id, tool_name])).toEqual([
      ['Tone@v10', 'Tone'],
      ['Tone', 'Tone_2'],
      ['Tone@v2', 'Tone_v2'],
    ]);
    expect(namesOfExposed(named)).toEqual(['Tone', 'Tone_2', 'Tone@v2']);
  });

  const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
  const one = fc.oneof(
    fc.tuple(name, name).map(([agent, version]) => exposed('agent', agent, version)),
    name.map((orchestration) => exposed('orchestration', orchestration, null)),
  );

  test('are legal everywhere, unique, and lead back to what they name, whatever the files are called', () => {
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: ({ kind, id }) => `${kind} ${id}` }), (all) => {
        const named = nameTools(all);
        for (const each of named) {
          expect(each.tool_name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          expect(findExposed(named, each.tool_name)).toBe(each);
        }
        expect(new Set(named.map(({ tool_name }) => tool_name.toLowerCase())).size).toBe(all.length);
        const names = namesOfExposed(named);
        expect(names.map((each) => findExposed(named, each))).toEqual(named);
        expect(nameTools([...all].reverse()).map(({ tool_name }) => tool_name)).toEqual(named.map(({ tool_name }) => tool_name));
      }),
    );
  });
});

describe('what an agent takes', () => {
  test('the keys of input_keys are required beside those of the schema', () => {
    const schema = inputSchemaOf({
      agent_type: 'single_shot',
      input_keys: ['text', 'tone'],
      input_schema: {
        properties: { text: { type: 'string' }, depth: { type: 'integer' } },
        required: ['depth'],
        additionalProperties: false,
      },
    });
    expect(schema).toMatchObject({ type: 'object', required: ['depth', 'text', 'tone'], additionalProperties: false });
    expect(Object.keys(schema.properties as object)).toEqual(['text', 'depth', 'tone']);
    expect(textKeyOf(schema)).toBeUndefined();
  });

  test('an agent that says nothing takes what its template and its plan name, else one text', () => {
    const named = inputSchemaOf({
      agent_type: 'single_shot',
      template: 'In {{input.language}}.',
      execution_plan: { steps: [{ input: { a: '{{input.city.name}}' } }] },
    });
    expect(Object.keys(named.properties as object)).toEqual(['language', 'city']);
    expect(named.required).toEqual(['language']);
    expect(textKeyOf(named)).toBe('language');
    expect(textKeyOf(inputSchemaOf({ agent_type: 'single_shot' }))).toBe('message');
    expect(textKeyOf(contextSchemaOf({ context: { text: '', round: 0 } }))).toBe('text');
    expect(textKeyOf(contextSchemaOf({ context: { text: '', title: '' } }))).toBeUndefined();
    expect(
      textKeyOf(inputSchemaOf({ agent_type: 'single_shot', input_schema: { properties: { n: { type: 'integer' } }, required: ['n'] } })),
    ).toBeUndefined();
  });

  test('a message is an object where it is one, else the one text', () => {
    const tone = { id: 'Tone@v1', input_schema: inputSchemaOf({ agent_type: 'single_shot', input_keys: ['text'] }), text_key: 'text' };
    expect(payloadOf('{"text": "x", "more": 1}', tone)).toEqual({ text: 'x', more: 1 });
    expect(payloadOf('[1, 2]', tone)).toEqual({ text: '[1, 2]' });
    expect(() => payloadOf('{"text": ', tone)).toThrow(
      expect.objectContaining({ code: 'input-invalid', message: expect.stringContaining('line 1, column') }),
    );
    expect(payloadOf('{{name}}, hello', tone)).toEqual({ text: '{{name}}, hello' });
  });
});

test('expose is read at the root alone, and kept while a text is broken', () => {
  expect(saysExpose('{"expose": true}')).toBe(true);
  expect(saysExpose('\ufeff{\r\n "expose" : true\r\n}')).toBe(true);
  expect(saysExpose('{"expose": false}')).toBe(false);
  expect(saysExpose('{"expose": "true"}')).toBe(false);
  expect(saysExpose('{"defaults": {"expose": true}}')).toBe(false);
  expect(saysExpose('{"expose": true, ')).toBe(true);
});

test('a call that is paid from two budgets never exceeds either, and gives back to both', async () => {
  const { signal } = new AbortController();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), fc.array(fc.nat(20)), async (own, all, costs) => {
      const [first, second] = [new SharedBudget(own), new SharedBudget(all)];
      const both = bothBudgets(first, second);
      for (const cost of costs) {
        const reserved = await both.reserve({ least: 1, most: 20 }, signal).catch(() => undefined);
        if (reserved === undefined) expect(Math.min(own - first.spent, all - second.spent)).toBeLessThan(1);
        else reserved.settle(Math.min(cost, reserved.amount));
      }
      expect(first.spent).toBe(second.spent);
      expect(first.spent).toBeLessThanOrEqual(Math.min(own, all));
    }),
  );
});
