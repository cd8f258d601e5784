import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import { findingsOf } from '../support/checkRule.js';
import { runs } from '../support/effort.js';

/** A field of the schema, with the strings it allows as whoever made it knows them; undefined for a field without such a list. */
interface MadeField {
  readonly schema: Json;
  readonly allows: readonly string[] | undefined;
}

const values = fc.uniqueArray(fc.constantFrom('a', 'A', 'b', 'c', 'two words', '__proto__', ''), { minLength: 1, maxLength: 4 });

const listed: fc.Arbitrary<MadeField> = fc
  .tuple(values, fc.nat(7))
  .map(([allows, form]) => ({ allows, schema: [...forms(allows)][form % forms(allows).length] as Json }));

function forms(allows: readonly string[]): readonly Json[] {
  return [
    { enum: [...allows] },
    { type: 'string', description: 'x', enum: allows.toReversed() },
    { type: ['string', 'null'], enum: [null, ...allows] },
    { type: 'array', items: { enum: [...allows] } },
    { anyOf: [{ enum: [...allows] }, { type: 'null' }] },
    { oneOf: allows.map((value) => ({ const: value })) },
    { allOf: [{ enum: [...allows] }] },
    { items: { anyOf: [{ type: 'null' }, { enum: [...allows] }] } },
  ];
}

const free: fc.Arbitrary<MadeField> = fc
  .constantFrom<Json>(
    { type: 'string' },
    { enum: [1, 2] },
    { type: 'array', items: {} },
    true,
    {},
    { anyOf: [{ enum: ['a'] }, { type: 'string' }] },
  )
  .map((schema) => ({ schema, allows: undefined }));

const names = fc.constantFrom('tone', 'depth', 'constructor', 'a/b');
const project = fc.record({
  fields: fc.dictionary(names, fc.oneof({ weight: 3, arbitrary: listed }, free), { maxKeys: 4 }),
  enums: fc.dictionary(names, values, { maxKeys: 4 }),
  /** How often enums is made to repeat the schema, so that agreement is no rare chance. */
  repeats: fc.constantFrom('all', 'some', 'none'),
  throughDefinitions: fc.boolean(),
  inPersona: fc.constantFrom('nothing', 'schema', 'enums', 'both'),
});

test('the rules about enums are silent exactly when schema and enums agree', () =>
  fc.assert(
    fc.asyncProperty(project, async ({ fields, enums: others, repeats, throughDefinitions, inPersona }) => {
      const enums: Record<string, readonly string[]> = repeats === 'all' ? {} : { ...others };
      for (const [name, { allows }] of Object.entries(fields)) {
        if (repeats !== 'none' && allows !== undefined && !(name in others && repeats === 'some')) set(enums, name, allows.toReversed());
      }
      const findings = await findingsOf(written(fields, enums, throughDefinitions, inPersona), ['enums-match-schema', 'enum-missing']);
      expect(findings.length === 0, findings.map(({ message }) => message).join('\n')).toBe(agree(fields, enums));
    }),
    { numRuns: runs(80, 300) },
  ));

/** The oracle: CONFIG's rule, said of what was made rather than read from the schema. */
function agree(fields: Readonly<Record<string, MadeField>>, enums: Readonly<Record<string, readonly string[]>>): boolean {
  const all = new Set([...Object.keys(fields), ...Object.keys(enums)]);
  return [...all].every((name) => {
    const allowed = Object.hasOwn(fields, name) ? fields[name]?.allows : undefined;
    const given = Object.hasOwn(enums, name) ? enums[name] : undefined;
    return JSON.stringify(allowed?.toSorted()) === JSON.stringify(given?.toSorted());
  });
}

function written(
  fields: Readonly<Record<string, MadeField>>,
  enums: JsonObject,
  throughDefinitions: boolean,
  inPersona: 'nothing' | 'schema' | 'enums' | 'both',
): string {
  const schemas = Object.entries(fields).map(([name, { schema }]) => [name, schema] as const);
  const properties: Json = Object.fromEntries(
    schemas.map(([name, schema]) => [
      name,
      throughDefinitions ? { $ref: `#/$defs/${encodeURIComponent(name.replace('/', '~1'))}` } : schema,
    ]),
  );
  const output_schema = { type: 'object', properties, ...(throughDefinitions && { $defs: Object.fromEntries(schemas) }) };
  const isBelow = (field: 'schema' | 'enums') => inPersona === field || inPersona === 'both';
  const persona = { ...(isBelow('schema') && { output_schema }), ...(isBelow('enums') && { enums }), system_text: 'x' };
  const agent = {
    agent_name: 'A2',
    version: 'v1',
    persona_key: 'p',
    ...(!isBelow('schema') && { output_schema }),
    ...(!isBelow('enums') && { enums }),
  };
  return `--- config/agents/A2/v1.json\n${JSON.stringify(agent)}\n--- config/personas/p.json\n${JSON.stringify(persona)}`;
}

function set(object: Record<string, readonly string[]>, name: string, value: readonly string[]): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
