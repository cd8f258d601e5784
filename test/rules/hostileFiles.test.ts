import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kinds } from '../../core/kinds.js';
import { findingsOf } from '../support/checkRule.js';
import { runs } from '../support/effort.js';

/** Words that rules look for, as keys and as values, in any wrong place. */
const words = [
  ...[
    'type',
    'enum',
    'const',
    'properties',
    'required',
    'items',
    '$ref',
    '$defs',
    'allOf',
    'anyOf',
    'not',
    'pattern',
    'default',
    '$id',
    '$schema',
  ],
  ...['object', 'array', 'string', '#', '#/$defs/a', '#/properties/a', 'a', '__proto__', 'constructor', '/~', '', '\ud800', '(?=a)'],
  ...['additionalProperties', 'patternProperties', 'minimum', 'output_schema', 'enums', 'operator', 'matches', 'value', 'input', 'output'],
];
const fields = [
  ...[
    'agent_name',
    'version',
    'mode',
    'persona_key',
    'prompts',
    'input_keys',
    'input_schema',
    'output_schema',
    'enums',
    'defaults',
    'provider',
  ],
  ...[
    'model_name',
    'execution_plan',
    'budget',
    'llm_id',
    'name',
    'template',
    'few_shot_examples',
    'agent_defaults',
    'agents',
    'llms',
    'input',
    '$ignore',
  ],
];
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1.5, 1e308, 'Chooser', 'A2', 'v1', 'shaper@v1', ...words),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 5 }),
  ),
}));
const file = fc.dictionary(fc.constantFrom(...fields), anything, { maxKeys: 8 });

const paths: Readonly<Record<(typeof kinds)[number], string>> = {
  settings: 'agentstack',
  agent: 'config/agents/A2/v1',
  llm: 'config/llms/openai',
  persona: 'config/personas/shaper',
  prompt: 'config/prompts/shaper/v1',
  mcp: 'config/mcp',
  lock: 'config/mcp.lock',
  rootMcp: '.mcp',
  vscodeMcp: '.vscode/mcp',
  orchestration: 'config/orchestrations/flow',
  system: 'config/system',
  payload: 'config/payloads/A2/first',
  baseline: 'config/baselines/A2',
};

test('no file makes a rule fail, and every finding has its place', () =>
  fc.assert(
    fc.asyncProperty(fc.tuple(...kinds.map(() => file)), file, async (files, base) => {
      const sections = kinds.map((kind, index) => `--- ${paths[kind]}.json\n${JSON.stringify(files[index])}`);
      const fixture = [...sections, `--- config/agents/A2/v1.json at base\n${JSON.stringify(base)}`].join('\n');
      for (const finding of await findingsOf(fixture)) {
        expect(finding.message).toMatch(/^[^\n\r]+$/);
        expect(finding.message.length).toBeLessThan(2_000);
        expect(finding.range.end).toBeGreaterThanOrEqual(finding.range.start);
      }
    }),
    { numRuns: runs(40, 200) },
  ));

test('a schema as large as a file may be is judged in time', async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `field_${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { enum: ['a', 'b'] }]));
  const agent = {
    agent_name: 'A2',
    version: 'v1',
    mode: 'Chooser',
    output_schema: { type: 'object', properties, required: names },
    enums: Object.fromEntries(names.map((name) => [name, ['a', 'b']])),
    defaults: Object.fromEntries(names.map((name) => [name, 'a'])),
    provider: 'offline',
  };
  const start = performance.now();
  await findingsOf(JSON.stringify(agent));
  expect(performance.now() - start).toBeLessThan(60_000);
});

test('a list of a hundred thousand values is judged in time', async () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `v${index}`);
  const agent = {
    agent_name: 'A2',
    version: 'v1',
    output_schema: { type: 'object', properties: { a: { enum: many } } },
    enums: { a: many.toReversed() },
    provider: 'offline',
  };
  const start = performance.now();
  const findings = await findingsOf(JSON.stringify(agent), ['enums-match-schema', 'enum-duplicate-value', 'enum-case-collision']);
  expect(findings).toEqual([]);
  expect(performance.now() - start).toBeLessThan(60_000);
});

test('thousands of mistakes are told in time', async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `field_${index}`);
  const agent = {
    agent_name: 'A2',
    version: 'v1',
    input_keys: [...names, 'field_7'],
    output_schema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: names.map((name) => `x_${name}`),
    },
    enums: Object.fromEntries(names.map((name) => [`y_${name}`, ['a']])),
    defaults: Object.fromEntries(names.map((name) => [`z_${name}`, 'a'])),
    provider: 'offline',
  };
  const base = { ...agent, enums: { a: names }, output_schema: { type: 'object', properties: { a: { enum: names } } } };
  const start = performance.now();
  const findings = await findingsOf(`${JSON.stringify(agent)}\n--- config/agents/A2/v1.json at base\n${JSON.stringify(base)}`);
  expect(findings.length).toBeGreaterThan(60_000);
  expect(performance.now() - start).toBeLessThan(120_000);
});
