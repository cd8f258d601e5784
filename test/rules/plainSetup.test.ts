import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRuleContext } from '../../core/check/ruleContext.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { parseConfigFile } from '../../core/config/parseConfigFile.js';
import { identifyFile } from '../../core/config/paths.js';
import { defaultSettings } from '../../core/config/readSettings.js';
import type { JsonObject } from '../../core/json.js';
import { createModelTable } from '../../core/llm/modelTable.js';
import { loadPatterns } from '../../core/routing/patterns.js';
import { rules } from '../../core/rules/index.js';
import { isPlainContract } from '../../core/rules/support/plainContract.js';
import { isPlainSetup, setupRules } from '../../core/rules/support/plainSetup.js';
import { loadSchemaCompiler } from '../../core/schema/loadSchemaCompiler.js';
import { memoryFiles } from '../support/memoryFiles.js';

const path = 'config/agents/A/v1.json';
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };

/** For a window of 300 tokens, even of a model whose tokenizer is not known. */
const tooLong = 'x'.repeat(40_000);

const plan = {
  execution_plan: {
    steps: [
      { name: 's', agent: 'Gone' },
      { name: 't', agent: 'A@v9', depends_on: ['u'] },
    ],
  },
};

/** Profiles and personas of every sort, and system files that say little or much. */
const shared: Readonly<Record<string, JsonObject>> = {
  'llms/1first': { llm_id: '1first', provider: 'openai', model_name: 'gpt-4.1-mini', max_output_tokens: 512 },
  'llms/small': { llm_id: 'small', provider: 'openai', model_name: 'tiny' },
  'llms/greedy': { llm_id: 'greedy', provider: 'openai', model_name: 'tiny', max_output_tokens: 250 },
  'llms/picky': { llm_id: 'picky', provider: 'openai', model_name: 'picky' },
  'llms/refused': { llm_id: 'refused', provider: 'openai', model_name: 'picky', temperature: 0.2 },
  'llms/old': { llm_id: 'old', provider: 'openai', model_name: 'old' },
  'llms/misspelt': { llm_id: 'misspelt', provider: 'openai', model_name: 'gtp-4' },
  'llms/local': { llm_id: 'local', provider: 'ollama', model_name: 'whatever', base_url: 'http://localhost:1' },
  'llms/variable': { llm_id: 'variable', provider: 'openai', model_name: '${MODEL}' },
  'llms/nameless': { llm_id: 'nameless', provider: 'openai' },
  'llms/half': { llm_id: 'half', provider: 'openai', model_name: 'gpt-4.1-mini', price: { input: 1 } },
  'personas/plain': { description: 'x' },
  'personas/whole': { system_text: 's'.repeat(300), purpose_text: 'p', mode: 'Writer', output_schema: schema },
  'personas/prompting': { prompts: { system_prompt: 'needy@v1' } },
  'personas/thrifty': { budget: { max_time_ms: 90_000 } },
  'personas/planning': { execution_plan: { steps: [] }, agent_type: 'orchestrating' },
  'personas/choosing': { llm_config_id: 'old' },
  'prompts/simple/v1': { name: 'simple', version: 'v1', template: 'Read {{input.text}}.', variables: ['input.text'] },
  'prompts/needy/v1': { name: 'needy', version: 'v1', template: '{{input.text}} {{input.more}}' },
  'prompts/long/v1': { name: 'long', version: 'v1', template: tooLong },
  'prompts/showing/v1': {
    name: 'showing',
    version: 'v1',
    template: '{{input.text}}',
    few_shot_examples: [{ input: {}, output: { a: 1 } }],
  },
  'prompts/A/v1': { name: 'A', version: 'v1', template: '{{input.gone}}' },
};

const profiles = Object.keys(shared).flatMap((name) => (name.startsWith('llms/') ? [name.slice('llms/'.length)] : []));

const systems: readonly JsonObject[] = [
  {},
  { agent_defaults: { timeout_ms: 60_000 } },
  { agent_defaults: { timeout_ms: 60_000, budget: { max_time_ms: 90_000 } } },
  { agent_defaults: { top_p: 0.5 } },
  { agent_defaults: { prompts: { system_prompt: 'showing@v1' } } },
  { persona_defaults: { temperature: 0.3 } },
  { agents: { A: { llm_config_id: 'old', budget: { max_time_ms: 70_000 } } } },
  { llms: { small: { max_output_tokens: 250 } } },
  { agent_defaults: { model_name: 'old' } },
  { agent_defaults: { model_name: 'gtp-4' } },
];

