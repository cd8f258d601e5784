import type { RunResult } from '../../agent/events.js';
import { ResumeError, UnknownCaseError } from '../../errors.js';
import type { EvalReport } from '../../generated/types.js';
import { isObject, type JsonObject, parseObject } from '../../json.js';
import { FileProblem, type FileSystem, type KnownSecrets } from '../../ports.js';
import { home, ignoreHome, toStorageError } from '../../run/home.js';
import type { JournalFile, JournalFiles } from '../../run/journal/journalFiles.js';
import { coverAll } from '../../secrets/coverValue.js';
import { isRepeats } from '../readCases.js';
import { type EvalPlan, type Slot, slotKey } from './plan.js';

/** Project path of the stored evals: one folder each, with `plan.jsonl` and a `results_{n}.jsonl` per process that worked on it. */
export const evalsFolder = `${home}/evals`;

/** Results are stored apart from kept runs, since an eval has thousands of them. */
export interface EvalFiles {
  readonly files: FileSystem;
  readonly storage: JournalFiles;
  readonly knownSecrets?: KnownSecrets | undefined;
}

/** One run of an agent or orchestration: the answer to one turn of a case. */
export interface KeptTurn {
  readonly result: RunResult;
  /** By reference, as written in the expectation. */
  readonly judges: ReadonlyMap<string, RunResult>;
}

/** The stored turns of one repeat of a case. */
export interface KeptRun {
  /** In order, at least one. A conversation ends with a turn whose run fails. */
  readonly turns: readonly KeptTurn[];
  /** Number of the results file that holds the run. Each process that works on the eval writes its own. */
  readonly process: number;
}

export interface KeptEval {
  readonly plan: EvalPlan;
  /** By `slotKey`. */
  readonly runs: ReadonlyMap<string, KeptRun>;
  /** USD of all calls, repeated ones included. */
  readonly spent: number;
  /** Whether it may have been more: the cost of a call is not known, or a process was killed, perhaps during a call. */
  readonly spent_incomplete: boolean;
  /** Number of the next results file. */
  readonly next: number;
}

/** Identifies a result within its repeat. */
export interface ResultPart {
  /** Index of the turn; default 0. A result of turn 0 restarts the repeat. */
  readonly turn?: number;
  /** Reference of the judge, if the result is that of a judge. */
  readonly judge?: string;
}

/** Appends results. Each is on disk when its promise resolves. */
export interface ResultWriter {
  /** @throws StorageError */
  add(slot: Slot, result: RunResult, part?: ResultPart): Promise<void>;
  /** Records that no call is in progress. @throws StorageError */
  end(): Promise<void>;
}

const notKept = 'The eval could not be kept';

/** The last line of the results of a process that was not killed. */
const ended = { ended: true };

/** Writes the plan before the first call. @throws StorageError */
export async function writePlan({ files, storage, knownSecrets }: EvalFiles, plan: EvalPlan): Promise<void> {
  await ignoreHome(files);
  const { cases, ...header } = coverAll(plan, knownSecrets);
  const path = `${evalsFolder}/${plan.eval_id}/plan.jsonl`;
  try {
    // Written as JSON Lines and read line by line: 10,000 cases exceed the size limit of text files.
    await storage.create(path, [header, ...cases].map((line) => `${JSON.stringify(line)}\n`).join(''));
  } catch (error) {
    throw toStorageError(error, path, notKept);
  }
}

/** @param number of the file: each process writes its own. @throws StorageError */
export async function createResultWriter({ storage, knownSecrets }: EvalFiles, eval_id: string, number: number): Promise<ResultWriter> {
  const path = `${evalsFolder}/${eval_id}/results_${number}.jsonl`;
  let file: JournalFile;
  try {
    file = await storage.create(path, '');
  } catch (error) {
    throw toStorageError(error, path, notKept);
  }
  let waiting: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const flush = async () => {
    next = undefined;
    const text = waiting.join('');
    waiting = [];
    try {
      await file.append(text);
    } catch (error) {
      throw toStorageError(error, path, notKept, eval_id);
    }
  };
  const write = (line: object): Promise<void> => {
    waiting.push(`${JSON.stringify(line)}\n`);
    // Lines that arrive during a write are written together.
    if (next === undefined) {
      next = writing.then(flush);
      writing = next;
    }
    return next;
  };
  return {
    add: (slot, result, part) => write(coverAll({ ...slot, ...part, result }, knownSecrets)),
    end: () => write(ended),
  };
}

