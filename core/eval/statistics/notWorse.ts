/** The share of statements "not worse" that may be wrong. */
const error = 0.05;

/**
 * The bets of the test, as shares of the largest possible one, and what is put on each. The largest one wins soonest where hardly a case differs;
 * smaller ones survive cases that got worse.
 */
const bets = [
  { share: 1, stake: 0.5 },
  { share: 0.95, stake: 0.1 },
  { share: 0.85, stake: 0.1 },
  { share: 0.7, stake: 0.1 },
  { share: 0.5, stake: 0.1 },
  { share: 0.3, stake: 0.1 },
] as const;

/**
 * Whether the mean difference of the pass rate lies above `-margin`, with at most 5 % wrong statements for any distribution of the differences and
 * any number of repeats: a case is one observation from -1 to 1. Betting on the mean of a bounded variable, Waudby-Smith and Ramdas (2024),
 * "Estimating means of bounded random variables by betting": were the mean `-margin` or less, a capital of 1 would be worth at most 1 on average
 * after all cases, so it is 20 or more in at most one comparison of 20 (Markov).
 *
 * @param differences of the pass rates, after minus before, one per case
 * @param margin from 0 (excluded) to 1 (excluded)
 */
export function isNotWorse(differences: readonly number[], margin: number): boolean {
  return capital(differences, -margin) >= 1 / error;
}

/** The lower end of the one-sided 95 % interval of the mean difference, by the same test; -1 without cases. */
export function lowerBound(differences: readonly number[]): number {
  let [low, high] = [-1, 1];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (capital(differences, middle) >= 1 / error) low = middle;
    else high = middle;
  }
  return low;
}

/** The most cases that are proposed. */
const mostCases = 10_000;

/** How many more cases without any difference would show that the mean is above `-margin`; undefined where more than 10,000 would not. */
export function casesToShow(differences: readonly number[], margin: number): number | undefined {
  let [low, high] = [0, 1];
  const shows = (more: number) => capital(differences, -margin, more) >= 1 / error;
  while (!shows(high)) {
    if (high > mostCases) return undefined;
    [low, high] = [high, high * 2];
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (shows(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The capital after betting 1 on a mean above `mean`. @param more cases without a difference */
function capital(differences: readonly number[], mean: number, more = 0): number {
  if (mean <= -1) return Number.POSITIVE_INFINITY;
  return bets.reduce((total, { share, stake }) => {
    const gain = (difference: number) => Math.log(1 - share + (share * (1 + difference)) / (1 + mean));
    const logarithm = differences.reduce((sum, difference) => sum + gain(difference), more * gain(0));
    return total + stake * Math.exp(logarithm);
  }, 0);
}
