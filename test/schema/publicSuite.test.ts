import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import { createSchemaCompiler } from '../../core/schema/ajvSchemaCompiler.js';

/** A copy of github.com/json-schema-org/JSON-Schema-Test-Suite; another one is named by the variable. */
const suite = process.env.AGENT_STACK_SCHEMA_SUITE ?? '../shared/suites/json-schema-test-suite';
const isThere = existsSync(join(suite, 'tests/draft7'));

interface Group {
  readonly description: string;
  readonly schema: JsonObject | boolean;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

/** What is not supported, and therefore refused: the groups of tests by what is said of their schemas. */
const refusals = JSON.parse(readFileSync('test/fixtures/schema/refusedGroups.json', 'utf8')) as Record<string, readonly string[]>;

const dialects = { draft7: 'http://json-schema.org/draft-07/schema#', 'draft2020-12': 'https://json-schema.org/draft/2020-12/schema' };

describe.skipIf(!isThere)(`the public suite of JSON Schema${isThere ? '' : ` (needs its data in ${suite})`}`, () => {
  const refused: Record<string, string[]> = {};
  const wrong: string[] = [];
  for (const [draft, $schema] of isThere ? Object.entries(dialects) : []) {
    for (const file of readdirSync(join(suite, 'tests', draft)).filter((name) => name.endsWith('.json'))) {
      for (const { description, schema, tests } of JSON.parse(readFileSync(join(suite, 'tests', draft, file), 'utf8')) as Group[]) {
        const name = `${draft}/${file} ${description}`;
        const compiled = createSchemaCompiler().compile(typeof schema === 'boolean' ? schema : { $schema, ...schema });
        if (compiled.ok) {
          wrong.push(
            ...tests.filter(({ data, valid }) => (compiled.check(data).length === 0) !== valid).map((one) => `${name}: ${one.description}`),
          );
          continue;
        }
        const words = compiled.problems.map(({ message }) => message.replace(/"(?:[^"\\]|\\.)*"/g, '"..."')).join();
        refused[words] = [...(refused[words] ?? []), name];
      }
    }
  }

  test('refuses what is listed as not supported, and nothing else', () => {
    expect(refused).toEqual(refusals);
  });

  // In 2020-12 a meta-schema says whether `format` judges; here it always does, in both dialects.
  test('gives no wrong verdict, but that formats judge', () => {
    expect(wrong.filter((name) => !name.startsWith('draft2020-12/format.json'))).toEqual([]);
  });
});
