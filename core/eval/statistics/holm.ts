/**
 * p-values adjusted for how many questions were asked, in the order given: each is at most 0.05 only where the chance of any wrong "yes" among
 * all of them is. Holm (1979), "A simple sequentially rejective multiple test procedure".
 */
export function holm(pValues: readonly number[]): readonly number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!);
  const adjusted = new Array<number>(pValues.length);
  let highest = 0;
  for (const [rank, index] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (pValues.length - rank) * pValues[index]!));
    adjusted[index] = highest;
  }
  return adjusted;
}
