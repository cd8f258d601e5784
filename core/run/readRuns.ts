import { type JsonObject, parseObject } from '../json.js';
import { FileProblem, type FileSystem } from '../ports.js';
import { type RunFile, type RunSummary, summarizeRun } from './runSummary.js';
import { ownAt } from './untrusted.js';

/** Where runs are kept, as a project path. */
export const runsFolder = '.agentstack/runs';

/** Everything kept of one run. */
export interface StoredRun {
  readonly summary: RunSummary;
  /** `run.json`; empty when it cannot be read. */
  readonly run: JsonObject;
  /** `result.json`; null if it is missing or unreadable. */
  readonly result: JsonObject | null;
  /** In order of `seq`, each once. Empty if the file is too large to read (10 MB). */
  readonly events: readonly JsonObject[];
  /** What could not be read, in sentences. */
  readonly problems: readonly string[];
}

export type RunFiles = Pick<StoredRun, 'summary' | 'run' | 'result'>;

/** The ids of all runs, newest first: ids sort by time. No run is opened. @throws FileProblem */
export async function listRunIds(files: Pick<FileSystem, 'list'>): Promise<readonly string[]> {
  const entries = await files.list(runsFolder);
  return entries
    .filter(({ kind }) => kind === 'directory')
    .map(({ name }) => name)
    .reverse();
}

/** The summary of one run. Never throws for missing or malformed files. */
export async function readRunSummary(files: Pick<FileSystem, 'readText'>, runId: string): Promise<RunSummary> {
  return (await readRunFiles(files, runId)).summary;
}

/** A run without its events. Never throws for missing or malformed files. */
export async function readRunFiles(files: Pick<FileSystem, 'readText'>, runId: string): Promise<RunFiles> {
  const folder = `${runsFolder}/${runId}`;
  const run = await readObject(files, `${folder}/run.json`);
  const result = await readResult(files, folder, run);
  return {
    summary: summarizeRun(runId, run, result),
    run: 'value' in run ? run.value : {},
    result: 'value' in result ? result.value : null,
  };
}

/** Everything readable of one run. Never throws for missing or malformed files. */
export async function readRun(files: Pick<FileSystem, 'readText'>, runId: string): Promise<StoredRun> {
  const stored = await readRunFiles(files, runId);
  const { problem } = stored.summary;
  const log = await readText(files, `${runsFolder}/${runId}/events.jsonl`);
  const { events, skipped } = 'text' in log ? parseEvents(log.text) : { events: [], skipped: 0 };
  const problems = [
    ...(problem === null ? [] : [problem]),
    ...('problem' in log ? [`events.jsonl: ${log.problem}`] : []),
    ...(skipped > 0 ? [`events.jsonl: ${skipped === 1 ? 'one line is' : `${skipped} lines are`} torn.`] : []),
  ];
  return { ...stored, events, problems };
}

/** The complete lines of `events.jsonl`, in order of `seq`; of copies the first. Torn lines are counted and skipped. */
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

/** An empty one, left by a power cut, counts as missing if the run has journals, from which it can be rebuilt. */
async function readResult(files: Pick<FileSystem, 'readText'>, folder: string, run: RunFile): Promise<RunFile> {
  const path = `${folder}/result.json`;
  const read = await readText(files, path);
  const isJournaled = 'value' in run && Array.isArray(ownAt(run.value, 'journals'));
  return isJournaled && 'text' in read && read.text === '' ? { missing: true } : readObject(files, path);
}

/** The object in a file of a run. Never throws for a missing or malformed file. */
export async function readObject(files: Pick<FileSystem, 'readText'>, path: string): Promise<RunFile> {
  const read = await readText(files, path);
  if (!('text' in read)) return read;
  const value = parseObject(read.text);
  return value === undefined ? { problem: read.text.trim() === '' ? 'it is empty.' : 'it is torn, or not a JSON object.' } : { value };
}

export async function readText(
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
