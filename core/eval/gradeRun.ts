import { distance } from 'fastest-levenshtein';
import type { RunResult } from '../agent/events.js';
import { comparisonsIn } from '../config/orchestrationParts.js';
import { errorLine } from '../errorTitles.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { findOperator } from '../routing/operators/findOperator.js';
import { foldCase, isUsable, meets } from '../routing/operators/operator.js';
import type { Patterns } from '../routing/patterns.js';
import { shorten } from '../words.js';
import { couldNotBeAsked } from './couldNotBeAsked.js';
import type { EvalTurn } from './readCases.js';
import { subjectOf, textOf } from './subjects.js';
import type { GradedExpectation, GradedRepeat, GradedRun, GradedTurn, Outcome } from './types.js';

/** The similarity that two texts need if there is no `threshold`. */
const defaultThreshold = 0.8;

/** Expectations nested deeper count as malformed: they could exhaust the stack. */
const deepest = 500;

/**
 * Judges one run of a case: a pure function of the expectations and the stored result, so a run can be judged again without a call. Each entry is
 * judged separately; the run passes when all do.
 *
 * @param expect entries of `expect`; one that cannot be judged is unknown, even under `not` or `any`
 * @throws Error when an expectation has `matches` and there are no `patterns`
 */
export function gradeRun(expect: readonly Json[], run: GradedRun): GradedTurn {
  const { error } = run.result;
  const cause = error === null ? undefined : errorLine(error);
  if (cause !== undefined && couldNotBeAsked(run.result)) {
    const unknown = expect.map((_, index): GradedExpectation => ({ pointer: `/${index}`, outcome: 'unknown', reason: cause }));
    return { outcome: 'unknown', cause, expectations: unknown };
  }
  const expectations = expect.map((entry, index): GradedExpectation => ({ pointer: `/${index}`, ...judgedEntry(entry, run) }));
  const judgement = allOf(expectations.map((expectation) => expectation.outcome));
  if (cause === undefined) return { outcome: judgement, expectations };
  // A run without an answer does not pass because it was cheap, or because a text is missing from it.
  const outcome = expect.some(looksAtStatus) ? judgement : 'failed';
  return { outcome, ...(outcome !== 'passed' && { cause }), expectations };
}

/** Whether an expectation is about the status of the run itself, which may be a failure. */
function looksAtStatus(entry: Json): boolean {
  if (Array.isArray(entry)) return entry.some(looksAtStatus);
  if (!isObject(entry)) return false;
  const { any, not, task, status } = entry;
  return (status !== undefined && task === undefined) || [any, not].some((part) => part !== undefined && looksAtStatus(part));
}

/** An expectation that cannot be judged, which makes its whole entry unknown. */
class Malformed extends Error {}

function judgedEntry(entry: Json, run: GradedRun): Judged {
  try {
    return judged(entry, run, 0);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { outcome: 'unknown', reason: error.message };
  }
}

type Judged = Omit<GradedExpectation, 'pointer'>;

const passed: Judged = { outcome: 'passed', reason: '' };

function judged(entry: Json, run: GradedRun, depth: number): Judged {
  if (depth > deepest) throw malformed();
  if (Array.isArray(entry)) {
    const parts = entry.map((part) => judged(part, run, depth + 1));
    return withReasons(allOf(parts.map(({ outcome }) => outcome)), parts);
  }
  if (!isObject(entry)) throw malformed();
  if (Array.isArray(entry.any)) {
    const parts = entry.any.map((part) => judged(part, run, depth + 1));
    return withReasons(negated(allOf(parts.map(({ outcome }) => negated(outcome)))), parts);
  }
  if (entry.not !== undefined) {
    const part = judged(entry.not, run, depth + 1);
    if (part.outcome === 'unknown') return part;
    return part.outcome === 'failed' ? passed : { outcome: 'failed', reason: `${wordsOf(entry.not)}, which is not expected.` };
  }
  if (entry.arguments !== undefined) return ofArguments(entry, run, depth);
  return compared(entry, run);
}

