import { casesToShow, isNotWorse, lowerBound } from '../eval/statistics/notWorse.js';
import { mean } from '../eval/statistics/rates.js';
import type { CaseReport, EvalReport, MigrationComparison, MigrationEval, MigrationMove } from '../generated/types.js';
import { groupBy } from '../groupBy.js';
import { plural, trimEnd } from '../words.js';

/** In place of the id of a profile: the project with the new models. No profile can have such a name. */
export const newModel = 'new model';

/** An agent or orchestration whose cases are asked with both models. */
export interface EvalSubjectOfMove {
  /** `Reviewer@v1`, or the name of an orchestration. */
  readonly subject: string;
  readonly model: string;
  /** The version with the new model, where that is another one. */
  readonly version: string | undefined;
  /** Why it is not asked. */
  readonly why: string | undefined;
}

/** The agents that move, each once. @param tested names of agents and orchestrations that have cases with `expect` */
export function subjectsOf(
  moves: readonly MigrationMove[],
  tested: ReadonlySet<string>,
  environment: string,
): readonly EvalSubjectOfMove[] {
  const subjects = new Map<string, EvalSubjectOfMove>();
  for (const { to, places, uses } of moves) {
    for (const use of uses) {
      const subject = use.subject.replace(/: .*/, '');
      const name = subject.replace(/@.*/, '');
      const isHere = use.environments.includes(environment);
      const why =
        to === null || use.after === null
          ? 'it does not move'
          : use.outcome === 'does_not_fit'
            ? 'the new model does not fit'
            : isHere
              ? tested.has(name)
                ? undefined
                : 'no cases'
              : `it moves in ${use.environments.join(', ')} only: give --environment`;
      const place = places.find(({ file, pointer }) => file === use.file && pointer === use.pointer);
      const version = place?.new_file?.match(/([^/]+)\.json$/)?.[1];
      const known = subjects.get(subject);
      if (known === undefined || (known.why !== undefined && why === undefined))
        subjects.set(subject, { subject, model: to ?? '', version, why });
    }
  }
  return [...subjects.values()];
}

/**
 * What the cases of an eval with both models say. "Not worse" is a statement about the inputs of which the cases are a sample: the pass rate is lower
 * by less than the margin, wrong in at most 5 % of such statements. What is not shown is not known, however alike the answers look.
 *
 * @param report of the eval; undefined where no subject has cases
 * @param margin from 0 to 1
 */
export function compareMigration(subjects: readonly EvalSubjectOfMove[], report: EvalReport | undefined, margin: number): MigrationEval {
  return {
    eval_id: report?.eval_id ?? null,
    margin,
    cost_usd: report?.cost_usd ?? 0,
    cost_incomplete: report?.cost_incomplete ?? false,
    comparisons: subjects.map((subject) => compareSubject(subject, report, margin)),
  };
}

function compareSubject({ subject, model, why }: EvalSubjectOfMove, report: EvalReport | undefined, margin: number): MigrationComparison {
  const [name = '', version = null] = subject.split('@');
  const suites = report?.suites.filter((suite) => suite.name === name && suite.version === version) ?? [];
  const [before, after] = [suites.find(({ llm }) => llm === null), suites.find(({ llm }) => llm === newModel)];
  const unasked = { subject, model, verdict: 'cannot_tell', cases: 0, difference: null, low: null, worse_cases: [] } as const;
  const more = (differences: readonly number[]) => casesToShow(differences, margin) ?? null;
  if (why !== undefined || before === undefined || after === undefined)
    return { ...unasked, worse_cases: [], more_cases: why === 'no cases' ? more([]) : null, why: why ?? 'it was not asked' };
  if (before.simulated || after.simulated) return { ...unasked, worse_cases: [], more_cases: null, why: 'answers are simulated' };
  const others = new Map(after.cases.map((each) => [identityOf(each), each]));
  const pairs = before.cases.flatMap((each) => {
    const other = others.get(identityOf(each));
    return other === undefined || each.judged === 0 || other.judged === 0
      ? []
      : [{ name: each.name, difference: rateOf(other) - rateOf(each) }];
  });
  const differences = pairs.map(({ difference }) => difference);
  const open = openDifferences(before.cases, others);
  if (differences.length === 0) return { ...unasked, worse_cases: [], more_cases: null, why: unjudgedWords(before.cases, after.cases) };
  const notWorse = isNotWorse([...differences, ...open], margin);
  const isWorse = report?.comparisons.some(
    (each) => each.name === name && each.version === version && each.after === newModel && each.pass_rate.verdict === 'worse',
  );
  const verdict = notWorse ? 'not_worse' : isWorse ? 'worse' : 'cannot_tell';
  return {
    subject,
    model,
    verdict,
    cases: differences.length,
    difference: mean(differences),
    low: lowerBound([...differences, ...open]),
    worse_cases: pairs.filter(({ difference }) => difference < 0).map((pair) => pair.name),
    more_cases: verdict === 'cannot_tell' ? more([...differences, ...open]) : null,
    why:
      verdict === 'cannot_tell'
        ? `${plural(differences.length, 'case')} ${differences.length === 1 ? 'does' : 'do'} not show it${open.length === 0 ? '' : `, and ${open.length} could be judged with one model only`}`
        : null,
  };
}

/** `no case could be judged with both models (with the new one, 4 cases: The run failed.)`: for each model, the most frequent reason. */
function unjudgedWords(before: readonly CaseReport[], after: readonly CaseReport[]): string {
  const sides = [
    ['old', before],
    ['new', after],
  ] as const;
  const reasons = sides.flatMap(([side, cases]) => {
    const unjudged = cases.filter(({ judged }) => judged === 0);
    const byReason = groupBy(unjudged, (each) => each.reasons.find(({ outcome }) => outcome === 'unknown')?.reason ?? 'it was not run');
    const [reason, same] = [...byReason].toSorted(([, left], [, right]) => right.length - left.length)[0] ?? [];
    return reason === undefined || same === undefined
      ? []
      : [`with the ${side} one, ${plural(same.length, 'case')}: ${trimEnd(reason, '.')}`];
  });
  return `no case could be judged with both models${reasons.length === 0 ? '' : ` (${reasons.join('; ')})`}`;
}

/** Cases that only one of the models could be judged on, such as after a failure of its provider: what is not known counts against the new model. */
function openDifferences(cases: readonly CaseReport[], others: ReadonlyMap<string, CaseReport>): readonly number[] {
  return cases.flatMap((each) => {
    const other = others.get(identityOf(each));
    const judged = other !== undefined && other.judged > 0 ? other : undefined;
    if (each.judged > 0) return judged === undefined ? [-rateOf(each)] : [];
    return judged === undefined ? [] : [rateOf(judged) - 1];
  });
}

function identityOf({ file, name }: CaseReport): string {
  return `${file} ${name}`;
}

function rateOf({ passes, judged }: CaseReport): number {
  return passes / judged;
}
