/** The repeats of one case that could be judged. */
export interface Counts {
  readonly passes: number;
  readonly repeats: number;
}

export function rateOf({ passes, repeats }: Counts): number {
  return passes / repeats;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
