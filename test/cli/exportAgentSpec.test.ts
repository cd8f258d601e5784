import { join } from 'node:path';
import { expect, test } from 'vitest';
import { definitionOf } from '../support/standard.js';
import { agentstack, listFiles, read, toneAgent, toneProject } from './command.js';

const isVersion = definitionOf('agent-spec-26.1.2', 'AgentSpecVersionEnum');
const run = (cwd: string, ...args: readonly string[]) => agentstack(['export', 'agentspec', ...args], { cwd });

function written(cwd: string, name: string) {
  const spec = JSON.parse(read(cwd, `${name}.agent_spec.json`));
  // By its root, the published schema refuses every file that says its version, the examples of its authors too.
  const { agentspec_version, ...component } = spec;
  expect(isVersion(agentspec_version)).toBe(true);
  const isComponent = definitionOf('agent-spec-26.1.2', `Base${spec.component_type}`);
  expect(isComponent(component), JSON.stringify(isComponent.errors?.slice(0, 5))).toBe(true);
  return spec;
}

const profiles = {
  'config/llms/real.json': { llm_id: 'real', provider: 'openai', model_name: 'gpt-4.1-mini', api_key: 'secret://openai_api_key' },
  'config/llms/local.json': {
    llm_id: 'local',
    provider: 'openai_compatible',
    model_name: 'llama3.2',
    base_url: 'http://127.0.0.1:11434/v1',
  },
  'config/llms/gemini.json': { llm_id: 'gemini', provider: 'gemini', model_name: 'gemini-3.8-flash' },
  'config/llms/claude.json': { llm_id: 'claude', provider: 'anthropic', model_name: 'claude-sonnet-5-5' },
};

const outputs = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
  additionalProperties: false,
});

test('an agent is a valid component: its prompt has each input as a placeholder, and no key is written', async () => {
  const cwd = toneProject({
    ...profiles,
    'config/agents/Review/v1.json': {
      agent_name: 'Review',
      version: 'v1',
      description: 'Reviews.',
      llm_config_id: 'real',
      system_text: 'You review {{input.language}}. Be brief.',
      input_keys: ['language', 'code'],
      output_schema: outputs('verdict'),
      max_output_tokens: 300,
    },
  });
  const { code, stdout, stderr } = await run(cwd, 'Review');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'wrote Review.agent_spec.json\n' });
  expect(stderr).toContain('give api_key of "Review.llm" (here secret://openai_api_key)');
  expect(written(cwd, 'Review')).toMatchObject({
    component_type: 'Agent',
    name: 'Review',
    llm_config: { component_type: 'OpenAiConfig', model_id: 'gpt-4.1-mini', default_generation_parameters: { max_tokens: 300 } },
    inputs: [{ title: 'language' }, { title: 'code' }],
    outputs: [{ title: 'verdict', type: 'string' }],
  });
  expect(await run(cwd, 'Review')).toMatchObject({ code: 2, stderr: expect.stringContaining('Replace it with --force.') });
  expect(await run(cwd, 'Review@v1', '--force', '--json')).toMatchObject({ code: 0 });
});

test.each([
  ['local', 'OpenAiCompatibleConfig'],
  ['gemini', 'GeminiConfig'],
  ['claude', 'LlmConfig'],
])('a model of the profile %s is a %s', async (llm_config_id, component_type) => {
  const cwd = toneProject({
    ...profiles,
    'config/agents/Talk/v1.json': { agent_name: 'Talk', version: 'v1', system_text: 'You talk.', llm_config_id },
  });
  expect(await run(cwd, 'Talk')).toMatchObject({ code: 0 });
  expect(written(cwd, 'Talk')).toMatchObject({ llm_config: { component_type }, inputs: [], outputs: [], system_prompt: 'You talk.' });
});

test('servers and tools of an agent', async () => {
  const cwd = toneProject({
    ...profiles,
    'config/mcp.json': { servers: { docs: { type: 'stdio', command: 'docs-mcp', args: ['--read'], env: { TOKEN: '${env:TOKEN}' } } } },
    'config/agents/Seek/v1.json': {
      agent_name: 'Seek',
      version: 'v1',
      agent_type: 'react',
      system_text: 'You seek.',
      llm_config_id: 'real',
      client_ids: ['docs'],
    },
    'config/agents/Clock/v1.json': {
      agent_name: 'Clock',
      version: 'v1',
      agent_type: 'react',
      system_text: 'You know the time.',
      llm_config_id: 'real',
      enabled_tools: ['current_time'],
    },
  });
  expect(await run(cwd, 'Seek')).toMatchObject({ code: 0, stderr: expect.stringContaining('has placeholders') });
  const [toolbox] = written(cwd, 'Seek').toolboxes;
  expect(toolbox).toMatchObject({
    component_type: 'MCPToolBox',
    name: 'docs',
    client_transport: { component_type: 'StdioTransport', command: 'docs-mcp' },
  });
  expect(await run(cwd, 'Clock')).toMatchObject({ code: 0, stderr: expect.stringContaining('"current_time"') });
  expect(written(cwd, 'Clock').tools).toMatchObject([{ component_type: 'ServerTool', name: 'current_time' }]);
});

const agent = (agent_name: string, input: string, output: string) => ({
  agent_name,
  version: 'v1',
  llm_config_id: 'local',
  system_text: `Work on {{input.${input}}}.`,
  input_keys: [input],
  output_schema: outputs(output),
});

