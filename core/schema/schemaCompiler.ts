import type { Issue } from '../errors.js';
import type { Json, JsonObject } from '../json.js';

/** A user's compiled schema. Returns all issues, at most 100 (empty: the value fits). */
export type ValueCheck = (value: Json) => readonly Issue[];

export interface SchemaProblem {
  /** JSON pointer into the schema. */
  readonly pointer: string;
  readonly message: string;
  /** `pattern`: a regex the linear-time engine refuses. `schema`: not a valid JSON Schema. `ref`: a `$ref` that is remote or points to nothing. */
  readonly kind: 'pattern' | 'schema' | 'ref';
}

export type CompiledSchema =
  | { readonly ok: true; readonly check: ValueCheck }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

/**
 * Compiles a user's JSON Schema (draft-07, or 2020-12 when `$schema` says so), cached by its content. Unknown keywords are
 * tolerated, formats checked, `pattern` run by a linear-time engine, `$ref` local only. Never throws for a bad schema.
 */
export interface SchemaCompiler {
  compile(schema: JsonObject | boolean): CompiledSchema;
}

/** A schema compiler with its own cache. The first call loads ajv, which takes some 20 ms. */
export async function loadSchemaCompiler(): Promise<SchemaCompiler> {
  const { createSchemaCompiler } = await import('./ajvSchemaCompiler.js');
  return createSchemaCompiler();
}
