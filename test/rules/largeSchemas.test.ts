import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChecker } from '../../core/check/checker.js';
import { withSchemas } from '../../core/check/loadMissing.js';
import { createRuleContext } from '../../core/check/ruleContext.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { parseConfigFile } from '../../core/config/parseConfigFile.js';
import { identifyFile } from '../../core/config/paths.js';
import { defaultSettings } from '../../core/config/readSettings.js';
import type { Finding } from '../../core/finding.js';
import { isObject } from '../../core/json.js';
import { JsonReader } from '../../core/jsonText/jsonReader.js';
import { createModelTable } from '../../core/llm/modelTable.js';
import { rules } from '../../core/rules/index.js';
import { largeAgent, largeAgentTexts } from '../support/largeAgents.js';
import { memoryFiles } from '../support/memoryFiles.js';

const path = 'config/agents/A2/v1.json';

async function setUp() {
  const project = await loadProjectIndex(memoryFiles({ 'config/llms/a.json': '{"llm_id": "a", "model_name": "gpt-4o"}' }));
  const context = await withSchemas(createRuleContext({ project, models: createModelTable(), variables: { get: () => undefined } }));
  const identity = identifyFile(path, defaultSettings)!;
  const check = (text: string, reader?: JsonReader) => {
    const file = parseConfigFile(path, text, identity, reader?.read(text));
    freeze(file.value);
    return { file, findings: createChecker(rules, defaultSettings).check(file, context) as Finding[] };
  };
  return { check };
}

/** Whoever changes a parsed value in place fails. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
}

test('what is found in a large agent while it is typed in is what is found in each text by itself', async () => {
  const { check } = await setUp();
  const codes = new Set<string>();
  fc.assert(
    fc.property(largeAgentTexts, (texts) => {
      const reader = new JsonReader();
      for (const text of texts) {
        const { findings } = check(text, reader);
        expect(findings).toEqual(check(text).findings);
        for (const { code } of findings) codes.add(code);
      }
    }),
    { numRuns: 60 },
  );
  expect(codes.size).toBeGreaterThan(15);
}, 300_000);

test('fields in which nothing is typed stay the same objects', async () => {
  const { check } = await setUp();
  const reader = new JsonReader();
  const fieldsOf = (text: string) => {
    const { value } = check(text, reader).file;
    const schema = isObject(value) ? value.output_schema : undefined;
    return isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  };
  const text = JSON.stringify(largeAgent, null, 2);
  const before = fieldsOf(text);
  const after = fieldsOf(text.replace('at place 300,', 'at place 3000,'));
  expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual(['measured_300']);
});
