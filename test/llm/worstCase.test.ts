import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loopLimits } from '../../core/config/defaults.js';
import type { ModelFacts } from '../../core/llm/modelTable.js';
import { type WorstCaseRequest, worstCase, worstCaseWords } from '../../core/llm/worstCase.js';
import { inEnglish } from '../../core/words.js';

const model: ModelFacts = {
  name: 'm',
  provider: 'openai',
  context_window: 100_000,
  max_output_tokens: 4000,
  unsupported: [],
  source: 'test',
};
const price = { input: 1, output: 2 };
const request: WorstCaseRequest = { calls: 1, prompt_tokens: 1000, max_output_tokens: 500, model, price };

describe('the worst case of a run', () => {
  test('of one call is its prompt and the longest answer', () => {
    expect(worstCase(request)).toEqual({ calls: 1, prompt_tokens: 1000, completion_tokens: 500, cost: 0.002, unknown: null, limit: 0.002 });
  });

  test('takes the shorter of the two limits of an answer', () => {
    expect(worstCase({ ...request, max_output_tokens: undefined }).completion_tokens).toBe(4000);
    expect(worstCase({ ...request, max_output_tokens: 9000 }).completion_tokens).toBe(4000);
  });

  test('of a loop grows with every turn, up to the window', () => {
    const step = 500 + loopLimits.observation;
    expect(worstCase({ ...request, calls: 3 }).prompt_tokens).toBe(3 * 1000 + (1 + 2) * step);
    const { context_window: _, ...unlimited } = model;
    expect(worstCase({ ...request, calls: 9, model: unlimited }).prompt_tokens).toBe(9 * 1000 + 36 * step);
    expect(worstCase({ ...request, calls: 9 }).prompt_tokens).toBe(1000 * 4 + 6 * step + 5 * 99_500);
  });

  test('is not known without a price or a limit of the answer', () => {
    expect(worstCase({ ...request, price: undefined })).toMatchObject({ cost: null, unknown: 'price', limit: null });
    expect(worstCase({ ...request, model: undefined, max_output_tokens: undefined })).toMatchObject({ cost: null, unknown: 'output' });
    expect(worstCase({ ...request, calls: 2, model: undefined, max_output_tokens: undefined })).toMatchObject({ prompt_tokens: null });
  });

  test('is never above the budget', () => {
    expect(worstCase({ ...request, calls: 3, max_cost: 0.01 })).toMatchObject({ limit: 0.01 });
    expect(worstCase({ ...request, max_cost: 0.01 })).toMatchObject({ limit: 0.002 });
    expect(worstCase({ ...request, price: undefined, max_cost: 0.01 })).toMatchObject({ cost: null, limit: 0.01 });
  });

  test('is the sum of its calls, one by one', () => {
    const few = fc.integer({ min: 1, max: 60 });
    const tokens = fc.integer({ min: 0, max: 300_000 });
    fc.assert(
      fc.property(few, tokens, fc.integer({ min: 1, max: 5000 }), tokens, (calls, prompt_tokens, max_output_tokens, context_window) => {
        const facts = { ...model, context_window };
        const output = Math.min(max_output_tokens, 4000);
        const most = Math.max(0, context_window - output);
        let sum = 0;
        for (let call = 0; call < calls; call += 1) sum += Math.min(most, prompt_tokens + call * (output + loopLimits.observation));
        expect(worstCase({ ...request, calls, prompt_tokens, max_output_tokens, model: facts }).prompt_tokens).toBe(sum);
      }),
    );
  });
});

describe('in words', () => {
  test.each([
    [request, 'at most 1 call, 0.002 USD'],
    [{ ...request, calls: 3 }, 'at most 3 calls, 0.104 USD'],
    [{ ...request, calls: 3, max_cost: 0.05 }, 'at most 3 calls, 0.05 USD (budget)'],
    [{ ...request, price: undefined }, 'at most 1 call, price of the model unknown'],
    [{ ...request, price: undefined, max_cost: 1 }, 'at most 1 call, 1.00 USD (budget)'],
    [{ ...request, model: undefined, max_output_tokens: undefined }, 'at most 1 call, length of an answer unknown'],
  ])('%#', (facts, words) => {
    expect(worstCaseWords(worstCase(facts))).toBe(words);
  });

  test('write amounts as the language does', () => {
    const german: Readonly<Record<string, string>> = { 'at most {0}': 'höchstens {0}', '{0} calls': '{0} Aufrufe' };
    const words = worstCaseWords(
      { calls: 1240, prompt_tokens: 0, completion_tokens: 0, cost: 1240.5, unknown: null, limit: 1240.5 },
      (text, ...values) => inEnglish(german[text] ?? text, ...values),
      'de',
    );
    expect(words).toBe('höchstens 1.240 Aufrufe, 1.240,50 USD');
  });
});
