import { describe, expect, test } from 'vitest';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { parseConfigFile } from '../../core/config/parseConfigFile.js';
import { identifyFile } from '../../core/config/paths.js';
import { defaultSettings } from '../../core/config/readSettings.js';
import { memoryFiles } from '../support/memoryFiles.js';

const json = (value: unknown) => JSON.stringify(value);
const parse = (path: string, value: unknown) => parseConfigFile(path, json(value), identifyFile(path, defaultSettings)!);

const project = {
  'agentstack.json': json({ environment: 'prod', rules: { 'unused-llm': 'off' } }),
  'config/agents/A2/v10.json': json({ agent_name: 'A2', version: 'v10' }),
  'config/agents/A2/v2.json': json({ agent_name: 'A2', version: 'v2' }),
  'config/agents/B/v1.json': 'not JSON',
  'config/agents/README.md': '# Agents',
  'config/llms/openai.json': json({ llm_id: 'openai', $schema: 'x', $ignore: {} }),
  'config/llms/local.json': json({ llm_id: 'local' }),
  'config/llms/broken.json': '{"llm_id": ',
  'config/llms/list.json': '[]',
  'config/llms/other.json': json({ compilerOptions: {} }),
  'config/personas/writer.json': json({ system_text: 'x' }),
  'config/prompts/triage/v1.json': json({ name: 'triage', version: 'v1', template: 'x' }),
  'config/system.json': json({ agent_defaults: {} }),
  'config/environments/prod.json': json({ agent_defaults: { temperature: 0 } }),
  'config/payloads/A2/one.json': json({ input: {} }),
};

