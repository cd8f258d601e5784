import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catchRequest } from '../../core/agent/catchRequest.js';
import { createAgentFactory } from '../../core/agent/load/agentFactory.js';
import type { Agent } from '../../core/agent/types.js';
import { AgentStackError } from '../../core/errors.js';
import type { EvalTurn } from '../../core/eval/readCases.js';
import { askedKey, testKey } from '../../core/eval/verdictKey.js';
import type { Json, JsonObject } from '../../core/json.js';
import type { Ports } from '../../core/ports.js';
import { canonicalJson } from '../../core/snapshot/canonicalJson.js';
import { editedFiles, editsOf, type ValueFiles } from '../support/editedFiles.js';
import { runs } from '../support/effort.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { testPorts } from '../support/testPorts.js';

/** A project in which every layer that can reach a request says something. */
const files: ValueFiles = {
  'agentstack.json': {
    config_dir: 'config',
    environment: 'dev',
    models: { house: { max_output_tokens: 4000, context_window: 32000, unsupported: ['top_p'] } },
  },
  'config/system.json': { agent_defaults: { llm_config_id: 'main', retry_invalid: 1, max_output_tokens: 300 } },
  'config/environments/dev.json': { agent_defaults: { top_p: 0.9 } },
  'config/llms/main.json': {
    llm_id: 'main',
    provider: 'openai_compatible',
    base_url: 'http://127.0.0.1:9/v1',
    model_name: 'house',
    request_timeout_ms: 5000,
    options: { seed: 3, user: 'tests' },
    price: { input: 1, output: 3 },
  },
  'config/personas/editor.json': { system_text: 'You edit.', description: 'An editor.', temperature: 0.4 },
  'config/prompts/triage/v1.json': {
    name: 'triage',
    version: 'v1',
    variables: ['input.task'],
    template: 'You triage {{input.task}}.',
    few_shot_examples: [{ input: { task: 'a' }, output: { tone: 'warm', note: 'b' } }],
  },
  'config/agents/A/v1.json': {
    agent_name: 'A',
    version: 'v1',
    description: 'Reads.',
    mode: 'Chooser',
    persona_key: 'editor',
    prompts: { system_prompt: 'triage@v1' },
    purpose_text: 'You must choose.',
    input_keys: ['task'],
    output_schema: {
      type: 'object',
      additionalProperties: false,
      required: ['tone', 'note'],
      properties: { tone: { type: 'string', enum: ['dry', 'warm'] }, note: { type: 'string', description: 'why' } },
    },
    enums: { tone: ['dry', 'warm'] },
    defaults: { tone: 'dry' },
    tracing: { enabled: true, sample_rate: 1 },
  },
  'config/agents/B/v1.json': { agent_name: 'B', version: 'v1', purpose_text: 'Another agent.', system_text: 'You are another.' },
};

const input = { task: 'Please say it.' };
const tested = {
  input,
  expect: [{ pointer: '/expect/0', entry: { output_field: 'tone', operator: 'equals', value: 'dry' } }],
  expected: undefined,
};

async function load(project: ValueFiles): Promise<Agent> {
  const ports = portsOf(project);
  return createAgentFactory({ ports }).load('A', 'v1');
}

function portsOf(project: ValueFiles) {
  const texts = Object.fromEntries(Object.entries(project).map(([path, value]) => [path, JSON.stringify(value)]));
  const environment = { get: () => undefined };
  const fetch = () => Promise.reject(new Error('Nothing is sent in this test.'));
  return { ...testPorts(), files: memoryFiles(texts), environment, secrets: { get: () => undefined }, fetch } as unknown as Ports;
}

type Tested = Omit<EvalTurn, 'pointer'>;

const { sha256 } = portsOf({});

/** A case of one turn, or a conversation. */
function talk(turns: readonly Partial<Tested>[]) {
  return { turns: turns.map((changed) => ({ pointer: '', ...tested, ...changed })) };
}

function keyOf(subject: Agent, changed: Partial<Tested> = {}): string {
  return askedKey({ subject, tested: talk([changed]), sha256 });
}

function testOf(changed: Partial<Tested> = {}, judges: Parameters<typeof testKey>[0]['judges'] = new Map()): string {
  return testKey({ tested: talk([changed]), judges, sha256 });
}

