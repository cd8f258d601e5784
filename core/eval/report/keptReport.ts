import { isObject, parseObject } from '../../json.js';
import { FileProblem, type FileSystem } from '../../ports.js';
import { toStorageError } from '../../run/home.js';
import { coverAll } from '../../secrets/coverValue.js';
import { type EvalFiles, evalsFolder } from '../runner/evalStore.js';
import type { EvalReport } from './evalReport.js';

/** Keeps the report beside the results, so that a reader need not judge them again. @throws StorageError */
export async function keepReport({ files, knownSecrets }: EvalFiles, report: EvalReport): Promise<void> {
  const path = pathOf(report.eval_id);
  try {
    await files.writeText(path, `${JSON.stringify(coverAll(report, knownSecrets))}\n`);
  } catch (error) {
    throw toStorageError(error, path, 'The report of the eval could not be kept');
  }
}

/** The report that an eval kept at its end; undefined where it did not come to its end, or another version wrote it. @throws FileProblem */
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
