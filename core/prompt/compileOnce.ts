import { ConfigInvalidError } from '../errors.js';
import type { SchemaCompiler, ValueCheck } from '../schema/schemaCompiler.js';
import type { EffectiveAgent } from '../snapshot/effective.js';

/** The parts of an agent that its schemas need. */
export type AgentSchemas = Pick<EffectiveAgent, 'agent_name' | 'version' | 'input_schema' | 'output_schema'>;
type SchemaField = 'input_schema' | 'output_schema';

/** A missing schema accepts everything. @throws ConfigInvalidError from the returned function, if the schema is invalid */
export function compileOnce(schemas: SchemaCompiler, config: AgentSchemas, field: SchemaField): () => ValueCheck {
  let check: ValueCheck | undefined;
  return () => {
    check ??= compile(schemas, config, field);
    return check;
  };
}

function compile(schemas: SchemaCompiler, config: AgentSchemas, field: SchemaField): ValueCheck {
  const schema = config[field];
  if (schema === undefined) return () => [];
  const compiled = schemas.compile(schema);
  if (compiled.ok) return compiled.check;
  const problems = compiled.problems.map(({ pointer, message }) => `${field}${pointer}: ${message}`).join('; ');
  throw new ConfigInvalidError(`The ${field} of ${config.agent_name}@${config.version} cannot be used: ${problems}`, []);
}

/** A compiler for prompts whose payload and answer are not checked. */
export const uncompiled = { compile: () => ({ ok: true, check: () => [] }) as const };
