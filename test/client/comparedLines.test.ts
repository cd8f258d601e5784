import { expect, test } from 'vitest';
import { comparedLines } from '../../client/panels/compare/comparedLines.js';
import { fromPage } from '../../client/panels/compare/messages.js';
import { isMessage } from '../../client/panels/messages.js';
import { errorTitles } from '../../core/errorTitles.js';
import type { JsonObject } from '../../core/json.js';
import { summarizeRun } from '../../core/run/runSummary.js';

const words = {
  language: 'de',
  fields: new Proxy({}, { get: (_, name) => String(name) }) as Parameters<typeof comparedLines>[1]['fields'],
  stateWord: (state: string) => state,
  errors: errorTitles,
  simulated: 'simuliert',
  atLeast: (text: string) => `mindestens ${text}`,
};

const runOf = (result: JsonObject) => ({
  summary: summarizeRun('a', { value: { name: 'A2', version: 'v1' } }, { value: result }),
  run: {},
  result,
});

test('cells are written in the language of the user, with how far a number is from the first', () => {
  const error = { code: 'llm', message: 'No.', details: { reason: 'auth' } };
  const lines = comparedLines(
    [
      runOf({ status: 'completed', metadata: { execution_time_ms: 2000, estimated_cost_usd: 0.002 }, output: { list: [1] } }),
      runOf({ status: 'failed', error, metadata: { execution_time_ms: 3000, estimated_cost_usd: 0, simulated: true } }),
    ],
    words,
  );
  expect(lines.map(({ label, cells, changes }) => [label, cells, changes.at(-1)])).toEqual([
    ['agent', ['A2@v1', 'A2@v1'], ''],
    ['status', ['completed', 'failed'], ''],
    ['error', [null, 'The key was refused: No.'], ''],
    ['duration', ['2,00 s', '3,00 s'], '+50 %'],
    ['cost', ['0,002 USD', 'simuliert'], ''],
    ['list', ['[\n  1\n]', null], ''],
  ]);
});

test('what a broken-off run used is the least it can be, and no change is told of it', () => {
  const usage = { prompt_tokens: 1800, completion_tokens: 20, total_tokens: 1820 };
  const lines = comparedLines(
    [
      runOf({ status: 'completed', metadata: { estimated_cost_usd: 0.002, token_usage: usage } }),
      runOf({ status: 'cancelled', metadata: { estimated_cost_usd: 0.001, token_usage: usage, token_usage_incomplete: true } }),
      runOf({
        status: 'cancelled',
        metadata: { estimated_cost_usd: 0, token_usage: { ...usage, prompt_tokens: 0, total_tokens: 0 }, token_usage_incomplete: true },
      }),
    ],
    words,
  );
  const used = lines.filter(({ part }) => part === 'usage');
  expect(used.map(({ label, cells, changes }) => [label, cells, changes.join()])).toEqual([
    ['cost', ['0,002 USD', 'mindestens 0,001 USD', null], ',,'],
    ['prompt_tokens', ['1.800', 'mindestens 1.800', null], ',,'],
    ['completion_tokens', ['20', 'mindestens 20', null], ',,'],
  ]);
});

test('messages of other shapes are none', () => {
  expect([isMessage(fromPage, { type: 'open', column: 1 }), isMessage(fromPage, { type: 'texts' })]).toEqual([true, true]);
  for (const value of [null, 'open', { type: 'open' }, { type: 'other' }]) expect(isMessage(fromPage, value)).toBe(false);
});
