import type { SchemaCompiler } from './schemaCompiler.js';

/** A schema compiler with a cache of its own. Ajv is loaded by the first call, which costs some 20 ms once. */
export async function loadSchemaCompiler(): Promise<SchemaCompiler> {
  const { createSchemaCompiler } = await import('./ajvSchemaCompiler.js');
  return createSchemaCompiler();
}
