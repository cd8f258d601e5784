import { expect, test } from 'vitest';
import { findingsIn } from '../support/toolFindings.js';

const llm = { component_type: 'OpenAiConfig', name: 'model', model_id: 'gpt-5' };
const agent = { component_type: 'Agent', agentspec_version: '26.2.0', name: 'stock', system_prompt: 'Count.', llm_config: llm };
const title = (name: string) => ({ title: name, type: 'string' });

async function codesOf(parts: object, others: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const findings = await findingsIn({ 'agent-specs/stock.json': JSON.stringify({ ...agent, ...parts }), ...others });
  return findings.map(({ code, severity, pointer }) => `${code.replace('agent-spec/', '')} ${severity} ${pointer}`);
}

test.each([
  [{}, []],
  [{ system_prompt: undefined }, ['incomplete error ']],
  [{ system_prompt: undefined, agentspec_version: '27.1.0' }, []],
  [{ system_prompt: undefined, agentspec_version: '25.4.1' }, ['incomplete error ']],
  [{ llm_config: { ...llm, model_id: undefined } }, ['incomplete error /llm_config']],
  [{ llm_config: { component_type: 'OurOwnConfig', name: 'model' } }, []],
  [{ llm_config: { ...llm, component_type: 'OpenAIConfig' } }, ['unknown-name warning /llm_config/component_type']],
  [{ tool: [] }, ['unknown-name warning /tool']],
  [{ tool: [], tools: [] }, []],
  [{ field_of_a_newer_version: 1, metadata: { component_type: 'Agnt' } }, []],
])('fields: %j', async (parts, expected) => {
  expect(await codesOf(parts)).toEqual(expected);
});

test.each([
  [{ llm_config: { $component_ref: 'model' }, $referenced_components: { model: llm } }, []],
  [{ llm_config: { $component_ref: 'model' } }, ['reference-missing warning /llm_config/$component_ref']],
  [{ llm_config: { ...llm, api_key: { $component_ref: 'abc.api_key' } } }, []],
  [
    { $referenced_components: { a: { $component_ref: 'b' }, b: { $component_ref: 'a' } } },
    ['reference-circular error /$referenced_components/a'],
  ],
])('references: %j', async (parts, expected) => {
  expect(await codesOf(parts)).toEqual(expected);
});

test('a component of another file', async () => {
  const registry = JSON.stringify({ $referenced_components: { model: llm } });
  expect(await codesOf({ llm_config: { $component_ref: 'model' } }, { 'agent-specs/models.json': registry })).toEqual([]);
});

test.each([
  ['Count {{ article }}.', [title('article')], []],
  ['Count {{article}}.', undefined, []],
  ['Count {{article}}.', [], ['inputs-differ error /inputs']],
  ['Count.', [title('article')], ['inputs-differ error /inputs']],
  ['{% for x in y %}{{ x.y }}{% endfor %}', [], []],
])('inputs of %j: %j', async (system_prompt, inputs, expected) => {
  expect(await codesOf({ system_prompt, inputs })).toEqual(expected);
});

test('files of other programs under these names are left alone', async () => {
  expect(await findingsIn({ 'agent-specs/a.yaml': 'a: b: c', 'agentspec.json': '{ "component_type": "Agnt" }' })).toEqual([]);
});
