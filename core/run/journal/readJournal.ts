import { StorageError } from '../../errors.js';
import { type JsonObject, parseObject } from '../../json.js';
import { FileProblem } from '../../ports.js';
import { textAt } from '../untrusted.js';
import { journalPath } from './journal.js';
import type { JournalFiles } from './journalFiles.js';
import { anyLineStart, journalFormat, lineStart, openLine } from './journalLines.js';

/** A step of an earlier process. */
export type KeptStep = { readonly value: unknown } | 'begun' | 'skipped';

/** By the step's full name. */
export type KeptSteps = Map<string, KeptStep>;

/** Longest start of a line that names its run, in bytes. */
const longestStart = 256;

/**
 * The steps of one run in its journals, which are read in chunks without parsing the lines of other runs. Half a line at the end of a file, which
 * a process killed while writing leaves, is dropped: its step was never reported as kept.
 *
 * @param journals ids, as in `run.json`, oldest first
 * @throws StorageError for a journal that is missing, damaged or from a newer version; the message names file and line
 */
export async function readJournals(storage: JournalFiles, journals: readonly string[], run_id: string): Promise<KeptSteps> {
  return (await readKept(storage, journals, run_id)).steps;
}

/** The kept state of a run. */
export interface KeptRun {
  readonly steps: KeptSteps;
  /** How long it had run by its last record; 0 if no record has it. */
  readonly elapsed_ms: number;
  /** The cost of its calls by then, in USD, if it has a budget; else 0. */
  readonly spent_usd: number;
}

/** As `readJournals`, with the run's time and cost. */
export async function readKept(storage: JournalFiles, journals: readonly string[], run_id: string): Promise<KeptRun> {
  const kept: KeptSteps = new Map();
  let elapsed_ms = 0;
  let spent_usd = 0;
  for (const id of journals) {
    const reader = new JournalReader(storage, journalPath(id), run_id, kept);
    try {
      for await (const piece of storage.read(journalPath(id))) reader.piece(piece);
    } catch (error) {
      if (error instanceof FileProblem) throw unreadable(error);
      throw error;
    }
    reader.end();
    elapsed_ms = Math.max(elapsed_ms, reader.elapsed_ms);
    spent_usd = Math.max(spent_usd, reader.spent_usd);
  }
  return { steps: kept, elapsed_ms, spent_usd };
}

class JournalReader {
  /** The maximum of all records: each counts from the run's start. */
  elapsed_ms = 0;
  spent_usd = 0;
  readonly #storage: JournalFiles;
  readonly #path: string;
  readonly #start: Uint8Array;
  readonly #kept: KeptSteps;
  /** Number of the current line, from 1. */
  #line = 1;
  /** Its chunks so far; undefined if it belongs to another run and is skipped. */
  #chunks: Uint8Array[] | undefined = [];
  #size = 0;
  /** Number of the run's last record in this file. */
  #count = 0;
  /** Number of a complete but damaged line: dropped if it is the last, else the file was changed. */
  #damaged: number | undefined;

  constructor(storage: JournalFiles, path: string, run_id: string, kept: KeptSteps) {
    this.#storage = storage;
    this.#path = path;
    this.#start = new TextEncoder().encode(lineStart(run_id));
    this.#kept = kept;
  }

  piece(bytes: Uint8Array): void {
    let from = 0;
    for (let to = bytes.indexOf(10); to !== -1; to = bytes.indexOf(10, from)) {
      if (this.#chunks === undefined) this.#passedOver();
      else if (this.#size === 0) this.#whole(bytes.subarray(from, to));
      else this.#whole(joined([...this.#chunks, bytes.subarray(from, to)]));
      this.#chunks = [];
      this.#size = 0;
      this.#line += 1;
      from = to + 1;
    }
    if (from < bytes.length) this.#part(bytes.subarray(from));
  }

  end(): void {
    if (this.#line === 1) throw this.#changed(1, 'is not the first line of a journal');
  }

  /** A part of a line that is not complete yet. */
  #part(bytes: Uint8Array): void {
    if (this.#chunks === undefined) return;
    // Copied, since the chunk's buffer is reused.
    this.#chunks.push(new Uint8Array(bytes));
    this.#size += bytes.length;
    if (this.#line === 1 || this.#size < longestStart) return;
    const start = joined(this.#chunks);
    if (startsWith(start, anyLineStart) && !startsWith(start, this.#start)) this.#chunks = undefined;
  }

  #passedOver(): void {
    if (this.#damaged !== undefined) throw this.#changed(this.#damaged);
  }

  #whole(line: Uint8Array): void {
    if (this.#line === 1) {
      this.#header(line);
      return;
    }
    if (this.#damaged !== undefined) throw this.#changed(this.#damaged);
    if (startsWith(line, this.#start)) {
      const record = openLine(line, this.#storage.checksum);
      if (record === undefined) this.#damaged = this.#line;
      else this.#record(record);
    } else if (!startsWith(line, anyLineStart)) this.#damaged = this.#line;
  }

  #header(line: Uint8Array): void {
    // The checksum comes later: a newer version may compute it differently.
    const header = parseObject(new TextDecoder().decode(line));
    if (header === undefined || typeof header.format !== 'number') throw this.#changed(1, 'is not the first line of a journal');
    if (header.format > journalFormat) {
      throw new StorageError(
        `The run cannot be resumed: ${this.#path} was written by ${textAt(header, 'writer') ?? 'a newer version'} in format ${header.format}, ` +
          `and this version reads format ${journalFormat}. Resume the run with that version or a newer one.`,
      );
    }
    if (openLine(line, this.#storage.checksum) === undefined) throw this.#changed(1);
  }

  #record(record: JsonObject): void {
    this.#count += 1;
    if (record.n !== this.#count) {
      throw this.#changed(this.#line, `is record ${String(record.n)} of the run, but ${this.#count} is missing before it`);
    }
    const { step, ms, usd } = record;
    if (typeof ms === 'number') this.elapsed_ms = Math.max(this.elapsed_ms, ms);
    if (typeof usd === 'number') this.spent_usd = Math.max(this.spent_usd, usd);
    if (typeof step !== 'string') return;
    const earlier = this.#kept.get(step);
    if (record.begun === true) {
      if (earlier === undefined) this.#kept.set(step, 'begun');
    } else if (record.skipped === true) this.#kept.set(step, 'skipped');
    // The run continued with the first value.
    else if (earlier === undefined || earlier === 'begun') this.#kept.set(step, { value: record.value });
  }

  #changed(line: number, how = 'is not as it was written'): StorageError {
    return new StorageError(
      `The run cannot be resumed: line ${line} of ${this.#path} ${how}. The file was cut or edited, so what the run has done is not known for sure. ` +
        'Restore the file from a copy, or start the run anew.',
    );
  }
}

function unreadable(error: FileProblem): StorageError {
  const remedy =
    error.reason === 'not-found'
      ? 'What the run has done was kept there. Restore the file from a copy, or start the run anew.'
      : 'Make it readable and resume again.';
  return new StorageError(`The run cannot be resumed: ${error.message} ${remedy}`, { cause: error });
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  if (bytes.length < start.length) return false;
  for (let at = 0; at < start.length; at += 1) if (bytes[at] !== start[at]) return false;
  return true;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