/** What is sent, and all that decides how the answer is read: found by another road than the key's. */
async function decisiveOf(agent: Agent): Promise<{ readonly sent: string; readonly read: string }> {
  const caught = await catchRequest(agent, input, portsOf({}));
  if (caught.request === undefined) throw new Error(`Nothing was sent: ${caught.refusal}`);
  const { url, body } = caught.request;
  const { output_schema, enums, defaults, mode, retry_invalid, budget } = agent.resolved.config;
  const { context_window, max_output_tokens } = agent.model ?? {};
  const isShort = budget?.max_cost !== undefined || (retry_invalid ?? 0) > 0;
  const price = budget?.max_cost === undefined ? null : [budget.max_cost, agent.price];
  // Options count as they are written, even where the provider leaves one out.
  const { options } = agent.resolved.llm;
  const read = JSON.parse(
    JSON.stringify({
      output_schema,
      enums,
      defaults,
      mode,
      retry_invalid,
      price,
      options,
      limits: isShort && [context_window, max_output_tokens],
    }),
  ) as Json;
  // Names of parameters have no order; the fields of a schema have: a model writes them in it.
  // A name for the provider's cache follows from all that is frozen, and changes no answer.
  const { response_format, prompt_cache_key: _cache, ...parameters } = JSON.parse(body) as JsonObject;
  return { sent: canonicalJson([url, parameters, JSON.stringify(response_format) ?? null]), read: canonicalJson(read) };
}

const numRuns = runs(200, 2_500);

