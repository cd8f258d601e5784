import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Compiles a schema that a standard publishes, from test/fixtures/standards. */
export function standard(name: string) {
  const schema = JSON.parse(readFileSync(new URL(`../fixtures/standards/${name}.schema.json`, import.meta.url), 'utf8'));
  const options = { strict: false, allErrors: true, validateFormats: false };
  return (String(schema.$schema).includes('draft-07') ? new Ajv(options) : new Ajv2020(options)).compile(schema);
}