/** Counts the calls of a tool whose arguments meet all conditions. Without an operator, at least one is required. */
function ofArguments(entry: JsonObject, run: GradedRun, depth: number): Judged {
  const { tool, arguments: conditions, operator } = entry;
  if (typeof tool !== 'string' || !Array.isArray(conditions)) throw malformed();
  if (comparisonsIn(conditions, '').some(({ value }) => subjectOf(value)?.key !== 'output_field' || value.task !== undefined))
    throw malformed();
  const judgedCall = (input: Json): Judged => {
    const result: RunResult = { ...run.result, status: 'completed', output: input };
    return judged(conditions, { result, patterns: run.patterns }, depth + 1);
  };
  // Conditions that cannot be judged give no verdict, even if the tool was not called.
  judgedCall({});
  const calls = run.result.tool_calls.filter(({ name }) => name === tool);
  const verdicts = calls.map(({ input }) => judgedCall(input));
  const tool_calls = calls.filter((_, index) => verdicts[index]?.outcome === 'passed');
  const counted = operator === undefined ? { ...entry, operator: 'greater_than', value: 0 } : entry;
  const { outcome, reason, ...values } = compared(counted, { ...run, result: { ...run.result, tool_calls } });
  if (outcome === 'passed') return passed;
  const otherCalls = verdicts.flatMap((verdict, index) => (verdict.outcome === 'passed' ? [] : [`Call ${index + 1}: ${verdict.reason}`]));
  // Without an operator, the count is no value that a user could accept as expected.
  return { outcome, reason: [reason, ...otherCalls.slice(0, mostCalls)].join(' '), ...(operator !== undefined && values) };
}

/** The number of calls whose arguments a reason lists. */
const mostCalls = 3;

const malformed = () => new Malformed('The expectation is malformed: it has to look at one thing, with a known operator.');

function compared(entry: JsonObject, run: GradedRun): Judged {
  const subject = subjectOf(entry);
  if (subject === undefined) throw malformed();
  const actual = subject.actual(entry, run);
  if ('unknown' in actual) return { outcome: 'unknown', reason: actual.unknown };
  if (subject.key === 'tools_in_order') return inOrder(entry.tools_in_order, actual.value);
  const isStatus = subject.key === 'status';
  const example = run.expected === undefined ? undefined : subject.example?.(entry, run.expected);
  const expected = isStatus ? entry.status : entry.value === undefined ? example : entry.value;
  const isFolded = entry.ignore_case === true;
  const folded = (value: Json | undefined) => (isFolded && value !== undefined ? foldCase(value) : value);
  if (entry.operator === 'similar') return similarTo(subject.words(entry), folded(actual.value), folded(expected), entry.threshold);
  const operator = findOperator(isStatus ? 'equals' : entry.operator);
  if (operator === undefined) throw malformed();
  if (operator.expects !== undefined && expected === undefined)
    throw new Malformed(`${subject.words(entry)} has nothing to be compared with: there is no "value", and "expected" does not say it.`);
  const { patterns } = run;
  const matcher = patterns && ((text: string) => patterns(text, { ignoreCase: isFolded }));
  const pattern = operator.name === 'matches' && typeof expected === 'string' ? matcher?.(expected) : undefined;
  if (pattern?.ok === false) throw new Malformed(`The regular expression ${shownValue(expected)} is not run: ${pattern.message}.`);
  if (!isUsable(operator, expected)) throw new Malformed(`${operator.name} cannot work with ${shownValue(expected)}.`);
  const isMet =
    operator.name === 'matches'
      ? meets(operator, actual.value, expected, matcher)
      : meets(operator, folded(actual.value), folded(expected));
  if (isMet === undefined) throw new Error('An expectation with "matches" is judged without patterns.');
  if (isMet) return passed;
  const expectation = `${operator.name.replaceAll('_', ' ')}${expected === undefined ? '' : ` ${shownValue(expected)}`}${isFolded ? ', in any case' : ''}`;
  const because = actual.because === undefined ? '' : ` ${actual.because}`;
  const reason = `${subject.words(entry)} is ${shownValue(actual.value)}; expected: ${expectation}.${because}`;
  return { outcome: 'failed', reason, actual: actual.value, wanted: expected };
}

/** Whether tools were called in this order, with or without others between them. */
function inOrder(wanted: Json | undefined, called: Json | undefined): Judged {
  if (!Array.isArray(wanted) || !Array.isArray(called) || wanted.length === 0 || wanted.some((name) => typeof name !== 'string'))
    throw malformed();
  let next = 0;
  for (const name of called) if (name === wanted[next]) next += 1;
  if (next === wanted.length) return passed;
  const reason = `the tools called are ${shownValue(called)}; expected in this order: ${shownValue(wanted)}.`;
  return { outcome: 'failed', reason, actual: called, wanted };
}

