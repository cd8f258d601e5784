/** USD as a baseline writes it: four digits that count, so that a line stays short and the same. */
export function roundedCost(cost_usd: number): number {
  return Number(cost_usd.toPrecision(4));
}