const line = (routing: unknown, input: unknown = { draft: '{{tasks.write.output.draft}}' }) =>
  toneProject({
    ...profiles,
    'config/agents/Write/v1.json': agent('Write', 'topic', 'draft'),
    'config/agents/Mend/v1.json': agent('Mend', 'draft', 'text'),
    'config/orchestrations/article.json': {
      name: 'article',
      entry_team: 'steps',
      context: { topic: 'tea' },
      teams: {
        steps: {
          name: 'Steps',
          tasks: [
            { name: 'write', agent: 'Write@v1', input: { topic: '{{context.topic}}' } },
            { name: 'mend', agent: 'Mend@v1', depends_on: ['write'], input },
          ],
          routing,
        },
      },
    },
  });

test('an orchestration of one team is a flow, its inputs data edges', async () => {
  const cwd = line({ default: null });
  expect(await run(cwd, 'article')).toMatchObject({ code: 0 });
  const flow = written(cwd, 'article');
  expect(flow).toMatchObject({ component_type: 'Flow', inputs: [{ title: 'topic', default: 'tea' }], outputs: [{ title: 'text' }] });
  expect(flow.data_flow_connections.map(({ name }: { name: string }) => name)).toEqual([
    '@start.topic to write.topic',
    'write.draft to mend.draft',
    'mend.text to @end.text',
  ]);
  expect(flow.control_flow_connections).toHaveLength(3);
  const into = toneProject();
  const source = join(cwd, 'article.agent_spec.json');
  expect(await agentstack(['import', source], { cwd: into })).toMatchObject({ code: 0 });
  expect(JSON.parse(read(into, 'config/orchestrations/article.json')).teams.steps.tasks).toMatchObject([
    { name: 'write', input: { topic: '{{context.topic}}' } },
    { name: 'mend', input: { draft: '{{tasks.write.output.draft}}' }, depends_on: ['write'] },
  ]);
  const checked = await agentstack(['check', '--json'], { cwd });
  expect(checked.stdout).not.toContain('agent-spec/');
});

const branching = (routing: object, more: object = {}) =>
  toneProject({
    ...profiles,
    'config/agents/Judge/v1.json': {
      ...agent('Judge', 'draft', 'verdict'),
      output_schema: { ...outputs('verdict'), properties: { verdict: { type: 'string', enum: ['good', 'long'] } } },
    },
    'config/agents/Mend/v1.json': agent('Mend', 'draft', 'verdict'),
    'config/orchestrations/article.json': {
      name: 'article',
      entry_team: 'judging',
      input_keys: ['draft'],
      teams: {
        judging: { name: 'Judging', tasks: [{ name: 'judge', agent: 'Judge@v1' }], routing },
        mending: { name: 'Mending', tasks: [{ name: 'mend', agent: 'Mend@v1' }], routing: { default: null } },
      },
      ...more,
    },
  });

const when = (value: unknown, next_team: string | null, more: object = {}) => ({
  condition: { task: 'judge', output_field: 'verdict', operator: 'equals', value, ...more },
  next_team,
});

test('several teams are one flow, and rules that compare one output with texts a branching node', async () => {
  const cwd = branching({ rules: [when('long', 'mending'), when('long', null), when('good', null)], default: 'mending' });
  expect(await run(cwd, 'article')).toMatchObject({ code: 0 });
  const flow = written(cwd, 'article');
  expect(flow.$referenced_components['judging.@route']).toMatchObject({
    component_type: 'BranchingNode',
    mapping: { long: 'to mending', good: 'end' },
  });
  const [from, to] = ['from_node', 'to_node'];
  const edges = flow.control_flow_connections.map((edge: Record<string, { $component_ref: string }>) =>
    [edge[from]?.$component_ref, edge.from_branch, edge[to]?.$component_ref].filter(Boolean).join(' > '),
  );
  expect(edges).toEqual([
    'judging.judge > judging.@route',
    'judging.@route > default > mending.mend',
    'judging.@route > to mending > mending.mend',
    'judging.@route > end > @end.judging',
    'mending.mend > @end.mending',
    '@start > judging.judge',
  ]);
  expect(flow.outputs).toEqual([]);
});

test('teams that can run again are told', async () => {
  const cwd = branching({ rules: [when('long', 'judging')], default: null });
  const { code, stderr } = await run(cwd, 'article');
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('can run again') });
  expect(written(cwd, 'article').outputs).toEqual([{ title: 'verdict', type: 'string', enum: ['good', 'long'] }]);
});

const noCounterpart = 'has no counterpart';
test.each([
  ['a status', () => line({ rules: [{ condition: { task: 'write', status: 'failure' }, next_team: null }], default: null }), noCounterpart],
  ['another operator', () => branching({ rules: [when('long', 'mending', { operator: 'contains' })], default: null }), noCounterpart],
  ['a list of values', () => branching({ rules: [when(['long'], 'mending', { operator: 'in' })], default: null }), noCounterpart],
  ['no default', () => branching({ rules: [when('long', 'mending'), when('good', null)] }), noCounterpart],
  [
    'changes to the context',
    () => branching({ rules: [{ ...when('long', 'mending'), context_updates: { draft: 'x' } }], default: null }),
    noCounterpart,
  ],
  ['an input that is more than one field', () => line({ default: null }, { draft: 'Text: {{tasks.write.output.draft}}' }), 'not one field'],
  ['a name with a blank', () => branching({ default: null }, { context: { 'the place': 'here' } }), '"the place" of its context'],
])('an orchestration with %s is refused, with the reason', async (_, project, why) => {
  const cwd = project();
  expect(await run(cwd, 'article')).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  expect(listFiles(cwd)).not.toContain('article.agent_spec.json');
});

test('an unknown name is refused', async () => {
  const cwd = toneProject({ 'config/agents/Tone/v1.json': toneAgent });
  expect(await run(cwd, 'Tome')).toMatchObject({ code: 2, stderr: expect.stringContaining('Tone') });
});
