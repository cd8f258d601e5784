import { usdText } from '../amounts.js';
import { plural } from '../words.js';
import { blameMargin } from './blame.js';
import type { Blame, BlameFinding, ChangedField, DiffPlace } from './types.js';

/** A line of a section. */
interface BlameLine {
  readonly mark?: '+' | '?' | '!';
  readonly text: string;
  readonly places?: readonly DiffPlace[];
}

const margin = `${blameMargin * 100} points`;

/** What moved the verdicts of a subject, in lines. */
export function blameLines({ all, findings, joined, not_sent, why, ...counts }: Blame): readonly BlameLine[] {
  const { cases, refused_cases, mixes, runs, unjudged_runs, cost_usd, cost_incomplete, max_cost_usd } = counts;
  const spent = `${cost_incomplete ? 'at least ' : ''}${usdText(cost_usd)}${max_cost_usd === null ? '' : ` of at most ${usdText(max_cost_usd)}`}`;
  const asked = [
    `${mixes === 1 ? '1 mix' : `${mixes} mixes`} of ${plural(cases, 'case')}: ${plural(runs, 'run')}, ${spent}`,
    ...(unjudged_runs > 0 ? [`${unjudged_runs} could not be judged`] : []),
    ...(refused_cases > 0 ? [`${plural(refused_cases, 'case')} left out, whose input one side refuses`] : []),
  ];
  return [
    ...(why === null ? [] : [{ mark: '?' as const, text: all === null ? `Not asked: ${why}` : `Incomplete: ${why}` }]),
    ...(all === null ? [] : [{ ...lineOf(all), text: `All changes together: ${effectWords(all)}`, places: [] }]),
    ...findings.map(lineOf),
    ...joined.map(({ fields, why: reason }): BlameLine => ({ text: `${namesOf(fields, ', ')} were only taken together: ${reason}` })),
    ...(not_sent.length === 0 ? [] : [{ text: `Part of no request: ${namesOf(not_sent, ', ')}` }]),
    ...(mixes === 0 ? [] : [{ text: `Asked: ${asked.join('; ')}` }]),
  ];
}

function lineOf(finding: BlameFinding): BlameLine {
  const { outcome, parts, alone, why } = finding;
  const places = outcome === 'moved' ? parts.flat().flatMap((field) => field.places) : [];
  const mark = ({ moved: '!', not_moved: '+', cannot_tell: '?' } as const)[outcome];
  const names = parts.map((part) => namesOf(part, ' or '));
  const subject =
    outcome !== 'moved'
      ? `${namesOf(parts.flat(), ', ')}${parts.flat().length > 1 ? ', together' : ''}`
      : names.length > 1
        ? `Only together ${names.join(' and ')}`
        : (parts[0]?.length ?? 0) > 1
          ? `One or more of ${namesOf(parts.flat(), ', ')}, the cases do not show which`
          : names[0];
  const how = outcome === 'moved' && !alone ? ', on top of other changes' : '';
  return { mark, text: `${subject}${how}: ${effectWords(finding)}${why === null ? '' : `; not told apart, as ${why}`}`, places };
}

/** `-30 points, 95 % -45 to -15, in 40 cases`. */
function effectWords({ outcome, cases, difference, interval, more_cases }: BlameFinding): string {
  const measured =
    difference === null || interval === null
      ? 'not compared'
      : `${points(difference)} points, 95 % ${points(interval.low)} to ${points(interval.high)}, in ${plural(cases, 'case')}`;
  if (outcome === 'moved') return measured;
  if (outcome === 'not_moved') return `no effect of ${margin} or more (${measured})`;
  return `cannot tell (${measured}${more_cases === null ? '' : `; ${more_cases} more without a difference would show less than ${margin}`})`;
}

function points(share: number): string {
  const rounded = Math.round(share * 100);
  return rounded > 0 ? `+${rounded}` : String(rounded);
}

/** `system_text of sort and write`. */
function namesOf(fields: readonly ChangedField[], joint: string): string {
  return fields
    .map(({ names, instances }) => `${names.join(' with ')}${instances.length > 1 ? ` of ${instances.join(' and ')}` : ''}`)
    .join(joint);
}
