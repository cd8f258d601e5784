// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these configs hold placeholders.
import { describe, expect, test } from 'vitest';
import { createAgentFactory } from '../../core/agent/load/agentFactory.js';
import { ConfigInvalidError, ConfigSyntaxError, UnknownOrchestrationError } from '../../core/errors.js';
import type { Json, JsonObject } from '../../core/json.js';
import type { CallOverrides } from '../../core/snapshot/types.js';
import { createOrchestrationFactory } from '../../core/team/orchestrationFactory.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { testPorts } from '../support/testPorts.js';

type Files = { readonly [name: string]: Json };

const output_schema = { type: 'object', required: ['text'], additionalProperties: false, properties: { text: { type: 'string' } } };
const writer = {
  agent_name: 'Writer',
  version: 'v1',
  mode: 'Writer',
  system_text: 'You write.',
  purpose_text: 'Write the text.',
  llm_config_id: 'fast',
  output_schema,
};
const editor = { mode: 'Writer', system_text: 'You edit.', purpose_text: 'Improve the text.', output_schema, llm_config_id: 'fast' };
const article = {
  name: 'article',
  entry_team: 'writing',
  context: { topic: 'bees', audience: '${AUDIENCE:-everybody}' },
  teams: {
    writing: {
      name: 'Writing',
      tasks: [
        { name: 'draft', agent: 'Writer' },
        { name: 'edit', persona_key: 'editor', input: { text: '{{tasks.draft.output.text}}' }, config: { temperature: 1 } },
      ],
      routing: { default: null },
    },
  },
};
const basic: Files = {
  'agents/Writer/v1': writer,
  'personas/editor': editor,
  'llms/fast': { llm_id: 'fast', provider: 'openai', model_name: 'gpt-4.1-mini' },
  'orchestrations/article': article,
};

interface Setting {
  readonly files?: Files;
  readonly variables?: { readonly [name: string]: string };
  readonly environment?: string;
  readonly settings?: JsonObject;
}

