import type { RunResult } from '../agent/events.js';
import { gradeRun } from '../eval/gradeRun.js';
import { readCases } from '../eval/readCases.js';
import { compareRates, verdictOf } from '../eval/statistics/comparePaired.js';
import type { ForkCase } from '../generated/types.js';
import { parseObject } from '../json.js';
import { findText } from '../jsonText/findText.js';
import { loadPatterns } from '../routing/patterns.js';
import type { Project } from './types.js';

type Case = ReturnType<typeof readCases>[number];

/**
 * A case that says what is expected of a run and its forks.
 *
 * @param name as in payloads/{subject}/{name}.json, or {set}/{name}
 * @returns undefined if there is none of that name, or it expects nothing
 */
export async function findForkCase(project: Pick<Project, 'index' | 'ports'>, subject: string, name: string): Promise<Case | undefined> {
  const index = await project.index();
  const [file = ''] = name.split('/');
  const text = await findText(project.ports.files, index.ids('payload').get(`${subject}/${file}`) ?? '');
  const namedCase = readCases(file, parseObject(text ?? '') ?? {}).find((each) => each.name === name);
  return (namedCase?.turns[0]?.expect.length ?? 0) > 0 ? namedCase : undefined;
}

/**
 * Judges a run and its forks by the expectations of a case, without a call: an expectation with a judge stays unknown. Of one original and a few
 * forks the paired test shows little, and says so.
 */
export async function judgeFork(
  { name, turns: [turn, ...others] }: Case,
  original: RunResult,
  forks: readonly RunResult[],
): Promise<ForkCase> {
  const patterns = await loadPatterns();
  const judge = (result: RunResult) =>
    turn === undefined || others.length > 0
      ? 'unknown'
      : gradeRun(
          turn.expect.map(({ entry }) => entry),
          { result, expected: turn.expected, patterns },
        ).outcome;
  const before = judge(original);
  const outcomes = forks.map(judge).filter((outcome) => outcome !== 'unknown');
  const passes = outcomes.filter((outcome) => outcome === 'passed').length;
  const counts = { name, original: before, passes, judged: outcomes.length };
  if (before === 'unknown' || outcomes.length === 0)
    return { ...counts, difference: null, interval: null, p_value: null, verdict: 'no difference seen' };
  const difference = compareRates([
    { before: { passes: before === 'passed' ? 1 : 0, repeats: 1 }, after: { passes, repeats: outcomes.length } },
  ]);
  const { interval, p_value } = difference;
  return { ...counts, difference: difference.difference, interval, p_value, verdict: verdictOf(difference, p_value, 'better') };
}
