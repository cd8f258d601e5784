import { describe, expect, test } from 'vitest';
import { type AgentDraft, draftAgent } from '../../core/agent/load/agentDraft.js';
import { createAgentFactory } from '../../core/agent/load/agentFactory.js';
import { agentsOfSnapshot } from '../../core/agent/load/agentsOfSnapshot.js';
import type { Agent } from '../../core/agent/types.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { readConfigFile } from '../../core/config/parseConfigFile.js';
import type { Json, JsonObject } from '../../core/json.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { canonicalJson } from '../../core/snapshot/canonicalJson.js';
import type { Snapshot } from '../../core/snapshot/createSnapshot.js';
import { verifySnapshot } from '../../core/snapshot/verifySnapshot.js';
import { createOrchestrationFactory } from '../../core/team/orchestrationFactory.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { testPorts } from '../support/testPorts.js';
import { sha256 } from './support.js';

const schemas = await loadSchemaCompiler();

/** The snapshot as another process reads it: its text and that of its origins, nothing else. */
function reread({ text, hash, origins_text }: Snapshot): Snapshot {
  const verified = verifySnapshot(text, hash, sha256);
  if (!verified.ok) throw new Error(verified.message);
  return { value: verified.value, text, hash, origins_text };
}

/** What a request is made from, as the bytes that are sent; and beside it, where order means nothing, all that decides on it. */
function requestOf({ prompt, resolved, model, price }: Agent, payload: JsonObject): string[] {
  const { messages, response_format, tools: sent, source_map } = prompt.compose(payload);
  const { config, llm, tools, servers, unlisted } = resolved;
  const bytes = { messages, response_format, sent, source_map, tools, options: llm.options, plan: config.execution_plan };
  const rest = { config, llm, servers, unlisted, issues: prompt.checkPayload({}), model: model ?? null, price: price ?? null };
  return [JSON.stringify(bytes), canonicalJson(rest as unknown as Json)];
}

const parameters = { type: 'object', required: ['b', 'a'], properties: { b: { type: 'string' }, a: { type: 'string' } } };
const hash = '0'.repeat(64);
const lock = {
  format: 1,
  servers: {
    docs: {
      tools: {
        search: { description: 'Finds pages.', parameters, hash },
        calculator: { description: 'Reckons.', parameters, hash },
        find_order: { description: '', parameters: { type: 'object' }, hash },
      },
    },
  },
};
const react = { version: 'v1', agent_type: 'react', model_name: 'house-model-2026-01-02', system_text: 'Work.' };
const output_schema = {
  type: 'object',
  required: ['z', 'a'],
  additionalProperties: false,
  properties: { z: { type: 'string', description: 'last' }, a: { type: 'string', enum: ['y', 'x'] } },
};
const files: { readonly [name: string]: Json } = {
  'config/agents/Loop/v1': { ...react, agent_name: 'Loop', client_ids: ['web', 'docs'] },
  'config/agents/Picky/v1': {
    ...react,
    agent_name: 'Picky',
    client_ids: ['docs'],
    enabled_tools: ['weather', 'docs_calculator', 'current_time', 'read_file'],
    exclude_components: ['current_time'],
    tool_protocol: 'text',
    output_schema,
    enums: { a: ['y', 'x'] },
  },
  'config/agents/Planner/v1': {
    agent_name: 'Planner',
    version: 'v1',
    agent_type: 'orchestrating',
    client_ids: ['docs'],
    execution_plan: {
      steps: [
        { name: 'weather', skill: 'weather', input: { b: 'x', a: 'y' } },
        { name: 'sum', skill: 'docs_calculator' },
        { name: 'ask', agent: 'Once', input: { q: 'why' } },
        { name: 'tell', llm: 'Tell {{steps.ask.output}}' },
      ],
    },
  },
  'config/agents/Once/v2': {
    agent_name: 'Once',
    version: 'v2',
    mode: 'Chooser',
    system_text: 'Choose.',
    purpose_text: 'Choose well.',
    input_keys: ['q'],
    output_schema,
    enums: { a: ['y', 'x'] },
    defaults: { a: 'x' },
    prompts: { system_prompt: 'p@v1' },
    llm_config_id: 'fast',
    retry_attempts: 1,
  },
  'config/prompts/p/v1': {
    name: 'p',
    version: 'v1',
    template: 'Ask {{input.q}}',
    few_shot_examples: [{ input: { q: 1, b: 2 }, output: { z: 'z', a: 'x' } }],
  },
  'config/personas/clerk': {
    mode: 'Writer',
    system_text: 'Clerk.',
    purpose_text: 'File it.',
    output_schema,
    enums: { a: ['y', 'x'] },
    llm_config_id: 'fast',
  },
  'config/llms/fast': { llm_id: 'fast', provider: 'openai', model_name: 'ft:gpt-4.1-mini:acme::1', options: { z: 1, a: 2 } },
  'config/mcp': { servers: { docs: { command: 'docs', env: { TOKEN: `\${env:T}` } }, web: { type: 'http', url: 'https://example.com' } } },
  'config/mcp.lock': lock,
  'config/orchestrations/all': {
    name: 'all',
    entry_team: 'one',
    teams: {
      one: {
        name: 'One',
        tasks: [
          { name: 'loop', agent: 'Loop' },
          { name: 'picky', agent: 'Picky', config: { max_iterations: 3 } },
          { name: 'plan', agent: 'Planner' },
          { name: 'clerk', persona_key: 'clerk', config: { retry_attempts: 7 } },
        ],
        routing: { default: null },
      },
    },
  },
  agentstack: {
    models: {
      'house-model': { context_window: 9000, price: { input: 1, output: 2 } },
      'ft:gpt-4.1-mini:acme::1': { price: { input: 3, output: 4 } },
      other: { context_window: 1 },
    },
    skills: {
      weather: { description: 'Tells the weather.', parameters, examples: [{ b: 'x', a: 'y' }] },
      read_file: { description: 'Reads our files.' },
    },
  },
};
const portsOf = (project: { readonly [name: string]: Json }) => ({
  ...testPorts(),
  files: memoryFiles(Object.fromEntries(Object.entries(project).map(([name, value]) => [`${name}.json`, JSON.stringify(value)]))),
  environment: { get: () => undefined },
});
const ports = portsOf(files);
const agents = createAgentFactory({ ports });
const payload = { q: 'why', more: { z: 1, a: [1] } };

