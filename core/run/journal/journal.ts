import type { JsonObject } from '../../json.js';
import type { FileSystem, Random } from '../../ports.js';
import { home, ignoreHome, toStorageError } from '../home.js';
import type { JournalFile, JournalFiles } from './journalFiles.js';
import { type JournalHeader, type JournalRecord, journalFormat, lineStart, membersOf, sealLine } from './journalLines.js';

/** Where journals are, as a project path. */
export const journalsFolder = `${home}/journal`;

/** The journal of this process: what its runs have done so far, one file, made when the first of them begins. */
export interface Journal {
  /** Id of the file that records go to at present, which is made now if it is not there. @throws StorageError */
  begin(): Promise<string>;
  /**
   * Writes for one run from now on.
   *
   * @param known id of the file that the run is known to have records in, if there is one yet
   * @param name keeps durably that the run has records in one more file; asked before the first of them is written
   */
  write(run_id: string, known: string | undefined, name: (journal: string) => Promise<void>): RunJournal;
}

/** The records of one run on their way into the journal. */
export interface RunJournal {
  /** Resolves when the record is durable: not even a power cut takes it back then. @throws StorageError */
  add(record: JournalRecord): Promise<void>;
}

export interface JournalOptions {
  readonly storage: JournalFiles;
  readonly files: Pick<FileSystem, 'readText' | 'writeText'>;
  readonly random: Pick<Random, 'id'>;
  /** `agent-stack 1.2.3`. */
  readonly writer: string;
  /** Names this process; asked when a file is made. Default: not said. */
  readonly process?: () => JsonObject;
}

/** Writes nothing yet. */
export function createJournal({ storage, files, random, writer, process }: JournalOptions): Journal {
  let current: Promise<JournalLog> | undefined;
  /** A file that could not be written to the end may end in half a line, which nothing may follow: the next record begins a new one. */
  const log = async (): Promise<JournalLog> => {
    const seen = current;
    const known = await seen?.catch(() => undefined);
    if (known && !known.hasFailed) return known;
    // Of many that find it so, the first begins the new one.
    if (current === undefined || current === seen) current = open();
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
    write(run_id, known, name) {
      const start = lineStart(run_id);
      let own: JournalLog | undefined;
      let count = 0;
      const begin = async (): Promise<JournalLog> => {
        const next = await log();
        if (next === own) return next;
        if (next.id !== known || own !== undefined) await name(next.id);
        own = next;
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
          if (own !== undefined && !own.hasFailed) return add(own, record);
          beginning ??= begin().finally(() => {
            beginning = undefined;
          });
          return beginning.then((log) => add(log, record));
        },
      };
    },
  };
}

/** The project path of a journal. @param id as run.json names it */
export function journalPath(id: string): string {
  return `${journalsFolder}/${id}.jsonl`;
}

const notKept = 'The step could not be kept';

/** One file of a journal. Records that wait together are one write and one sync; one that waits alone is written at once. */
class JournalLog {
  readonly id: string;
  readonly #path: string;
  readonly #file: JournalFile;
  #waiting: string[] = [];
  /** Of all that wait. */
  #next: Promise<void> | undefined;
  /** The write under way; never rejects. */
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
    // After a failure the content of the file is unknown, and a sync that failed once may report success later without having written.
    if (this.#failure !== undefined) throw this.#failure;
    try {
      await this.#file.append(text);
    } catch (error) {
      this.#failure = toStorageError(error, this.#path, notKept);
      throw this.#failure;
    }
  }
}
