import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolved } from './readSchemas.mjs';

const banner = `// Made by scripts/generate.mjs from schemas/. Change the schemas, not this file.
import type { Json } from '../json.js';

/** The form of a field, without its limits. */
export interface FieldForm {
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly string[];
  /** Of an array, the form of its items; of an object with keys of the user's own, that of its values. */
  readonly items?: FieldForm;
  /** Layers are merged key by key, instead of replaced whole: these keys, or any. */
  readonly parts?: { readonly [name: string]: FieldForm } | 'any';
  /** What holds where no layer gives it. */
  readonly default?: Json;
}
`;

/** What can be layered: the name of the definition, and of the constant with its fields. */
const layered = { agent_fields: 'agentFields', llm_fields: 'llmFields' };

/** The fields of layered objects as data, in the order of the schemas. */
export function fieldsOf(schemas) {
  const { definitions } = schemas.get('definitions');
  const tables = Object.entries(layered).map(([name, constant]) => tableOf(schemas, 'definitions', definitions[name], constant));
  tables.push(tableOf(schemas, 'system', schemas.get('system').properties.orchestration, 'orchestrationLimitFields'));
  return `${banner}\n${tables.join('\n')}\n${promptTextsOf(schemas)}`;
}

function promptTextsOf(schemas) {
  const owners = [
    ...Object.keys(layered).map((name) => ['definitions', schemas.get('definitions').definitions[name]]),
    ['prompt', schemas.get('prompt')],
  ];
  const names = owners.flatMap(([from, { properties }]) =>
    Object.keys(properties).filter((name) => resolved(schemas, from, properties[name]).schema.contentMediaType !== undefined),
  );
  return `/** Fields with a text for the model, of agents, profiles and prompts. */\nexport const promptTexts = ${literal(names)} as const;\n`;
}

function tableOf(schemas, from, { properties }, constant) {
  const rows = Object.entries(properties).map(([name, schema]) => `  ${name}: ${literal(formOf(schemas, from, schema))},`);
  return `export const ${constant} = {\n${rows.join('\n')}\n} as const satisfies { readonly [name: string]: FieldForm };\n`;
}

function formOf(schemas, from, written) {
  const { name, schema } = resolved(schemas, from, written);
  const type = [schema.type].flat().find((each) => each !== 'null');
  const items = schema.items ?? schema.additionalProperties;
  const parts = Object.entries(schema.mergedByKey ? (schema.properties ?? {}) : {}).map(([part, each]) => [
    part,
    formOf(schemas, name, each),
  ]);
  const defaults = parts.map(([part, form]) => [part, form.default]);
  const hasDefaults = parts.length > 0 && defaults.every(([, value]) => value !== undefined);
  return {
    type: type === 'integer' ? 'number' : type,
    enum: schema.enum?.filter((value) => value !== null),
    items: typeof items === 'object' ? formOf(schemas, name, items) : undefined,
    parts: parts.length > 0 ? Object.fromEntries(parts) : schema.mergedByKey && 'any',
    default: schema.default ?? (hasDefaults ? Object.fromEntries(defaults) : undefined),
  };
}

/** As a person writes it: names without quotes, strings in single ones. */
function literal(value) {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{ ${members.map(([name, member]) => `${name}: ${literal(member)}`).join(', ')} }`;
}

/** The kinds that list layered fields beside their own, and the definition that has those fields. */
const copies = { agent: 'agent_fields', persona: 'agent_fields', llm: 'llm_fields' };

/** Adds a field that was added to a definition to the schemas of the kinds, after the field before it. Editors need each of them whole. */
export function spreadFields(folder, schemas) {
  for (const [kind, definition] of Object.entries(copies)) {
    const file = join(folder, `${kind}.schema.json`);
    const { properties } = schemas.get(kind);
    const names = Object.keys(schemas.get('definitions').definitions[definition].properties);
    const missing = names.filter((name) => properties[name] === undefined);
    for (const name of missing) {
      const before = member(names[names.indexOf(name) - 1] ?? '$ignore');
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace(before, `${before},\n    ${member(name)}`));
    }
    if (missing.length > 0) schemas.set(kind, JSON.parse(readFileSync(file, 'utf8')));
  }
}

const member = (name) =>
  `"${name}": {\n      "$ref": "definitions.schema.json#/definitions/${name === '$ignore' ? 'ignore' : name}"\n    }`;