describe('an agent made from a snapshot alone', () => {
  test.each(['Loop@v1', 'Picky@v1', 'Planner@v1', 'Once@v2'])('sends what the one from the files sends: %s', async (id) => {
    const [name = '', version = ''] = id.split('@');
    const fromFiles = await agents.load(name, version);
    const made = agentsOfSnapshot(reread(fromFiles.snapshot), { schemas }).get(name) as Agent;
    expect(requestOf(made, payload)).toEqual(requestOf(fromFiles, payload));
    expect(made.prompt.compose(payload).source_map).toEqual(fromFiles.prompt.compose(payload).source_map);
    expect([...made.resolved.origins]).toEqual(expect.arrayContaining([...fromFiles.resolved.origins]));
  });

  test('has the policy and what its tools do, with their places', async () => {
    const { search, ...others } = lock.servers.docs.tools;
    const tools = { ...others, search: { ...search, labels: { untrusted: true }, annotations: { readOnlyHint: true } } };
    const agents = { Loop: { may_not: ['sends'] } };
    const changed = {
      ...files,
      'config/mcp.lock': { format: 1, servers: { docs: { tools } } },
      'config/system': { policy: { never: [{ from: 'untrusted', to: 'sends', without: 'approval' }], agents } },
      'config/environments/dev': { policy: { only_after_approval: ['docs/*'] } },
    };
    const ports = portsOf(changed);
    const project = await loadProjectIndex(ports.files);
    const file = await readConfigFile(ports.files, 'config/agents/Loop/v1.json', {
      kind: 'agent',
      name: 'Loop',
      version: 'v1',
      id: 'Loop@v1',
    });
    // No agent runs with a policy yet, so none can be loaded.
    const fromFiles = draftAgent({ project, ports, schemas, agent_name: 'Loop', version: 'v1', file }) as AgentDraft;
    const made = agentsOfSnapshot(reread(fromFiles.snapshot as Snapshot), { schemas }).get('Loop') as Agent;
    const [policy, read] = [fromFiles.resolved.policy, made.resolved.policy];
    expect(read?.policy).toEqual(policy?.policy);
    expect(Object.fromEntries(read?.origins ?? [])).toEqual(Object.fromEntries(policy?.origins ?? []));
    expect([...(read?.origins ?? [])]).toHaveLength(3);
  });

  test('has the tools its lists choose, under the names the model was told', async () => {
    const { snapshot } = await agents.load('Picky', 'v1');
    const made = agentsOfSnapshot(reread(snapshot), { schemas }).get('Picky') as Agent;
    expect(made.resolved.tools.map(({ name, origin }) => `${name} ${origin.type}`)).toEqual([
      'weather skill',
      'read_file skill',
      'docs_calculator mcp',
    ]);
    expect(made.model).toMatchObject({ context_window: 9000 });
    expect(Object.keys(snapshot.value.models ?? {})).toEqual(['house-model']);
  });

  test('that follows a plan has the tools its steps name, and the agents they call', async () => {
    const { resolved, agents: called, snapshot } = await agents.load('Planner', 'v1');
    expect(resolved.tools.map(({ name }) => name)).toEqual(['weather', 'docs_calculator']);
    expect(Object.keys(snapshot.value.agents).sort()).toEqual(['Once@v2', 'Planner']);
    const once = called?.get('Once@v2') as Agent;
    const alone = await agents.load('Once', 'v2');
    expect(once.prompt.compose(payload).messages).toEqual(alone.prompt.compose(payload).messages);
    expect([once.resolved.llm, once.price]).toEqual([alone.resolved.llm, alone.price]);
    expect(once.snapshot).toBe(snapshot);
  });

  test('is the same as a member of an orchestration', async () => {
    const { agents: members, snapshot } = await createOrchestrationFactory({ ports }).load('all');
    const again = agentsOfSnapshot(reread(snapshot), { schemas });
    expect([...again.keys()].sort()).toEqual(['Once@v2', 'one/clerk', 'one/loop', 'one/picky', 'one/plan']);
    for (const [instance, agent] of members) expect(requestOf(again.get(instance) as Agent, payload)).toEqual(requestOf(agent, payload));
    const loop = await agents.load('Loop', 'v1');
    expect(requestOf(again.get('one/loop') as Agent, payload)).toEqual(requestOf(loop, payload));
    // An agent that names a model itself has settings of its own, and so has one with another number of tries than its profile's first.
    expect(Object.keys(snapshot.value.llms).sort()).toEqual(['@one/clerk', '@one/loop', '@one/picky', '@one/plan', 'fast']);
    expect(again.get('one/clerk')?.resolved.llm.retry_attempts).toBe(7);
    expect(again.get('Once@v2')?.resolved.llm.retry_attempts).toBe(1);
  });

  test('needs no origins', async () => {
    const fromFiles = await agents.load('Picky', 'v1');
    for (const origins_text of ['{}', 'broken', '[]', '{"/agents/Picky/mode": 3}']) {
      const made = agentsOfSnapshot({ ...reread(fromFiles.snapshot), origins_text }, { schemas }).get('Picky') as Agent;
      expect(made.prompt.compose(payload).messages).toEqual(fromFiles.prompt.compose(payload).messages);
    }
  });

  test('reads no origins before a source map is asked for', async () => {
    const { snapshot } = await agents.load('Once', 'v2');
    let reads = 0;
    const counted: Snapshot = {
      ...reread(snapshot),
      get origins_text() {
        reads += 1;
        return snapshot.origins_text;
      },
    };
    const composed = agentsOfSnapshot(counted, { schemas }).get('Once')?.prompt.compose(payload);
    expect(composed?.messages).toHaveLength(2);
    expect(reads).toBe(0);
    expect(composed?.source_map.some(({ file }) => file === 'config/agents/Once/v2.json')).toBe(true);
    expect(reads).toBe(1);
  });

  test('sends the same for every agent and orchestration of the sample project', async () => {
    const sample = { ...testPorts(), files: createNodeFiles(process.cwd()), environment: { get: () => undefined } };
    const index = await loadProjectIndex(sample.files);
    const factory = createAgentFactory({ ports: sample });
    for (const id of index.ids('agent').keys()) {
      const [name = '', version = ''] = id.split('@');
      const agent = await factory.load(name, version);
      const input = Object.fromEntries((agent.resolved.config.input_keys ?? []).map((key) => [key, `a ${key}`]));
      const made = agentsOfSnapshot(reread(agent.snapshot), { schemas }).get(name) as Agent;
      expect(requestOf(made, input)).toEqual(requestOf(agent, input));
    }
    for (const name of index.ids('orchestration').keys()) {
      const { agents: members, snapshot } = await createOrchestrationFactory({ ports: sample }).load(name);
      for (const [instance, agent] of agentsOfSnapshot(reread(snapshot), { schemas }))
        expect(agent.resolved.config).toEqual(members.get(instance)?.resolved.config);
    }
  });
});
