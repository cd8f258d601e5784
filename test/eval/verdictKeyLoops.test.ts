import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadAgent } from '../../core/agent/load/loadAgent.js';
import type { Agent } from '../../core/agent/types.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { AgentStackError } from '../../core/errors.js';
import { askedKey } from '../../core/eval/verdictKey.js';
import type { Json, JsonObject } from '../../core/json.js';
import type { Ports } from '../../core/ports.js';
import { canonicalJson } from '../../core/snapshot/canonicalJson.js';
import { loadOrchestration } from '../../core/team/loadOrchestration.js';
import { editedFiles, editsOf, type ValueFiles } from '../support/editedFiles.js';
import { runs } from '../support/effort.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { testPorts } from '../support/testPorts.js';

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['tone'],
  properties: { tone: { type: 'string', enum: ['dry', 'warm'] } },
};

/** Loops, plans and teams, with every road on which something reaches one of their requests. */
const files: ValueFiles = {
  'agentstack.json': { config_dir: 'config', environment: 'dev', models: { house: { max_output_tokens: 4000, context_window: 32000 } } },
  'config/system.json': { agent_defaults: { llm_config_id: 'main', max_output_tokens: 300 } },
  'config/environments/dev.json': { agent_defaults: { top_p: 0.9 } },
  'config/llms/main.json': {
    llm_id: 'main',
    provider: 'openai_compatible',
    base_url: 'http://127.0.0.1:9/v1',
    model_name: 'house',
    options: { seed: 3 },
  },
  'config/personas/editor.json': { system_text: 'You edit.', description: 'An editor.', temperature: 0.4 },
  'config/prompts/triage/v1.json': { name: 'triage', version: 'v1', variables: ['input.task'], template: 'You triage {{input.task}}.' },
  'config/mcp.json': { servers: { docs: { command: 'docs-server', args: ['--quiet'] } } },
  'config/mcp.lock.json': {
    format: 1,
    servers: {
      docs: {
        tools: {
          fetch_page: {
            description: 'Returns the text of a page.',
            parameters: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
            hash: '0'.repeat(64),
          },
        },
      },
    },
  },
  'config/agents/Loop/v1.json': {
    agent_name: 'Loop',
    version: 'v1',
    description: 'Looks things up.',
    agent_type: 'react',
    mode: 'Chooser',
    persona_key: 'editor',
    prompts: { system_prompt: 'triage@v1' },
    purpose_text: 'You must choose.',
    input_keys: ['task'],
    client_ids: ['docs'],
    output_schema: schema,
    enums: { tone: ['dry', 'warm'] },
    tracing: { enabled: true, sample_rate: 1 },
  },
  'config/agents/Once/v1.json': {
    agent_name: 'Once',
    version: 'v1',
    description: 'Answers at once.',
    mode: 'Chooser',
    persona_key: 'editor',
    purpose_text: 'You must choose now.',
    input_keys: ['task'],
    output_schema: schema,
    enums: { tone: ['dry', 'warm'] },
  },
  'config/orchestrations/flow.json': {
    name: 'flow',
    entry_team: 'first',
    context: { task: 'x' },
    teams: {
      first: {
        name: 'first',
        tasks: [
          { name: 'look', agent: 'Loop@v1' },
          { name: 'say', agent: 'Once@v1', config: { temperature: 0.2 } },
        ],
        routing: {
          rules: [{ condition: { task: 'look', output_field: 'tone', operator: 'equals', value: 'dry' }, next_team: 'second' }],
          default: null,
        },
      },
      second: { name: 'second', tasks: [{ name: 'end', agent: 'Once@v1' }], routing: { default: null } },
    },
  },
};

const input = { task: 'Please say it.' };
const tested = { input, expect: [{ pointer: '/expect/0', entry: { status: 'success' } }], expected: undefined };

interface Made {
  readonly key: string;
  /** What each of its agents would send first, made from the effective config and by no road of the key's. */
  readonly sent: string;
}

function portsOf(project: ValueFiles): Ports {
  const texts = Object.fromEntries(Object.entries(project).map(([path, value]) => [path, JSON.stringify(value)]));
  return {
    ...testPorts(),
    files: memoryFiles({ ...texts, 'config/agents/Loop/notes.md': '<!-- a draft -->' }),
    environment: { get: () => undefined },
  } as unknown as Ports;
}

