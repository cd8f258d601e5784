import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../core/json.js';
import { agentFieldOrder, agentTable, llmFieldOrder, llmTable } from '../../core/snapshot/fields.js';
import { minimal, originOf, problemsOf, resolve } from './support.js';

type Content = Record<string, Record<string, unknown>>;

/** Every place that can say `temperature`, lowest first: its layer, its file, and the path to the field. */
const places = [
  ['system', 'system', 'agent_defaults'],
  ['system', 'system', 'llms', 'm'],
  ['system', 'system', 'persona_defaults'],
  ['system', 'system', 'agents', 'A'],
  ['environment', 'environments/dev', 'agent_defaults'],
  ['environment', 'environments/dev', 'llms', 'm'],
  ['environment', 'environments/dev', 'persona_defaults'],
  ['environment', 'environments/dev', 'agents', 'A'],
  ['llm', 'llms/m'],
  ['persona', 'personas/p'],
  ['agent', 'agents/A/v1'],
].map(([layer = '', file = '', ...section]) => ({
  name: [file, ...section].join(' '),
  origin: `${layer} config/${file}.json#/${[...section, 'temperature'].join('/')}`,
  write: (files: Content, value: Json) => put(files, file, [...section, 'temperature'], value),
}));
const numbered = places.map(({ name }, index) => [name, index] as const);

function put(files: Content, file: string, path: readonly string[], value: Json): void {
  files[file] ??= {};
  let node = files[file];
  for (const key of path.slice(0, -1)) {
    node[key] ??= {};
    node = node[key] as Record<string, unknown>;
  }
  node[path.at(-1) as string] = value;
}

function project(): Content {
  return {
    'agents/A/v1': { ...minimal, persona_key: 'p', llm_config_id: 'm' },
    'personas/p': {},
    'llms/m': { llm_id: 'm', model_name: 'x' },
  };
}

