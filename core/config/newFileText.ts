import type { JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';

/** The text of a new config file, with the `$schema` of its kind on top. */
export function newFileText(kind: Kind, value: JsonObject): string {
  const $schema = `agent-stack:${kind === 'settings' ? 'agentstack' : kind}.schema.json`;
  return `${JSON.stringify({ $schema, ...value }, null, 2)}\n`;
}
