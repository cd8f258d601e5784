import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import { createAgentPrompt } from '../../core/prompt/agentPrompt.js';
import { predictCache, proveStablePrefix, type StablePrefix, sharedPrefix } from '../../core/prompt/stablePrefix.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import type { EffectiveAgent } from '../../core/snapshot/effective.js';

const schemas = await loadSchemaCompiler();
const order = ['tools', 'schema', 'system', 'messages'] as const;

const plain: EffectiveAgent = {
  agent_name: 'A2',
  version: 'v1',
  agent_type: 'single_shot',
  provider: 'openai',
  system_text: 'You are brief.',
  tool_protocol: 'native',
  max_iterations: 5,
  timeout_ms: 60_000,
  retry_attempts: 3,
  include_history: false,
  tracing: { enabled: true, sample_rate: 1 },
};

function promptOf(config: Partial<EffectiveAgent>) {
  return createAgentPrompt({ config: { ...plain, ...config }, schemas });
}

function proven(config: Partial<EffectiveAgent>): StablePrefix {
  return proveStablePrefix(promptOf(config).shape(), order, config.input_schema);
}

/** The start of a request in the order of the cache: what of it a provider compares. */
function sentFor(config: Partial<EffectiveAgent>, payload: JsonObject): string {
  const { tools, response_format, messages } = promptOf(config).compose(payload);
  const head = [
    tools.length === 0 ? '' : JSON.stringify(tools),
    response_format === null ? '' : JSON.stringify(response_format.json_schema),
  ];
  return [...head, ...messages.map(({ content }) => content)].join('');
}

describe('the stable beginning', () => {
  test('is the whole system message, where no template inserts anything', () => {
    const prefix = proven({ purpose_text: 'Answer.' });
    expect(prefix).toMatchObject({ stable_system: undefined, end: { part: 'messages', pointer: '', written: '{{input}}' }, behind: [] });
    expect(prefix.parts).toEqual([{ part: 'system', text: 'You are brief.\n\nAnswer.' }]);
  });

  test('ends at the first value of the input', () => {
    const prefix = proven({ template: 'Write for {{input.reader}}.\n\nBe brief.' });
    expect(prefix).toMatchObject({
      stable_system: 'Write for '.length,
      end: { part: 'system', pointer: '/reader', written: '{{input.reader}}' },
      behind: ['.\n\nBe brief.'],
    });
    expect(prefix.parts).toEqual([{ part: 'system', text: 'Write for ' }]);
  });

  test('reaches into the user message that an agent has of its own', () => {
    const prefix = proven({ system_text: 'You are brief.', user_text: 'Read this: {{input.text}}\nBe fair.' });
    expect(prefix).toMatchObject({ end: { part: 'messages', pointer: '/text', written: '{{input.text}}' }, behind: ['\nBe fair.'] });
    expect(prefix.parts).toEqual([
      { part: 'system', text: 'You are brief.' },
      { part: 'messages', text: 'Read this: ' },
    ]);
    const early = proven({ system_text: 'For {{input.reader}}.', user_text: 'Read this: {{input.text}}' });
    expect(early).toMatchObject({ end: { part: 'system', pointer: '/reader' }, behind: ['.', 'Read this: '] });
  });

  test('goes on over a value that the input schema fixes', () => {
    const input_schema = {
      type: 'object',
      properties: { language: { const: 'German' }, tone: { enum: ['dry'] }, reader: { type: 'string' } },
    };
    const prefix = proven({ template: 'In {{input.language}}, {{input.tone}}. For {{input.reader}}.', input_schema });
    expect(prefix.parts).toEqual([{ part: 'system', text: 'In German, dry. For ' }]);
    expect(prefix.end.pointer).toBe('/reader');
  });

  test('holds the schema of the answer where the provider compares it, before the system text', () => {
    const output_schema = { type: 'object', properties: { tone: { type: 'string' } }, required: ['tone'], additionalProperties: false };
    expect(proven({ output_schema }).parts.map(({ part }) => part)).toEqual(['schema', 'system']);
    const ofAnthropic = proveStablePrefix(promptOf({ output_schema }).shape(), ['tools', 'system', 'messages']);
    expect(ofAnthropic.parts.map(({ part }) => part)).toEqual(['system']);
  });
});

const words = fc.stringMatching(/^[a-zA-Z ,.\n]{0,30}$/);
const keys = ['reader', 'tone', 'topic'] as const;
const key = fc.constantFrom(...keys);
const choice: fc.Arbitrary<Json> = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.boolean());

/** Any template, and a schema that leaves its values one choice, a few, or all. */
const cases = fc.record({
  texts: fc.array(fc.tuple(words, key), { maxLength: 5 }),
  last: words,
  schemas: fc.record({
    reader: fc.oneof(
      choice.map((value) => ({ const: value })),
      fc.constant({}),
    ),
    tone: fc.oneof(
      fc
        .uniqueArray(choice, { minLength: 1, maxLength: 3, selector: (value) => JSON.stringify(value) })
        .map((values) => ({ enum: values })),
      fc.constant({}),
    ),
    topic: fc.constant({}),
  }),
});
type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never;