describe('The key of a verdict', () => {
  test('is the one that baselines of earlier versions hold', async () => {
    const agent = await load(files);
    const keys = [keyOf(agent), testOf({ expected: { tone: 'dry' }, expect: [{ pointer: '', entry: { cost_usd: 1 } }] })];
    expect(keys).toEqual([
      '935fb9f64ec4112ecc1082a4b3b3fc9dba881883c70d530df3ec378213e26735',
      'f68e47bb04d951dbc95fce9a8bb70e3e110fc95178e72315715156a1a700a0b1',
    ]);
  });

  test('changes with whatever reaches the request or decides how the answer is read, and with nothing else', {
    timeout: 600_000,
  }, async () => {
    const before = await load(files);
    const [key, was] = [keyOf(before), await decisiveOf(before)];
    const seen = { changed: 0, kept: 0 };
    await fc.assert(
      fc.asyncProperty(editsOf(files), async (edit) => {
        const after = await load(editedFiles(files, edit)).catch((error: unknown) => {
          if (error instanceof AgentStackError) return undefined;
          throw error;
        });
        fc.pre(after !== undefined);
        const now = await decisiveOf(after);
        const isSame = now.sent === was.sent && now.read === was.read;
        seen[isSame ? 'kept' : 'changed'] += 1;
        expect(keyOf(after) === key, JSON.stringify(edit)).toBe(isSame);
      }),
      { numRuns, maxSkipsPerRun: 1000 },
    );
    expect(Math.min(seen.changed, seen.kept)).toBeGreaterThan(numRuns / 10);
  });

  const anthropic = 'anthropic claude-haiku-4-5';
  const providers = ['openai gpt-4.1-mini', 'openai_compatible house', 'azure_openai gpt-4.1-mini', anthropic, 'gemini gemini-2.5-flash'];
  const facts = fc.record(
    {
      max_output_tokens: fc.constantFrom(1000, 2000),
      context_window: fc.constantFrom(30_000, 40_000),
      unsupported: fc.subarray(['temperature', 'top_p', 'max_output_tokens']),
    },
    { requiredKeys: [] },
  );

  test.each(providers)('of %s is another wherever a fact of the model changes the request, and nowhere else', async (words) => {
    const [provider = '', model_name = ''] = words.split(' ');
    const of = (models: JsonObject, options: JsonObject) =>
      load({
        ...files,
        'agentstack.json': { ...files['agentstack.json'], models },
        'config/system.json': { agent_defaults: { llm_config_id: 'main' } },
        'config/llms/main.json': { ...files['config/llms/main.json'], provider, model_name, api_version: '2024-10-21', options },
      } as ValueFiles);
    const known = { context_window: 32_000, max_output_tokens: 4000 };
    await fc.assert(
      fc.asyncProperty(facts, facts, fc.constantFrom({}, { max_tokens: 700 }), async (one, other, options) => {
        const agents = [
          await of({ [model_name]: { ...known, ...one } }, options),
          await of({ [model_name]: { ...known, ...other } }, options),
        ];
        const sent = await Promise.all(agents.map(async (agent) => (await decisiveOf(agent)).sent));
        const [before, after] = agents.map((agent) => keyOf(agent));
        expect(before === after).toBe(sent[0] === sent[1]);
      }),
      { numRuns: runs(30, 500) },
    );
  });

  test('of an Anthropic agent without a limit stands for the one that is sent: the built-in fact, or that of the project', async () => {
    const limitWith = async (models: JsonObject) => {
      const agent = await load({
        ...files,
        'agentstack.json': { ...files['agentstack.json'], models },
        'config/system.json': { agent_defaults: { llm_config_id: 'main' } },
        'config/llms/main.json': { ...files['config/llms/main.json'], provider: 'anthropic', model_name: 'claude-haiku-4-5' },
      } as ValueFiles);
      const { request } = await catchRequest(agent, input, portsOf({}));
      return JSON.parse(request?.body ?? '{}').max_tokens;
    };
    expect(await limitWith({})).toBe(64_000);
    expect(await limitWith({ 'claude-haiku-4-5': { max_output_tokens: 8000 } })).toBe(8000);
  });

  test('says by its other half which test it was: the input, what is expected, and the judges', async () => {
    const agent = await load(files);
    const other = await load({ ...files, 'config/agents/A/v1.json': { ...files['config/agents/A/v1.json'], purpose_text: 'Otherwise.' } });
    const judge = await load({ ...files, 'config/agents/A/v1.json': { ...files['config/agents/A/v1.json'], purpose_text: 'You judge.' } });
    const keys = [
      testOf(),
      testOf({ input: { task: 'Otherwise.' } }),
      testOf({ expect: [] }),
      testOf({ expected: { tone: 'dry' } }),
      testOf({}, new Map([['J@v1', agent]])),
      testOf({}, new Map([['J@v1', judge]])),
      testOf({}, new Map([['J@v1', { ...judge, model: { ...judge.model, max_output_tokens: 50 } as Agent['model'] }]])),
      testOf({}, new Map([['J@v1', { ...judge, model: { ...judge.model, unsupported: ['temperature'] } as Agent['model'] }]])),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keyOf(agent, { expect: [], expected: { tone: 'dry' } })).toBe(keyOf(agent));
    expect(keyOf(other)).not.toBe(keyOf(agent));
  });

  test('of an agent that reasons in a loop is what a run freezes, without words for people', async () => {
    const loop: JsonObject = { ...files['config/agents/A/v1.json'], agent_type: 'react', enabled_tools: ['read_file'] };
    const of = async (changes: JsonObject) => keyOf(await load({ ...files, 'config/agents/A/v1.json': { ...loop, ...changes } }));
    const key = await of({});
    expect(await of({ description: 'Other words.', tracing: { enabled: false } })).toBe(key);
    for (const changes of [{ max_iterations: 3 }, { enabled_tools: ['search_files'] }, { purpose_text: 'Otherwise.' }, { timeout_ms: 5 }])
      expect(await of(changes), JSON.stringify(changes)).not.toBe(key);
  });

  test('of a conversation covers what every turn asks, and how each is judged', async () => {
    const agent = await load(files);
    const loop = await load({ ...files, 'config/agents/A/v1.json': { ...files['config/agents/A/v1.json'], agent_type: 'react' } });
    const [a, b] = [{ input: { task: 'a' } }, { input: { task: 'b' } }];
    const talks = [[a], [a, b], [b, a], [a, a], [a, b, b], [a, { ...b, expect: [] }], [a, { ...b, expected: { tone: 'dry' } }]];
    for (const subject of [agent, loop]) {
      const asked = talks.map((turns) => askedKey({ subject, tested: talk(turns), sha256 }));
      // What is expected is no part of it.
      expect(new Set(asked).size).toBe(5);
      expect(asked.slice(5)).toEqual([asked[1], asked[1]]);
    }
    expect(new Set(talks.map((turns) => testKey({ tested: talk(turns), judges: new Map(), sha256 }))).size).toBe(talks.length);
    // How much of it fits is said by the model's window.
    const wide = { ...agent, model: { ...agent.model, context_window: 64_000 } as Agent['model'] };
    const of = (subject: Agent) => askedKey({ subject, tested: talk([a, b]), sha256 });
    expect(of(wide)).not.toBe(of(agent));
  });

  test('of two cases that differ in the order of their input differs, since a prompt lists it in that order', async () => {
    const agent = await load(files);
    expect(keyOf(agent, { input: { task: 'a', tone: 'b' } })).not.toBe(keyOf(agent, { input: { tone: 'b', task: 'a' } }));
  });
});
