import { expect, test } from 'vitest';
import { type RunCourse, smoothnessOf, statedConfidence } from '../../core/agent/reasoning.js';

const clean: RunCourse = {
  iterations: 1,
  maxIterations: 10,
  calls: 0,
  failed: 0,
  contradictions: 0,
  rejected: 0,
  repairs: 0,
};
const of = (facts: Partial<RunCourse>) => smoothnessOf({ ...clean, ...facts });

test('an answer in the first turn went smoothly', () => expect(of({})).toBe(1));
test('only a number of the model itself from 0 to 1 is a confidence', () => {
  expect(statedConfidence({ confidence: 0.42 })).toBe(0.42);
  for (const output of [{ confidence: 7 }, { confidence: 'high' }, {}, null, 'text']) expect(statedConfidence(output)).toBeUndefined();
});
test('more turns lower it', () => expect([of({ iterations: 4 }), of({ iterations: 10 })]).toEqual([0.9, 0.7]));
test('successful calls raise it', () => expect([of({ calls: 4, failed: 4 }), of({ calls: 4, failed: 1 })]).toEqual([0.6, 0.9]));
test('contradictions and rejected answers lower it', () => expect([of({ contradictions: 1 }), of({ rejected: 2 })]).toEqual([0.9, 0.8]));
test('repairs lower it to a half at most', () => expect([of({ repairs: 2 }), of({ repairs: 9 })]).toEqual([0.8, 0.5]));
test('it is never below a tenth', () => expect(of({ rejected: 20 })).toBe(0.1));
test('one turn allowed is no reason for doubt', () => expect(of({ maxIterations: 1 })).toBe(1));
