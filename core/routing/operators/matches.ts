import type { Operator } from './operator.js';

/** A text that a regular expression matches somewhere, in time linear in the text. A pattern the engine refuses matches nothing. */
export const matches: Operator = {
  name: 'matches',
  takes: ['string'],
  expects: ['string'],
  whenMissing: () => false,
  compare(actual, expected, patterns) {
    if (patterns === undefined) return undefined;
    const pattern = patterns(expected as string);
    return pattern.ok && pattern.test(actual as string);
  },
  cut: (expected) => (typeof expected === 'string' ? { pattern: expected } : {}),
};
