import { durationText } from '../../core/amounts.js';
import { errorLine } from '../../core/errorTitles.js';
import type { RunSummary } from '../../core/run/runSummary.js';
import { visibleText } from '../../core/visibleText.js';
import { cutLine } from '../terminal/fold.js';
import type { Terminal } from '../terminal/terminal.js';
import { costWords, totalWords } from '../usedText.js';

/** From here on there is room for whole ids and whole dates. */
const wide = 140;
const stateWidth = 9;

/**
 * A row of a list of runs, which fits into the terminal. A narrow one shows the beginning of ids that tells them apart; a pipe gets all facts.
 *
 * @param ids of all runs
 */
export function createRunRow(
  ids: readonly string[],
  { out, columns, stdoutIsTerminal }: Pick<Terminal, 'out' | 'columns' | 'stdoutIsTerminal'>,
): (run: RunSummary) => string {
  const isWide = !stdoutIsTerminal || columns >= wide;
  const idLength = isWide ? Number.POSITIVE_INFINITY : lengthThatTellsApart(ids);
  return (run) => {
    const colour = {
      completed: out.green,
      partial: out.yellow,
      failed: out.red,
      broken: out.red,
      cancelled: out.yellow,
      open: out.cyan,
    }[run.state];
    const head = `${run.run_id.slice(0, idLength)}  ${timeOf(run, isWide)}  `;
    const room = columns - head.length - stateWidth - 2;
    return `${head}${colour(run.state.padEnd(stateWidth))}  ${stdoutIsTerminal ? factsThatFit(run, room) : allFacts(run, room)}`.trimEnd();
  };
}

/** The shortest beginning, of at least 8 characters, by which every id is found. */
function lengthThatTellsApart(ids: readonly string[]): number {
  const sorted = [...ids].sort();
  let length = 8;
  for (let at = 1; at < sorted.length; at++) {
    const [before, id] = [sorted[at - 1]!, sorted[at]!];
    while (length < id.length && before.slice(0, length) === id.slice(0, length)) length++;
  }
  return length;
}

/** UTC: `2026-11-23 19:18`, in a narrow terminal `11-23 19:18`. */
function timeOf({ started }: RunSummary, isWide: boolean): string {
  const time = started === null ? ''.padEnd(16) : new Date(started).toISOString().slice(0, 16).replace('T', ' ');
  return isWide ? time : time.slice(5);
}

/** A long error message is cut. Numbers that do not fit are left out. */
function factsThatFit(run: RunSummary, room: number): string {
  let line = cutLine(nameOf(run), room);
  for (const fact of factsOf(run)) if (line.length + 2 + fact.length <= room) line += `  ${fact}`;
  const fault = faultOf(run);
  const space = room - line.length - 2;
  return fault === '' || space < leastFault ? line : `${line}  ${cutLine(fault, space)}`;
}

/** A shorter piece of a message would be useless. */
const leastFault = 10;

function allFacts(run: RunSummary, room: number): string {
  const line = [nameOf(run), ...factsOf(run)].join('  ');
  const fault = faultOf(run);
  return fault === '' ? line : `${line}  ${cutLine(fault, room - line.length - 2)}`;
}

function nameOf({ name, version }: RunSummary): string {
  return visibleText(name === null ? '?' : version === null ? name : `${name}@${version}`);
}

function factsOf(run: RunSummary): readonly string[] {
  const { case: sample, llm_id, duration_ms, total_tokens, can_resume, on_workers } = run;
  return [
    ...[sample, llm_id].flatMap((label) => (label === null ? [] : [visibleText(label)])),
    ...(duration_ms === null ? [] : [durationText(duration_ms)]),
    ...(total_tokens === null ? [] : [totalWords(run), costWords(run)]),
    ...(can_resume ? ['can be resumed'] : []),
    ...(on_workers ? ['on workers'] : []),
  ];
}

function faultOf({ error, problem }: RunSummary): string {
  return [...(error === null ? [] : [errorLine(error)]), ...(problem === null ? [] : [problem])].join('  ');
}
