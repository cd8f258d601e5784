import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { importInto } from '../import/support.js';
import { agentstack, listFiles, read, toneProject, write } from './command.js';

const llm = {
  llm_id: 'real',
  provider: 'openai',
  model_name: 'gpt-4.1-mini',
  temperature: 0.3,
  max_output_tokens: 700,
  options: { seed: 7, api: 'responses' },
};
const local = { llm_id: 'local', provider: 'openai_compatible', model_name: 'llama3.2', base_url: 'http://127.0.0.1:11434/v1' };
const servers = {
  docs: { type: 'stdio', command: 'docs-mcp', args: ['--read', 'a b'], env: { LEVEL: '2' }, cwd: 'docs' },
  web: { type: 'http', url: 'https://mcp.example.com/mcp', headers: { 'X-Team': 'blue' } },
};

function projectWith(agent: object): string {
  return toneProject({
    'config/llms/real.json': llm,
    'config/llms/local.json': local,
    'config/mcp.json': { servers },
    'config/agents/It/v1.json': { agent_name: 'It', version: 'v1', ...agent },
  });
}

async function exported(cwd: string, name = 'It'): Promise<{ readonly spec: JsonObject; readonly notes: string }> {
  const { code, stderr } = await agentstack(['export', 'agentspec', name, '--force'], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return { spec: JSON.parse(read(cwd, `${name}.agent_spec.json`)), notes: stderr };
}

const schema = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const text = { type: 'string', description: 'A text.' };

test.each([
  ['a text for a text', { system_text: 'You talk to {{input.name}}, in "quotes".\n\n- a list', llm_config_id: 'real' }],
  [
    'with schemas',
    {
      description: 'Judges.',
      system_text: 'Judge {{input.draft}} of {{input.größe}}.',
      llm_config_id: 'local',
      input_schema: schema({ draft: text, größe: { type: 'integer', minimum: 1 } }),
      output_schema: schema({
        verdict: { type: 'string', enum: ['good', 'bad'] },
        __proto__: text,
        places: { type: 'array', items: text },
      }),
    },
  ],
  ['with servers', { agent_type: 'react', system_text: 'You seek.', llm_config_id: 'local', client_ids: ['docs', 'web'] }],
])('an agent %s is the same again after export and import', async (_, agent) => {
  const cwd = projectWith(agent);
  const { spec } = await exported(cwd);
  const into = toneProject();
  const imported = await agentstack(['import', join(cwd, 'It.agent_spec.json')], { cwd: into });
  expect({ code: imported.code, stderr: imported.stderr }).toMatchObject({ code: 0 });
  const again = JSON.parse(read(into, 'config/agents/It/v1.json'));
  for (const [key, value] of Object.entries(agent)) expect(again[key], key).toEqual(value);
  const { llm_id } = agent.llm_config_id === 'real' ? llm : local;
  expect(JSON.parse(read(into, `config/llms/${llm_id}.json`))).toMatchObject(llm_id === 'local' ? local : llm);
  if ('client_ids' in agent) expect(JSON.parse(read(into, 'config/mcp.json')).servers).toEqual(servers);
  expect((await exported(into)).spec).toEqual(spec);
});

test('what an agent has that the file cannot say is in the notes, and all else comes back', async () => {
  const cwd = projectWith({
    system_text: 'You judge a draft.',
    purpose_text: 'Be fair.',
    mode: 'Chooser',
    llm_config_id: 'local',
    input_schema: schema({ draft: text, place: text }, ['draft']),
    output_schema: schema({ verdict: { ...text, title: 'The verdict', enum: ['good', 'bad'] } }),
  });
  const { spec, notes } = await exported(cwd);
  for (const words of ['"mode" of It has no counterpart', 'purpose_text of It is part of', '"place" of It may be absent', '"The verdict"'])
    expect(notes).toContain(words);
  expect(spec.outputs).toEqual([{ ...text, title: 'verdict', enum: ['good', 'bad'] }]);
  const into = toneProject();
  write(into, 'It.agent_spec.json', spec);
  expect(await agentstack(['import', 'It.agent_spec.json'], { cwd: into })).toMatchObject({ code: 0 });
  expect((await exported(into)).spec).toEqual(spec);
});

test.each([
  ['input_keys', ['the draft'], '"the draft" cannot be a name there'],
  ['input_keys', ["it's"], 'cannot be a name there'],
  ['output_schema', schema({ 'a.b': text }), '"a.b" cannot be a name there'],
  ['output_schema', schema({ '{{x}}': text }), 'cannot be a name there'],
])('an agent whose %s is %j is refused, since the library refuses the file', async (field, value, why) => {
  const cwd = projectWith({ system_text: 'You judge.', llm_config_id: 'local', [field]: value });
  const { code, stderr } = await agentstack(['export', 'agentspec', 'It'], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  expect(listFiles(cwd)).not.toContain('It.agent_spec.json');
});

const model = { component_type: 'OpenAiConfig', id: 'm', name: 'model', model_id: 'gpt-4.1-mini' };
const component = (more: object) =>
  JSON.stringify({
    component_type: 'Agent',
    agentspec_version: '26.1.2',
    id: 'a',
    name: 'Writer',
    system_prompt: 'You write.',
    llm_config: model,
    ...more,
  });

test.each([
  'a "quoted" name',
  "it's `x` $(y) ${HOME}",
  '../../etc/passwd',
  'C:\\Windows\\system32',
  '/absolute/path',
  '__proto__',
  'constructor',
  'CON',
  '名前 😀 ï',
  '\u202Eevil\u0000\n\r',
  'a very long name',
  '.',
])('an agent, a model, a server and a flow that are called %j get legal names', async (title) => {
  const name = title === 'a very long name' ? 'x'.repeat(100_000) : title;
  const toolbox = { component_type: 'MCPToolBox', name, client_transport: { component_type: 'StdioTransport', name, command: 'x' } };
  const node = (component_type: string, id: string, more: object = {}) => ({ component_type, id, name, ...more });
  const flow = {
    component_type: 'Flow',
    agentspec_version: '26.1.2',
    name,
    start_node: node('StartNode', 's', { inputs: [{ title: name, type: 'string' }] }),
    nodes: [{ $component_ref: 's' }, node('AgentNode', 'n', { agent: { $component_ref: 'a' } }), node('EndNode', 'e')],
    control_flow_connections: [
      { component_type: 'ControlFlowEdge', name, from_node: { $component_ref: 's' }, to_node: { $component_ref: 'n' } },
      { component_type: 'ControlFlowEdge', name, from_node: { $component_ref: 'n' }, to_node: { $component_ref: 'e' } },
    ],
    $referenced_components: { a: JSON.parse(component({ name, llm_config: { ...model, name }, toolboxes: [toolbox] })) },
  };
  const { plan, written, findings, read: readJson } = await importInto({ 'x.agent_spec.json': JSON.stringify(flow) });
  expect(plan.obstacles).toEqual([]);
  for (const path of written)
    expect(path).toMatch(/^(?:agentstack\.json|config\/(?:[A-Za-z0-9][\w.-]{0,69}\/)*[A-Za-z0-9][\w.-]{0,69}\.json)$/);
  expect(written.filter((path) => path.startsWith('config/orchestrations/'))).toHaveLength(1);
  const [orchestration = ''] = written.filter((path) => path.startsWith('config/orchestrations/'));
  expect(Object.keys((readJson(orchestration).input_schema as JsonObject).properties as JsonObject)).toEqual(
    name.trim() === '' ? [] : [name],
  );
  expect(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([]);
  for (const { message } of plan.notes) expect(message.length).toBeLessThan(600);
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('a component whose type is %s is left alone', async (type) => {
  const { plan } = await importInto({ 'x.json': component({ tools: [{ component_type: type, name: 'x', model_id: 'x' }] }) });
  expect(plan.files.map(({ path }) => path)).toEqual(['config/agents/Writer/v1.json', 'config/llms/model.json']);
});

test('what the schemas refuse, and a version that they do not know, is told at the import', async () => {
  const notes = async (more: object) =>
    (await importInto({ 'x.json': component(more) })).plan.notes.map(({ message, pointer }) => `${pointer} ${message}`);
  expect(await notes({ system_prompt: ['You write.'], tools: {} })).toEqual(
    expect.arrayContaining([
      '/system_prompt Agent Spec refuses this Agent: "system_prompt" has to be a text, and is a list.',
      '/tools Agent Spec refuses this Agent: "tools" has to be a list, and is an object.',
    ]),
  );
  expect(await notes({ llm_config: null })).toContainEqual(expect.stringContaining('it has no "llm_config"'));
  expect(await notes({ agentspec_version: '27.1.0' })).toContainEqual(expect.stringContaining('"27.1.0" is not a version'));
  expect(await notes({})).toEqual([]);
});

test('braces of a prompt that name no input stay text', async () => {
  const prompt = 'Say {{ topic }}, {{input.secret}}, {{a-b}} and {{#each}}.';
  const imported = await importInto({ 'x.json': component({ system_prompt: prompt, inputs: [{ title: 'topic', type: 'string' }] }) });
  expect(imported.read('config/agents/Writer/v1.json').system_text).toBe('Say {{input.topic}}, { {input.secret}}, { {a-b}} and {{#each}}.');
  expect(imported.plan.notes.map(({ message }) => message)).toEqual([expect.stringContaining('a space between the braces')]);
  expect(imported.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

/** The leaves of a value with their pointers. */
function leaves(value: unknown, pointer = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${pointer} ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, part]) => leaves(part, `${pointer}/${key}`));
}

test('a file of others comes back the same but for what the notes name', async () => {
  const original = {
    component_type: 'Agent',
    agentspec_version: '26.1.2',
    id: '7e7f0f9c',
    name: 'travel_agent',
    description: 'Finds journeys.',
    metadata: { author: 'someone' },
    inputs: [{ title: 'city', type: 'string', description: 'Where to.' }],
    outputs: [{ title: 'journey', type: 'object', properties: { days: { type: 'integer' } } }],
    llm_config: {
      component_type: 'VllmConfig',
      id: 'llama',
      name: 'llama',
      url: 'localhost:8000',
      model_id: 'meta/llama-4',
      default_generation_parameters: { temperature: 0.5, max_tokens: 512, top_k: 20 },
      retry_policy: { max_attempts: 3 },
    },
    system_prompt: 'You find journeys to {{city}}.',
    tools: [],
    toolboxes: [],
    human_in_the_loop: true,
  };
  const cwd = toneProject();
  write(cwd, 'x.agent_spec.json', original);
  const imported = await agentstack(['import', 'x.agent_spec.json', '--json'], { cwd });
  expect(imported.code).toBe(0);
  const notes = (JSON.parse(imported.stdout).notes as { pointer: string }[]).map(({ pointer }) => pointer);
  const { spec, notes: further } = await exported(cwd, 'travel_agent');
  const kept = new Set(leaves(spec));
  const lost = leaves(original).filter((leaf) => !kept.has(leaf));
  expect(lost).toEqual([
    '/id "7e7f0f9c"',
    '/metadata/author "someone"',
    '/llm_config/component_type "VllmConfig"',
    '/llm_config/id "llama"',
    '/llm_config/url "localhost:8000"',
    '/llm_config/retry_policy/max_attempts 3',
    '/human_in_the_loop true',
  ]);
  expect(spec.llm_config).toMatchObject({ component_type: 'OpenAiCompatibleConfig', url: 'http://localhost:8000/v1' });
  // Ids are names of the file itself, and a model behind vLLM is one of an OpenAI-compatible server here.
  for (const place of ['/metadata', '/llm_config/retry_policy', '/human_in_the_loop']) expect(notes, further).toContain(place);
});
