import { type JsonObject, parseObject } from '../../json.js';
import type { JournalFiles } from './journalFiles.js';

/** The format that this version writes, and the newest it reads. Versions that read 1 would resume without the changes made at stops. */
export const journalFormat = 2;

/** First line of a journal. */
export interface JournalHeader {
  readonly format: number;
  /** The program and its version. */
  readonly writer: string;
  /** The process that writes it, as in locks: the file is kept while that process may be alive. */
  readonly process?: JsonObject;
}

/** What a run writes: a step's value, the start of a step that must not run twice, a person's decision to skip it, and the run's end. */
export type JournalRecord = JournalEntry & {
  /** How long the run had been running by then, in whole milliseconds, over all its processes. */
  readonly ms?: number;
  /** The cost of the run's calls by then, in USD, if it has a budget. */
  readonly usd?: number;
};

type JournalEntry =
  /** `value`: its JSON text; undefined if the step returned nothing. */
  | { readonly step: string; readonly value: string | undefined }
  | { readonly step: string; readonly begun: true }
  | { readonly step: string; readonly skipped: true }
  | { readonly ended: string };

/** Length of `,"crc":"01234567"}`, in bytes. */
const tailLength = 18;
const tailPattern = /^,"crc":"([0-9a-f]{8})"\}$/;

/** The start of every line of a run. */
export function lineStart(run_id: string): string {
  return `{"run":${JSON.stringify(run_id)},`;
}

/** The start of every line of any run, as UTF-8. */
export const anyLineStart: Uint8Array = new TextEncoder().encode('{"run":"');

/** The members of a record, as JSON text without braces. */
export function membersOf(record: JournalRecord): string {
  if (!('value' in record)) return JSON.stringify(record).slice(1, -1);
  const step = `"step":${JSON.stringify(record.step)}`;
  const ms = record.ms === undefined ? '' : `,"ms":${record.ms}`;
  const usd = record.usd === undefined ? '' : `,"usd":${record.usd}`;
  return record.value === undefined ? `${step}${ms}${usd}` : `${step}${ms}${usd},"value":${record.value}`;
}

/**
 * One line: JSON, with a checksum of all the bytes before it as its last member.
 *
 * @param members JSON text of an object without its braces, not empty
 */
export function sealLine(members: string, checksum: JournalFiles['checksum']): string {
  const text = `{${members}`;
  return `${text},"crc":"${checksum(text).toString(16).padStart(8, '0')}"}\n`;
}

/** The object in a line; undefined if the line was damaged. @param line without its line break */
export function openLine(line: Uint8Array, checksum: JournalFiles['checksum']): JsonObject | undefined {
  const end = line.length - tailLength;
  if (end < 1) return undefined;
  const text = new TextDecoder().decode(line);
  const sum = tailPattern.exec(text.slice(-tailLength))?.[1];
  if (sum === undefined || Number.parseInt(sum, 16) !== checksum(line.subarray(0, end))) return undefined;
  return parseObject(text);
}
