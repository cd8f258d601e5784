import type { Operator } from './operator.js';

/** For expectations only: a text that is similar to another. The similarity is for the report of a run, so the prover knows only the types. */
export const similar: Operator = {
  name: 'similar',
  takes: ['string'],
  expects: ['string'],
  comparesTexts: true,
  whenMissing: () => false,
  compare: (actual, expected) => (actual === expected ? true : undefined),
  cut: () => ({}),
};
