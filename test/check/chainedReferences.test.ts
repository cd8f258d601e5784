import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { createSchemaCompiler } from '../../core/schema/ajvSchemaCompiler.js';
import { checkProject } from '../support/checkProject.js';

const links: Readonly<Record<string, (next: string) => object>> = {
  'by $ref': ($ref) => ({ $ref }),
  'by $ref in allOf': ($ref) => ({ allOf: [{ $ref }] }),
  'by $ref in anyOf': ($ref) => ({ anyOf: [{ $ref }, { type: 'null' }] }),
  'by $ref in items': ($ref) => ({ type: 'array', items: { $ref } }),
};

const schemaOf = (definitions: object) => ({
  type: 'object',
  properties: { answer: { $ref: '#/$defs/d0' } },
  required: ['answer'],
  additionalProperties: false,
  $defs: definitions as JsonObject,
});

const agent = (definitions: object, enums?: object) =>
  JSON.stringify({
    agent_name: 'A',
    version: 'v1',
    mode: 'Writer',
    system_text: 's',
    purpose_text: 'p',
    llm_config_id: 'offline',
    enums,
    output_schema: schemaOf(definitions),
  });

const findingsOf = async (definitions: object, enums?: object) => {
  const files = new Map([
    ['agentstack.json', '{}'],
    ['config/agents/A/v1.json', agent(definitions, enums)],
    ['config/llms/offline.json', '{"llm_id": "offline", "provider": "offline", "model_name": "offline"}'],
  ]);
  return checkProject({ files, base: new Map(), variables: [] });
};

for (const [kind, link] of Object.entries(links)) {
  const chain = (length: number) => ({
    ...Object.fromEntries(Array.from({ length }, (_, at) => [`d${at}`, link(`#/$defs/d${at + 1}`)])),
    [`d${length}`]: { type: 'string' },
  });

  test(`schemas that are chained ${kind} 5,000 times are reported once, as no run can compile them`, async () => {
    const findings = await findingsOf(chain(5_000));
    const tooDeep = findings.filter(({ code }) => code === 'output-schema-invalid');
    expect(tooDeep.map(({ message }) => message)).toEqual([
      '$ref leads more than 300 schemas deep, too deep to be compiled; shorten the chain of references.',
    ]);
  });

  test(`what check lets pass of schemas that are chained ${kind} is compiled`, async () => {
    const definitions = chain(140);
    expect((await findingsOf(definitions)).map(({ code }) => code)).not.toContain('output-schema-invalid');
    expect(createSchemaCompiler().compile(schemaOf(definitions)).ok).toBe(true);
  });
}

test('values at the end of 200 chained $refs are those that enums lists', async () => {
  const definitions = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]));
  expect(await findingsOf({ ...definitions, d200: { type: 'string', enum: ['a', 'b'] } }, { answer: ['a', 'b'] })).toEqual([]);
});

test('schemas that are chained 5,000 times in a circle are checked', async () => {
  const circle = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${(at + 1) % 5_000}` }]));
  expect((await findingsOf(circle)).map(({ code }) => code)).toContain('output-schema-invalid');
});
