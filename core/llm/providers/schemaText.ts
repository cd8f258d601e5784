import type { JsonObject } from '../../json.js';

/** The schema as text below the system text, for a model that takes it in no other way: the line that the prompt of a provider without a response format has. */
export function withSchemaLine(system: string, schema: JsonObject): string {
  const line = `Output schema: ${JSON.stringify(schema)}`;
  return system === '' ? line : `${system}\n${line}`;
}
