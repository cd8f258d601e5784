import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Compiles a schema that a standard publishes, from test/fixtures/standards. */
export function standard(name: string) {
  return compile(readStandard(name));
}

/** One of its definitions. */
export function definitionOf(name: string, definition: string) {
  const { $schema, $defs } = readStandard(name);
  return compile({ ...($schema && { $schema }), $defs, $ref: `#/$defs/${definition}` });
}

/** Its text, parsed. */
export function readStandard(name: string) {
  return JSON.parse(readFileSync(new URL(`../fixtures/standards/${name}.schema.json`, import.meta.url), 'utf8'));
}

function compile(schema: { readonly $schema?: string }) {
  const options = { strict: false, allErrors: true, validateFormats: false };
  return (String(schema.$schema).includes('draft-07') ? new Ajv(options) : new Ajv2020(options)).compile(schema);
}
