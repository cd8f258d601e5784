import type { Json } from '../../json.js';
import { nearestNames } from '../../names.js';

/** Of the values that a field may have, those that look like another: texts that look alike, and the same thing in another type (`"3"` for 3). */
export function nearestOf(value: Json, allowed: readonly Json[]): readonly Json[] {
  const same = allowed.filter((one) => typeof one !== typeof value && String(one) === String(value));
  const texts = allowed.filter((one) => typeof one === 'string');
  return same.length > 0 || typeof value !== 'string' || texts.length > 1_000 ? same : nearestNames(value, texts);
}
