import { describe, expect, test } from 'vitest';
import { createAgentPrompt } from '../../core/index.js';
import { importers } from '../../core/otherTools/index.js';
import { noSchemas } from '../prompt/noSchemas.js';
import { fixture, fixtureNames, type Imported, importInto } from './support.js';

/** What cannot be clean: facts of the world that an import cannot change. The plan tells each of them. */
const unavoidable = ['deprecated-model', 'env-unset', 'unused-mcp-server', 'condition-field-unknown'];

const toolOf: Readonly<Record<string, string>> = { 'crewai-classic': 'crewai', 'claude-code': 'claude-code' };

describe.each(fixtureNames)('%s', (name) => {
  test('is recognised, and checks clean but for what the plan says', async () => {
    const { plan, findings, written } = await importInto(fixture(name));
    expect([...new Set(plan.sources.map(({ from }) => from))]).toEqual([toolOf[name] ?? name]);
    expect(plan.obstacles).toEqual([]);
    expect(written.length).toBeGreaterThan(0);
    const ofImport = findings.filter(({ file }) => written.includes(file));
    expect(ofImport.filter(({ code }) => !unavoidable.includes(code))).toEqual([]);
    const lines = (all: Imported['findings']) => all.map(({ file, code, message }) => `${file} ${code} ${message}`).sort();
    expect(lines(plan.findings)).toEqual(lines(ofImport));
  });

  test('is the same when it is imported again: nothing is written', async () => {
    const first = await importInto(fixture(name));
    const again = await importInto(fixture(name), { into: Object.fromEntries(first.files.texts) });
    expect(again.plan.obstacles).toEqual([]);
    // What a system config adds is not written twice, and told.
    expect(again.written).toEqual([]);
  });
});

test('every importer has a fixture', () => {
  expect(fixtureNames.map((name) => toolOf[name] ?? name)).toEqual(expect.arrayContaining(importers.map(({ id }) => id)));
});

/** Notes as `file:line message`. */
function notesOf({ plan }: Imported): readonly string[] {
  return plan.notes.map(({ file, line, message }) => `${file}:${line} ${message}`);
}

/** The SYSTEM message of an imported agent. */
function systemOf(imported: Imported, path: string, input = {}): string {
  const config = imported.read(path);
  return String(createAgentPrompt({ config: config as never, schemas: noSchemas }).compose(input).messages[0]?.content);
}

test('a Kiro agent keeps its prompt to the byte, also with what would be a variable here', async () => {
  const imported = await importInto(fixture('kiro'));
  expect(imported.read('config/agents/aws-specialist-agent/v1.json')).toMatchObject({
    system_text: 'You are an expert AWS infrastructure specialist. Never print ${DOLLAR:-$}{AWS_SECRET}.',
    model_name: 'claude-sonnet-4-5',
    client_ids: ['git', 'fetch'],
  });
  expect(imported.read('config/agents/builder/v1.json').system_text).toBe('# Builder\n\nYou build exactly one task, then stop.');
  expect(imported.read('config/agents/backend/v1.json').system_text).toBe('You are a backend developer focused on Node.js and TypeScript.');
  expect(Object.keys(imported.read('config/mcp.json').servers as object)).toEqual(['fetch', 'git', 'postgres']);
  expect(notesOf(imported)).toContainEqual(expect.stringMatching(/aws-specialist-agent\.json:15 "hooks" has no counterpart/));
});

test.each([
  ['one a line', 'tools:\n  - Read\n  - mcp__stock__find'],
  ['in brackets', 'tools: [Read, "mcp__stock__find"]'],
  ['after commas', 'tools: Read, mcp__stock__find'],
])('tools %s survive a front matter that is not YAML', async (_form, tools) => {
  const text = `---\nname: rev\ndescription: Use this: when it says: so\n${tools}\nmodel: inherit\n---\nYou review.\n`;
  const sources = { '.claude/agents/rev.md': text, '.mcp.json': '{"mcpServers":{"stock":{"command":"npx"}}}' };
  const imported = await importInto(sources, { entry: '.claude/agents/rev.md' });
  expect(imported.read('config/agents/rev/v1.json')).toMatchObject({
    description: 'Use this: when it says: so',
    client_ids: ['stock'],
    enabled_tools: ['read_file', 'find'],
  });
  expect(notesOf(imported).filter((note) => note.includes('not a tool'))).toEqual([]);
});

