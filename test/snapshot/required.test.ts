import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { minimal, originOf, problemsOf, resolve } from './support.js';

const incomplete = 'effective-config-incomplete config/agents/A/v1.json#';
const fieldsOf = (agent: object, files = {}) =>
  resolve({ files: { 'agents/A/v1': agent as never, ...files } }).problems.map(({ code, data }) => `${code} ${String(data?.field)}`);

describe('what the effective config must have', () => {
  test('a single_shot agent lacks nothing of the list', () => expect(fieldsOf({ ...minimal, model_name: 'x' })).toEqual([]));
  test.each(['system_text', 'purpose_text', 'output_schema'])('a single_shot agent with a mode but without %s is incomplete', (field) => {
    const { [field as 'mode']: _, ...rest } = { ...minimal, model_name: 'x' };
    expect(fieldsOf(rest)).toEqual([`effective-config-incomplete ${field}`]);
  });
  test('a single_shot agent without a model is incomplete', () =>
    expect(fieldsOf(minimal)).toEqual(['effective-config-incomplete model_name']));
  test('everything missing is reported at once', () =>
    expect(fieldsOf({ agent_name: 'A', version: 'v1', mode: 'Writer' })).toHaveLength(4));
  test('an agent without a mode needs a text and a model only', () => {
    expect(fieldsOf({ agent_name: 'A', version: 'v1' })).toEqual([
      'effective-config-incomplete system_text',
      'effective-config-incomplete model_name',
    ]);
    expect(fieldsOf({ agent_name: 'A', version: 'v1', system_text: 's', purpose_text: 'p', model_name: 'x' })).toEqual([]);
    expect(fieldsOf({ agent_name: 'A', version: 'v1', user_text: 'u', output_schema: {}, model_name: 'x' })).toEqual([]);
  });
  test('a lower layer may give it', () =>
    expect(
      fieldsOf(
        { agent_name: 'A', version: 'v1', persona_key: 'p' },
        { 'personas/p': { ...without(minimal, 'agent_name', 'version'), model_name: 'x' } },
      ),
    ).toEqual([]));
  test('a null takes it away again', () =>
    expect(fieldsOf({ ...minimal, model_name: 'x', purpose_text: null }, { system: { agent_defaults: { purpose_text: 'p' } } })).toEqual([
      'effective-config-incomplete purpose_text',
    ]));
  test('an empty text is there', () => expect(fieldsOf({ ...minimal, model_name: 'x', purpose_text: '', system_text: '' })).toEqual([]));

  test('a profile without a model name is not a model', () => {
    const { problems } = resolve({ files: { 'agents/A/v1': { ...minimal, llm_config_id: 'm' }, 'llms/m': { llm_id: 'm' } } });
    expect(problems.map(({ message }) => message)).toEqual([
      'A@v1 has no model, which a single_shot agent needs. Looked in: built-in defaults, system (nothing for this agent), environment dev (nothing for this agent), llm profile (config/llms/m.json), persona (none), agent (config/agents/A/v1.json). Give model_name in config/llms/m.json or in the agent file.',
    ]);
  });
  test('the offline provider needs no model name', () =>
    expect(fieldsOf({ ...minimal, llm_config_id: 'm' }, { 'llms/m': { llm_id: 'm', provider: 'offline' } })).toEqual([]));

  test('a react agent needs only a model', () => {
    expect(fieldsOf({ agent_name: 'A', version: 'v1', agent_type: 'react' })).toEqual(['effective-config-incomplete model_name']);
    expect(fieldsOf({ agent_name: 'A', version: 'v1', agent_type: 'react', model_name: 'x' })).toEqual([]);
  });
  test('an orchestrating agent needs only its plan, and a model where a step sends a prompt', () => {
    expect(fieldsOf({ agent_name: 'A', version: 'v1', agent_type: 'orchestrating' })).toEqual([
      'effective-config-incomplete execution_plan',
    ]);
    const planned = (step: JsonObject) =>
      fieldsOf({ agent_name: 'A', version: 'v1', agent_type: 'orchestrating', execution_plan: { steps: [{ name: 'a', ...step }] } });
    expect(planned({ skill: 'calculator' })).toEqual([]);
    expect(planned({ llm: 'x' })).toEqual(['effective-config-incomplete model_name']);
  });
  test('an unknown agent type is one problem of the schema, not many of ours', () =>
    expect(fieldsOf({ agent_name: 'A', version: 'v1', agent_type: 'reactive' })).toEqual([]));

  test('the problem sits at the root of the agent file, names the layers looked at and where the field could be given', () => {
    const resolved = resolve({
      files: {
        'agents/A/v1': { ...without(minimal, 'purpose_text'), persona_key: 'p', model_name: 'x' },
        'personas/p': {},
        system: { agent_defaults: {} },
        'environments/dev': { agents: { A: {} } },
      },
    });
    expect(problemsOf(resolved)).toEqual([incomplete]);
    expect(resolved.problems[0]?.message).toBe(
      'A@v1 has no purpose_text, which a single_shot agent with a mode needs. Looked in: built-in defaults, system (config/system.json), environment dev (config/environments/dev.json), llm profile (none), persona (config/personas/p.json), agent (config/agents/A/v1.json). Give purpose_text in the agent file, in a persona named by persona_key, or under agent_defaults in config/system.json.',
    );
  });
});

describe('the system text of a react agent', () => {
  const react = { agent_name: 'A', version: 'v1', agent_type: 'react', llm_config_id: 'm' };
  test('is its own where it has one, even an empty one', () => {
    const files = { 'llms/m': { llm_id: 'm', model_name: 'x', default_system_prompt: 'profile' } };
    expect(resolve({ files: { ...files, 'agents/A/v1': { ...react, system_text: '' } } }).config.system_text).toBe('');
  });
  test('falls back to the default_system_prompt of its profile', () => {
    const resolved = resolve({
      files: { 'agents/A/v1': react, 'llms/m': { llm_id: 'm', model_name: 'x', default_system_prompt: 'profile' } },
    });
    expect(resolved.config.system_text).toBe('profile');
    expect(originOf(resolved, '/system_text')).toBe('llm config/llms/m.json#/default_system_prompt');
  });
  test('falls back to the built-in sentence', () => {
    const resolved = resolve({ files: { 'agents/A/v1': react, 'llms/m': { llm_id: 'm', model_name: 'x' } } });
    expect(resolved.config.system_text).toBe('You are a helpful assistant.');
    expect(originOf(resolved, '/system_text')).toBe('default -#/system_text');
  });
  test('is left alone where a template takes its place', () =>
    expect(
      resolve({
        files: {
          'agents/A/v1': { ...react, prompts: { system_prompt_version: 'v1' } },
          'llms/m': { llm_id: 'm', model_name: 'x' },
          'prompts/A/v1': { name: 'A', version: 'v1', template: 'T' },
        },
      }).config,
    ).not.toHaveProperty('system_text'));
  test('a single_shot agent gets no such fallback', () =>
    expect(
      fieldsOf(
        { ...without(minimal, 'system_text'), llm_config_id: 'm' },
        { 'llms/m': { llm_id: 'm', model_name: 'x', default_system_prompt: 'profile' } },
      ),
    ).toEqual(['effective-config-incomplete system_text']));
});

function without(value: object, ...fields: readonly string[]): Record<string, never> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !fields.includes(name))) as Record<string, never>;
}
