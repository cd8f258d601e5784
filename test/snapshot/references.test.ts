import { describe, expect, test } from 'vitest';
import { minimal, originOf, problemsOf, resolve } from './support.js';

const twoProfiles = {
  'llms/m10': { llm_id: 'm10', provider: 'anthropic', model_name: 'ten', temperature: 1 },
  'llms/m2': {
    llm_id: 'm2',
    provider: 'openai_compatible',
    model_name: 'two',
    base_url: 'http://two',
    retry_attempts: 7,
    options: { seed: 1 },
  },
} as const;

describe('which model', () => {
  test('a model_name without a profile is of openai', () => {
    const resolved = resolve({ files: { 'agents/A/v1': { ...minimal, model_name: 'gpt' }, ...twoProfiles } });
    expect(resolved.config).toMatchObject({ provider: 'openai', model_name: 'gpt' });
    expect(resolved.config).not.toHaveProperty('llm_config_id');
    expect(resolved.llm).toEqual({ provider: 'openai', request_timeout_ms: 60000, retry_attempts: 3 });
    expect(originOf(resolved, '/provider')).toBe('default -#/provider');
  });

  test('a profile gives what the agent does not', () => {
    const resolved = resolve({ files: { 'agents/A/v1': { ...minimal, llm_config_id: 'm2', model_name: 'mine' }, ...twoProfiles } });
    expect(resolved.config).toMatchObject({ provider: 'openai_compatible', model_name: 'mine', retry_attempts: 7 });
    expect(resolved.llm).toEqual({
      llm_id: 'm2',
      provider: 'openai_compatible',
      base_url: 'http://two',
      request_timeout_ms: 60000,
      retry_attempts: 7,
      options: { seed: 1 },
    });
    expect(resolved.llm_origins.get('/retry_attempts')).toEqual({ file: 'config/llms/m2.json', pointer: '/retry_attempts', layer: 'llm' });
    expect(resolved.llm_origins.get('/llm_id')).toEqual({ file: 'config/llms/m2.json', pointer: '/llm_id', layer: 'llm' });
    expect(resolved.llm_origins.get('/request_timeout_ms')).toEqual({ file: null, pointer: '/request_timeout_ms', layer: 'default' });
  });

  test('with neither, agent_defaults decide', () => {
    const resolved = resolve({ files: { 'agents/A/v1': minimal, system: { agent_defaults: { llm_config_id: 'm10' } }, ...twoProfiles } });
    expect(resolved.config).toMatchObject({ llm_config_id: 'm10', model_name: 'ten' });
    expect(originOf(resolved, '/llm_config_id')).toBe('system config/system.json#/agent_defaults/llm_config_id');
  });

  test('with nothing at all, the only profile, and the origin says so; of several, none', () => {
    const { 'llms/m2': only, ...others } = twoProfiles;
    const resolved = resolve({ files: { 'agents/A/v1': minimal, 'llms/m2': only } });
    expect(resolved.config).toMatchObject({ llm_config_id: 'm2', model_name: 'two' });
    expect(originOf(resolved, '/llm_config_id')).toBe('default config/llms/m2.json#/llm_id');
    const undecided = resolve({ files: { 'agents/A/v1': minimal, 'llms/m2': only, ...others } });
    expect(undecided.config.model_name).toBeUndefined();
    expect(undecided.problems.map(({ code }) => code)).toEqual(['model-not-chosen']);
  });

  test('the highest layer that names a profile decides which one it is', () => {
    const files = {
      'agents/A/v1': { ...minimal, persona_key: 'p' },
      'personas/p': { llm_config_id: 'm2' },
      system: { agent_defaults: { llm_config_id: 'm10' } },
      'environments/dev': { agents: { A: { llm_config_id: 'm10' } } },
      ...twoProfiles,
    };
    expect(resolve({ files }).config.model_name).toBe('two');
    const called = resolve({ files, overrides: { config: { llm_config_id: 'm10' } } });
    expect(called.config.model_name).toBe('ten');
    expect(called.llm_origins.get('/llm_id')?.layer).toBe('llm');
    expect(resolve({ files, overrides: { llm: 'm10' } }).llm_origins.get('/llm_id')?.layer).toBe('call');
  });

  test('null takes a profile away', () => {
    const files = {
      'agents/A/v1': { ...minimal, llm_config_id: null, model_name: 'mine' },
      system: { agent_defaults: { llm_config_id: 'm2' } },
      ...twoProfiles,
    };
    expect(resolve({ files }).llm).toEqual({ provider: 'openai', request_timeout_ms: 60000, retry_attempts: 3 });
  });

  test('llms.{id} fill in what the profile leaves out', () => {
    const files = {
      'agents/A/v1': { ...minimal, llm_config_id: 'm2' },
      ...twoProfiles,
      system: {
        llms: { m2: { base_url: 'http://system', api_key: 'secret://k', options: { seed: 2, user: 'u' }, price: { input: 1, output: 2 } } },
      },
      'environments/dev': { llms: { m2: { request_timeout_ms: 5 } } },
    };
    const { llm, llm_origins } = resolve({ files });
    expect(llm).toMatchObject({
      base_url: 'http://two',
      api_key: 'secret://k',
      options: { seed: 1, user: 'u' },
      request_timeout_ms: 5,
      price: { input: 1, output: 2 },
    });
    expect(llm_origins.get('/options/user')).toEqual({ file: 'config/system.json', pointer: '/llms/m2/options/user', layer: 'system' });
    expect(llm_origins.get('/options/seed')).toEqual({ file: 'config/llms/m2.json', pointer: '/options/seed', layer: 'llm' });
  });

  test('an llm override applies the whole profile above the agent file', () => {
    const files = { 'agents/A/v1': { ...minimal, llm_config_id: 'm10', model_name: 'mine', temperature: 0.3, top_p: 0.4 }, ...twoProfiles };
    const resolved = resolve({ files, overrides: { llm: 'm2', config: { temperature: 0.9 } } });
    expect(resolved.config).toMatchObject({
      llm_config_id: 'm2',
      provider: 'openai_compatible',
      model_name: 'two',
      top_p: 0.4,
      temperature: 0.9,
      retry_attempts: 7,
    });
    expect(resolved.llm).toMatchObject({ llm_id: 'm2', base_url: 'http://two' });
    expect(originOf(resolved, '/llm_config_id')).toBe('call -#/llm');
    expect(originOf(resolved, '/model_name')).toBe('call config/llms/m2.json#/model_name');
    expect(originOf(resolved, '/temperature')).toBe('call -#/config/temperature');
    expect(resolved.files).toEqual(['config/llms/m2.json', 'config/agents/A/v1.json']);
  });

  test('a single override beats the profile of an llm override', () => {
    const files = { 'agents/A/v1': { ...minimal, temperature: 0.3 }, ...twoProfiles };
    expect(resolve({ files, overrides: { llm: 'm10' } }).config.temperature).toBe(1);
    expect(resolve({ files, overrides: { llm: 'm10', config: { temperature: 0.9 } } }).config.temperature).toBe(0.9);
  });

  describe('0, false and "" are said like any other value', () => {
    const react = { agent_name: 'A', version: 'v1', agent_type: 'react', llm_config_id: 'zero' };
    const zero = {
      llm_id: 'zero',
      model_name: 'x',
      temperature: 0,
      default_system_prompt: '',
      options: { logprobs: false, seed: 0, user: '' },
    };
    const loud = { llm_id: 'loud', model_name: 'y', temperature: 1.5, default_system_prompt: 'Loud.' };
    const files = (agent: object = {}) => ({ 'agents/A/v1': { ...react, ...agent }, 'llms/zero': zero, 'llms/loud': loud });

    test('by a profile, over the defaults of the agent type', () => {
      const resolved = resolve({ files: files() });
      expect(resolved.config).toMatchObject({ temperature: 0, system_text: '', max_output_tokens: 4096 });
      expect(resolved.llm.options).toEqual({ logprobs: false, seed: 0, user: '' });
      expect(originOf(resolved, '/temperature')).toBe('llm config/llms/zero.json#/temperature');
      expect(originOf(resolved, '/system_text')).toBe('llm config/llms/zero.json#/default_system_prompt');
      expect(originOf(resolved, '/max_output_tokens')).toBe('default -#/max_output_tokens');
    });

    test('by the agent, over its profile', () => {
      const agent = { llm_config_id: 'loud', temperature: 0, system_text: '', include_history: false };
      const resolved = resolve({ files: { ...files(agent), system: { agent_defaults: { include_history: true } } } });
      expect(resolved.config).toMatchObject({ temperature: 0, system_text: '', include_history: false });
      for (const field of ['temperature', 'system_text', 'include_history'])
        expect(originOf(resolved, `/${field}`)).toBe(`agent config/agents/A/v1.json#/${field}`);
    });

    test('by a call, over both', () => {
      const agent = { llm_config_id: 'loud', temperature: 1, system_text: 'Mine.', include_history: true, budget: { max_cost: 1 } };
      const config = { temperature: 0, system_text: '', include_history: false, budget: { max_cost: 0 } };
      const resolved = resolve({ files: files(agent), overrides: { config } });
      expect(resolved.config).toMatchObject(config);
      for (const place of ['/temperature', '/system_text', '/include_history', '/budget/max_cost'])
        expect(originOf(resolved, place)).toBe(`call -#/config${place}`);
      const called = resolve({ files: files(agent), overrides: { llm: 'zero' } });
      expect(called.config.temperature).toBe(0);
      expect(originOf(called, '/temperature')).toBe('call config/llms/zero.json#/temperature');
    });
  });

  test('a call that names two profiles is refused', () =>
    expect(
      problemsOf(
        resolve({ files: { 'agents/A/v1': minimal, ...twoProfiles }, overrides: { llm: 'm2', config: { llm_config_id: 'm10' } } }),
      ),
    ).toEqual(['schema call#/config/llm_config_id']));

  test('half a price is no price', () => {
    const resolved = resolve({
      files: { 'agents/A/v1': { ...minimal, llm_config_id: 'm' }, 'llms/m': { llm_id: 'm', model_name: 'x', price: { input: 1 } } },
    });
    expect(resolved.llm).not.toHaveProperty('price');
    expect(problemsOf(resolved)).toContain('effective-config-incomplete config/llms/m.json#/price');
    const below = { system: { llms: { m: { price: { output: 1 } } } }, 'llms/m': { llm_id: 'm', model_name: 'x' } };
    expect(problemsOf(resolve({ files: { 'agents/A/v1': { ...minimal, llm_config_id: 'm' }, ...below } }))).toContain(
      'effective-config-incomplete config/system.json#/llms/m/price',
    );
  });
});