describe('the order of the layers', () => {
  test.each(numbered)('%s beats everything below it', (_, index) => {
    const files = project();
    for (const [at, { write }] of places.slice(0, index + 1).entries()) write(files, (at + 1) / 100);
    const resolved = resolve({ files: files as never });
    expect(resolved.problems).toEqual([]);
    expect(resolved.config.temperature).toBe((index + 1) / 100);
    expect(originOf(resolved, '/temperature')).toBe(places[index]?.origin);
  });

  test.each(numbered)('a null in %s removes what is below, the default too', (_, index) => {
    const files = project();
    for (const { write } of places.slice(0, index)) write(files, 1);
    places[index]?.write(files, null);
    expect(resolve({ files: files as never }).config).not.toHaveProperty('temperature');
  });

  test('call overrides beat them all', () => {
    const files = project();
    for (const { write } of places) write(files, 1);
    const resolved = resolve({ files: files as never, overrides: { config: { temperature: 0.5 } } });
    expect(resolved.config.temperature).toBe(0.5);
    expect(originOf(resolved, '/temperature')).toBe('call -#/config/temperature');
  });

  test('the built-in default holds where no layer says otherwise', () => {
    const resolved = resolve({ files: project() as never });
    expect(resolved.config.temperature).toBe(0);
    expect(originOf(resolved, '/temperature')).toBe('default -#/temperature');
  });

  test('persona_defaults count only where a persona is used', () => {
    const files = { 'agents/A/v1': { ...minimal, model_name: 'x' }, system: { persona_defaults: { temperature: 1 } } };
    expect(resolve({ files }).config.temperature).toBe(0);
  });

  test('sections of other agents and profiles do not count', () => {
    const files = { ...project(), system: { agents: { B: { temperature: 1 } }, llms: { other: { temperature: 1 } } } };
    expect(resolve({ files: files as never }).config.temperature).toBe(0);
  });

  test('only the environment of the run counts', () => {
    const files = {
      'agents/A/v1': { ...minimal, model_name: 'x' },
      'environments/dev': { agent_defaults: { temperature: 1 } },
      'environments/prod': { agent_defaults: { temperature: 2 } },
    };
    expect(resolve({ files }).config.temperature).toBe(1);
    expect(resolve({ files, environment: 'prod' })).toMatchObject({ config: { temperature: 2 }, environment_name: 'prod' });
    expect(resolve({ files, environment: 'test' }).config.temperature).toBe(0);
  });

  test('an environment called system is not system.json once more', () => {
    const files = {
      'agents/A/v1': { ...minimal, model_name: 'x' },
      system: { agent_defaults: { temperature: 1 } },
      'environments/system': { agent_defaults: { top_p: 0.5 } },
    };
    const resolved = resolve({ files, environment: 'system' });
    expect(resolved.config).toMatchObject({ temperature: 1, top_p: 0.5 });
    expect(originOf(resolved, '/temperature')).toBe('system config/system.json#/agent_defaults/temperature');
  });

  test('a section that the environment sets to null removes the same section of system.json', () => {
    const files = {
      'agents/A/v1': { ...minimal, model_name: 'x' },
      system: { agent_defaults: { temperature: 1 }, agents: { A: { top_p: 0.5 } } },
    };
    expect(resolve({ files: { ...files, 'environments/dev': { agent_defaults: null } } }).config).toMatchObject({
      temperature: 0,
      top_p: 0.5,
    });
    expect(resolve({ files: { ...files, 'environments/dev': { agents: { A: null } } } }).config).not.toHaveProperty('top_p');
    expect(resolve({ files: { ...files, 'environments/dev': { agents: null } } }).config).not.toHaveProperty('top_p');
  });

  test('tracing of system.json lies under agent_defaults', () => {
    const files = {
      'agents/A/v1': { ...minimal, model_name: 'x' },
      system: { tracing: { enabled: false, sample_rate: 0.5 }, agent_defaults: { tracing: { sample_rate: 0.1 } } },
    };
    const resolved = resolve({ files });
    expect(resolved.config.tracing).toEqual({ enabled: false, sample_rate: 0.1 });
    expect(originOf(resolved, '/tracing/enabled')).toBe('system config/system.json#/tracing/enabled');
    expect(originOf(resolved, '/tracing/sample_rate')).toBe('system config/system.json#/agent_defaults/tracing/sample_rate');
  });

  test('lists the files looked at, lowest layer first', () => {
    const files: Content = {
      ...project(),
      system: {},
      'environments/dev': {},
      'prompts/t/v1': { name: 't', version: 'v1', template: 'T' },
      'llms/other': { llm_id: 'other' },
    };
    put(files, 'agents/A/v1', ['prompts', 'system_prompt'], 't@v1');
    expect(resolve({ files: files as never }).files).toEqual([
      'config/system.json',
      'config/environments/dev.json',
      'config/llms/m.json',
      'config/personas/p.json',
      'config/agents/A/v1.json',
      'config/prompts/t/v1.json',
    ]);
  });
});

