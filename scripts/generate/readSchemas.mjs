import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const suffix = '.schema.json';

/** Every schema of the folder, by its short name (`agent` for agent.schema.json), in alphabetical order. */
export function readSchemas(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(suffix));
  return new Map(names.sort().map((name) => [name.slice(0, -suffix.length), JSON.parse(readFileSync(join(folder, name), 'utf8'))]));
}

/** What a schema says itself, or what its `$ref` names. */
export function resolved(schemas, from, schema) {
  return schema.$ref === undefined ? { name: from, schema } : followRef(schemas, from, schema.$ref);
}

/** The schema a `$ref` of ours names: `definitions.schema.json#/definitions/name`, `#/definitions/name`, `agent.schema.json`. */
export function followRef(schemas, from, ref) {
  const [file, pointer = ''] = ref.split('#');
  const name = file === '' ? from : file.slice(0, -suffix.length);
  let schema = schemas.get(name);
  for (const segment of pointer.split('/').slice(1)) schema = schema?.[segment];
  if (schema === undefined) throw new Error(`${from}${suffix}: $ref "${ref}" points to nothing`);
  return { name, schema };
}
