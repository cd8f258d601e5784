import type { WorstCase } from './worstCase.js';

/** A worst case and how often it may occur. */
export interface RepeatedWorstCase {
  readonly worst: WorstCase;
  /** 0 or more. */
  readonly times: number;
}

/** The worst case of several things that may all happen. What is unknown for one is unknown for the sum; what happens 0 times is left out. */
export function sumWorstCases(parts: readonly RepeatedWorstCase[]): WorstCase {
  const happening = parts.filter(({ times }) => times > 0);
  const sum = (of: (worst: WorstCase) => number | null): number | null => {
    let total = 0;
    for (const { worst, times } of happening) {
      const amount = of(worst);
      if (amount === null) return null;
      total += amount * times;
    }
    return total;
  };
  return {
    calls: sum(({ calls }) => calls) ?? 0,
    prompt_tokens: sum(({ prompt_tokens }) => prompt_tokens),
    completion_tokens: sum(({ completion_tokens }) => completion_tokens),
    cost: sum(({ cost }) => cost),
    unknown: happening.find(({ worst }) => worst.unknown !== null)?.worst.unknown ?? null,
    limit: sum(({ limit }) => limit),
  };
}
