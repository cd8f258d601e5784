import fc from 'fast-check';
import type { Json, JsonObject } from '../../core/json.js';

/** An agent so large that its text is read and its schema is checked in parts, as one version after the other is typed. */
export interface LargeAgent {
  readonly [field: string]: Json;
  readonly output_schema: JsonObject & { readonly properties: JsonObject; readonly required: readonly string[] };
}

export const largeAgent: LargeAgent = {
  agent_name: 'A2',
  version: 'v1',
  mode: 'Writer',
  system_text: 'You measure.',
  purpose_text: 'Say what was measured.',
  input_keys: ['task'],
  output_schema: {
    type: 'object',
    additionalProperties: false,
    required: names(),
    properties: Object.fromEntries(names().map((name, at) => [name, plainField(at)])),
    $defs: { small: { type: 'integer', maximum: 9 } },
  },
  enums: { measured_7: ['one', 'two'] },
  llm_config_id: 'a',
  top_p: 1,
};

function names(): readonly string[] {
  return Array.from({ length: 620 }, (_, at) => `measured_${at}`);
}

function plainField(at: number): JsonObject {
  const description = `What was measured at place ${at}, exactly as the input says it.`;
  if (at === 7) return { type: 'string', enum: ['one', 'two'], description };
  return at === 8 ? { $ref: '#/$defs/small' } : { type: at % 3 === 0 ? 'number' : 'string', description };
}

/** Right, wrong and strange, for every rule that looks into a schema. */
const fields: readonly Json[] = [
  { type: 'string' },
  { type: 'number', minimum: 3, maximum: 2 },
  { type: 'string', enum: ['a', 'b', 'a'] },
  { type: 'string', enum: ['a', 'A'] },
  { type: 'string', enum: ['one', 'two'], default: 'three' },
  { type: 'strin' },
  { type: 'string', pattern: '(a' },
  { type: 'string', pattern: '(?=a)' },
  { type: 'string', minLength: 2, default: 'x' },
  { $ref: '#/$defs/small' },
  { $ref: '#/$defs/smal' },
  { $ref: '#/properties/measured_3' },
  { allOf: [{ type: 'object', required: ['missing'] }] },
  { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'], additionalProperties: false },
  { type: 'object', properties: { a: { type: 'array' } }, required: ['a'], additionalProperties: false },
  { type: ['string', 'null'], oneOf: 1 },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
  { type: 'string', description: `a text with \u200b nothing and \${NOBODY_HAS_SET_THIS}` },
  { type: 'string', description: 'sk-ant-REDACTED' },
  true,
  false,
  'text',
  null,
];

const change: fc.Arbitrary<(agent: LargeAgent) => LargeAgent> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(fc.constantFrom(3, 7, 8, 9, 300, 619), fc.constantFrom(...fields)).map(
      ([at, field]) =>
        (agent: LargeAgent) =>
          withProperties(agent, { ...agent.output_schema.properties, [`measured_${at}`]: field }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...names().slice(0, 9), '__proto__', 'constructor', 'added'), fc.boolean())
      .map(([name, isGone]) => {
        return (agent: LargeAgent) => {
          const rest = Object.entries(agent.output_schema.properties).filter(([other]) => other !== name);
          return withProperties(agent, Object.fromEntries(isGone ? rest : [...rest, [name, { type: 'string' }]]));
        };
      }),
  },
  fc
    .constantFrom<JsonObject>(
      { $defs: {} },
      { $defs: { small: { type: 'string' } } },
      { $schema: 'https://json-schema.org/draft/2020-12/schema' },
      { type: 'array' },
      { required: ['measured_1', 'nobody'] },
      { additionalProperties: { type: 'string' } },
      { patternProperties: { '^x': true } },
      { allOf: [{ required: ['measured_2'] }] },
    )
    .map((keywords) => (agent: LargeAgent) => ({
      ...agent,
      output_schema: { ...agent.output_schema, ...keywords } as typeof agent.output_schema,
    })),
  fc
    .constantFrom<JsonObject>(
      { top_p: 9 },
      { top_p: 1 },
      { mode: 'Chooser' },
      { enums: { measured_7: ['two', 'one', 'three'], nobody: ['x'] } },
      { defaults: { measured_7: 'four', measured_3: 'x' } },
      { model_name: 'ft:gpt-4o:x' },
      { provider: 'anthropic' },
      { provider: '${PROVIDER:-openai}' },
      { output_schema: { ...largeAgent.output_schema, $ref: '#/nowhere' } },
      { output_schema: largeAgent.output_schema },
    )
    .map((members) => (agent: LargeAgent) => ({ ...agent, ...members }) as LargeAgent),
);

function withProperties(agent: LargeAgent, properties: JsonObject): LargeAgent {
  return { ...agent, output_schema: { ...agent.output_schema, properties } };
}

/** Texts of one agent, each a few changes after the one before; now and then one that is not JSON. */
export const largeAgentTexts: fc.Arbitrary<readonly string[]> = fc
  .array(fc.tuple(change, fc.constantFrom('whole', 'whole', 'whole', 'broken')), { minLength: 3, maxLength: 12 })
  .map((steps) => {
    let agent = largeAgent;
    return steps.map(([apply, state]) => {
      agent = apply(agent);
      const text = JSON.stringify(agent, null, 2);
      return state === 'whole' ? text : text.replace('"top_p":', '"top_p"');
    });
  });
