import { significance } from './comparePaired.js';
import { type Random, randomOf } from './random.js';
import type { Counts } from './rates.js';
import { signFlipTest } from './signFlipTest.js';

/** The model of a suite for simulation. */
interface Population {
  readonly rate: number;
  /** Variance of the rates between cases. */
  readonly between: number;
}

/** The share of simulated comparisons that must find a drop: a little above four in five, since the simulation is a sample itself. */
const wanted = 0.83;
const simulations = 400;
/** Runs of one simulated version. More would cost time for little precision; with fewer, the drop would be larger. */
const mostRuns = 2000;
const seed = 20_261_123;

/**
 * The smallest drop of the pass rate, as a share, that a comparison with these cases finds four times in five; undefined where it finds none. It is
 * simulated with a fixed seed: two versions are drawn, and in the second one single cases break, until the test finds the difference. One repeat a
 * case does not show how repeats vary; then every case is taken to vary as much as the suite, which never promises too much.
 *
 * @param before at least one case, each with at least one repeat
 * @param questions how many p-values the report adjusts together by `holm`. The drop is found even where none of the others is significant
 */
export function detectableDrop(before: readonly Counts[], questions = 1): number | undefined {
  const population = populationOf(before);
  const repeats = Math.min(medianRepeats(before), Math.ceil(mostRuns / before.length));
  const finds = (drop: number) => powerOf({ population, cases: before.length, repeats, drop, questions }) >= wanted;
  if (!finds(population.rate)) return undefined;
  let [low, high] = [0, population.rate];
  for (let step = 0; step < 10; step++) {
    const middle = (low + high) / 2;
    if (finds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The largest number of repeats that is proposed. */
const mostRepeats = 64;

/**
 * How many repeats of each case would show a difference of this size; undefined where more than 64 would not, and cases have to be added.
 *
 * @param questions as for `detectableDrop`
 */
export function repeatsToShow(difference: number, before: readonly Counts[], questions = 1): number | undefined {
  const population = populationOf(before);
  const drop = Math.min(Math.abs(difference), population.rate);
  if (drop === 0) return undefined;
  for (let repeats = Math.max(2, medianRepeats(before)); repeats <= mostRepeats; repeats = Math.ceil(repeats * 1.25)) {
    if (powerOf({ population, cases: before.length, repeats, drop, questions }) >= wanted) return repeats;
  }
  return undefined;
}

function populationOf(cases: readonly Counts[]): Population {
  const [passes, trials] = cases.reduce(([p, t], { passes, repeats }) => [p + passes, t + repeats], [0, 0]);
  // Adds half a pass and half a failure: a suite that always passed may fail the next time.
  const rate = (passes + 0.5) / (trials + 1);
  const repeated = cases.filter(({ repeats }) => repeats > 1);
  if (repeated.length === 0) return { rate, between: 0 };
  const within = repeated.reduce((sum, { passes, repeats }) => sum + (passes * (repeats - passes)) / (repeats * (repeats - 1)), 0);
  return { rate, between: Math.max(0, rate * (1 - rate) - within / repeated.length) };
}

function medianRepeats(cases: readonly Counts[]): number {
  const sorted = cases.map(({ repeats }) => repeats).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}

interface Experiment {
  readonly population: Population;
  readonly cases: number;
  readonly repeats: number;
  readonly drop: number;
  readonly questions: number;
}

/** The share of simulated comparisons that finds a drop. */
function powerOf({ population, cases, repeats, drop, questions }: Experiment): number {
  const random = randomOf(seed);
  const breaks = drop / population.rate;
  let detected = 0;
  for (let simulation = 0; simulation < simulations; simulation++) {
    const differences: number[] = [];
    for (let index = 0; index < cases; index++) {
      const rate = drawRate(population, random);
      const after = random() < breaks ? 0 : rate;
      differences.push(drawPasses(after, repeats, random) - drawPasses(rate, repeats, random));
    }
    const isDrop = differences.reduce((sum, difference) => sum + difference, 0) < 0;
    if (isDrop && signFlipTest(differences) <= significance / questions) detected++;
  }
  return detected / simulations;
}

/** Enough cases always pass or always fail to reproduce the variance between cases; the others have the rate of the suite. */
function drawRate({ rate, between }: Population, random: Random): number {
  const settled = Math.min(1, between / (rate * (1 - rate)));
  if (random() >= settled) return rate;
  return random() < rate ? 1 : 0;
}

function drawPasses(rate: number, repeats: number, random: Random): number {
  let passes = 0;
  for (let repeat = 0; repeat < repeats; repeat++) if (random() < rate) passes++;
  return passes;
}