test.each([
  ['agent', { agents: [{ type: 'agent', name: 'Same', system_prompt: '?' }] }],
  ['llm', { llms: [{ type: 'llm', llm_id: 'same', provider: 'openai', model_name: '?' }] }],
])('two sources with one %s of a name are told, and who gets which', async (kind, value) => {
  const of = (text: string) => JSON.stringify(value).replace('?', text);
  const imported = await importInto({ 'a.json': of('gpt-5.4-mini'), 'b.json': of('gpt-5.4') });
  expect(notesOf(imported)).toContainEqual(
    expect.stringMatching(new RegExp(`^b\\.json:1 It is left out: a\\.json is for the same ${kind}, .*, which all that names it gets now`)),
  );
});

test('a Claude Code subagent whose front matter is not YAML is read as Claude Code reads it', async () => {
  const imported = await importInto(fixture('claude-code'));
  expect(imported.read('config/agents/test-generator/v1.json').description).toMatch(/^Use this agent when .* user: "Please add tests"/);
  expect(imported.read('config/agents/code-reviewer/v1.json')).toMatchObject({
    provider: 'anthropic',
    enabled_tools: ['read_file', 'search_files', 'get_issue'],
    client_ids: ['github'],
    max_iterations: 12,
  });
  expect(Object.keys(imported.read('config/mcp.json').servers as object)).toEqual(['github']);
});

test.each([
  ['.gemini/settings.json', 'mcpServers'],
  ['.zed/settings.json', 'context_servers'],
])('the servers of %s, which holds other settings as well', async (entry, key) => {
  const settings = { theme: 'dark', [key]: { docs: { command: 'docs-mcp', args: ['--read-only'] } } };
  const imported = await importInto({ [entry]: JSON.stringify(settings) }, { entry });
  expect(imported.read('config/mcp.json').servers).toMatchObject({ docs: { command: 'docs-mcp', args: ['--read-only'] } });
});

test('agents of opencode get the servers that are not switched off for them', async () => {
  const imported = await importInto(fixture('opencode'));
  expect(imported.read('config/agents/code-reviewer/v1.json')).toMatchObject({ llm_config_id: 'local_qwen3', client_ids: ['calculator'] });
  expect(imported.read('config/agents/build/v1.json')).toMatchObject({
    system_text: 'You are the builder of this project.',
    client_ids: ['sentry', 'remote-api', 'calculator'],
  });
  expect(imported.read('config/llms/local_qwen3.json')).toMatchObject({ base_url: 'http://127.0.0.1:1234/v1', api_key_env: 'LOCAL_KEY' });
  expect(imported.files.texts.has('config/agents/plan/v1.json')).toBe(false);
  expect(notesOf(imported)).toContainEqual(expect.stringContaining('"plan" is left out: it has no prompt of its own'));
});

test("a crew becomes an orchestration, and the prompt of an agent without inputs is CrewAI's own", async () => {
  const imported = await importInto(fixture('crewai'));
  expect(systemOf(imported, 'config/agents/analyst/v1.json')).toMatch(
    /^You are Analyst\. You have read a thousand reports\.\n\nYour personal goal is: Find what matters\./,
  );
  expect(imported.read('config/prompts/researcher/v1.json').template).toMatch(
    /^You are Researcher specializing in \{\{input\.topic\}\}\. /,
  );
  expect(imported.read('config/orchestrations/Rock_Music_Research_Crew.json')).toMatchObject({
    context: { topic: '70s, 80s, and 90s Australian rock bands', audience: '' },
    teams: { crew: { tasks: [{ name: 'research_task' }, { name: 'analysis_task', depends_on: ['research_task'] }] } },
  });
  expect(notesOf(imported)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^agents\/researcher\.jsonc:7 "SerperDevTool", "custom:my_tool" are Python tools/),
      expect.stringMatching(/^crew\.jsonc:25 "output_pydantic" has no counterpart\. It names Python code/),
      expect.stringContaining('The texts name inputs without a value: "audience"'),
    ]),
  );
});

test('agents.yaml finds tasks.yaml beside it, and the other way round', async () => {
  for (const entry of ['config/agents.yaml', 'config/tasks.yaml']) {
    const { plan } = await importInto(fixture('crewai-classic'), { entry });
    expect(plan.files.map(({ path }) => path)).toContain('config/orchestrations/crew.json');
  }
});

