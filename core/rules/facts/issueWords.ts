import type { Issue } from '../../errors.js';
import { type Json, segmentsOf, valueAt } from '../../json.js';
import { didYouMean, nearestNames } from '../../names.js';
import { dotted, quoted } from '../../words.js';

/**
 * A broken schema in one sentence, without its period's follower: what is there, what was expected, the nearest legal value.
 *
 * @param name what the checked value is called, to begin the sentence with
 * @param checked the value that was checked as a whole
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
  const meant = nearest === undefined ? '' : didYouMean([nearest]);
  return { text: `${subject} is ${quoted(value)}, but ${message}.${meant}`, nearest };
}
