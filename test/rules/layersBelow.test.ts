import { expect, test } from 'vitest';
import { createRuleContext } from '../../core/check/ruleContext.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { parseConfigFile } from '../../core/config/parseConfigFile.js';
import { identifyFile } from '../../core/config/paths.js';
import { createModelTable } from '../../core/llm/modelTable.js';
import { findGiven, layersOf } from '../../core/rules/support/layers.js';
import { memoryFiles } from '../support/memoryFiles.js';

async function setUp(texts: Readonly<Record<string, object>>) {
  const files = Object.fromEntries(Object.entries(texts).map(([path, value]) => [path, JSON.stringify(value)]));
  const project = await loadProjectIndex(memoryFiles(files));
  const parse = (path: string, value: object) => parseConfigFile(path, JSON.stringify(value), identifyFile(path, project.settings)!);
  const context = createRuleContext({ project, models: createModelTable(), variables: { get: () => undefined } });
  let count = 0;
  return {
    /** What an agent of these fields gets for a field. Each is a file of its own, in the same context. */
    given: (fields: object, field: string, name = `A${count++}`) => {
      const layers = layersOf(parse(`config/agents/${name}/v1.json`, { agent_name: name, version: 'v1', ...fields }), context);
      return layers && findGiven(layers, field)?.value;
    },
    change: (path: string, value: object) => project.set(parse(path, value)),
    remove: (path: string) => project.remove(path),
  };
}

const files = {
  'config/system.json': { agent_defaults: { temperature: 0.1 } },
  'config/llms/a.json': { llm_id: 'a', provider: 'openai', model_name: 'm-a', temperature: 0.2 },
  'config/llms/b.json': { llm_id: 'b', provider: 'openai', model_name: 'm-b', temperature: 0.3 },
  'config/personas/p.json': { temperature: 0.4, llm_config_id: 'b' },
};

test('agents that name the same share what lies below, and each has its own on top', async () => {
  const { given } = await setUp(files);
  expect(given({}, 'temperature')).toBe(0.2);
  expect(given({ temperature: 1 }, 'temperature')).toBe(1);
  expect(given({}, 'temperature')).toBe(0.2);
  expect(given({ llm_config_id: 'b' }, 'temperature')).toBe(0.3);
  expect(given({ persona_key: 'p' }, 'temperature')).toBe(0.4);
  expect(given({ persona_key: 'p' }, 'model_name')).toBe('m-b');
});

test('null and absence, and a model of its own, are told apart', async () => {
  const { given } = await setUp({ ...files, 'config/system.json': { agent_defaults: { llm_config_id: 'b' } } });
  expect(given({}, 'model_name')).toBe('m-b');
  // It removes what the defaults say, so the first profile is taken.
  expect(given({ llm_config_id: null }, 'model_name')).toBe('m-a');
  expect(given({ llm_config_id: null, model_name: 'own' }, 'temperature')).toBe(0);
});

test('what changes below is seen by the next agent', async () => {
  const { given, change, remove } = await setUp(files);
  expect(given({ persona_key: 'p' }, 'temperature')).toBe(0.4);
  change('config/personas/p.json', { temperature: 0.5 });
  expect(given({ persona_key: 'p' }, 'temperature')).toBe(0.5);
  remove('config/personas/p.json');
  expect(given({ persona_key: 'p' }, 'temperature')).toBe(0.2);
  change('config/personas/p.json', { temperature: 0.6 });
  expect(given({ persona_key: 'p' }, 'temperature')).toBe(0.6);
  change('config/llms/a.json', { ...files['config/llms/a.json'], temperature: 0.7 });
  expect(given({}, 'temperature')).toBe(0.7);
  change('config/llms/0.json', { llm_id: '0', provider: 'openai', model_name: 'm-0', temperature: 0.8 });
  expect(given({}, 'temperature')).toBe(0.8);
  change('config/environments/dev.json', { agent_defaults: { model_name: 'm', temperature: 0.9 } });
  expect(given({}, 'temperature')).toBe(0.9);
});

test("what system.json says of one agent is that one's alone", async () => {
  const { given } = await setUp({
    ...files,
    'config/system.json': { agents: { Special: { llm_config_id: 'b' }, constructor: { llm_config_id: 'b' } } },
  });
  expect(given({}, 'model_name', 'Special')).toBe('m-b');
  expect(given({}, 'model_name', 'Other')).toBe('m-a');
  expect(given({}, 'model_name', 'constructor')).toBe('m-b');
  expect(given({}, 'model_name', 'toString')).toBe('m-a');
});

test('a variable that decides leaves nothing to be said', async () => {
  const { given } = await setUp({ ...files, 'config/personas/p.json': { llm_config_id: '${LLM}' } });
  expect(given({ persona_key: '${P}' }, 'temperature')).toBeUndefined();
  expect(given({ persona_key: 'p' }, 'temperature')).toBeUndefined();
  expect(given({}, 'temperature')).toBe(0.2);
});
