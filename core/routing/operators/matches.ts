import type { Operator } from './operator.js';

/** A text that a regular expression matches somewhere, in time linear in the text. For a pattern that the engine refuses, the result is unknown. */
export const matches: Operator = {
  name: 'matches',
  takes: ['string'],
  expects: ['string'],
  comparesTexts: true,
  whenMissing: () => false,
  compare(actual, expected, patterns) {
    const pattern = patterns?.(expected as string);
    return pattern?.ok ? pattern.test(actual as string) : undefined;
  },
  cut: (expected) => (typeof expected === 'string' ? { pattern: expected } : {}),
};