function project({ files = basic, variables = {}, environment, settings }: Setting = {}) {
  const texts = Object.entries(files).map(([name, value]) => [
    `config/${name}.json`,
    typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  ]);
  if (settings) texts.push(['agentstack.json', JSON.stringify(settings)]);
  const memory = memoryFiles(Object.fromEntries(texts));
  const get = (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
  const options = { ports: { ...testPorts(), files: memory, environment: { get } }, ...(environment && { environment_name: environment }) };
  const teams = createOrchestrationFactory(options);
  return { memory, agents: createAgentFactory(options), load: (overrides?: CallOverrides) => teams.load('article', overrides), teams };
}

const withTask = (task: JsonObject, more: Files = {}): Setting => ({
  files: {
    ...basic,
    'orchestrations/article': {
      ...article,
      teams: { writing: { ...article.teams.writing, tasks: [{ name: 'draft', agent: 'Writer' }, task] } },
    },
    ...more,
  },
});

/** `code file:line` of every finding the load is refused with. */
async function refusal(setting: Setting): Promise<readonly string[]> {
  const error = await project(setting)
    .load()
    .then(
      () => new Error('It was not refused.'),
      (reason: unknown) => reason,
    );
  if (!(error instanceof ConfigInvalidError || error instanceof ConfigSyntaxError)) throw error;
  return error.findings.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message}`);
}

describe('an orchestration from its file', () => {
  test('has an agent for every task, each with all its layers', async () => {
    const { frozen, agents, snapshot } = await project().load();
    expect([...agents.keys()].sort()).toEqual(['writing/draft', 'writing/edit']);
    const draft = agents.get('writing/draft')?.resolved.config;
    expect(draft).toMatchObject({ agent_name: 'Writer', version: 'v1', model_name: 'gpt-4.1-mini', temperature: 0 });
    const edit = agents.get('writing/edit')?.resolved.config;
    expect(edit).toMatchObject({ agent_name: 'edit', version: 'editor', persona_key: 'editor', temperature: 1, system_text: 'You edit.' });
    expect(frozen).toEqual({
      entry_team: 'writing',
      max_total_teams: 30,
      max_recursion_depth: 5,
      context: { topic: 'bees', audience: 'everybody' },
      teams: {
        writing: {
          name: 'Writing',
          tasks: [
            { name: 'draft', agent: 'Writer@v1' },
            { name: 'edit', persona_key: 'editor', input: { text: '{{tasks.draft.output.text}}' } },
          ],
          routing: { default: null },
        },
      },
    });
    expect(snapshot.value.orchestration).toEqual(frozen);
    expect(snapshot.value.version).toBeUndefined();
    expect(Object.keys(snapshot.value.llms)).toEqual(['fast']);
    for (const agent of agents.values()) expect(agent.snapshot).toBe(snapshot);
  });

  test('takes the newest version at the moment it is frozen', async () => {
    const files = { ...basic, 'agents/Writer/v10': { ...writer, version: 'v10' }, 'agents/Writer/v2': { ...writer, version: 'v2' } };
    const { frozen } = await project({ files }).load();
    expect(frozen.teams.writing?.tasks[0]?.agent).toBe('Writer@v10');
  });

  test('has its limits from all layers, its own on top', async () => {
    const files = {
      ...basic,
      system: { orchestration: { max_total_teams: 50, max_recursion_depth: 7 } },
      'environments/prod': { orchestration: { max_recursion_depth: 9 } },
    };
    const { frozen, snapshot } = await project({ files, environment: 'prod' }).load();
    expect(frozen).toMatchObject({ max_total_teams: 50, max_recursion_depth: 9 });
    const origins = JSON.parse(snapshot.origins_text) as JsonObject;
    expect(origins['/orchestration/max_total_teams']).toEqual({
      file: 'config/system.json',
      pointer: '/orchestration/max_total_teams',
      layer: 'system',
    });
    expect(origins['/orchestration/max_recursion_depth']).toMatchObject({ layer: 'environment' });
    const own = { ...files, 'orchestrations/article': { ...article, max_total_teams: 3, max_recursion_depth: null } };
    expect((await project({ files: own, environment: 'prod' }).load()).frozen).toMatchObject({
      max_total_teams: 3,
      max_recursion_depth: 5,
    });
  });

  test('says of every leaf where it is written', async () => {
    const { snapshot } = await project().load();
    const origins = JSON.parse(snapshot.origins_text) as { readonly [pointer: string]: JsonObject };
    const file = 'config/orchestrations/article.json';
    expect(origins['/name']).toEqual({ file, pointer: '/name', layer: 'orchestration' });
    expect(origins['/orchestration/teams/writing/tasks/0/agent']).toMatchObject({ file, pointer: '/teams/writing/tasks/0/agent' });
    expect(origins['/agents/writing~1edit/temperature']).toEqual({
      file,
      pointer: '/teams/writing/tasks/1/config/temperature',
      layer: 'task',
    });
    expect(origins['/agents/writing~1edit/agent_name']).toEqual({ file, pointer: '/teams/writing/tasks/1/name', layer: 'task' });
    expect(origins['/agents/writing~1edit/version']).toMatchObject({ file, pointer: '/teams/writing/tasks/1/persona_key', layer: 'task' });
    expect(origins['/agents/writing~1edit/system_text']).toMatchObject({ file: 'config/personas/editor.json', layer: 'persona' });
    expect(origins['/agents/writing~1draft/system_text']).toMatchObject({ file: 'config/agents/Writer/v1.json', layer: 'agent' });
  });

  test('applies the overrides of a call to every agent', async () => {
    const { agents } = await project({ files: { ...basic, 'llms/slow': { llm_id: 'slow', provider: 'offline' } } }).load({
      llm: 'slow',
      config: { max_output_tokens: 7 },
    });
    for (const { resolved } of agents.values()) {
      expect(resolved.config.max_output_tokens).toBe(7);
      expect(resolved.llm.provider).toBe('offline');
    }
  });

  test('takes with it the agents that plans call, in circles too', async () => {
    const plan = (agent: string) => ({ steps: [{ name: 'only', agent }] });
    const setting = withTask(
      { name: 'lead', agent: 'Boss' },
      {
        'agents/Boss/v1': { agent_name: 'Boss', version: 'v1', agent_type: 'orchestrating', execution_plan: plan('Aide') },
        'agents/Aide/v3': { agent_name: 'Aide', version: 'v3', agent_type: 'orchestrating', execution_plan: plan('Boss@v1') },
      },
    );
    const { agents, snapshot } = await project(setting).load();
    expect([...agents.keys()].sort()).toEqual(['Aide@v3', 'Boss@v1', 'writing/draft', 'writing/lead']);
    expect(agents.get('writing/lead')?.resolved.config.execution_plan).toEqual({ steps: [{ name: 'only', agent: 'Aide@v3' }] });
    expect(agents.get('writing/lead')?.agents?.get('Aide@v3')?.agents?.get('Boss@v1')).toBe(agents.get('Boss@v1'));
    expect(snapshot.value.agents['Aide@v3']).toBeDefined();
  });
});

describe('an orchestration that cannot run', () => {
  test('is unknown, with the names that look alike', async () => {
    const { teams } = project();
    await expect(teams.load('artcle')).rejects.toThrow(UnknownOrchestrationError);
    await expect(teams.load('artcle')).rejects.toThrow('Did you mean "article"?');
    await expect(teams.load('../x')).rejects.toThrow('legal name');
    await expect(teams.load('Writer')).rejects.toThrow('There is an agent of that name.');
  });

  test('is refused where a layer says that none may run', async () => {
    const files = { ...basic, 'environments/prod': { orchestration: { enabled: false } } };
    expect(await refusal({ files, environment: 'prod' })).toEqual([
      expect.stringMatching(/^limit-invalid config\/environments\/prod\.json:3 Orchestrations may not run here/),
    ]);
    await project({ files }).load();
  });

  test.each<[string, Setting, RegExp[]]>([
    [
      'an agent there is not',
      withTask({ name: 'x', agent: 'Wrter@v1' }),
      [/^unknown-agent config\/orchestrations\/article\.json:18 .*Writer/],
    ],
    [
      'a version there is not',
      withTask({ name: 'x', agent: 'Writer@v7' }),
      [/^unknown-agent-version config\/orchestrations\/article.json:18/],
    ],
    [
      'a persona there is not',
      withTask({ name: 'x', persona_key: 'editr' }),
      [/^unknown-persona config\/orchestrations\/article.json:18 .*editor/],
    ],
    [
      'a profile there is not, in the config of a task',
      withTask({ name: 'x', persona_key: 'editor', config: { llm_config_id: 'fst' } }),
      [/^unknown-llm .*article.json:20 .*fast/],
    ],
    [
      'a fault in a persona',
      withTask({ name: 'x', persona_key: 'bad' }, { 'personas/bad': { ...editor, temperature: 9 } }),
      [/^schema config\/personas\/bad.json:/],
    ],
    [
      'a fault in an llm profile',
      { files: { ...basic, 'llms/fast': { llm_id: 'fast', model_name: 3 } } },
      [/^schema config\/llms\/fast.json:/],
    ],
    [
      'a fault of an agent file',
      { files: { ...basic, 'agents/Writer/v1': { ...writer, defaults: { text: 3 } } } },
      [/^default-fits-schema config\/agents\/Writer\/v1.json:/],
    ],
    ['a persona that lacks something', withTask({ name: 'x', persona_key: 'bare' }, { 'personas/bare': {} }), [/has no system_text/]],
    [
      'a schema that the config of a task brings',
      withTask({ name: 'x', persona_key: 'editor', config: { output_schema: { type: 'object', properties: { a: { type: 'strong' } } } } }),
      [/^schema config\/orchestrations\/article\.json:\d+ /],
    ],
    [
      'a variable that is not set',
      withTask({ name: 'x', persona_key: 'editor', input: { a: '${NOPE}' } }),
      [/^env-unset .*article.json:\d+ .*NOPE/],
    ],
    [
      'text that is not JSON',
      { files: { ...basic, 'agents/Writer/v1': '{"agent_name": ' } },
      [/^json-syntax config\/agents\/Writer\/v1.json:/],
    ],
    [
      'two things wrong in two files',
      { files: { ...basic, 'personas/editor': { ...editor, temperature: 9 }, 'agents/Writer/v1': { ...writer, mode: 'Poet' } } },
      [/^schema config\/agents\/Writer\/v1.json/, /^schema config\/personas\/editor.json/],
    ],
  ])('because of %s, told at its place', async (_, setting, expected) => {
    const found = await refusal(setting);
    for (const pattern of expected) expect(found).toContainEqual(expect.stringMatching(pattern));
    expect(new Set(found).size).toBe(found.length);
  });

  test('because of an environment there is not, with those there are', async () => {
    const found = await refusal({ files: { ...basic, 'environments/prod': {} }, environment: 'prd' });
    expect(found[0]).toMatch(/^unknown-environment /);
    expect(found[0]).toContain('There is no environment "prd": environments/prd.json does not exist. Did you mean "prod"?');
  });
});
