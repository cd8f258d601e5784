import type { Issue } from '../../errors.js';
import { type Json, segmentsOf, valueAt } from '../../json.js';
import { didYouMean, nearestNames } from '../../names.js';
import { dotted, quoted } from '../../words.js';

/**
 * A schema violation in a sentence or two: the value, what was expected, the nearest legal value.
 *
 * @param name of the checked value; begins the sentence
 * @param checked the whole value that was checked
 */
export function issueWords(name: string, { path, message, allowed }: Issue, checked: Json): { text: string; nearest: string | undefined } {
  const value = valueAt(checked, path);
  const segments = segmentsOf(path);
  const subject = name + dotted(['x', ...segments]).slice(1);
  if (allowed === undefined) {
    const actual = value === undefined || (typeof value === 'object' && value !== null) ? '' : `, not ${quoted(value)}`;
    return { text: `${subject} ${message}${actual}.`, nearest: undefined };
  }
  const texts = allowed.filter((other) => typeof other === 'string');
  const [nearest] = typeof value === 'string' ? nearestNames(value, texts, 1) : [];
  const hint = nearest === undefined ? '' : didYouMean([nearest]);
  return { text: `${subject} is ${quoted(value)}, but ${message}.${hint}`, nearest };
}
