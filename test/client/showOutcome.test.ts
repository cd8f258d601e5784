import { expect, test, vi } from 'vitest';

vi.mock('vscode', () => {
  const TestMessage = class {
    readonly message: string;
    static diff(message: string) {
      return { message };
    }
    constructor(message: string) {
      this.message = message;
    }
  };
  return { TestMessage, Location: class {}, l10n: { t: (text: string) => text } };
});

const { canBeAccepted, showOutcome } = await import('../../client/views/tests/showOutcome.js');

test.each([
  [{ output_field: 'area', operator: 'equals', value: 'api' }, true],
  [{ measure: 'cost_usd', operator: 'less_than', value: 1 }, false],
])('%j offers its actual value to be accepted: %s', (entry, isOffered) => {
  const reason = { reason: '', pointer: '/expect/0', outcome: 'failed', repeats: 1, actual: 2 } as const;
  const planned = { turns: [{ expect: [{ pointer: '/expect/0', entry }] }] } as never;
  expect(canBeAccepted(reason, { simulated: false }, planned)).toBe(isOffered);
  expect(canBeAccepted(reason, { simulated: true }, planned)).toBe(false);
});

test("the run's own error comes first in the Test Explorer, the expectations after it", () => {
  const shown: { readonly message: string }[] = [];
  const run = { appendOutput: () => undefined, failed: (_item: unknown, messages: typeof shown) => shown.push(...messages) };
  const words = { t: (text: string) => text, outcomeWord: () => 'failed', caseRate: () => '' };
  const reasons = ['The answer was cut off (length).', 'area is missing; expected: equals backend'].map((reason, at) => ({
    reason,
    pointer: at === 0 ? '' : '/expect/0',
    outcome: 'failed',
    repeats: 1,
  }));
  const report = {
    outcome: 'failed',
    reasons,
    repeats: 1,
    runs: [{}],
    mean_latency_ms: 5,
    replayed: false,
    simulated: false,
    judged: 1,
    interval: null,
  };
  const place = { name: 'a case', rangeOf: () => undefined };
  showOutcome(run as never, { item: {}, place } as never, report as never, words as never);
  expect(shown.map(({ message }) => message)).toEqual(reasons.map(({ reason }) => reason));
});
