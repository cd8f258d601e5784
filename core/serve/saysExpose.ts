import { isObject } from '../json.js';
import { parseJson } from '../jsonText/parseJson.js';

/**
 * Whether a config text says `"expose": true` at its root. A text that is broken at the moment counts as exposed where it has these words anywhere: what
 * is offered does not vanish while its file is being written.
 */
export function saysExpose(text: string): boolean {
  if (!words.test(text)) return false;
  const { value } = parseJson(text);
  return value === undefined || (isObject(value) && value.expose === true);
}

const words = /"expose"\s*:\s*true/;