describe('the index of a project', () => {
  test('names every file of every kind, in natural order', async () => {
    const index = await loadProjectIndex(memoryFiles(project));
    expect([...index.ids('agent')]).toEqual([
      ['A2@v2', 'config/agents/A2/v2.json'],
      ['A2@v10', 'config/agents/A2/v10.json'],
      ['B@v1', 'config/agents/B/v1.json'],
    ]);
    expect([...index.ids('llm').keys()]).toEqual(['broken', 'list', 'local', 'openai']);
    expect([...index.ids('payload').keys()]).toEqual(['A2/one']);
    expect(index.versions('A2')).toEqual(['v2', 'v10']);
    expect(index.versions('C')).toEqual([]);
  });

  test('reads the settings, and gives them their defaults', async () => {
    const { settings } = await loadProjectIndex(memoryFiles(project));
    expect(settings).toEqual({
      needs_marks: false,
      other_tools: true,
      config_dir: 'config',
      environment: 'prod',
      rules: { 'unused-llm': 'off' },
      models: {},
      skills: {},
      providers: [],
    });
    expect((await loadProjectIndex(memoryFiles())).settings).toEqual({ ...defaultSettings, needs_marks: true });
  });

  test('takes over the skills that agentstack.json declares, each as far as it can be told to a model', async () => {
    const order = { description: 'Finds an order.', parameters: { type: 'object' }, idempotent: true };
    const skills = {
      find_order: order,
      __proto__: null,
      'not a name': order,
      silent: { parameters: {} },
      spoken: { description: 'Speaks.', parameters: 'none' },
    };
    const { settings } = await loadProjectIndex(memoryFiles({ 'agentstack.json': JSON.stringify({ skills }) }));
    expect(settings.skills).toEqual({ find_order: order, spoken: { description: 'Speaks.' } });
  });

  test('holds the lock of the MCP servers', async () => {
    const lock = { format: 1, servers: { docs: { tools: {} } } };
    const index = await loadProjectIndex(memoryFiles({ 'config/mcp.lock.json': JSON.stringify(lock) }));
    expect(index.value('lock', 'mcp.lock')).toEqual(lock);
    expect([...index.ids('mcp')]).toEqual([]);
  });

  test('keeps the values of what lies under agents, and only these', async () => {
    const index = await loadProjectIndex(memoryFiles(project));
    expect(index.value('llm', 'openai')).toEqual({ llm_id: 'openai' });
    expect(index.value('persona', 'writer')).toEqual({ system_text: 'x' });
    expect(index.value('prompt', 'triage@v1')).toMatchObject({ template: 'x' });
    expect(index.value('system', 'system')).toEqual({ agent_defaults: {} });
    expect(index.value('system', 'prod')).toEqual({ agent_defaults: { temperature: 0 } });
    for (const id of ['broken', 'list', 'other', 'none', '__proto__', 'constructor']) expect(index.value('llm', id)).toBeUndefined();
  });

  test('reads no agent and no payload', async () => {
    const files = memoryFiles(project);
    const index = await loadProjectIndex(files);
    expect(files.reads.filter((path) => path.includes('/agents/') || path.includes('/payloads/'))).toEqual([]);
    expect(index.complete).toBe(false);
  });

  test('of an empty project is complete', async () => {
    expect((await loadProjectIndex(memoryFiles())).complete).toBe(true);
  });

  test('follows config_dir', async () => {
    const index = await loadProjectIndex(
      memoryFiles({
        'agentstack.json': json({ config_dir: './a/b/' }),
        'a/b/llms/x.json': json({ llm_id: 'x' }),
        'config/llms/y.json': '{}',
      }),
    );
    expect([...index.ids('llm')]).toEqual([['x', 'a/b/llms/x.json']]);
    const root = await loadProjectIndex(
      memoryFiles({ 'agentstack.json': json({ config_dir: '.' }), 'llms/x.json': json({ llm_id: 'x' }), 'system.json': '{}' }),
    );
    expect([...root.ids('llm').values(), ...root.ids('system').values()]).toEqual(['llms/x.json', 'system.json']);
  });

  test.each([
    [
      '{"config_dir": "../elsewhere", "environment": "a b", "rules": {"schema": "loud", "unknown-llm": "off"}, "models": {"m": {"context_window": -1, "max_output_tokens": 5}, "n": 3}}',
    ],
    [
      '{"config_dir": 3, "environment": null, "rules": {"unknown-llm": "off"}, "models": {"m": {"max_output_tokens": 5, "deprecated": 1}}, "else": 1}',
    ],
  ])('takes what is right in settings that are wrong: %s', async (text) => {
    const { settings } = await loadProjectIndex(memoryFiles({ 'agentstack.json': text }));
    expect(settings).toEqual({ ...defaultSettings, rules: { 'unknown-llm': 'off' }, models: { m: { max_output_tokens: 5 } } });
  });

  test('takes settings that are no JSON, or no object, for none', async () => {
    for (const text of ['', '[]', '{"config_dir": "x",}']) {
      expect((await loadProjectIndex(memoryFiles({ 'agentstack.json': text }))).settings).toEqual(defaultSettings);
    }
  });

  test('says what cannot be read, and goes on without it', async () => {
    const files = memoryFiles(project);
    files.problems.set('config/personas', 'no-permission');
    files.problems.set('config/llms/openai.json', 'not-utf8');
    files.problems.set('agentstack.json', 'io');
    const index = await loadProjectIndex(files);
    expect(index.findings.map(({ file, code, data }) => [file, code, data?.reason])).toEqual([
      ['agentstack.json', 'json-syntax', 'io'],
      ['config/personas', 'json-syntax', 'no-permission'],
      ['config/llms/openai.json', 'json-syntax', 'not-utf8'],
    ]);
    expect(index.ids('llm').has('openai')).toBe(true);
    expect(index.value('llm', 'local')).toBeDefined();
  });
});

