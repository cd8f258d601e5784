import { describe, expect, test } from 'vitest';
import { createAgentFactory } from '../../core/agent/load/agentFactory.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import type { JsonObject } from '../../core/json.js';
import { createRunFolder } from '../../core/run/runFolder.js';
import { verifyRun } from '../../core/run/verifyRun.js';
import type { CallOverrides } from '../../core/snapshot/types.js';
import { createOrchestrationFactory } from '../../core/team/orchestrationFactory.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { testPorts } from '../support/testPorts.js';

const writer = {
  agent_name: 'Writer',
  version: 'v1',
  mode: 'Writer',
  system_text: 'You write.',
  purpose_text: 'Write.',
  llm_config_id: 'fast',
  prompts: { system_prompt: 'long@v1' },
  output_schema: { type: 'object', required: ['text'], additionalProperties: false, properties: { text: { type: 'string' } } },
};
const article = {
  name: 'article',
  entry_team: 'writing',
  teams: { writing: { name: 'Writing', tasks: [{ name: 'draft', agent: 'Writer' }], routing: { default: null } } },
};
const files: { readonly [path: string]: unknown } = {
  'config/agents/Writer/v1.json': writer,
  'config/prompts/long/v1.json': { name: 'long', version: 'v1', template: 'You write at length.' },
  'config/llms/fast.json': { llm_id: 'fast', provider: 'openai', model_name: 'gpt-4.1-mini' },
  'config/orchestrations/article.json': article,
  'config/environments/prod.json': { agent_defaults: { max_iterations: 3 } },
};

/** A project with one run in it. */
async function project(
  kind: 'agent' | 'orchestration',
  { environment, overrides }: { environment?: string; overrides?: CallOverrides } = {},
) {
  const memory = memoryFiles(Object.fromEntries(Object.entries(files).map(([path, value]) => [path, JSON.stringify(value, null, 2)])));
  const ports = { ...testPorts(), files: memory, environment: { get: () => undefined } };
  const options = { ports, ...(environment !== undefined && { environment_name: environment }) };
  const { snapshot } =
    kind === 'agent'
      ? await createAgentFactory(options).load('Writer', 'v1', overrides)
      : await createOrchestrationFactory(options).load('article', overrides);
  const folder = createRunFolder(memory, 'r1');
  const { snapshot_path } = await folder.begin(snapshot);
  const edit = (path: string, change: JsonObject) =>
    memory.texts.set(path, JSON.stringify({ ...(JSON.parse(memory.texts.get(path) ?? '{}') as JsonObject), ...change }));
  return {
    memory,
    folder,
    snapshot,
    snapshot_path,
    edit,
    verify: () => verifyRun({ ports, project: () => loadProjectIndex(memory), run_id: 'r1' }),
  };
}

describe('a run that is verified', () => {
  test.each(['agent', 'orchestration'] as const)('is the same while nothing has changed: %s', async (kind) => {
    const { verify, snapshot, snapshot_path } = await project(kind);
    expect(await verify()).toMatchObject({
      kind,
      environment: 'dev',
      snapshot_hash: snapshot.hash,
      snapshot_path,
      faults: [],
      hash_now: snapshot.hash,
      error_now: null,
      differences: [],
    });
  });

  test('is made again in its environment and with what its call brought, removals included', async () => {
    const overrides = { llm: 'fast', config: { system_text: 'Other.', prompts: { system_prompt: null }, temperature: 0.5 } };
    for (const kind of ['agent', 'orchestration'] as const) {
      const { verify, snapshot } = await project(kind, { environment: 'prod', overrides });
      expect(await verify()).toMatchObject({ faults: [], hash_now: snapshot.hash, differences: [] });
    }
  });

  test('says which file and layer changed what since then', async () => {
    const { verify, snapshot, edit } = await project('orchestration');
    edit('config/agents/Writer/v1.json', { purpose_text: 'Write well.' });
    edit('config/llms/fast.json', { model_name: 'gpt-4.1' });
    const verified = await verify();
    expect(verified?.hash_now).not.toBe(snapshot.hash);
    expect(verified?.faults).toEqual([]);
    expect(verified?.differences.map(({ cause, file, changes }) => [cause, file, changes.map(({ pointer }) => pointer)])).toEqual([
      ['value', 'config/agents/Writer/v1.json', ['/agents/writing~1draft/purpose_text']],
      ['value', 'config/llms/fast.json', ['/agents/writing~1draft/model_name']],
    ]);
  });

  test('says that the files of today make none, and why', async () => {
    const { verify, memory } = await project('agent');
    memory.texts.delete('config/agents/Writer/v1.json');
    expect(await verify()).toMatchObject({ hash_now: null, faults: [], error_now: { code: 'unknown-agent-config' } });
  });

  test('shows a frozen config that was changed, and still whether today makes the one it is named by', async () => {
    const { verify, memory, snapshot, snapshot_path } = await project('agent');
    memory.texts.set(snapshot_path, snapshot.text.replace('You write', 'I write'));
    const verified = await verify();
    expect(verified?.faults).toEqual([expect.stringContaining('The snapshot was changed after it was written')]);
    expect(verified?.hash_now).toBe(snapshot.hash);
  });

  test('shows what is missing, and a name that is not its own', async () => {
    const { verify, memory, snapshot_path, edit } = await project('agent');
    memory.texts.delete(snapshot_path.replace('.json', '.origins.json'));
    edit('.agentstack/runs/r1/run.json', { snapshot_path: 'elsewhere.json' });
    expect((await verify())?.faults).toEqual([
      `run.json says that the frozen config is elsewhere.json, which is not ${snapshot_path}.`,
      `The origins of ${snapshot_path} are missing, or cannot be read.`,
    ]);
    memory.texts.delete(snapshot_path);
    expect((await verify())?.faults).toContain(`${snapshot_path} is missing, or cannot be read.`);
  });

  test('shows a later context of it that was changed', async () => {
    const { verify, memory, snapshot } = await project('orchestration');
    const hash = '0'.repeat(64);
    const later = `.agentstack/runs/r1/effective_config_${hash}.json`;
    memory.texts.set(later, snapshot.text);
    expect((await verify())?.faults).toEqual([expect.stringMatching(new RegExp(`^${later}: The snapshot was changed`))]);
  });

  test('is none where nothing was frozen', async () => {
    const { verify, memory } = await project('agent');
    memory.texts.set('.agentstack/runs/r1/run.json', '{"snapshot_hash": "../../x"}');
    expect(await verify()).toBeUndefined();
    memory.texts.delete('.agentstack/runs/r1/run.json');
    expect(await verify()).toBeUndefined();
  });
});