describe('references to nothing', () => {
  test.each([
    [
      'the agent file',
      { 'agents/A/v1': { ...minimal, llm_config_id: 'opena' } },
      undefined,
      'unknown-llm config/agents/A/v1.json#/llm_config_id',
    ],
    [
      'agent_defaults',
      { 'agents/A/v1': minimal, system: { agent_defaults: { llm_config_id: 'opena' } } },
      undefined,
      'unknown-llm config/system.json#/agent_defaults/llm_config_id',
    ],
    ['the call', { 'agents/A/v1': minimal }, { llm: 'opena' }, 'unknown-llm call#/llm'],
    ['an override', { 'agents/A/v1': minimal }, { config: { llm_config_id: 'opena' } }, 'unknown-llm call#/config/llm_config_id'],
    [
      'a persona key',
      { 'agents/A/v1': { ...minimal, persona_key: 'nobody' } },
      undefined,
      'unknown-persona config/agents/A/v1.json#/persona_key',
    ],
    [
      'a prompt',
      { 'agents/A/v1': { ...minimal, prompts: { system_prompt: 't@v2' } } },
      undefined,
      'unknown-prompt config/agents/A/v1.json#/prompts/system_prompt',
    ],
    [
      'a prompt version',
      { 'agents/A/v1': { ...minimal, prompts: { system_prompt_version: 'v9' } } },
      undefined,
      'unknown-prompt config/agents/A/v1.json#/prompts/system_prompt_version',
    ],
  ])('in %s: one problem, at the place that names it', (_, files, overrides, expected) =>
    expect(
      problemsOf(resolve({ files: { ...files, 'llms/openai': { llm_id: 'openai', model_name: 'x' } }, ...(overrides && { overrides }) })),
    ).toEqual([expected]),
  );

  test('the nearest name is offered, else what there is', () => {
    const message = (llm_config_id: string, files = {}) =>
      resolve({ files: { 'agents/A/v1': { ...minimal, llm_config_id }, ...files } }).problems[0]?.message;
    const profiles = { 'llms/openai': { llm_id: 'openai' }, 'llms/offline': { llm_id: 'offline' } };
    expect(message('opena', profiles)).toBe('There is no llm profile "opena". Did you mean "openai"?');
    expect(message('zzz', profiles)).toBe('There is no llm profile "zzz". There are offline, openai.');
    expect(message('zzz')).toBe('There is no llm profile "zzz". The project has none.');
  });

  test.each(['llm_config_id', 'persona_key'])('a %s of the prototype is unknown like any other', (field) =>
    expect(resolve({ files: { 'agents/A/v1': { ...minimal, model_name: 'x', [field]: 'constructor' } } }).problems[0]?.message).toContain(
      '"constructor"',
    ),
  );
});

