import { locate } from '../jsonText/locate.js';
import { parseConfigObject } from './parseConfigFile.js';

/**
 * The text of an agent or prompt file with another version and nothing else changed: layout, line ends and a byte order mark stay.
 * Undefined for a text that is no JSON object, or has no `version`.
 */
export function withVersion(text: string, version: string): string | undefined {
  const place = parseConfigObject(text) && locate(text, new Set(['/version'])).get('/version');
  return place && text.slice(0, place.value.start) + JSON.stringify(version) + text.slice(place.value.end);
}