test('the agent and the profile of document 001 keep every field that has a counterpart', async () => {
  const imported = await importInto(fixture('aurite'));
  expect(imported.read('config/agents/Weather_Agent/v1.json')).toMatchObject({
    agent_type: 'react',
    system_text: 'You are a weather assistant with access to real-time weather data.',
    client_ids: ['weather_server'],
    llm_config_id: 'precise-gpt4',
    temperature: 0.2,
    max_output_tokens: 1024,
    max_iterations: 5,
    include_history: true,
    exclude_components: ['current_time'],
    output_schema: { required: ['weather_summary'] },
  });
  expect(imported.read('config/llms/precise-gpt4.json')).toMatchObject({
    provider: 'openai',
    max_output_tokens: 4096,
    api_key_env: 'OPENAI_API_KEY',
  });
  expect(notesOf(imported)).toContainEqual(expect.stringContaining('The workflow "custom_analysis" is Python code.'));
});

test('the config of document 002 keeps its loop, and says where the prompt is', async () => {
  const imported = await importInto(fixture('noema'));
  const { $schema: _, ...agent } = imported.read('config/agents/learning/v1.json');
  expect(agent).toEqual({
    agent_name: 'learning',
    version: 'v1',
    agent_type: 'react',
    provider: 'openai',
    model_name: 'gpt-4-turbo-preview',
    temperature: 0.7,
    max_output_tokens: 2000,
    max_iterations: 10,
    timeout_ms: 30000,
    retry_attempts: 3,
    tracing: { enabled: true, sample_rate: 1 },
  });
  expect(notesOf(imported)).toEqual([
    expect.stringContaining('"get-card" is a tool that the project does not have'),
    expect.stringContaining('version "1.0.0", is in the prompt store of a program'),
  ]);
});

test('the same config as YAML becomes the same agent', async () => {
  const yaml =
    'llm: {model: gpt-4-turbo-preview, temperature: 0.7, maxTokens: 2000}\nbehavior:\n  maxIterations: 10\n  timeoutMs: 30000\n  retryAttempts: 3\nenabledTools: [get-card]\nprompts: {systemPromptVersion: "1.0.0", fewShotExamples: true}\ntracing: {enabled: true, sampleRate: 1.0}\n';
  const [ours, theirs] = await Promise.all([importInto({ 'learning.yaml': yaml }), importInto(fixture('noema'))]);
  expect(ours.read('config/agents/learning/v1.json')).toEqual(theirs.read('config/agents/learning/v1.json'));
});

test('the pipeline map of document 003 becomes an agent with its prompt in the store', async () => {
  const imported = await importInto(fixture('a2rchi'));
  expect(imported.read('config/agents/CMSCompOpsAgent/v1.json')).toMatchObject({
    agent_type: 'react',
    prompts: { system_prompt: 'agent@v1' },
  });
  expect(imported.read('config/prompts/agent/v1.json').template).toBe(
    'You are an assistant for CMS CompOps tickets. Search before you answer.',
  );
  const alone = await importInto({ 'config.yaml': fixture('a2rchi')['config.yaml'] ?? '' });
  expect(notesOf(alone)).toContainEqual(expect.stringContaining('config.yaml:8 The prompt "prompts/agent.prompt" was not read'));
});

test('the configuration of document 004 becomes personas, an orchestration and the defaults', async () => {
  const imported = await importInto(fixture('c4h'));
  expect(imported.read('config/personas/solution_designer_v1.json')).toMatchObject({
    provider: 'anthropic',
    model_name: 'claude-3-7-sonnet-20250219',
    temperature: 1,
    system_text: 'You are a solution designer...',
    purpose_text: '...',
  });
  expect(imported.read('config/system.json')).toMatchObject({ orchestration: { max_total_teams: 30, max_recursion_depth: 5 } });
  expect(imported.read('config/orchestrations/main.json')).toMatchObject({
    entry_team: 'discovery',
    teams: {
      discovery: { tasks: [{ agent_type: 'single_shot', persona_key: 'solution_designer_v1', config: { retry_attempts: 3 } }] },
      engineering_team: { max_recursion_depth: 3, tasks: [{ config: { temperature: 0 } }] },
    },
  });
});