describe('other files that are broken', () => {
  test.each([
    ['llms/m', { llm_id: 'm', model_name: 'x', temperature: 9 }, 'schema config/llms/m.json#/temperature'],
    ['personas/p', { temperature: 9 }, 'schema config/personas/p.json#/temperature'],
    ['system', { agent_defaults: { temperature: 9 } }, 'schema config/system.json#/agent_defaults/temperature'],
    ['environments/dev', { agents: { A: { mode: 'chooser' } } }, 'schema config/environments/dev.json#/agents/A/mode'],
    ['prompts/t/v1', { name: 't', version: 'v1' }, 'schema config/prompts/t/v1.json#'],
    ['llms/m', '{', 'schema config/llms/m.json#'],
    ['personas/p', '[]', 'schema config/personas/p.json#'],
    ['system', '{"a": }', 'schema config/system.json#'],
  ])('%s: the problem names that file', (name, value, expected) => {
    const files = {
      'agents/A/v1': { ...minimal, llm_config_id: 'm', persona_key: 'p', prompts: { system_prompt: 't@v1' } },
      'llms/m': { llm_id: 'm', model_name: 'x' },
      'personas/p': {},
      'prompts/t/v1': { name: 't', version: 'v1', template: 'T' },
      [name]: value,
    };
    const resolved = resolve({ files });
    expect(problemsOf(resolved)).toEqual([expected]);
    expect(resolved.problems[0]?.message).toContain(`config/${name}.json`);
  });

  test('a persona that names another is told where it does', () => {
    const files = {
      'agents/A/v1': { ...minimal, model_name: 'x', persona_key: 'p' },
      'personas/p': { persona_key: 'q' },
      'personas/q': { persona_key: 'p' },
    };
    const { problems } = resolve({ files });
    expect(problems).toEqual([
      {
        code: 'persona-nested',
        message:
          'The persona "p" names the persona "q", which leads back to it: p > q > p. No persona is layered under a persona. Take persona_key out, and write here what "q" has and this one lacks.',
        file: 'config/personas/p.json',
        pointer: '/persona_key',
        data: { persona: 'p', way: ['p', 'q', 'p'] },
      },
    ]);
  });

  test('an unknown key is no reason not to run', () =>
    expect(
      resolve({ files: { 'agents/A/v1': { ...minimal, llm_config_id: 'm' }, 'llms/m': { llm_id: 'm', model_name: 'x', colour: 1 } } })
        .problems,
    ).toEqual([]));

  test('a file that does not lie under this agent is not looked at', () =>
    expect(
      resolve({ files: { 'agents/A/v1': { ...minimal, model_name: 'x' }, 'llms/m': '{', 'personas/p': { temperature: 9 } } }).problems,
    ).toEqual([]));
});

