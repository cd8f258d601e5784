import type { JsonObject } from '../../json.js';
import type { FileSystem, Random } from '../../ports.js';
import { home, ignoreHome, toStorageError } from '../home.js';
import type { JournalFile, JournalFiles } from './journalFiles.js';
import { type JournalHeader, type JournalRecord, journalFormat, lineStart, membersOf, sealLine } from './journalLines.js';

/** Project path of the journals. */
export const journalsFolder = `${home}/journal`;

/** The journal of this process: one file with the finished steps of its runs, created when the first run begins. */
export interface Journal {
  /** Id of the file that records currently go to; creates it if needed. @throws StorageError */
  begin(): Promise<string>;
  /**
   * Opens the journal for one run.
   *
   * @param named id of the file that `run.json` already names for the run, if any
   * @param name durably stores the id of a further file of the run; called before its first record is written
   */
  write(run_id: string, named: string | undefined, name: (journal: string) => Promise<void>): RunJournal;
}

/** Writes the records of one run. */
export interface RunJournal {
  /** Resolves when the record is durable, so that it survives a power cut. @throws StorageError */
  add(record: JournalRecord): Promise<void>;
}

export interface JournalOptions {
  readonly storage: JournalFiles;
  readonly files: Pick<FileSystem, 'readText' | 'writeText'>;
  readonly random: Pick<Random, 'id'>;
  /** `agent-stack 1.2.3`. */
  readonly writer: string;
  /** Identifies this process; called when a file is created. Default: left out. */
  readonly process?: () => JsonObject;
}

/** Writes nothing yet. */
export function createJournal({ storage, files, random, writer, process }: JournalOptions): Journal {
  let current: Promise<JournalLog> | undefined;
  /** After a failed write, a file may end in half a line, which nothing may follow: the next record begins a new file. */
  const log = async (): Promise<JournalLog> => {
    const previous = current;
    const opened = await previous?.catch(() => undefined);
    if (opened && !opened.hasFailed) return opened;
    // Of several callers that find the file failed, the first opens the new one.
    if (current === undefined || current === previous) current = open();
    return current;
  };
  const open = async (): Promise<JournalLog> => {
    const id = random.id();
    const path = journalPath(id);
    const header: JournalHeader = { format: journalFormat, writer, ...(process && { process: process() }) };
    await ignoreHome(files);
    try {
      const file = await storage.create(path, sealLine(JSON.stringify(header).slice(1, -1), storage.checksum));
      return new JournalLog(id, path, file);
    } catch (error) {
      throw toStorageError(error, path, notKept);
    }
  };
  return {
    begin: async () => (await log()).id,
    write(run_id, named, name) {
      const start = lineStart(run_id);
      let file: JournalLog | undefined;
      let count = 0;
      const begin = async (): Promise<JournalLog> => {
        const next = await log();
        if (next === file) return next;
        if (next.id !== named || file !== undefined) await name(next.id);
        file = next;
        count = 0;
        return next;
      };
      let beginning: Promise<JournalLog> | undefined;
      const add = (to: JournalLog, record: JournalRecord): Promise<void> => {
        count += 1;
        return to.add(sealLine(`${start.slice(1)}"n":${count},${membersOf(record)}`, storage.checksum));
      };
      return {
        add(record) {
          if (file !== undefined && !file.hasFailed) return add(file, record);
          beginning ??= begin().finally(() => {
            beginning = undefined;
          });
          return beginning.then((log) => add(log, record));
        },
      };
    },
  };
}

/** The project path of a journal. @param id as in run.json */
export function journalPath(id: string): string {
  return `${journalsFolder}/${id}.jsonl`;
}

const notKept = 'The step could not be kept';

/** One journal file. Records that wait together share one write and one sync; a single record is written at once. */
class JournalLog {
  readonly id: string;
  readonly #path: string;
  readonly #file: JournalFile;
  #waiting: string[] = [];
  /** The write of all waiting records. */
  #next: Promise<void> | undefined;
  /** The current write; never rejects. */
  #last: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(id: string, path: string, file: JournalFile) {
    this.id = id;
    this.#path = path;
    this.#file = file;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  add(line: string): Promise<void> {
    this.#waiting.push(line);
    this.#next ??= this.#last.then(() => this.#commit());
    return this.#next;
  }

  #commit(): Promise<void> {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#next = undefined;
    const commit = this.#append(text);
    this.#last = commit.catch(() => undefined);
    return commit;
  }

  async #append(text: string): Promise<void> {
    // After a failure the file's content is unknown, and a failed sync may later report success without having written.
    if (this.#failure !== undefined) throw this.#failure;
    try {
      await this.#file.append(text);
    } catch (error) {
      this.#failure = toStorageError(error, this.#path, notKept);
      throw this.#failure;
    }
  }
}
