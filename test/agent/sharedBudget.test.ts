import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SharedBudget } from '../../core/agent/sharedBudget.js';
import { BudgetExceededError } from '../../core/errors.js';
import { somewhere } from '../support/somewhere.js';

const { signal } = new AbortController();
/** A call that costs so much, no less. */
const of = (amount: number) => ({ least: amount, most: amount });
/** Whether something is settled by now. */
async function isOver(work: Promise<unknown>): Promise<boolean> {
  let over = false;
  const done = () => {
    over = true;
  };
  work.then(done, done);
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  return over;
}

describe('money that several spend', () => {
  test('is set aside for a call under way; another waits until it is known what that did cost', async () => {
    const budget = new SharedBudget(1);
    const { settle } = await budget.reserve(of(0.6), signal);
    const second = budget.reserve(of(0.6), signal);
    expect(await isOver(second)).toBe(false);
    settle(0.1);
    (await second).settle(0.1);
    await expect(budget.reserve(of(0.9), signal)).rejects.toThrow(BudgetExceededError);
    (await budget.reserve(of(0.8), signal)).settle(0.8);
  });

  test('is set aside as far as there is enough for the least, once nothing under way can give any back', async () => {
    const budget = new SharedBudget(1);
    const { settle, amount } = await budget.reserve({ least: 0.1, most: 0.7 }, signal);
    expect(amount).toBe(0.7);
    const second = budget.reserve({ least: 0.1, most: 0.7 }, signal);
    expect(await isOver(second)).toBe(false);
    settle(0.6);
    expect((await second).amount).toBeCloseTo(0.4);
  });

  test('is refused at once where no end of another could make room', async () => {
    const budget = new SharedBudget(1, 0.5);
    await budget.reserve(of(0.3), signal);
    await expect(budget.reserve(of(0.6), signal)).rejects.toThrow(
      'The budget of 1.00 USD for the whole run does not allow another model call: its tasks have spent 0.50 USD, and the call costs at least 0.60 USD.',
    );
  });

  test('is not waited for by one that is cancelled', async () => {
    const budget = new SharedBudget(1);
    await budget.reserve(of(1), signal);
    const stop = new AbortController();
    const waiting = budget.reserve(of(1), stop.signal);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  test('is never exceeded, and every call comes to an end', async () => {
    const call = fc.record({
      least: fc.integer({ min: 0, max: 30 }),
      more: fc.integer({ min: 0, max: 50 }),
      part: somewhere,
      turns: fc.nat(5),
    });
    const tasks = fc.array(fc.array(call, { maxLength: 5 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 100 }), tasks, async (max, all) => {
        const budget = new SharedBudget(max);
        let spent = 0;
        const work = all.map(async (calls) => {
          for (const { least, more, part, turns } of calls) {
            const { amount, settle } = await budget.reserve({ least, most: least + more }, signal);
            expect(amount).toBeGreaterThanOrEqual(least);
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
            spent += amount * part;
            settle(amount * part);
          }
        });
        await Promise.allSettled(work);
        expect(spent).toBeLessThanOrEqual(max + 1e-9);
        expect(budget.spent).toBeCloseTo(spent);
      }),
    );
  });
});
