import { isObject, type Json } from '../../core/json.js';
import { dialectOf } from '../../core/schema/schemaPlaces.js';
import type { Path } from '../jsonTree.js';
import type { FittingField } from './fittingFields.js';
import type { Spot } from './spot.js';

/** The path of the output_schema or input_schema around a path; undefined outside of both. */
export function schemaRootAt(path: Path): Path | undefined {
  const at = path.findIndex((segment) => segment === 'output_schema' || segment === 'input_schema');
  return at < 0 ? undefined : path.slice(0, at + 1);
}

/** The rank of a keyword in the schema at the cursor; undefined when it does not apply to the schema's type or dialect. */
export function keywordFits({ name, schema }: FittingField, spot: Spot): number | undefined {
  const root = schemaRootAt(spot.path);
  if (root === undefined) return 4;
  const dialect = dialectOf(spot.valueAt(root) ?? {});
  const only = schema['x-dialect'];
  if (only !== undefined && only !== dialect) return undefined;
  const isRoot = spot.path.length === root.length + 1;
  if (name === '$schema' || name === '$id') return isRoot ? 8 : undefined;
  const types = typesWritten(spot);
  const about = schema['x-types'];
  if (!Array.isArray(about)) return name === 'type' ? 0 : common.has(name) ? 2 : 6;
  if (types === undefined) return 5;
  return about.some((type: Json) => types.includes(type)) ? 1 : undefined;
}

const common: ReadonlySet<string> = new Set(['description', 'enum']);

/** The types of the schema around the cursor; undefined when it has no `type`. */
function typesWritten(spot: Spot): readonly Json[] | undefined {
  if (!spot.cursor.siblings.includes('type')) return undefined;
  const type = spot.members().get('type') ?? spot.valueAt([...spot.path.slice(0, -1), 'type']);
  return typeof type === 'string' ? [type] : Array.isArray(type) ? (type as readonly Json[]) : undefined;
}

/** Pointers that a `$ref` may hold: the whole schema, and what it defines. */
export function refTargets(schema: Json | undefined): readonly string[] {
  const targets: string[] = [];
  if (!isObject(schema)) return targets;
  for (const keyword of ['$defs', 'definitions']) {
    const defined = schema[keyword];
    if (!isObject(defined)) continue;
    for (const name of Object.keys(defined)) targets.push(`#/${keyword}/${encodeFragment(name)}`);
  }
  targets.push('#');
  return targets;
}

/** A key as written in a `$ref`: a JSON pointer in a URI fragment. */
function encodeFragment(name: string): string {
  return encodeURI(name.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('#', '%23');
}