test('limits alone, as document 004 shows them, become limits, and the team without tasks is told', async () => {
  const text =
    'orchestration:\n  enabled: true\n  entry_team: "discovery"\n  max_total_teams: 30\n  max_recursion_depth: 5\n  teams:\n    engineering_team:\n      name: "Engineering Team"\n      max_recursion_depth: 3 # Override global limit\n      # ... tasks, routing ...\n';
  const imported = await importInto({ 'system_config.yml': text });
  expect(imported.plan.files.map(({ path }) => path)).toEqual(['config/system.json']);
  expect(notesOf(imported)).toContainEqual(
    expect.stringMatching(/^system_config\.yml:7 The teams are left out: "engineering_team" has no task/),
  );
});

test('a task of document 004 that names a class is left out and told', async () => {
  const config = {
    orchestration: { entry_team: 'a', teams: { a: { name: 'A', tasks: [{ name: 't', agent_class: 'c4h.agents.Coder' }] } } },
  };
  await expect(importInto({ 'system_config.json': JSON.stringify(config, null, 2) })).rejects.toThrow(/agent_class names Python code/);
});

test('a card says that remote agents keep their prompt', async () => {
  const imported = await importInto(fixture('a2a'));
  expect(imported.read('config/agents/Research_Agent/1.0.0.json').system_text).toContain('- Web Research: Searches the web');
  expect(notesOf(imported)[0]).toContain('A card describes a remote agent, which keeps its prompt to itself');

  const { supportedInterfaces: _, ...common } = JSON.parse(fixture('a2a')['.well-known/agent-card.json'] ?? '');
  const reach = { protocolVersion: '0.3.0', url: 'https://research-agent.example.com/a2a/v1', preferredTransport: 'JSONRPC' };
  const earlier = await importInto({ 'agent-card.json': JSON.stringify({ ...common, ...reach }) });
  expect(earlier.read('config/agents/Research_Agent/1.0.0.json')).toEqual(imported.read('config/agents/Research_Agent/1.0.0.json'));
  expect(notesOf(earlier)).toContainEqual(expect.stringContaining('"preferredTransport" has no counterpart'));
});

test('a project of Aurite with a name is its components, and what it has besides is told', async () => {
  const project = {
    name: 'my host',
    mcp_servers: [{ name: 'weather', server_path: 'weather.py' }],
    llms: [{ llm_id: 'gpt', provider: 'openai', model_name: 'gpt-5.4-mini' }],
    agents: [{ name: 'Weather', system_prompt: 'You report.', llm_config_id: 'gpt', mcp_servers: ['weather'] }],
    evaluations: [{ name: 'e' }],
    storage: { type: 'x' },
  };
  const { plan } = await importInto({ 'a.json': JSON.stringify(project) }, { entry: 'a.json' });
  expect(plan.files.map(({ path }) => path).sort()).toEqual(['config/agents/Weather/v1.json', 'config/llms/gpt.json', 'config/mcp.json']);
  expect(plan.notes.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('"evaluations" of a project of Aurite'),
      expect.stringContaining('"storage" of a project'),
    ]),
  );
});

test('C4H: an unknown key of a rule costs no team, and what llm_config says of a persona counts below its own file', async () => {
  const files = fixture('c4h');
  const system = files['system_config.yml']!.replace(
    'next_team: null # End workflow\n',
    'next_team: null\n            priority: 5\n',
  ).replace('llm_config:\n', 'llm_config:\n  personas:\n    solution_designer_v1:\n      temperature: 0.3\n      max_tokens: 900\n');
  const { plan } = await importInto({ ...files, 'system_config.yml': system }, { entry: 'system_config.yml' });
  const text = (path: string) => JSON.parse(plan.files.find((file) => file.path === path)!.text);
  expect(Object.keys(text('config/orchestrations/main.json').teams)).toEqual(['discovery', 'engineering_team']);
  expect(text('config/personas/solution_designer_v1.json')).toMatchObject({ temperature: 1, max_output_tokens: 900 });
  const said = plan.notes.map(({ message }) => message);
  expect(said).toContain('"priority" has no counterpart and is left out.');
  expect(said.some((words) => words.startsWith('"max_tokens" of this persona is taken'))).toBe(true);
});

