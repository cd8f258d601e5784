import { expect, test } from 'vitest';
import { type ConfidenceFacts, confidenceOf } from '../../core/agent/confidence.js';

const clean: ConfidenceFacts = {
  output: {},
  iterations: 1,
  maxIterations: 10,
  calls: 0,
  failed: 0,
  contradictions: 0,
  rejected: 0,
  repairs: 0,
};
const of = (facts: Partial<ConfidenceFacts>) => confidenceOf({ ...clean, ...facts });

test('a clean answer in the first turn is certain', () => expect(of({})).toBe(1));
test('the number of the model itself wins, where it is one', () => {
  expect(of({ output: { confidence: 0.42 }, repairs: 3 })).toBe(0.42);
  expect(of({ output: { confidence: 7 } })).toBe(1);
  expect(of({ output: { confidence: 'high' } })).toBe(1);
});
test('more turns lower it', () => expect([of({ iterations: 4 }), of({ iterations: 10 })]).toEqual([0.9, 0.7]));
test('successful calls raise it', () => expect([of({ calls: 4, failed: 4 }), of({ calls: 4, failed: 1 })]).toEqual([0.6, 0.9]));
test('contradictions and rejected answers lower it', () => expect([of({ contradictions: 1 }), of({ rejected: 2 })]).toEqual([0.9, 0.8]));
test('repairs lower it to a half at most', () => expect([of({ repairs: 2 }), of({ repairs: 9 })]).toEqual([0.8, 0.5]));
test('it is never below a tenth', () => expect(of({ rejected: 20 })).toBe(0.1));
test('one turn allowed is no reason for doubt', () => expect(of({ maxIterations: 1 })).toBe(1));
