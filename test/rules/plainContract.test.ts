import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRuleContext } from '../../core/check/ruleContext.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { parseConfigFile } from '../../core/config/parseConfigFile.js';
import { identifyFile } from '../../core/config/paths.js';
import { defaultSettings } from '../../core/config/readSettings.js';
import type { Json, JsonObject } from '../../core/json.js';
import { createModelTable } from '../../core/llm/modelTable.js';
import { rules } from '../../core/rules/index.js';
import { contractRules, isPlainContract } from '../../core/rules/support/plainContract.js';
import { loadSchemaCompiler } from '../../core/schema/loadSchemaCompiler.js';
import { memoryFiles } from '../support/memoryFiles.js';

const path = 'config/agents/A/v1.json';
const personas: Readonly<Record<string, JsonObject>> = {
  plain: { system_text: 'x' },
  listing: { enums: { a: ['x'] }, defaults: { zzz: 1 }, mode: 'Chooser' },
};

async function setUp() {
  const files = Object.fromEntries(
    Object.entries(personas).map(([name, value]) => [`config/personas/${name}.json`, JSON.stringify(value)]),
  );
  const project = await loadProjectIndex(memoryFiles(files));
  const context = createRuleContext({
    project,
    models: createModelTable(),
    variables: { get: () => undefined },
    schemas: await loadSchemaCompiler(),
  });
  return { context, parse: (value: Json) => parseConfigFile(path, JSON.stringify(value), identifyFile(path, defaultSettings)!) };
}

const word = fc.constantFrom('x', 'y', 'X', 'z', 'ß', 'SS', 'ss', 'İ', '', 'long word');
const list = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
const field: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 4, arbitrary: list.map((values) => ({ type: 'string', enum: values })) },
  { weight: 1, arbitrary: list.map((values) => ({ type: 'array', items: { type: 'string', enum: values } })) },
  { weight: 1, arbitrary: fc.constantFrom('string', 'number', 'boolean').map((type) => ({ type })) },
);

/** An agent whose parts agree, and then perhaps something changed. */
const agent = fc
  .record({
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), field, {
      minKeys: 1,
      maxKeys: 3,
      noNullPrototype: false,
    }),
    mode: fc.constantFrom('Chooser', 'Writer', 'Extractor', undefined),
    persona_key: fc.constantFrom(undefined, undefined, 'plain', 'listing', 'none'),
    has: fc.record({ enums: fc.constantFrom(true, true, false), defaults: fc.boolean() }),
    change: fc.constantFrom('nothing', 'nothing', 'value', 'order', 'entry', 'required', 'default', 'twice', 'execution_plan', 'ft'),
    more: word,
  })
  .map(({ properties, mode, persona_key, has, change, more }): Json => {
    const listed = Object.entries(properties).flatMap(([name, { enum: own, items }]): [string, Json[]][] => {
      const values = (own ?? (items as JsonObject | undefined)?.enum) as Json[] | undefined;
      return values === undefined ? [] : [[name, [...values]]];
    });
    const required = Object.keys(properties);
    const first = listed[0];
    const defaults: [string, Json][] = Object.entries(properties).flatMap(([name, { enum: own }]): [string, Json][] =>
      Array.isArray(own) ? [[name, own[0] as Json]] : [],
    );
    if (change === 'value') first?.[1].push(more);
    if (change === 'order') first?.[1].reverse();
    if (change === 'twice') first?.[1].push(first[1][0] as Json);
    if (change === 'entry') listed.push([more, ['x']]);
    if (change === 'required') required.push('zzz');
    if (change === 'default') defaults.push([required[0] ?? 'a', more]);
    return {
      agent_name: 'A',
      version: 'v1',
      ...(mode && { mode }),
      ...(persona_key && { persona_key }),
      output_schema: { type: 'object', properties, required, additionalProperties: false },
      ...(has.enums && { enums: Object.fromEntries(listed) }),
      ...(has.defaults && { defaults: Object.fromEntries(defaults) }),
      ...(change === 'execution_plan' && { execution_plan: { steps: [{ name: 's', when: { operator: 'matches', value: '(' } }] } }),
      model_name: change === 'ft' ? 'ft:gpt-4.1-mini:o::x' : 'gpt-4.1-mini',
    };
  });

test('the rules of a contract say nothing about a plain one', async () => {
  const { context, parse } = await setUp();
  const seen = { plain: 0, other: 0, faulty: 0 };
  fc.assert(
    fc.property(agent, (value) => {
      const file = parse(value);
      const found: string[] = [];
      for (const rule of rules) {
        if (contractRules.has(rule.code)) rule.check(file, context, ({ message }) => found.push(`${rule.code}: ${message}`));
      }
      if (isPlainContract(file, context)) {
        seen.plain += 1;
        expect(found).toEqual([]);
      } else if (found.length > 0) seen.faulty += 1;
      else seen.other += 1;
    }),
    { numRuns: 3000 },
  );
  expect(seen.plain).toBeGreaterThan(300);
  expect(seen.faulty).toBeGreaterThan(300);
});

test('every rule of a contract is a rule', () => {
  for (const code of contractRules) expect(rules.map((rule) => rule.code)).toContain(code);
});