describe('call overrides', () => {
  const files = { 'agents/A/v1': { ...minimal, model_name: 'x' } };
  test.each<[string, unknown, string]>([
    ['a wrong type', { temperature: 'hot' }, 'schema call#/config/temperature'],
    ['a value out of range', { temperature: 3 }, 'schema call#/config/temperature'],
    ['an unknown field', { temprature: 1 }, 'schema call#/config/temprature'],
    ['a field of a profile', { base_url: 'http://x' }, 'schema call#/config/base_url'],
    ['the identity', { version: 'v2' }, 'schema call#/config/version'],
    ['something else than an object', [1], 'schema call#/config'],
    ['not a number', { temperature: Number.NaN }, 'schema call#/config/temperature'],
    ['a function', { output_schema: { type: 'object', x: () => 1 } }, 'schema call#/config/output_schema/x'],
    ['a secret', { purpose_text: `use sk-${'proj-a1B2c3D4e5F6'.repeat(3)}` }, 'secret-in-plain-text call#/config/purpose_text'],
  ])('%s is refused', (_, config, expected) =>
    expect(problemsOf(resolve({ files, overrides: { config: config as never } }))).toContain(expected),
  );

  test('an object that contains itself is refused, not followed', () => {
    const config: Record<string, unknown> = {};
    config.defaults = config;
    expect(problemsOf(resolve({ files, overrides: { config: config as never } }))).toEqual(['schema call#/config']);
  });

  test('an undefined override says nothing', () =>
    expect(resolve({ files, overrides: { config: { temperature: undefined as never } } })).toMatchObject({
      problems: [],
      config: { temperature: 0 },
    }));
  test('the identity stays what it is', () =>
    expect(resolve({ files, overrides: { config: { agent_name: 'B', version: 'v2' } } }).config).toMatchObject({
      agent_name: 'A',
      version: 'v1',
    }));
});