async function make(project: ValueFiles, subject: 'Loop' | 'flow'): Promise<Made> {
  const ports = portsOf(project);
  const request = { project: await loadProjectIndex(ports.files), ports };
  if (subject === 'flow') {
    const { orchestration } = await loadOrchestration({ ...request, name: 'flow' });
    const routes = canonicalJson(orchestration.frozen.teams as unknown as Json);
    return {
      key: askedKey({ subject: orchestration, tested: { turns: [{ pointer: '', ...tested }] }, sha256: ports.sha256 }),
      sent: sentBy([...orchestration.agents.values()]) + routes,
    };
  }
  const { agent } = await loadAgent({ ...request, agent_name: 'Loop', version: 'v1' });
  return {
    key: askedKey({ subject: agent, tested: { turns: [{ pointer: '', ...tested }] }, sha256: ports.sha256 }),
    sent: sentBy([agent]),
  };
}

function sentBy(agents: readonly Agent[]): string {
  const requests = agents.map(({ prompt, resolved, model }) => {
    const { messages, tools, response_format } = prompt.compose(input);
    const { model_name, temperature, top_p, max_output_tokens } = prompt;
    const { provider, base_url, options } = resolved.llm;
    const ordered = JSON.stringify([messages, tools, response_format ?? null]);
    return [
      ordered,
      model_name,
      temperature ?? null,
      top_p ?? null,
      max_output_tokens ?? null,
      provider ?? null,
      base_url ?? null,
      options ?? null,
      model?.context_window ?? null,
    ];
  });
  return canonicalJson(JSON.parse(JSON.stringify(requests)) as Json);
}

/** Undefined where an edit made the project one that does not run. */
async function orNone<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AgentStackError) return undefined;
    throw error;
  }
}

const numRuns = runs(60, 2_500);
const timeout = 600_000;

test.each([
  ['Loop', 'e12758f43e9986d24669124bd9caf8bc0a97808a7fb9f59b42e2231174c19d22'],
  ['flow', '1eaab21297f81f19185212a52cb54a073fea565aa383314453be62828562f832'],
] as const)('the key of %s is the one that baselines of earlier versions hold', async (subject, key) => {
  expect((await make(files, subject)).key).toBe(key);
});

test.each(['Loop', 'flow'] as const)('the key of %s changes with whatever reaches a request', { timeout }, async (subject) => {
  const before = await make(files, subject);
  const seen = { changed: 0, kept: 0 };
  await fc.assert(
    fc.asyncProperty(editsOf(files), async (edit) => {
      const after = await orNone(() => make(editedFiles(files, edit), subject));
      fc.pre(after !== undefined);
      seen[after.key === before.key ? 'kept' : 'changed'] += 1;
      if (after.sent !== before.sent) expect(after.key, JSON.stringify(edit)).not.toBe(before.key);
    }),
    { numRuns, maxSkipsPerRun: 1000 },
  );
  expect(Math.min(seen.changed, seen.kept)).toBeGreaterThan(numRuns / 20);
});

/** Words for people, tracing, the order of keys, files that nothing of it reads. */
const harmless: fc.Arbitrary<(project: ValueFiles) => ValueFiles> = fc.oneof(
  fc.record({ path: fc.constantFrom('config/agents/Loop/v1.json', 'config/agents/Once/v1.json'), text: fc.string() }).map(
    ({ path, text }) =>
      (project: ValueFiles) =>
        change(project, path, { description: text }),
  ),
  fc.record({ path: fc.constantFrom('config/personas/editor.json', 'config/prompts/triage/v1.json'), text: fc.string() }).map(
    ({ path, text }) =>
      (project: ValueFiles) =>
        change(project, path, { description: text }),
  ),
  fc
    .record({ enabled: fc.boolean(), sample_rate: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map((tracing) => (project: ValueFiles) => change(project, 'config/agents/Loop/v1.json', { tracing })),
  fc.constantFrom(...Object.keys(files)).map((path) => (project: ValueFiles) => ({
    ...project,
    [path]: Object.fromEntries(Object.entries(project[path] as JsonObject).reverse()) as JsonObject,
  })),
  fc.string().map((text) => (project: ValueFiles) => ({
    ...project,
    'config/agents/Other/v1.json': { agent_name: 'Other', version: 'v1', system_text: text, mode: 'Writer' },
  })),
);

function change(project: ValueFiles, path: string, fields: JsonObject): ValueFiles {
  return { ...project, [path]: { ...project[path], ...fields } };
}

test.each(['Loop', 'flow'] as const)(
  'the key of %s stays where only words for people, tracing or the order of keys change',
  { timeout },
  async (subject) => {
    const { key } = await make(files, subject);
    await fc.assert(
      fc.asyncProperty(fc.array(harmless, { minLength: 1, maxLength: 4 }), async (edits) => {
        const after = await orNone(() =>
          make(
            edits.reduce((project, edit) => edit(project), files),
            subject,
          ),
        );
        fc.pre(after !== undefined);
        expect(after.key).toBe(key);
      }),
      { numRuns: Math.ceil(numRuns / 2) },
    );
  },
);
