import type { SessionMessage, SessionStore } from '../agent/types.js';
import { InputInvalidError, StorageError } from '../errors.js';
import { type Json, parseObject } from '../json.js';
import { isLegalName, nameWords } from '../kinds.js';
import { type Clock, FileProblem, type FileSystem, type KnownSecrets } from '../ports.js';
import { coverAll } from '../secrets/coverValue.js';
import { home, ignoreHome, toStorageError } from './home.js';
import { completeMessages, toStored } from './sessionMessages.js';

/** Project path of the sessions: a file each, `{session_id}.jsonl`. */
export const sessionsFolder = `${home}/sessions`;

interface SessionPorts {
  readonly files: FileSystem;
  readonly clock: Pick<Clock, 'now'>;
  readonly knownSecrets?: KnownSecrets;
}

/**
 * Keeps the conversations of sessions as JSON Lines. Each append is one line, `{run_id, seq, time, messages}`, so a write that is cut short (a full
 * disk, a kill) loses only that line, and several processes may write at once. Secrets are masked; thoughts and provider signatures are left out.
 */
export function createSessionStore({ files, clock, knownSecrets }: SessionPorts): SessionStore {
  /** Next `seq` of each run that writes through this store. */
  const sequences = new Map<string, number>();

  return {
    async load(session_id) {
      return parseSession(await readSession(files, session_id));
    },

    async append(session_id, run_id, messages) {
      const path = sessionPath(session_id);
      const stored = toStored(messages);
      if (stored.length === 0) return;
      const seq = sequences.get(run_id) ?? 0;
      if (seq === 0) await ignoreHome(files);
      const time = new Date(clock.now()).toISOString();
      const line = JSON.stringify({ run_id, seq, time, messages: coverAll(stored, knownSecrets) });
      try {
        // The leading line break ends half a line that an interrupted write may have left.
        await files.appendText(path, `\n${line}\n`);
      } catch (error) {
        throw toStorageError(error, path, `The session ${session_id} could not be kept`);
      }
      sequences.set(run_id, seq + 1);
    },
  };
}

/** A conversation that is kept nowhere: the messages of its runs, as a session has them. */
export function createConversation(): SessionStore {
  const runs = new Map<string, SessionMessage[]>();
  return {
    load: async () => [...runs.values()].flatMap((messages) => completeMessages(messages as unknown as readonly Json[])),
    async append(_session_id, run_id, messages) {
      const stored = runs.get(run_id) ?? [];
      runs.set(run_id, stored);
      stored.push(...toStored(messages));
    },
  };
}

/** @throws InputInvalidError for an id that could not name a file */
export function sessionPath(session_id: string): string {
  if (isLegalName(session_id)) return `${sessionsFolder}/${session_id}.jsonl`;
  const message = `The session id ${JSON.stringify(session_id)} is not a legal name: ${nameWords}.`;
  throw new InputInvalidError(message, [{ path: '/context/session_id', keyword: 'pattern', message }]);
}

/** The messages of one run in a session. */
export interface SessionRun {
  readonly run_id: string;
  /** Those that can be sent again; empty for a run that was cut off at once. */
  readonly messages: readonly SessionMessage[];
}

/** The runs of a session, in the order they began; empty for a new session. @throws StorageError, InputInvalidError */
export async function readSessionRuns(files: Pick<FileSystem, 'readText'>, session_id: string): Promise<readonly SessionRun[]> {
  return parseRuns(await readSession(files, session_id));
}

/**
 * Begins a session with the messages of these runs of another: the conversation continues from an earlier turn.
 * @throws StorageError, InputInvalidError
 */
export async function branchSession(
  files: FileSystem,
  { from, to, runs }: { readonly from: string; readonly to: string; readonly runs: readonly string[] },
): Promise<void> {
  const lines = (await readSession(files, from)).split('\n').filter((line) => runs.includes(parseLine(line)?.run_id ?? ''));
  if (lines.length === 0) return;
  const path = sessionPath(to);
  try {
    await files.writeText(path, `${lines.join('\n')}\n`, { exclusive: true });
  } catch (error) {
    throw toStorageError(error, path, `The session ${to} could not be begun`);
  }
}

async function readSession(files: Pick<FileSystem, 'readText'>, session_id: string): Promise<string> {
  const path = sessionPath(session_id);
  try {
    return await files.readText(path);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    if (error.reason === 'not-found') return '';
    throw unreadable(session_id, path, error);
  }
}

/** The messages of a session, run by run, in the order the runs began. Torn and foreign lines are skipped. */
export function parseSession(text: string): readonly SessionMessage[] {
  return parseRuns(text).flatMap(({ messages }) => messages);
}

function parseRuns(text: string): readonly SessionRun[] {
  const runs = new Map<string, Map<number, readonly Json[]>>();
  for (const line of text.split('\n')) {
    const entry = parseLine(line);
    if (entry === undefined) continue;
    const run = runs.get(entry.run_id) ?? new Map<number, readonly Json[]>();
    runs.set(entry.run_id, run);
    if (!run.has(entry.seq)) run.set(entry.seq, entry.messages);
  }
  return [...runs].map(([run_id, run]) => ({ run_id, messages: completeMessages(inOrder(run).flat()) }));
}

/** The lines up to the first missing one, since later lines may answer it. */
function inOrder(run: ReadonlyMap<number, readonly Json[]>): readonly (readonly Json[])[] {
  const lines: (readonly Json[])[] = [];
  for (let line = run.get(0); line !== undefined; line = run.get(lines.length)) lines.push(line);
  return lines;
}

function parseLine(line: string): { readonly run_id: string; readonly seq: number; readonly messages: readonly Json[] } | undefined {
  const value = line.trim() === '' ? undefined : parseObject(line);
  if (value === undefined) return undefined;
  const { run_id, seq, messages } = value;
  if (typeof run_id !== 'string' || typeof seq !== 'number' || !Array.isArray(messages)) return undefined;
  return { run_id, seq, messages };
}

function unreadable(session_id: string, path: string, error: FileProblem): StorageError {
  const remedy =
    error.reason === 'too-large'
      ? 'It is larger than 10 MB: go on in a new session, or remove lines from its beginning.'
      : 'Remove the file, or go on in a new session.';
  return new StorageError(`The session ${session_id} cannot be read: ${path} (${error.reason}). ${remedy}`, { cause: error });
}
