import { expect, test } from 'vitest';
import { type DecisionFacts, decisionOf, type ToolCount } from '../../core/agent/reasoning.js';

const of = (facts: Partial<DecisionFacts>) =>
  decisionOf({ status: 'completed', error: null, turns: 1, tools: new Map(), rejected: 0, ...facts });
const search = ['search', { calls: 3, failed: 1 }] as const;
const fetch = ['fetch', { calls: 1, failed: 0 }] as const;

test('tells in a sentence what a run called, and what became of it', () => {
  expect(of({})).toBe('Answered at once.');
  expect(of({ turns: 3, rejected: 2 })).toBe('Answered in turn 3, after 2 answers that did not fit.');
  expect(of({ turns: 2, tools: new Map([fetch]) })).toBe('Called fetch (1 call); answered in turn 2.');
  expect(of({ turns: 4, tools: new Map<string, ToolCount>([search, fetch]), rejected: 1 })).toBe(
    'Called search (3 calls, 1 failed) and fetch (1 call); answered in turn 4, after 1 answer that did not fit.',
  );
});

test('tells what ended a run that has no answer', () => {
  expect(of({ status: 'failed', error: 'budget-exceeded', turns: 2, tools: new Map([fetch]) })).toBe(
    'Called fetch (1 call); ended with budget-exceeded after 2 turns.',
  );
  expect(of({ status: 'cancelled', error: 'cancelled', turns: 0 })).toBe('Was cancelled before the model had answered.');
});

test('stays a sentence whatever a model calls', () => {
  const tools = new Map(Array.from({ length: 500 }, (_, index) => [`${index}${'😀'.repeat(200)}`, { calls: 1, failed: 1 }] as const));
  const decision = of({ turns: 20, tools });
  expect(decision).toMatch(/ and 490 other tools; answered in turn 20\.$/);
  expect(decision.length).toBeLessThan(1200);
  expect(decision.isWellFormed()).toBe(true);
});
