import type { JsonObject } from '../../json.js';

/** The schema as text below the system text, for a model with no other way to get it: as prompts have it for providers without a response format. */
export function withSchemaLine(system: string, schema: JsonObject): string {
  const line = `Output schema: ${JSON.stringify(schema)}`;
  return system === '' ? line : `${system}\n${line}`;
}