describe('references', () => {
  const agent = (fields: object) => parse('config/agents/A2/v1.json', { agent_name: 'A2', version: 'v1', model_name: 'm', ...fields });

  test('lead from every field that names a file', async () => {
    const index = await loadProjectIndex(memoryFiles());
    index.set(
      agent({ llm_config_id: 'openai', persona_key: 'writer', prompts: { system_prompt: 'triage@v1', system_prompt_version: 'v7' } }),
    );
    const of = (kind: 'llm' | 'persona' | 'prompt', id: string) =>
      index.referencesTo(kind, id).map(({ file, pointer }) => `${file}#${pointer}`);
    expect(of('llm', 'openai')).toEqual(['config/agents/A2/v1.json#/llm_config_id']);
    expect(of('persona', 'writer')).toEqual(['config/agents/A2/v1.json#/persona_key']);
    expect(of('prompt', 'triage@v1')).toEqual(['config/agents/A2/v1.json#/prompts/system_prompt']);
    expect(of('prompt', 'A2@v7')).toEqual(['config/agents/A2/v1.json#/prompts/system_prompt_version']);
  });

  test('lead from system and environment files: defaults, sections of profiles and of agents', async () => {
    const index = await loadProjectIndex(memoryFiles());
    const value = {
      agent_defaults: { llm_config_id: 'a' },
      persona_defaults: { llm_config_id: 'b' },
      llms: { 'c/d': {} },
      agents: { A2: { llm_config_id: 'e' } },
    };
    index.set(parse('config/system.json', value));
    index.set(parse('config/environments/dev.json', { llms: { 'c/d': {} } }));
    expect(['a', 'b', 'c/d', 'e'].flatMap((id) => index.referencesTo('llm', id).map(({ pointer }) => pointer))).toEqual([
      '/agent_defaults/llm_config_id',
      '/persona_defaults/llm_config_id',
      '/llms/c~1d',
      '/llms/c~1d',
      '/agents/A2/llm_config_id',
    ]);
    expect(index.referencesTo('agent', 'A2').map(({ pointer }) => pointer)).toEqual(['/agents/A2']);
  });

  test('of an agent that names no model lead to the only profile, and of several to none', async () => {
    const index = await loadProjectIndex(memoryFiles({ 'config/llms/a.json': json({ llm_id: 'a' }) }));
    index.set(parse('config/agents/A2/v1.json', { agent_name: 'A2', version: 'v1' }));
    expect(index.referencesTo('llm', 'a').map(({ file }) => file)).toEqual(['config/agents/A2/v1.json']);
    index.set(parse('config/llms/b.json', { llm_id: 'b' }));
    expect(index.referencesTo('llm', 'a')).toEqual([]);
  });

  test('lead from orchestrations to agents, personas, profiles and servers, and to their own teams and tasks', async () => {
    const index = await loadProjectIndex(memoryFiles());
    const task = {
      name: 'check',
      agent: 'A2@v1',
      persona_key: 'critic',
      depends_on: ['draft'],
      config: { llm_config_id: 'a', client_ids: ['github'], prompts: { system_prompt_version: 'v3' } },
    };
    const rules = [
      { condition: [{ any: [{ not: { task: 'check', status: 'success' } }] }], next_team: 'rework' },
      { condition: { context_field: 'x', operator: 'exists' }, next_team: null },
    ];
    const team = { tasks: [task, { name: 'draft', agent: 'A2' }], routing: { rules, default: 'review' } };
    index.set(parse('config/orchestrations/flow.json', { entry_team: 'review', teams: { review: team } }));
    const pointers = (...[kind, id]: Parameters<typeof index.referencesTo>) => index.referencesTo(kind, id).map(({ pointer }) => pointer);
    const at = '/teams/review';
    expect(pointers('agent', 'A2@v1')).toEqual([`${at}/tasks/0/agent`]);
    expect(pointers('agent', 'A2')).toEqual([`${at}/tasks/1/agent`]);
    expect(pointers('persona', 'critic')).toEqual([`${at}/tasks/0/persona_key`]);
    expect(pointers('llm', 'a')).toEqual([`${at}/tasks/0/config/llm_config_id`]);
    expect(pointers('mcp', 'github')).toEqual([`${at}/tasks/0/config/client_ids/0`]);
    expect(pointers('prompt', 'A2@v3')).toEqual([`${at}/tasks/0/config/prompts/system_prompt_version`]);
    expect(pointers('team', 'flow/review')).toEqual(['/entry_team', `${at}/routing/default`]);
    expect(pointers('team', 'flow/rework')).toEqual([`${at}/routing/rules/0/next_team`]);
    expect(pointers('task', 'flow/review/draft')).toEqual([`${at}/tasks/0/depends_on/0`]);
    expect(pointers('task', 'flow/review/check')).toEqual([`${at}/routing/rules/0/condition/0/any/0/not/task`]);
  });

  test('lead from agents, their plans and system.json to servers and agents', async () => {
    const index = await loadProjectIndex(memoryFiles({ 'config/mcp.json': json({ servers: { docs: { url: 'https://example.com' } } }) }));
    index.set(agent({ client_ids: ['docs', 3], execution_plan: { steps: [{ name: 'x', agent: 'B@v1' }, 'y'] } }));
    index.set(parse('config/system.json', { persona_defaults: { client_ids: ['docs'] } }));
    expect(index.referencesTo('mcp', 'docs').map(({ file, pointer }) => file + pointer)).toEqual([
      'config/agents/A2/v1.json/client_ids/0',
      'config/system.json/persona_defaults/client_ids/0',
    ]);
    expect(index.referencesTo('agent', 'B@v1').map(({ pointer }) => pointer)).toEqual(['/execution_plan/steps/0/agent']);
    expect(index.value('mcp', 'mcp')).toEqual({ servers: { docs: { url: 'https://example.com' } } });
  });

  test('are not collected from values of a wrong type', async () => {
    const index = await loadProjectIndex(memoryFiles());
    index.set(agent({ llm_config_id: 3, persona_key: null, prompts: [] }));
    index.set(parse('config/system.json', { agent_defaults: 1, llms: [1], agents: { A2: 3 } }));
    expect(index.referencesTo('llm', '3')).toEqual([]);
  });

  test('follow a file that changes, moves and goes', async () => {
    const index = await loadProjectIndex(memoryFiles());
    index.set(agent({ llm_config_id: 'a' }));
    index.set(agent({ llm_config_id: 'b' }));
    expect(index.referencesTo('llm', 'a')).toEqual([]);
    expect(index.referencesTo('llm', 'b')).toHaveLength(1);
    index.remove('config/agents/A2/v1.json');
    index.remove('config/agents/A2/v1.json');
    expect(index.referencesTo('llm', 'b')).toEqual([]);
    expect([...index.ids('agent')]).toEqual([]);
  });
});

