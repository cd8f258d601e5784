import { type JsonObject, parseObject } from '../json.js';
import { FileProblem, type FileSystem } from '../ports.js';
import { type RunFile, type RunSummary, summarizeRun } from './runSummary.js';
import { ownAt } from './untrusted.js';

/** Where runs are kept, as a project path. */
export const runsFolder = '.agentstack/runs';

/** All there is of one run. */
export interface StoredRun {
  readonly summary: RunSummary;
  /** `run.json`; empty when it cannot be read. */
  readonly run: JsonObject;
  /** `result.json`; null while there is none, or none that can be read. */
  readonly result: JsonObject | null;
  /** In order of `seq`, each once. Empty when there are too many of them to read (10 MB). */
  readonly events: readonly JsonObject[];
  /** What could not be read, in sentences. */
  readonly problems: readonly string[];
}

/** The ids of all runs, newest first: ids sort by time. No run is opened. @throws FileProblem */
export async function listRunIds(files: Pick<FileSystem, 'list'>): Promise<readonly string[]> {
  const entries = await files.list(runsFolder);
  return entries
    .filter(({ kind }) => kind === 'directory')
    .map(({ name }) => name)
    .reverse();
}

/** What a list shows of one run. Never throws for what its files say, or for files that are not there. */
export async function readRunSummary(files: Pick<FileSystem, 'readText'>, runId: string): Promise<RunSummary> {
  const folder = `${runsFolder}/${runId}`;
  const run = await readObject(files, `${folder}/run.json`);
  return summarizeRun(runId, run, await readResult(files, folder, run));
}

/** A run without its events. Never throws for what its files say, or for files that are not there. */
export async function readRunFiles(
  files: Pick<FileSystem, 'readText'>,
  runId: string,
): Promise<Pick<StoredRun, 'summary' | 'run' | 'result'>> {
  const folder = `${runsFolder}/${runId}`;
  const run = await readObject(files, `${folder}/run.json`);
  const result = await readResult(files, folder, run);
  return {
    summary: summarizeRun(runId, run, result),
    run: 'value' in run ? run.value : {},
    result: 'value' in result ? result.value : null,
  };
}

/** Reads one run back, as far as it can be read. Never throws for what its files say, or for files that are not there. */
export async function readRun(files: Pick<FileSystem, 'readText'>, runId: string): Promise<StoredRun> {
  const folder = `${runsFolder}/${runId}`;
  const run = await readObject(files, `${folder}/run.json`);
  const result = await readResult(files, folder, run);
  const log = await readText(files, `${folder}/events.jsonl`);
  const { events, skipped } = 'text' in log ? parseEvents(log.text) : { events: [], skipped: 0 };
  const summary = summarizeRun(runId, run, result);
  const problems = [
    ...(summary.problem === null ? [] : [summary.problem]),
    ...('problem' in log ? [`events.jsonl: ${log.problem}`] : []),
    ...(skipped > 0 ? [`events.jsonl: ${skipped === 1 ? 'one line is' : `${skipped} lines are`} torn.`] : []),
  ];
  return {
    summary,
    run: 'value' in run ? run.value : {},
    result: 'value' in result ? result.value : null,
    events,
    problems,
  };
}

/** The lines of `events.jsonl` that are whole, in order of `seq`; of copies the first. A torn line is counted and left out. */
export function parseEvents(text: string): { readonly events: readonly JsonObject[]; readonly skipped: number } {
  const bySequence = new Map<number, JsonObject>();
  let skipped = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const event = parseObject(line);
    const sequence = event !== undefined && Object.hasOwn(event, 'seq') ? event.seq : undefined;
    if (event === undefined || typeof sequence !== 'number' || typeof event.type !== 'string') skipped += 1;
    else if (!bySequence.has(sequence)) bySequence.set(sequence, event);
  }
  return { events: [...bySequence].sort(([left], [right]) => left - right).map(([, event]) => event), skipped };
}

/** One that a power cut left empty is none where journals hold what it is made of. */
async function readResult(files: Pick<FileSystem, 'readText'>, folder: string, run: RunFile): Promise<RunFile> {
  const path = `${folder}/result.json`;
  const read = await readText(files, path);
  const isJournaled = 'value' in run && Array.isArray(ownAt(run.value, 'journals'));
  return isJournaled && 'text' in read && read.text === '' ? { missing: true } : readObject(files, path);
}

/** A file of a run that is to hold an object. Never throws for what it says, or where it is not there. */
export async function readObject(files: Pick<FileSystem, 'readText'>, path: string): Promise<RunFile> {
  const read = await readText(files, path);
  if (!('text' in read)) return read;
  const value = parseObject(read.text);
  return value === undefined ? { problem: read.text.trim() === '' ? 'it is empty.' : 'it is torn, or no JSON object.' } : { value };
}

async function readText(
  files: Pick<FileSystem, 'readText'>,
  path: string,
): Promise<{ text: string } | Exclude<RunFile, { value: JsonObject }>> {
  try {
    return { text: await files.readText(path) };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return error.reason === 'not-found' ? { missing: true } : { problem: error.message };
  }
}
