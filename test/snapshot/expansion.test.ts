// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these configs hold the placeholders under test.
import { describe, expect, test } from 'vitest';
import { minimal, originOf, problemsOf, resolve } from './support.js';

const key = `sk-proj-${'a1B2c3D4e5F6'.repeat(4)}`;

describe('expanding variables in the winning values', () => {
  const agent = (fields: object, variables = {}, files = {}) =>
    resolve({ files: { 'agents/A/v1': { ...minimal, model_name: 'x', ...fields } as never, ...files }, variables });

  test('texts, lists and schemas are expanded, wherever they come from', () => {
    const { config, problems } = agent(
      {
        purpose_text: 'for ${TEAM}',
        input_keys: ['${KEY:-task}'],
        output_schema: { type: 'object', properties: { a: { description: 'in ${LANG:-English}' } } },
        defaults: { a: ['${TEAM}'] },
        persona_key: 'p',
      },
      { TEAM: 'core' },
      { 'personas/p': { description: 'of ${TEAM}' } },
    );
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      purpose_text: 'for core',
      input_keys: ['task'],
      output_schema: { properties: { a: { description: 'in English' } } },
      defaults: { a: ['core'] },
      description: 'of core',
    });
  });

  test('the origin of an expanded value is where it is written', () =>
    expect(originOf(agent({ purpose_text: '${X:-a}' }), '/purpose_text')).toBe('agent config/agents/A/v1.json#/purpose_text'));

  test('a value that loses is not expanded', () =>
    expect(agent({ purpose_text: 'wins', persona_key: 'p' }, {}, { 'personas/p': { purpose_text: '${UNSET}' } }).problems).toEqual([]));

  test('regular expressions inside schemas, keys and identities stay as written', () => {
    const { config } = agent({ output_schema: { type: 'object', properties: { '${X}': { pattern: '^${X}$' } } } }, { X: 'no' });
    expect(config.output_schema).toEqual({ type: 'object', properties: { '${X}': { pattern: '^${X}$' } } });
  });

  test('references may depend on the environment', () => {
    const files = { 'llms/a': { llm_id: 'a', model_name: 'model a' }, 'llms/b': { llm_id: 'b', model_name: 'model b' } };
    const resolved = (variables: object) =>
      resolve({ files: { 'agents/A/v1': { ...minimal, llm_config_id: '${LLM:-b}' }, ...files }, variables: variables as never }).config;
    expect(resolved({})).toMatchObject({ llm_config_id: 'b', model_name: 'model b' });
    expect(resolved({ LLM: 'a' })).toMatchObject({ llm_config_id: 'a', model_name: 'model a' });
  });

  test('templates and examples of the prompt store are expanded', () => {
    const store = {
      'prompts/A/v1': { name: 'A', version: 'v1', template: '${X} {{input.a}}', few_shot_examples: [{ input: '${X}', output: {} }] },
    };
    expect(agent({ prompts: { system_prompt_version: 'v1' } }, { X: '1' }, store).config).toMatchObject({
      template: '1 {{input.a}}',
      few_shot_examples: [{ input: '1' }],
    });
  });

  test('an unset variable is a problem that names it and the place, once', () => {
    const resolved = agent({ output_schema: { type: 'object', properties: { a: { description: '${NOPE} ${NOPE}' } } } });
    expect(problemsOf(resolved)).toEqual(['env-unset config/agents/A/v1.json#/output_schema/properties/a/description']);
    expect(resolved.problems[0]).toMatchObject({ data: { variable: 'NOPE' }, message: expect.stringContaining('"NOPE"') });
  });

  test.each([
    [{ llm_config_id: '${NOPE}' }, '/llm_config_id'],
    [{ model_name: 'x', persona_key: '${NOPE}' }, '/persona_key'],
    [{ model_name: 'x', prompts: { system_prompt: '${NOPE}' } }, '/prompts/system_prompt'],
  ])('an unset variable in a reference is that one problem', (fields, pointer) => {
    const resolved = resolve({ files: { 'agents/A/v1': { ...minimal, ...fields }, 'llms/m': { llm_id: 'm', model_name: 'x' } } });
    expect(problemsOf(resolved)).toEqual([`env-unset config/agents/A/v1.json#${pointer}`]);
  });

  test('in the options of a profile', () => {
    const files = {
      'agents/A/v1': { ...minimal, llm_config_id: 'm' },
      'llms/m': { llm_id: 'm', model_name: 'x', base_url: 'http://${HOST:-localhost}:1', options: { user: '${NOPE}' } },
    };
    const resolved = resolve({ files });
    expect(resolved.llm.base_url).toBe('http://localhost:1');
    expect(problemsOf(resolved)).toEqual(['env-unset config/llms/m.json#/options/user']);
  });
});

describe('secrets', () => {
  test.each<[string, object, object, string]>([
    ['a text', { purpose_text: 'use ${K}' }, {}, 'config/agents/A/v1.json#/purpose_text'],
    ['a reference', { persona_key: '${K}' }, {}, 'config/agents/A/v1.json#/persona_key'],
    [
      'the options of a profile',
      { llm_config_id: 'm' },
      { options: { headers: { 'X-Key': '${K}' } } },
      'config/llms/m.json#/options/headers/X-Key',
    ],
    ['a base_url', { llm_config_id: 'm' }, { base_url: 'https://${K}@host' }, 'config/llms/m.json#/base_url'],
  ])('an expansion that looks like one is refused in %s, and is in nothing that comes out', (_, fields, llm, place) => {
    const resolved = resolve({
      files: { 'agents/A/v1': { ...minimal, model_name: 'x', ...fields }, 'llms/m': { llm_id: 'm', ...llm } },
      variables: { K: key },
    });
    expect(problemsOf(resolved)).toEqual([`secret-in-plain-text ${place}`]);
    expect(JSON.stringify([resolved.config, resolved.llm, resolved.problems, ...resolved.origins, ...resolved.llm_origins])).not.toContain(
      key,
    );
    expect(resolved.problems[0]?.message).toContain('${K}');
  });

  test('secret:// stays as written', () => {
    const files = {
      'agents/A/v1': { ...minimal, llm_config_id: 'm' },
      'llms/m': { llm_id: 'm', model_name: 'x', api_key: 'secret://openai', options: { headers: { a: 'secret://${X}' } } },
    };
    expect(resolve({ files }).llm).toMatchObject({ api_key: 'secret://openai', options: { headers: { a: 'secret://${X}' } } });
  });

  test.each([key, 'hunter2', '${K}'])('an api_key that is not a reference reaches neither the config nor a message: %s', (api_key) => {
    const resolved = resolve({
      files: { 'agents/A/v1': { ...minimal, llm_config_id: 'm' }, 'llms/m': { llm_id: 'm', model_name: 'x', api_key } },
      variables: { K: 'expanded' },
    });
    expect(resolved.llm).not.toHaveProperty('api_key');
    expect(problemsOf(resolved)).toContain('secret-in-plain-text config/llms/m.json#/api_key');
    expect(JSON.stringify(resolved.problems)).not.toContain(api_key);
    expect(JSON.stringify(resolved)).not.toContain('expanded');
  });

  test('a key written out in another file stops the run', () =>
    expect(
      problemsOf(
        resolve({
          files: { 'agents/A/v1': { ...minimal, llm_config_id: 'm' }, 'llms/m': { llm_id: 'm', model_name: 'x', options: { token: key } } },
        }),
      ),
    ).toEqual(['secret-in-plain-text config/llms/m.json#/options/token']));
});
