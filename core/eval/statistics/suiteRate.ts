import type { Counts } from './counts.js';
import { type Interval, wilsonInterval, z95 } from './wilsonInterval.js';

/** The pass rate of a suite. */
export interface SuiteRate {
  /** Share of all repeats that passed, from 0 to 1. */
  readonly rate: number;
  /** Clustered by case. */
  readonly standard_error: number;
  /** 95 %. */
  readonly interval: Interval;
}

/**
 * The mean over all repeats, with a standard error clustered by case: repeats of one case resemble each other, so they are not independent trials.
 * Miller (2024), "Adding error bars to evals", section 2.2; with the factor G / (G - 1) for G cases, as in Cameron and Miller (2015), "A
 * practitioner's guide to cluster-robust inference", section II.C.
 *
 * The interval is Wilson's for as many independent trials as have this standard error, and never for more than there were repeats.
 *
 * @param cases at least one, each with at least one repeat
 */
export function suiteRate(cases: readonly Counts[]): SuiteRate {
  const trials = cases.reduce((sum, { repeats }) => sum + repeats, 0);
  const passes = cases.reduce((sum, { passes }) => sum + passes, 0);
  const rate = passes / trials;
  const squares = cases.reduce((sum, counts) => sum + (counts.passes - counts.repeats * rate) ** 2, 0);
  const correction = cases.length > 1 ? cases.length / (cases.length - 1) : 1;
  const variance = (correction * squares) / (trials * trials);
  return { rate, standard_error: Math.sqrt(variance), interval: intervalOf({ rate, variance, trials, cases: cases.length }) };
}

interface Estimate {
  readonly rate: number;
  readonly variance: number;
  readonly trials: number;
  readonly cases: number;
}

function intervalOf({ rate, variance, trials, cases }: Estimate): Interval {
  // All alike says nothing of how repeats vary within a case: then only the cases count as independent.
  const independent = variance === 0 ? cases : Math.min(trials, (rate * (1 - rate)) / variance);
  return wilsonOfShare(rate, Math.max(1, independent));
}

/** Wilson's interval for a number of trials that need not be whole. */
function wilsonOfShare(rate: number, trials: number): Interval {
  if (Number.isInteger(trials) && Number.isInteger(rate * trials)) return wilsonInterval(rate * trials, trials);
  const square = z95 * z95;
  const center = (rate + square / (2 * trials)) / (1 + square / trials);
  const half = (z95 / (1 + square / trials)) * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials * trials));
  return { low: Math.max(0, center - half), high: Math.min(1, center + half) };
}