describe('the prompt store', () => {
  const store = {
    'prompts/A/v1': { name: 'A', version: 'v1', template: 'own', few_shot_examples: [{ input: 'i', output: { o: 1 } }] },
    'prompts/t/v1': { name: 't', version: 'v1', template: 'shared {{input.x}}' },
  };
  const withPrompts = (prompts: object, others = {}) =>
    resolve({ files: { 'agents/A/v1': { ...minimal, model_name: 'x', prompts: prompts as never }, ...store, ...others } });

  test('system_prompt names a template, whose origin is its file', () => {
    const resolved = withPrompts({ system_prompt: 't@v1' });
    expect(resolved.config.template).toBe('shared {{input.x}}');
    expect(originOf(resolved, '/template')).toBe('agent config/prompts/t/v1.json#/template');
    expect(resolved.config.system_text).toBe('s');
  });

  test('system_prompt_version names the version of the prompt with the name of the agent', () => {
    const resolved = withPrompts({ system_prompt_version: 'v1' });
    expect(resolved.config).toMatchObject({ template: 'own', few_shot_examples: [{ input: 'i', output: { o: 1 } }] });
    expect(originOf(resolved, '/few_shot_examples/0/output/o')).toBe('agent config/prompts/A/v1.json#/few_shot_examples/0/output/o');
  });

  test('few_shot_examples: false leaves the examples out', () =>
    expect(withPrompts({ system_prompt_version: 'v1', few_shot_examples: false }).config).not.toHaveProperty('few_shot_examples'));
  test('in one file, the full name counts', () =>
    expect(withPrompts({ system_prompt: 't@v1', system_prompt_version: 'v1' }).config.template).toBe('shared {{input.x}}'));
  test('across files, the higher one counts', () => {
    const below = { system: { agent_defaults: { prompts: { system_prompt: 't@v1' } } } };
    const resolved = withPrompts({ system_prompt_version: 'v1' }, below);
    expect(resolved.config.template).toBe('own');
    expect(originOf(withPrompts({}, below), '/template')).toBe('system config/prompts/t/v1.json#/template');
  });
  test('a template is as good as a system text', () => {
    const { system_text: _, ...rest } = minimal;
    expect(
      resolve({ files: { 'agents/A/v1': { ...rest, model_name: 'x', prompts: { system_prompt: 't@v1' } }, ...store } }).problems,
    ).toEqual([]);
  });
});
