import { parseConfigObject } from './parseConfigFile.js';
import { withFields } from './withFields.js';

/**
 * The text of an agent or prompt file with another version and nothing else changed: layout, line ends and a byte order mark stay.
 * Undefined for a text that is not a JSON object, or has no `version`.
 */
export function withVersion(text: string, version: string): string | undefined {
  const value = parseConfigObject(text);
  return value !== undefined && Object.hasOwn(value, 'version') ? withFields(text, { version }) : undefined;
}
