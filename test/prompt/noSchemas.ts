import type { SchemaCompiler } from '../../core/schema/schemaCompiler.js';

/** For tests in which nothing may be compiled. */
export const noSchemas: SchemaCompiler = {
  compile() {
    throw new Error('no schema is compiled here');
  },
};