describe('how values merge', () => {
  const merge = (below: object, above: object) =>
    resolve({ files: { 'agents/A/v1': { ...minimal, model_name: 'x', persona_key: 'p', ...above }, 'personas/p': below as never } }).config;

  test('0, false and "" are values', () =>
    expect(
      merge(
        { temperature: 1, include_history: true, purpose_text: 'p', budget: { max_cost: 5 } },
        { temperature: 0, include_history: false, purpose_text: '', budget: { max_cost: 0 } },
      ),
    ).toMatchObject({
      temperature: 0,
      include_history: false,
      purpose_text: '',
      budget: { max_cost: 0 },
    }));
  test('arrays replace', () => expect(merge({ input_keys: ['a', 'b'] }, { input_keys: ['c'] }).input_keys).toEqual(['c']));
  test('an empty array is a value', () => expect(merge({ input_keys: ['a', 'b'] }, { input_keys: [] }).input_keys).toEqual([]));
  test('objects merge', () =>
    expect(merge({ budget: { max_cost: 1, max_time_ms: 5 } }, { budget: { max_time_ms: 6 } }).budget).toEqual({
      max_cost: 1,
      max_time_ms: 6,
    }));
  test('null removes a part', () => expect(merge({ budget: { max_cost: 1 } }, { budget: { max_cost: null } }).budget).toEqual({}));
  test('null removes an object', () => expect(merge({ budget: { max_cost: 1 } }, { budget: null })).not.toHaveProperty('budget'));
  test.each(['output_schema', 'input_schema', 'enums', 'defaults', 'execution_plan'])('%s is replaced whole', (field) => {
    const [below, above] =
      field === 'enums'
        ? [{ a: ['1'], b: ['2'] }, { b: ['3'] }]
        : [
            { type: 'object', a: 1, b: { c: 1 } },
            { type: 'object', b: { d: 1 } },
          ];
    expect(merge({ [field]: below }, { [field]: above })[field as 'defaults']).toEqual(above);
  });
  test.each(['input_schema', 'enums', 'defaults', 'execution_plan'])('null removes %s', (field) =>
    expect(merge({ [field]: field === 'enums' ? { a: ['1'] } : { type: 'object' } }, { [field]: null })).not.toHaveProperty(field),
  );
  test('a null inside a field that is replaced whole is a value', () =>
    expect(merge({}, { defaults: { a: null }, output_schema: { type: 'object', default: null } })).toMatchObject({
      defaults: { a: null },
      output_schema: { default: null },
    }));
  test('fields no run can do without come back to their built-in default', () => {
    const nothing = {
      max_iterations: null,
      timeout_ms: null,
      retry_attempts: null,
      tool_protocol: null,
      include_history: null,
      agent_type: null,
    };
    const below = {
      max_iterations: 1,
      timeout_ms: 1,
      retry_attempts: 1,
      tool_protocol: 'text',
      include_history: true,
      tracing: { enabled: false, sample_rate: 0 },
    };
    expect(merge(below, { ...nothing, tracing: null })).toMatchObject({
      max_iterations: 10,
      timeout_ms: 30000,
      retry_attempts: 3,
      tool_protocol: 'native',
      include_history: false,
      agent_type: 'single_shot',
      tracing: { enabled: true, sample_rate: 1 },
    });
    expect(merge(below, { tracing: { enabled: null } }).tracing).toEqual({ enabled: true, sample_rate: 0 });
  });
  test('names of the prototype are ordinary fields of a schema and of defaults', () => {
    const schema = '{"type":"object","properties":{"__proto__":{"type":"string","enum":["x"]},"constructor":{"type":"string"}}}';
    const agent = `{"agent_name":"A","version":"v1","mode":"Writer","system_text":"s","purpose_text":"p","model_name":"x","output_schema":${schema},"enums":{"__proto__":["x"]},"defaults":{"__proto__":"x","constructor":"y"}}`;
    const { config, origins } = resolve({ files: { 'agents/A/v1': agent } });
    expect(JSON.stringify(config.output_schema)).toBe(schema);
    expect(JSON.stringify(config.enums)).toBe('{"__proto__":["x"]}');
    expect(JSON.stringify(config.defaults)).toBe('{"__proto__":"x","constructor":"y"}');
    expect(origins.get('/defaults/__proto__')?.pointer).toBe('/defaults/__proto__');
  });
  test('`__proto__` in the options of a profile merges like any key', () => {
    const files = {
      'agents/A/v1': { ...minimal, llm_config_id: 'm' },
      'llms/m': '{"llm_id":"m","model_name":"x","options":{"__proto__":{"a":1},"x":{"y":null}}}',
      system: '{"llms":{"m":{"options":{"__proto__":{"b":2},"x":{"y":1,"z":2}}}}}',
    };
    expect(JSON.stringify(resolve({ files }).llm.options)).toBe('{"__proto__":{"b":2,"a":1},"x":{"z":2}}');
  });
});