function similarTo(words: string, actual: Json | undefined, expected: Json | undefined, thresholdValue: Json | undefined): Judged {
  if (typeof expected !== 'string') throw new Malformed(`There is no example text that ${words} could be similar to.`);
  if (typeof actual !== 'string')
    return { outcome: 'failed', reason: `${words} is ${shownValue(actual)}; expected: a text.`, actual, wanted: expected };
  const threshold = typeof thresholdValue === 'number' ? thresholdValue : defaultThreshold;
  const likeness = similarity(actual, expected);
  if (likeness >= threshold) return passed;
  const reason = `${words} is similar to the example by ${likeness.toFixed(2)}; expected: at least ${threshold}.`;
  return { outcome: 'failed', reason, actual, wanted: expected };
}

/** One failure decides, even if other results are unknown. */
function allOf(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes('failed')) return 'failed';
  return outcomes.includes('unknown') ? 'unknown' : 'passed';
}

function negated(outcome: Outcome): Outcome {
  if (outcome === 'unknown') return outcome;
  return outcome === 'passed' ? 'failed' : 'passed';
}

function withReasons(outcome: Outcome, parts: readonly Judged[]): Judged {
  if (outcome === 'passed') return passed;
  const reasons = parts.filter((part) => part.outcome === outcome).map(({ reason }) => reason);
  return { outcome, reason: reasons.join(' ') || 'None of it holds.' };
}

/** An expectation in words, for the reason of a `not`. */
function wordsOf(entry: Json): string {
  if (!isObject(entry)) return 'All of it holds';
  const subject = subjectOf(entry);
  if (subject === undefined) return 'It holds';
  if (subject.key === 'tools_in_order') return `the tools were called in the order ${shownValue(entry.tools_in_order)}`;
  if (entry.arguments !== undefined && entry.operator === undefined) return `${textOf(entry, 'tool')} was called with such arguments`;
  const expectedValue = subject.key === 'status' ? entry.status : entry.value;
  const operator = typeof entry.operator === 'string' ? entry.operator.replaceAll('_', ' ') : 'equals';
  return `${subject.words(entry)} ${operator}${expectedValue === undefined ? '' : ` ${shownValue(expectedValue)}`}`;
}

/** The longest value in a reason, in UTF-16 units; longer ones are truncated. */
const longestShown = 200;

function shownValue(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  return shorten(JSON.stringify(value), longestShown);
}

/**
 * Judges one repeat of a case turn by turn: it passes when all its turns do. A turn that was not run, because the run of an earlier one failed, is
 * unknown.
 *
 * @param runs of the turns, in order; empty if the case was not run
 */
export function gradeRepeat(turns: readonly EvalTurn[], runs: readonly Omit<GradedRun, 'expected'>[], patterns: Patterns): GradedRepeat {
  const graded = runs.map((run, index) => {
    const { expect = [], expected } = turns[index] ?? {};
    return gradeRun(
      expect.map(({ entry }) => entry),
      { ...run, expected, patterns },
    );
  });
  const isWhole = graded.length >= turns.length;
  return { outcome: allOf([...graded.map(({ outcome }) => outcome), ...(isWhole ? [] : ['unknown' as const])]), turns: graded };
}

/** A case after all its repeats. */
export interface GradedCase {
  readonly outcome: Outcome;
  readonly passes: number;
  /** Repeats that passed or failed. */
  readonly judged: number;
}

/**
 * A case passes when enough of its repeats do. Unknown repeats make the case unknown only if they could change its outcome.
 *
 * @param pass_rate the required share of passes, from 0 to 1
 */
export function gradeCase(repeats: readonly { readonly outcome: Outcome }[], pass_rate = 1): GradedCase {
  const passes = repeats.filter(({ outcome }) => outcome === 'passed').length;
  const failures = repeats.filter(({ outcome }) => outcome === 'failed').length;
  // 0.7 of 10 is 7, not 7.000000000000001.
  const needed = Math.ceil(pass_rate * repeats.length - 1e-9);
  const outcome = passes >= needed && repeats.length > 0 ? 'passed' : repeats.length - failures < needed ? 'failed' : 'unknown';
  return { outcome, passes, judged: passes + failures };
}

/** The compared prefix of a text, in UTF-16 units: the time grows with the product of both lengths. */
const longest = 20_000;

/**
 * The similarity of two texts, from 0 to 1: `1 - edits / length of the longer one`, where an edit puts in, takes out or changes one UTF-16 unit
 * (Levenshtein 1966). Runs of white space count as one space, and a letter with an accent is one letter (NFC).
 */
export function similarity(left: string, right: string): number {
  const [a, b] = [normalized(left), normalized(right)];
  const length = Math.max(a.length, b.length);
  return length === 0 ? 1 : 1 - distance(a, b) / length;
}

function normalized(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/g, ' ').slice(0, longest);
}
