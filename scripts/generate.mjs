/**
 * Makes from schemas/, unless nothing it depends on has changed: core/generated/ (types, fields, shapes, compiled validators), docs/config.md (the
 * reference of all fields), and in the schemas of agents, personas and profiles the fields that their definitions have and they lack.
 * And from core/ruleCodes.ts, always: the list of rules, and the table of docs/rules/README.md; from core/builtInProviders.ts: the lists of
 * providers, and their names in the schemas.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fieldsOf, spreadFields } from './generate/fields.mjs';
import { operatorsOf } from './generate/operators.mjs';
import { addProviderNames, providerFactsOf, providerNamesIn, providerOptionsOf, providersOf } from './generate/providers.mjs';
import { readSchemas } from './generate/readSchemas.mjs';
import { ruleCodesIn, rulesOf, ruleTableOf } from './generate/rules.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const generated = join(root, 'core/generated');
const inputs = [
  'scripts/generate.mjs',
  'scripts/generate/docs.mjs',
  'scripts/generate/fields.mjs',
  'scripts/generate/readSchemas.mjs',
  'scripts/generate/types.mjs',
  'scripts/generate/validators.mjs',
  'core/schema/ajvKeywords.ts',
  'core/jsonText/jsonCompare.ts',
];

const folder = join(root, 'schemas');
const schemas = readSchemas(folder);
spreadFields(folder, schemas);
const providerNames = providerNamesIn(root);
addProviderNames(folder, schemas, providerNames);
const stamp = stampOf(schemas);
if (!isFresh()) await generate();
generateRules();
write('operators.ts', operatorsOf(schemas));
write('providers.ts', providersOf(root, providerNames));
write('providerFacts.ts', providerFactsOf(root, providerNames));
write('providerOptions.ts', providerOptionsOf(root, providerNames));

async function generate() {
  const { docsOf } = await import('./generate/docs.mjs');
  const { typesOf } = await import('./generate/types.mjs');
  const { validatorsOf } = await import('./generate/validators.mjs');
  const types = await typesOf(schemas);
  const validators = await validatorsOf(schemas);
  writeFileSync(join(root, 'docs/config.md'), docsOf(schemas));
  mkdirSync(generated, { recursive: true });
  write('fields.ts', fieldsOf(schemas));
  write('types.ts', types);
  write('shapes.ts', shapesOf(schemas));
  write('keys.ts', keysOf(schemas));
  write('validators.js', validators.code);
  write('validators.d.ts', validators.declarations);
  // Last, so that a run cut short is never taken for a finished one.
  write('stamp', stamp);
}

function generateRules() {
  const codes = ruleCodesIn(root);
  const table = ruleTableOf(root, codes);
  const page = join(root, 'docs/rules/README.md');
  if (table !== readFileSync(page, 'utf8')) writeFileSync(page, table);
  write('rules.ts', rulesOf(codes));
}

/** Of each schema what says which names there are where: for rules, which are loaded before the first file is checked, without all the words. */
function shapesOf(all) {
  const shapes = Object.fromEntries([...all].map(([name, schema]) => [name, shapeOf(schema)]));
  return `// Made by scripts/generate.mjs from schemas/. Change the schemas, not this file.
import type { JsonObject } from '../json.js';

/** By the schema's name: of each only \`properties\`, \`items\`, \`additionalProperties\`, \`then\` and \`$ref\`. */
export const shapes: Readonly<Record<string, JsonObject>> = ${JSON.stringify(shapes)};
`;
}

/** The keys that a file of each kind may have at its root: light enough for what an editor loads first. */
function keysOf(all) {
  // Of the kinds whose places other programs use as well.
  const names = ['agent', 'llm', 'persona', 'prompt', 'orchestration', 'system', 'mcp'];
  const lines = names.map((name) => `  ${name}: ${JSON.stringify(Object.keys(all.get(name).properties))},`);
  return `// Made by scripts/generate.mjs from schemas/. Change the schemas, not this file.

/** By the kind of file. */
export const rootKeys: Readonly<Record<string, readonly string[]>> = {
${lines.join('\n')}
};
`;
}

function shapeOf(schema) {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const shape = {};
  for (const keyword of ['$ref', 'items', 'additionalProperties', 'then'])
    if (schema[keyword] !== undefined) shape[keyword] = shapeOf(schema[keyword]);
  for (const keyword of ['properties', 'definitions'])
    if (schema[keyword] !== undefined)
      shape[keyword] = Object.fromEntries(Object.entries(schema[keyword]).map(([name, sub]) => [name, shapeOf(sub)]));
  return shape;
}

/** Whole or not at all: another process may be reading. */
function write(name, text) {
  const temporary = join(generated, `${name}.${process.pid}.tmp`);
  writeFileSync(temporary, text);
  renameSync(temporary, join(generated, name));
}

function stampOf(all) {
  const hash = createHash('sha256');
  for (const [name, schema] of all) hash.update(`${name}\n${JSON.stringify(schema)}\n`);
  for (const input of inputs) hash.update(readFileSync(join(root, input)));
  for (const tool of ['ajv', 'esbuild', 'json-schema-to-typescript']) {
    hash.update(JSON.parse(readFileSync(join(root, 'node_modules', tool, 'package.json'), 'utf8')).version);
  }
  return hash.digest('hex');
}

function isFresh() {
  try {
    for (const file of ['fields.ts', 'types.ts', 'shapes.ts', 'keys.ts', 'validators.js', 'validators.d.ts'])
      readFileSync(join(generated, file));
    return readFileSync(join(generated, 'stamp'), 'utf8') === stamp;
  } catch {
    return false;
  }
}