describe('what comes out', () => {
  test('is deeply frozen', () => {
    const resolved = resolve({
      files: {
        'agents/A/v1': { ...minimal, llm_config_id: 'm', budget: { max_cost: 1 }, enums: { a: ['x'] } },
        'llms/m': { llm_id: 'm', model_name: 'x', options: { a: [{ b: 1 }] } },
      },
    });
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(frozen(resolved)).toBe(true);
    expect(frozen(resolved.config)).toBe(true);
    expect(frozen(resolved.llm)).toBe(true);
  });

  test('leaves the files it was made from as they were', () => {
    const value = { ...structuredClone(minimal), llm_config_id: 'm' };
    const before = JSON.stringify(value);
    const { config } = resolve({ files: { 'agents/A/v1': value, 'llms/m': { llm_id: 'm', model_name: 'x' } } });
    expect(JSON.stringify(value)).toBe(before);
    expect(Object.isFrozen(value.output_schema)).toBe(false);
    expect(config.output_schema).not.toBe(value.output_schema);
  });

  test('holds no unknown key, neither of an agent nor of a profile', () => {
    const { config, llm } = resolve({
      files: {
        'agents/A/v1': { ...minimal, llm_config_id: 'm', base_url: 'http://evil', colour: 1 },
        'llms/m': { llm_id: 'm', model_name: 'x', system_text: 'no' },
      },
    });
    expect(config).not.toHaveProperty('colour');
    expect(config.system_text).toBe('s');
    expect(llm).not.toHaveProperty('base_url');
  });

  test('leaves out what has a type the field cannot have, and does not call it missing', () => {
    const resolved = resolve({
      files: { 'agents/A/v1': { ...minimal, model_name: 5, temperature: 'hot', purpose_text: 1, budget: { max_cost: 'x' }, enums: [] } },
    });
    expect(resolved.config).toMatchObject({ temperature: 0, budget: {} });
    expect(resolved.config).not.toHaveProperty('purpose_text');
    expect(resolved.config).not.toHaveProperty('enums');
    expect(problemsOf(resolved)).toEqual([]);
  });

  test('says who the agent is even where its file does not', () =>
    expect(resolve({ files: { 'agents/A/v1': { model_name: 'x' } } }).config).toMatchObject({ agent_name: 'A', version: 'v1' }));
});

describe('every field of the schemas', () => {
  type Schema = { readonly properties?: Record<string, Schema> };
  const propertiesOf = (file: string) => {
    const { properties = {} } = JSON.parse(readFileSync(`schemas/${file}.schema.json`, 'utf8')) as Schema;
    return Object.keys(properties).filter((name) => !name.startsWith('$'));
  };
  const { definitions } = JSON.parse(readFileSync('schemas/definitions.schema.json', 'utf8')) as { definitions: Record<string, Schema> };
  const identity = ['agent_name', 'version', 'llm_id'];

  test('of an agent is layered, and listed in the effective config', () => {
    // What is served is said in the agent's own file alone.
    const fields = propertiesOf('agent').filter((name) => !identity.includes(name) && name !== 'expose');
    expect([...agentTable.agent.keys()].sort()).toEqual(fields.sort());
    expect(fields.filter((name) => !agentFieldOrder.includes(name))).toEqual([]);
  });
  test('of a profile is layered, and listed in one half of the effective config', () => {
    const fields = propertiesOf('llm').filter((name) => !identity.includes(name));
    expect([...agentTable.llm.keys(), ...llmTable.llm.keys()].sort()).toEqual(fields.sort());
    expect(fields.filter((name) => !agentFieldOrder.includes(name) && !llmFieldOrder.includes(name))).toEqual([]);
  });
  test.each(['prompts', 'budget', 'tracing', 'price'])('of %s is merged', (name) =>
    expect(Object.keys((agentTable.agent.get(name) ?? llmTable.llm.get(name))?.parts ?? {})).toEqual(
      Object.keys(definitions[name]?.properties ?? {}),
    ),
  );
});

describe('built-in defaults', () => {
  test.each([
    ['single_shot', 0, undefined],
    ['react', 0.7, 4096],
    ['orchestrating', undefined, undefined],
  ])('%s: temperature %s, max_output_tokens %s', (agent_type, temperature, max_output_tokens) => {
    const { config } = resolve({ files: { 'agents/A/v1': { ...minimal, agent_type, model_name: 'x' } } });
    expect([config.temperature, config.max_output_tokens]).toEqual([temperature, max_output_tokens]);
  });

  test('follow the agent type that wins, wherever it is given', () => {
    const files = { 'agents/A/v1': { ...minimal, model_name: 'x', agent_type: null }, system: { agent_defaults: { agent_type: 'react' } } };
    expect(resolve({ files }).config).toMatchObject({ agent_type: 'single_shot', temperature: 0 });
    expect(resolve({ files, overrides: { config: { agent_type: 'react' } } }).config).toMatchObject({
      agent_type: 'react',
      temperature: 0.7,
    });
  });
});
