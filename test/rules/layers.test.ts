import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRuleContext } from '../../core/check/ruleContext.js';
import type { ConfigFile } from '../../core/config/configFile.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { parseConfigFile } from '../../core/config/parseConfigFile.js';
import type { JsonObject } from '../../core/json.js';
import { createModelTable } from '../../core/llm/modelTable.js';
import { findSetting, layersOf } from '../../core/rules/facts/layers.js';
import { runs } from '../support/effort.js';
import { memoryFiles } from '../support/memoryFiles.js';

const path = 'config/agents/A2/v1.json';
const variables = { get: () => undefined };

async function contextOf(texts: Record<string, string>): Promise<{ file: ConfigFile; context: ReturnType<typeof createRuleContext> }> {
  const project = await loadProjectIndex(memoryFiles(texts));
  const file = parseConfigFile(path, texts[path] ?? '', { kind: 'agent', name: 'A2', version: 'v1', id: 'A2@v1' });
  return { file, context: createRuleContext({ project, models: createModelTable(), variables }) };
}

test('what the layers give is what the effective config has', async () => {
  const number = fc.constantFrom(0, 1, 7, null, 'no number');
  const fragment = fc.record(
    {
      agent_type: fc.constantFrom('react', 'orchestrating', null, 'nonsense'),
      model_name: fc.constantFrom('a', 'b', '', null),
      provider: fc.constantFrom('openai', 'anthropic', null),
      temperature: number,
      top_p: number,
      max_output_tokens: number,
      timeout_ms: number,
      budget: fc.constantFrom({ max_time_ms: 1 }, { max_time_ms: null }, { max_cost: 2 }, null),
      llm_config_id: fc.constantFrom('one', 'two', 'gone', null),
      persona_key: fc.constantFrom('critic', 'gone', null),
    },
    { requiredKeys: [] },
  );
  const fields = ['agent_type', 'model_name', 'temperature', 'top_p', 'max_output_tokens', 'timeout_ms'] as const;
  await fc.assert(
    fc.asyncProperty(fragment, fragment, fragment, fragment, fragment, async (agent, persona, defaults, named, profile) => {
      const { file, context } = await contextOf({
        [path]: JSON.stringify({ agent_name: 'A2', version: 'v1', ...agent }),
        'config/personas/critic.json': JSON.stringify({ ...persona, persona_key: undefined }),
        'config/system.json': JSON.stringify({ agent_defaults: defaults, persona_defaults: named }),
        'config/environments/dev.json': JSON.stringify({ agents: { A2: named }, llms: { one: profile } }),
        'config/llms/one.json': JSON.stringify({ llm_id: 'one', ...profile }),
        'config/llms/two.json': JSON.stringify({ llm_id: 'two', model_name: 'two' }),
      });
      const stack = layersOf(file, context);
      const config = context.effective(file).config as unknown as JsonObject;
      const given = (...names: [string, ...string[]]) => stack && findSetting(stack, ...names)?.value;
      expect(Object.fromEntries(fields.map((field) => [field, given(field)]))).toEqual(
        Object.fromEntries(fields.map((field) => [field, config[field]])),
      );
      expect(given('provider') ?? 'openai').toBe(config.provider);
      expect(given('budget', 'max_time_ms')).toBe((config.budget as JsonObject | undefined)?.max_time_ms);
    }),
    { numRuns: runs(100, 300) },
  );
});

test('a reference by variable is not followed: its value is not known', async () => {
  const { file, context } = await contextOf({ [path]: '{ "agent_name": "A2", "version": "v1", "persona_key": "${WHO:-critic}" }' });
  expect(layersOf(file, context)).toBeUndefined();
});

test('another file of the same context gets its own layers', async () => {
  const { file, context } = await contextOf({ [path]: '{ "agent_name": "A2", "version": "v1", "model_name": "a" }' });
  const again = parseConfigFile(path, '{ "agent_name": "A2", "version": "v1", "model_name": "b" }', file.identity);
  const modelIn = (checked: ConfigFile) => {
    const stack = layersOf(checked, context);
    return stack && findSetting(stack, 'model_name')?.value;
  };
  expect([modelIn(file), modelIn(again), modelIn(file)]).toEqual(['a', 'b', 'a']);
});