describe('keeping an index up to date', () => {
  test('it is complete once every file has been read, and while none is announced anew', async () => {
    const index = await loadProjectIndex(
      memoryFiles({ 'config/agents/A2/v1.json': '{}', 'config/agents/A2/v2.json': '{}', 'config/payloads/A2/x.json': '{}' }),
    );
    expect(index.complete).toBe(false);
    index.set(parse('config/agents/A2/v1.json', { agent_name: 'A2', version: 'v1' }));
    index.set(parse('config/agents/A2/v2.json', { agent_name: 'A2', version: 'v2' }));
    expect(index.complete).toBe(false);
    index.setUnreadable('config/payloads/A2/x.json', identifyFile('config/payloads/A2/x.json', defaultSettings)!);
    expect(index.complete).toBe(true);
    index.setUnreadable('config/agents/A2/v2.json', identifyFile('config/agents/A2/v2.json', defaultSettings)!);
    expect(index.complete).toBe(false);
    index.remove('config/agents/A2/v2.json');
    index.set(parse('config/agents/A2/v2.json', { agent_name: 'A2', version: 'v2' }));
    expect(index.complete).toBe(true);
    index.announce('config/agents/A2/v3.json', identifyFile('config/agents/A2/v3.json', defaultSettings)!);
    expect(index.complete).toBe(false);
    expect(index.versions('A2')).toEqual(['v1', 'v2', 'v3']);
  });

  test('a file that becomes something else is forgotten', async () => {
    const index = await loadProjectIndex(memoryFiles());
    index.set(parse('config/llms/a.json', { llm_id: 'a' }));
    index.set(parse('config/llms/a.json', { compilerOptions: {} }));
    expect(index.ids('llm').size).toBe(0);
    expect(index.value('llm', 'a')).toBeUndefined();
  });

  test('twins are files whose ids differ in letter case only', async () => {
    const index = await loadProjectIndex(
      memoryFiles({ 'config/llms/a.json': '{}', 'config/llms/A.json': '{}', 'config/llms/b.json': '{}', 'config/personas/a.json': '{}' }),
    );
    expect(index.twins('llm', 'a', 'config/llms/a.json')).toEqual(['config/llms/A.json']);
    expect(index.twins('llm', 'A', 'config/llms/A.json')).toEqual(['config/llms/a.json']);
    expect(index.twins('llm', 'b', 'config/llms/b.json')).toEqual([]);
    expect(index.twins('llm', 'none', 'config/llms/none.json')).toEqual([]);
    index.remove('config/llms/A.json');
    expect(index.twins('llm', 'a', 'config/llms/a.json')).toEqual([]);
  });
});