/** The ids of all evals, newest first: ids sort by time. @throws FileProblem */
export async function listEvalIds(files: Pick<FileSystem, 'list'>): Promise<readonly string[]> {
  const entries = await files.list(evalsFolder);
  return entries
    .filter(({ kind, isLink }) => kind === 'directory' && !isLink)
    .map(({ name }) => name)
    .reverse();
}

/** A sentence: why an eval cannot be read; undefined if its plan exists and is of this version. */
export async function planProblem({ storage }: Pick<EvalFiles, 'storage'>, eval_id: string): Promise<string | undefined> {
  const folder = `${evalsFolder}/${eval_id}`;
  try {
    for await (const header of linesOf(storage, `${folder}/plan.jsonl`)) return headerProblem(folder, header);
    return headerProblem(folder, undefined);
  } catch (error) {
    if (error instanceof FileProblem) return error.message;
    throw error;
  }
}

function headerProblem(folder: string, header: JsonObject | undefined): string | undefined {
  if (header?.format === 1) return undefined;
  return `${folder}/plan.jsonl is not of format 1: another version of Agent Stack wrote it, or it is torn.`;
}

/**
 * Reads a stored eval. Lines that are torn, because their process was killed, are ignored.
 *
 * @throws ResumeError if there is no such eval, or its plan cannot be read
 */
export async function readEval({ files, storage }: EvalFiles, eval_id: string): Promise<KeptEval> {
  const folder = `${evalsFolder}/${eval_id}`;
  const lines: JsonObject[] = [];
  try {
    for await (const line of linesOf(storage, `${folder}/plan.jsonl`)) lines.push(line);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new ResumeError(eval_id, `There is no eval ${JSON.stringify(eval_id)}: ${error.message}`, { cause: error });
  }
  const [header, ...cases] = lines;
  const problem = headerProblem(folder, header);
  if (header === undefined || problem !== undefined) throw new ResumeError(eval_id, `${problem} Start the eval anew.`);
  // Written by an eval of this version.
  const plan = { ...header, cases: cases.map(withTurns) } as unknown as EvalPlan;
  const counts = plan.cases.flatMap(({ repeats, verdicts = [] }) => [repeats, ...verdicts.map(({ before }) => before?.repeats ?? 1)]);
  if (!counts.every(isRepeats))
    throw new ResumeError(eval_id, `${folder}/plan.jsonl has a number of repeats that is not from 1 to 9,999. Start the eval anew.`);
  const runs = new Map<string, { readonly turns: { result: RunResult; judges: Map<string, RunResult> }[]; readonly process: number }>();
  let [spent, last] = [0, 0];
  let spent_incomplete = false;
  const names = (await files.list(folder)).flatMap(({ name }) => /^results_(\d{1,6})\.jsonl$/.exec(name)?.[1] ?? []);
  for (const number of names.map(Number).sort((a, b) => a - b)) {
    last = number;
    let isEnded = false;
    for await (const line of linesOf(storage, `${folder}/results_${number}.jsonl`)) {
      isEnded = line.ended === true;
      const kept = toKept(line);
      if (kept === undefined) continue;
      const { slot, result, turn, judge } = kept;
      spent += result.metadata.estimated_cost_usd ?? 0;
      spent_incomplete ||= costOf(result) === null;
      const key = slotKey(slot);
      const run = turn === 0 && judge === undefined ? { turns: [], process: number } : runs.get(key);
      if (run === undefined) continue;
      runs.set(key, run);
      if (judge !== undefined) run.turns[turn]?.judges.set(judge, result);
      // A turn is valid only after the one before it.
      else if (run.turns.length === turn) run.turns.push({ result, judges: new Map() });
    }
    spent_incomplete ||= !isEnded;
  }
  return { plan, runs, spent, spent_incomplete, next: last + 1 };
}