test('a flow of Agent Spec becomes an orchestration, with its data edges as inputs, and tells what has no counterpart', async () => {
  const imported = await importInto(fixture('agent-spec'));
  const schemaOf = (key: string) => ({
    type: 'object',
    properties: { [key]: { type: 'string' } },
    required: [key],
    additionalProperties: false,
  });
  expect(imported.read('config/agents/Writer/v1.json')).toMatchObject({
    agent_type: 'react',
    system_text: 'You write an article about "topic" of the input.',
    client_ids: ['archive'],
    enabled_tools: ['find_articles'],
    llm_config_id: 'local_model',
  });
  expect(imported.read('config/agents/Corrector/v1.json')).toMatchObject({
    system_text: 'You correct: {{input.article}}',
    input_schema: schemaOf('article'),
    output_schema: schemaOf('text'),
  });
  expect(imported.read('config/llms/local_model.json')).toMatchObject({
    provider: 'openai_compatible',
    base_url: 'http://localhost:8000/v1',
    temperature: 0.2,
    max_output_tokens: 800,
  });
  expect(imported.read('config/mcp.json').servers).toEqual({ archive: { type: 'http', url: 'https://archive.example.com/mcp' } });
  expect(imported.read('config/orchestrations/Article.json')).toMatchObject({
    input_schema: schemaOf('topic'),
    teams: {
      steps: {
        tasks: [
          { agent: 'Writer@v1', input: { topic: '{{context.topic}}' } },
          { agent: 'Corrector@v1', input: { article: '{{tasks.write_article.output.article}}' }, depends_on: ['write_article'] },
        ],
      },
    },
  });
  for (const words of [
    'ServerTool "spell" is left out',
    'Whether a call is confirmed',
    'names its inputs in words',
    'leaves "sensitive_headers" out',
  ])
    expect(notesOf(imported)).toContainEqual(expect.stringContaining(words));
});

test('of Agent Spec, a flow that branches or repeats, other components, and what no file defines are left out and told', async () => {
  const text = fixture('agent-spec')['article_agent_spec.yaml'] ?? '';
  const broken: readonly (readonly [string, string, string])[] = [
    ['to_node: { $component_ref: end }', 'to_node: { $component_ref: write }', 'only a line of agents can be imported'],
    ['to_node: { $component_ref: end }', 'to_node: { $component_ref: none }', 'only a line of agents can be imported'],
    ['component_type: OpenAiCompatibleConfig', 'component_type: OciGenAiConfig', 'no provider here reaches it'],
    ['model_id: qwen3', 'model_id: qwen3\n    api_key: { $component_ref: model.api_key }', 'The file leaves the key out'],
    ['llm_config: { $component_ref: model }', 'llm_config: { $component_ref: none }', 'The model is left out'],
  ];
  for (const [from, to, words] of broken) {
    const imported = await importInto({ 'agent_spec.yaml': text.replace(from, to) });
    expect(notesOf(imported), to).toContainEqual(expect.stringContaining(words));
  }
});

test('a parameter that only a provider understands goes to options of a profile, and an agent is told where it belongs', async () => {
  const profile = { type: 'llm', llm_id: 'q', provider: 'anthropic', model_name: 'claude-sonnet-4-6', top_k: 3, seed: 7 };
  const agent = { type: 'agent', name: 'W', system_prompt: 'Hi.', model: 'gpt-5.4-mini', top_k: 4, api_base: 'http://localhost:1/v1' };
  const imported = await importInto({ 'all.json': JSON.stringify([profile, agent]) });
  expect(imported.read('config/llms/q.json').options).toEqual({ top_k: 3, seed: 7 });
  const notes = imported.plan.notes.map(({ message }) => message);
  expect(notes).toEqual([
    '"top_k" is left out: it belongs in the llm profile, as "options.top_k".',
    '"api_base" is left out: it belongs in the llm profile, as "base_url".',
  ]);
});

test.each([
  ['agent', { type: 'agent', name: 'same', system_prompt: 'One.' }, { type: 'agent', name: 'same', system_prompt: 'Two.' }],
  ['llm', { type: 'llm', llm_id: 'same', provider: 'openai', model_name: 'gpt-5.4' }, { type: 'llm', llm_id: 'same', provider: 'gemini' }],
])('of two sources for one %s, the first counts, and the other is told', async (kind, first, second) => {
  const { plan } = await importInto({ 'a.json': JSON.stringify([first]), 'b.json': JSON.stringify([second]) });
  expect(plan.notes.filter(({ file }) => file === 'b.json').map(({ message }) => message)).toEqual([
    expect.stringContaining(`a.json is for the same ${kind}, "same`),
  ]);
});
