import type { Operator } from './operator.js';

/** For expectations alone: a text that is like another. How alike they are is for the report of a run, so the prover knows only the types. */
export const similar: Operator = {
  name: 'similar',
  takes: ['string'],
  expects: ['string'],
  comparesTexts: true,
  whenMissing: () => false,
  compare: (actual, expected) => (actual === expected ? true : undefined),
  cut: () => ({}),
};