/** USD; null if it is not known completely. */
export function costOf({ metadata }: RunResult): number | null {
  return metadata.token_usage_incomplete ? null : metadata.estimated_cost_usd;
}

/** The sum over all turns of a repeat; null if one is not known. */
export function sumOfTurns({ turns }: KeptRun, of: (result: RunResult) => number | null): number | null {
  return turns.reduce<number | null>((sum, { result }) => {
    const value = of(result);
    return sum === null || value === null ? null : sum + value;
  }, 0);
}

/** Reads a case of an earlier version, which has no turns, as one turn. */
function withTurns(planned: JsonObject): JsonObject {
  if (planned.turns !== undefined) return planned;
  const { pointer, input, expect, expected, ...others } = planned;
  return { ...others, pointer, turns: [{ pointer, input, expect, expected }] } as JsonObject;
}

function toKept(line: JsonObject): { slot: Slot; result: RunResult; turn: number; judge: string | undefined } | undefined {
  const { case: index, llm, repeat, turn, judge, result } = line;
  if (typeof index !== 'number' || typeof llm !== 'number' || typeof repeat !== 'number') return undefined;
  if (!isObject(result) || !isObject(result.metadata)) return undefined;
  return {
    slot: { case: index, llm, repeat },
    result: result as unknown as RunResult,
    turn: typeof turn === 'number' ? turn : 0,
    judge: typeof judge === 'string' ? judge : undefined,
  };
}

/** The objects of a JSON Lines file. */
async function* linesOf(storage: JournalFiles, path: string): AsyncGenerator<JsonObject> {
  const decoder = new TextDecoder();
  let partialLine = '';
  for await (const piece of storage.read(path)) {
    const lines = (partialLine + decoder.decode(piece, { stream: true })).split('\n');
    partialLine = lines.pop() ?? '';
    for (const line of lines) {
      const value = parseObject(line);
      if (value !== undefined) yield value;
    }
  }
  const value = parseObject(partialLine);
  if (value !== undefined) yield value;
}

/** Resolves `last` or a prefix to an id. @throws UnknownCaseError if there is none, or more than one */
export async function findEval(files: Pick<FileSystem, 'list'>, written: string): Promise<string> {
  const ids = await listEvalIds(files);
  const matches = written === 'last' ? ids.slice(0, 1) : ids.filter((id) => written !== '' && id.startsWith(written));
  if (matches.length === 1 && matches[0] !== undefined) return matches[0];
  const message =
    ids.length === 0
      ? 'There are no evals yet. Start one with `agent-stack eval`.'
      : matches.length === 0
        ? `There is no eval ${JSON.stringify(written)}. The newest is ${ids[0]}.`
        : `${matches.length} evals begin with ${JSON.stringify(written)}: ${matches.slice(0, 3).join(', ')}${matches.length > 3 ? ', ...' : ''}.`;
  throw new UnknownCaseError(message);
}

/** Stores the report beside the results, so that readers need not grade them again. @throws StorageError */
export async function keepReport({ files, knownSecrets }: EvalFiles, report: EvalReport): Promise<void> {
  const path = pathOf(report.eval_id);
  try {
    await files.writeText(path, `${JSON.stringify(coverAll(report, knownSecrets))}\n`);
  } catch (error) {
    throw toStorageError(error, path, 'The report of the eval could not be kept', report.eval_id);
  }
}

/** The stored report of an eval; undefined if the eval did not finish, or another version wrote it. @throws FileProblem */
export async function readKeptReport(files: Pick<FileSystem, 'readText'>, eval_id: string): Promise<EvalReport | undefined> {
  let text: string;
  try {
    text = await files.readText(pathOf(eval_id));
  } catch (error) {
    if (error instanceof FileProblem && (error.reason === 'not-found' || error.reason === 'too-large')) return undefined;
    throw error;
  }
  const value = parseObject(text);
  // Written by an eval of this version.
  return value !== undefined && value.format === 1 && Array.isArray(value.suites) && isObject(value.cases)
    ? (value as unknown as EvalReport)
    : undefined;
}

function pathOf(eval_id: string): string {
  return `${evalsFolder}/${eval_id}/report.json`;
}