function configOf({ texts, last, schemas: properties }: Case): Partial<EffectiveAgent> {
  const template = texts.map(([text, name]) => `${text}{{input.${name}}}`).join('') + last;
  return { template: template === '' ? 'x' : template, input_schema: { type: 'object', properties } };
}

function arbitraryOf(schema: JsonObject): fc.Arbitrary<Json> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  return Array.isArray(schema.enum)
    ? fc.constantFrom(...(schema.enum as readonly Json[]))
    : fc.oneof(choice, fc.array(choice, { maxLength: 2 }));
}

function payloadsOf({ schemas: properties }: Case): fc.Arbitrary<JsonObject> {
  const fixed = fc.record({
    reader: arbitraryOf(properties.reader),
    tone: arbitraryOf(properties.tone),
    topic: arbitraryOf(properties.topic),
  });
  return fc
    .tuple(fixed, fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), choice, { maxKeys: 2 }))
    .map(([own, more]) => ({ ...more, ...own }));
}

describe('a proof', () => {
  test('what is called stable is equal in 1,000 random payloads', () => {
    fc.assert(
      fc.property(
        cases.chain((each) => fc.tuple(fc.constant(each), fc.array(payloadsOf(each), { minLength: 50, maxLength: 50 }))),
        ([each, payloads]) => {
          const config = configOf(each);
          const prompt = promptOf(config);
          const expected = proven(config)
            .parts.map(({ text }) => text)
            .join('');
          for (const payload of payloads) {
            expect(prompt.checkPayload(payload)).toEqual([]);
            expect(sentFor(config, payload).startsWith(expected)).toBe(true);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  test('what is called unstable has a counterexample: two payloads with different bytes from there on', () => {
    fc.assert(
      fc.property(cases, (each) => {
        const config = configOf(each);
        const prompt = promptOf(config);
        const { parts, end } = proven(config);
        const length = parts.reduce((sum, { text }) => sum + text.length, 0);
        const rest = new Set<string>();
        for (const payload of fc.sample(payloadsOf(each), { numRuns: 200, seed: 7 })) {
          expect(prompt.checkPayload(payload)).toEqual([]);
          rest.add(sentFor(config, payload).slice(length));
        }
        expect(rest.size, JSON.stringify(end)).toBeGreaterThan(1);
        if (end.part === 'messages') return;
        const values = fc
          .sample(payloadsOf(each), { numRuns: 200, seed: 7 })
          .map((payload) => JSON.stringify(payload[end.pointer.slice(1)]));
        expect(new Set(values).size, end.pointer).toBeGreaterThan(1);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a prediction', () => {
  const caching = {
    order,
    minimum: 100,
    step: 32,
    lifetime: '5 minutes',
    writeFactor: () => 1,
    isOn: () => true,
    source: 'a test',
  };
  const prefix = proven({ template: `${'a'.repeat(150)}{{input.x}}${'b'.repeat(2000)}` });
  const count = (text: string) => text.length;

  test('rounds down to the steps of the provider, and is nothing below its minimum', () => {
    expect(predictCache(prefix, count, caching, undefined)).toMatchObject({
      stable_tokens: 150,
      cached_tokens: 128,
      billed_again_usd: null,
    });
    expect(predictCache(prefix, count, { ...caching, minimum: 151 }, undefined).cached_tokens).toBe(0);
    expect(predictCache(prefix, count, undefined, undefined)).toMatchObject({ cached_tokens: 0, minimum: null });
  });

  test('tells what the text behind the changing value costs more in each call', () => {
    const { billed_again_tokens, billed_again_usd } = predictCache(prefix, count, caching, { input: 2, output: 8, cached_input: 0.5 });
    expect(billed_again_tokens).toBe(2000);
    expect(billed_again_usd).toBeCloseTo((billed_again_tokens * 1.5) / 1e6);
  });
});

describe('the beginning that agents share', () => {
  const textOf = (parts: StablePrefix['parts']) => parts.map(({ part, text }) => `${part}:${text}`).join('|');

  test('ends where one of them differs, and takes no later part then', () => {
    const one = proven({ system_text: 'You are brief. You like A.' });
    const other = proven({ system_text: 'You are brief. You like B.' });
    expect(sharedPrefix([one, other])).toEqual([{ part: 'system', text: 'You are brief. You like ' }]);
    expect(sharedPrefix([one, one])).toEqual(one.parts);
    const schema = (name: string): JsonObject => ({ type: 'object', properties: { [name]: { type: 'string' } } });
    const [left, right] = ['a', 'b'].map((name) => proven({ output_schema: schema(name) }));
    expect(sharedPrefix([left!, right!]).map(({ part }) => part)).toEqual(left!.parts[0]!.part === 'schema' ? ['schema'] : ['system']);
    expect(sharedPrefix([])).toEqual([]);
  });

  test('is the beginning of each, and no longer one is', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
        const all = texts.map((system_text) => proven({ system_text }));
        const shared = textOf(sharedPrefix(all));
        for (const { parts } of all) expect(textOf(parts).startsWith(shared)).toBe(true);
        const next = new Set(all.map(({ parts }) => textOf(parts)[shared.length]));
        if (shared !== '') expect(next.size > 1 || next.has(undefined)).toBe(true);
      }),
    );
  });
});