async function contextOf(system: JsonObject, others: Readonly<Record<string, JsonObject>> = {}) {
  const texts = Object.entries({ ...shared, system, ...others }).map(([name, value]) => [`config/${name}.json`, JSON.stringify(value)]);
  const project = await loadProjectIndex(memoryFiles(Object.fromEntries(texts)));
  const models = createModelTable({
    tiny: { context_window: 300, max_output_tokens: 200 },
    picky: { context_window: 100_000, unsupported: ['temperature', 'top_p'] },
    old: { context_window: 100_000, deprecated: true },
  });
  const context = createRuleContext({ project, models, variables: { get: () => undefined }, schemas: await loadSchemaCompiler() });
  return { ...context, patterns: await loadPatterns() };
}

const often = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const agent: fc.Arbitrary<JsonObject> = fc
  .record({
    llm_config_id: fc.constantFrom(...profiles, ...profiles, 'gone', '${LLM}', '*', null, undefined),
    persona_key: often(undefined, 'plain', 'whole', 'prompting', 'thrifty', 'planning', 'choosing', 'gone', '', null),
    mode: often<JsonObject[string] | undefined>('Writer', undefined, null, 'Painter'),
    system_text: often<JsonObject[string] | undefined>('s', undefined, null, 3, tooLong),
    purpose_text: often<JsonObject[string] | undefined>('p', undefined, null, tooLong),
    output_schema: often<JsonObject[string] | undefined>(schema, undefined, null),
    max_output_tokens: often<JsonObject[string] | undefined>(100, undefined, null, 250, 4000, 'many'),
    temperature: fc.constantFrom<JsonObject[string] | undefined>(undefined, undefined, 0.5, 1, null),
    input_keys: fc.constantFrom<JsonObject[string] | undefined>(['text', 'more'], ['text'], undefined, ['more'], ['text', 1], null),
    prompts: fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      { weight: 12, arbitrary: fc.constantFrom('simple', 'needy', 'showing').map((name) => ({ system_prompt: `${name}@v1` })) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          { system_prompt: 'long@v1' },
          { system_prompt: 'gone@v1' },
          { system_prompt: '${P}@v1' },
          { system_prompt_version: 'v1' },
          {},
          null,
        ),
      },
    ),
    agent_name: often('A', 'a', 'B'),
    version: often('v1', 'V1', 'v2'),
    other: often<JsonObject>(
      {},
      { agent_type: 'react' },
      { model_name: 'old' },
      { provider: 'anthropic' },
      { budget: { max_time_ms: 99_000 } },
      { client_ids: ['gone'] },
      plan,
    ),
  })
  .map(({ other, ...fields }) => {
    const given = Object.entries(fields).filter((field): field is [string, JsonObject[string]] => field[1] !== undefined);
    return { ...Object.fromEntries(given), ...other };
  });

test('the rules of a setup say nothing about a plain one', async () => {
  const alike = contextOf({}, { 'agents/a/v1': { agent_name: 'a', version: 'v1' }, 'agents/A/v1': {} });
  const contexts = await Promise.all([...systems.map((system) => contextOf(system)), alike]);
  const seen = { plain: 0, templates: 0, faulty: 0, other: 0 };
  fc.assert(
    fc.property(agent, fc.constantFrom(...contexts), (value, context) => {
      const file = parseConfigFile(path, JSON.stringify(value), identifyFile(path, defaultSettings)!);
      const found: string[] = [];
      for (const rule of rules) {
        const isAbout = setupRules.has(rule.code) || (rule.code === 'limit-invalid' && isPlainContract(file, context));
        if (isAbout) rule.check(file, context, ({ message }) => found.push(`${rule.code}: ${message}`));
      }
      if (isPlainSetup(file, context)) {
        seen.plain += 1;
        if (value.prompts !== undefined) seen.templates += 1;
        expect(found).toEqual([]);
      } else if (found.length > 0) seen.faulty += 1;
      else seen.other += 1;
    }),
    { numRuns: 5000 },
  );
  expect(seen.plain).toBeGreaterThan(400);
  expect(seen.templates).toBeGreaterThan(30);
  expect(seen.faulty).toBeGreaterThan(300);
});

test('an ordinary agent is plain, with a prompt from the store too', async () => {
  const context = await contextOf({});
  const isPlain = (fields: object) => {
    const value = { agent_name: 'A', version: 'v1', mode: 'Writer', purpose_text: 'p', output_schema: schema, ...fields };
    return isPlainSetup(parseConfigFile(path, JSON.stringify(value), identifyFile(path, defaultSettings)!), context);
  };
  expect(isPlain({ system_text: 's', llm_config_id: 'small' })).toBe(true);
  expect(isPlain({ prompts: { system_prompt: 'simple@v1' }, input_keys: ['text'] })).toBe(true);
  expect(isPlain({ persona_key: 'whole', mode: undefined })).toBe(true);
  expect(isPlain({ system_text: 's', llm_config_id: 'picky', max_output_tokens: 9000 })).toBe(true);
});

test('every rule of a setup is a rule', () => {
  for (const code of setupRules) expect(rules.map((rule) => rule.code)).toContain(code);
});
