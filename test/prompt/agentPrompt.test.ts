import { describe, expect, test } from 'vitest';
import { InputInvalidError } from '../../core/errors.js';
import { createAgentPrompt } from '../../core/prompt/agentPrompt.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import type { EffectiveAgent } from '../../core/snapshot/effective.js';
import { agentConfig } from './agentConfig.js';
import { noSchemas } from './noSchemas.js';

const schemas = await loadSchemaCompiler();
const promptOf = (fields: Partial<EffectiveAgent>) => createAgentPrompt({ config: agentConfig(fields), schemas });

const fields = {
  agent_name: 'A2',
  version: 'v1',
  mode: 'Chooser',
  system_text: 'S',
  purpose_text: 'P',
  output_schema: {
    type: 'object',
    properties: { tone: { type: 'string', enum: ['direct'] } },
    required: ['tone'],
    additionalProperties: false,
  },
  enums: { tone: ['direct'] },
  defaults: { tone: 'direct' },
  model_name: 'gpt-4.1-mini',
  temperature: 0,
  top_p: 1,
  max_output_tokens: 256,
} as const satisfies Partial<EffectiveAgent>;

describe('a prompt holds its configuration', () => {
  test('in the spelling of the config', () => {
    expect(promptOf(fields)).toMatchObject(fields);
  });
  test('with nothing where the config has nothing', () => {
    expect(promptOf({})).toMatchObject({ enums: {}, defaults: {}, model_name: '', strict_reasons: [] });
  });
  test('unchangeable', () => {
    const prompt = promptOf(fields);
    expect(Object.isFrozen(prompt)).toBe(true);
    expect(() => Object.assign(prompt, { temperature: 1 })).toThrow(TypeError);
  });
});

test('calls leave nothing behind: their order and number change no result', () => {
  const used = promptOf(fields);
  const compose = (payload: unknown) => JSON.stringify(used.compose(payload));
  const first = compose({ task: 'one' });
  compose({ other: 'two' });
  expect(() => used.compose({ bad: undefined })).toThrow(InputInvalidError);
  expect(() => used.parseAndValidate('nothing')).toThrow();
  expect(used.parseAndValidate('{}')).toEqual(used.parseAndValidate('{}'));
  expect(compose({ task: 'one' })).toBe(first);
  expect(JSON.stringify(promptOf(fields).compose({ task: 'one' }))).toBe(first);
});

test('a prompt can be shown without compiling its schemas', () => {
  const prompt = createAgentPrompt({ config: agentConfig({ ...fields, input_schema: { type: 'broken' } }), schemas: noSchemas });
  expect(prompt.compose({ task: 'x' }).messages).toHaveLength(2);
});

test('enums that are left out are what the schema says', () => {
  const properties = {
    tone: { enum: ['direct', 'formal'] },
    tags: { type: 'array', items: { enum: ['a'] } },
    score: { enum: [1, 2] },
    note: {},
  };
  expect(promptOf({ output_schema: { type: 'object', properties } }).enums).toEqual({ tone: ['direct', 'formal'], tags: ['a'] });
});

describe('the payload is checked', () => {
  const prompt = promptOf({
    input_keys: ['task', '__proto__'],
    input_schema: { type: 'object', properties: { task: { type: 'string', minLength: 1 }, n: { type: 'integer' } } },
  });
  const check = (payload: unknown) => prompt.checkPayload(payload).map(({ path, keyword }) => `${path} ${keyword}`);
  const full = (entries: object) => ({ ...entries, ['__proto__']: null });

  test('and passes with its keys, own ones only', () => {
    expect(check(full({ task: 'x', n: 1, more: null }))).toEqual([]);
    expect(check({ task: 'x' })).toEqual(['/__proto__ input_keys']);
  });
  test('for every missing key and everything the schema wants, at once', () => {
    expect(check({ n: 1.5 })).toEqual(['/task input_keys', '/__proto__ input_keys', '/n type']);
    expect(check(full({ task: '' }))).toEqual(['/task minLength']);
  });
  test('for being JSON at all, before anything else', () => {
    expect(check([])).toEqual([' type']);
    expect(check({ n: () => 1 })).toEqual(['/n json']);
  });
});

describe('an agent that reasons falls back', () => {
  const systemOf = (more: Partial<EffectiveAgent>) =>
    promptOf({ agent_type: 'react', ...more })
      .compose({})
      .messages[0]?.content.split('\n')[0];
  test('from its own text to the profile’s, then to a plain one', () => {
    expect(systemOf({ system_text: 'Own', default_system_prompt: 'Profile' })).toBe('Own');
    expect(systemOf({ default_system_prompt: 'Profile' })).toBe('Profile');
    expect(systemOf({})).toBe('You are a helpful assistant.');
  });
  test('a single call does not', () => {
    expect(
      promptOf({ default_system_prompt: 'Profile' })
        .compose({})
        .messages.map(({ role }) => role),
    ).toEqual(['user']);
  });
});

test('a template path the payload lacks is an error that names it', () => {
  const prompt = promptOf({ template: 'Do {{input.task}}' });
  expect(() => prompt.compose({ tasks: 1 })).toThrow('Nothing provides {{input.task}}. Did you mean "input.tasks"?');
});
