import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { components, kindOf } from '../../core/otherTools/agentSpec/components.js';
import { readStandard } from '../support/standard.js';
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
  [{ llm_config: null }, ['incomplete error ']],
  [{ description: null, name: 5 }, ['wrong-value error /name']],
  [{ tools: {}, human_in_the_loop: 'no' }, ['wrong-value error /tools']],
  [{ tools: {}, agentspec_version: '27.1.0' }, []],
  [{ system_prompt: ['Count.'] }, ['wrong-value error /system_prompt']],
  [{ tools: { $component_ref: 'all' }, $referenced_components: { all: llm } }, []],
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
  ['Count {{größe}}.', [title('größe')], []],
])('inputs of %j: %j', async (system_prompt, inputs, expected) => {
  expect(await codesOf({ system_prompt, inputs })).toEqual(expected);
});

test('files of other programs under these names are left alone', async () => {
  expect(await findingsIn({ 'agent-specs/a.yaml': 'a: b: c', 'agentspec.json': '{ "component_type": "Agnt" }' })).toEqual([]);
});

/** The JSON types that a schema allows; a component's are those of any object. */
function typesOf(schema: Json, definitions: JsonObject): readonly string[] {
  if (!isObject(schema)) return ['any'];
  const { $ref, anyOf, type, ...rest } = schema;
  if (typeof $ref === 'string') return typesOf(definitions[$ref.split('/').at(-1) ?? ''] ?? null, definitions);
  if (Array.isArray(anyOf)) return [...new Set(anyOf.flatMap((part: Json) => typesOf(part, definitions)))];
  if (typeof type === 'string') return [type];
  return 'enum' in rest || 'const' in rest ? ['string'] : ['any'];
}

test('the fields of components, which of them are required, and their kinds are those of the published schema', () => {
  const { $defs: definitions = {} } = readStandard('agent-spec-26.1.2') as { $defs?: JsonObject };
  const published = new Map<string, JsonObject>();
  const find = (schema: Json) => {
    if (!isObject(schema)) return;
    const { properties, anyOf } = schema;
    const type = isObject(properties) && isObject(properties.component_type) ? properties.component_type.const : undefined;
    if (typeof type === 'string') published.set(type, schema);
    if (Array.isArray(anyOf)) anyOf.forEach(find);
  };
  for (const [name, schema] of Object.entries(definitions)) if (!name.startsWith('Versioned')) find(schema);
  expect([...published.keys()].filter((type) => !components.has(type))).toEqual([]);
  const kinds: Readonly<Record<string, readonly string[]>> = {
    list: ['array'],
    object: ['object'],
    scalar: ['boolean', 'integer', 'number', 'string'],
    text: ['string'],
    anything: ['any', 'array', 'object', 'string'],
  };
  for (const [type, { properties, required = [] }] of published) {
    const { all = [], required: ours = [] } = components.get(type) ?? {};
    const fields = isObject(properties) ? properties : {};
    expect(all, type).toEqual(expect.arrayContaining(Object.keys(fields)));
    expect([...ours].sort(), type).toEqual([...(required as string[])].sort());
    for (const [field, schema] of Object.entries(fields)) {
      const allowed = typesOf(schema, definitions).filter((name) => name !== 'null');
      expect(kinds[kindOf(field)], `${type}.${field}`).toEqual(expect.arrayContaining(allowed));
    }
  }
});
