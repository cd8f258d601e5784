import type { Spending } from '../agent/sharedBudget.js';

/** Money that is spent from two budgets at once: of one run, and of all runs together. A call needs room in both. */
export function bothBudgets(own: Spending, all: Spending): Spending {
  return {
    async reserve(call, signal) {
      const first = await own.reserve(call, signal);
      try {
        const second = await all.reserve({ least: call.least, most: first.amount }, signal);
        return {
          amount: second.amount,
          settle(cost) {
            second.settle(cost);
            first.settle(cost);
          },
        };
      } catch (error) {
        first.settle(0);
        throw error;
      }
    },
  };
}
