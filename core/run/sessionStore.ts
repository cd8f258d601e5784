import type { SessionMessage, SessionStore } from '../agent/types.js';
import { InputInvalidError, StorageError } from '../errors.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { namePattern } from '../kinds.js';
import { type Clock, FileProblem, type FileSystem } from '../ports.js';
import { coverValue } from '../secrets/coverValue.js';
import { home, ignoreHome, toStorageError } from './home.js';
import { completeMessages, toStored } from './sessionMessages.js';

/** Where sessions are kept, as a project path: a file each, `{session_id}.jsonl`. */
export const sessionsFolder = `${home}/sessions`;

/**
 * Keeps the conversations of sessions as JSON Lines. Each append is one line of its own, `{run_id, seq, time, messages}`, so whatever cuts a write short
 * (a full disk, a kill) costs that line alone, and any number of processes may write at once. Secrets are covered; thoughts and the marks of
 * providers are left out.
 */
export function createSessionStore({ files, clock }: { readonly files: FileSystem; readonly clock: Pick<Clock, 'now'> }): SessionStore {
  /** Next number of each run that writes through this store. */
  const sequences = new Map<string, number>();

  return {
    async load(session_id) {
      const path = sessionPath(session_id);
      let text: string;
      try {
        text = await files.readText(path);
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error;
        if (error.reason === 'not-found') return [];
        throw unreadable(session_id, path, error);
      }
      return parseSession(text);
    },

    async append(session_id, run_id, messages) {
      const path = sessionPath(session_id);
      const stored = toStored(messages);
      if (stored.length === 0) return;
      const seq = sequences.get(run_id) ?? 0;
      if (seq === 0) await ignoreHome(files);
      const time = new Date(clock.now()).toISOString();
      const line = JSON.stringify({ run_id, seq, time, messages: coverValue(stored as unknown as Json) });
      try {
        // The line break before it ends half a line that a cut-off write may have left.
        await files.appendText(path, `\n${line}\n`);
      } catch (error) {
        throw toStorageError(error, path, `The session ${session_id} could not be kept`);
      }
      sequences.set(run_id, seq + 1);
    },
  };
}

/** @throws InputInvalidError for an id that could not name a file */
export function sessionPath(session_id: string): string {
  if (namePattern.test(session_id)) return `${sessionsFolder}/${session_id}.jsonl`;
  const message = `The session id ${JSON.stringify(session_id)} is not a legal name: letters, digits, ".", "_" and "-", at most 64, the first a letter or digit.`;
  throw new InputInvalidError(message, [{ path: '/context/session_id', keyword: 'pattern', message }]);
}

/** The messages of each run together and in its order; runs in the order they began. Lines that are torn or say something else are left out. */
export function parseSession(text: string): readonly SessionMessage[] {
  const runs = new Map<string, Map<number, readonly Json[]>>();
  for (const line of text.split('\n')) {
    const entry = line.trim() === '' ? undefined : parseLine(line);
    if (entry === undefined) continue;
    const run = runs.get(entry.run_id) ?? new Map<number, readonly Json[]>();
    runs.set(entry.run_id, run);
    if (!run.has(entry.seq)) run.set(entry.seq, entry.messages);
  }
  return [...runs.values()].flatMap((run) => completeMessages(inOrder(run).flat()));
}

/** As far as no line is missing: what follows a lost line may answer it. */
function inOrder(run: ReadonlyMap<number, readonly Json[]>): readonly (readonly Json[])[] {
  const lines: (readonly Json[])[] = [];
  for (let line = run.get(0); line !== undefined; line = run.get(lines.length)) lines.push(line);
  return lines;
}

function parseLine(line: string): { readonly run_id: string; readonly seq: number; readonly messages: readonly Json[] } | undefined {
  let value: JsonObject;
  try {
    const parsed: unknown = JSON.parse(line);
    if (!isObject(parsed)) return undefined;
    value = parsed;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
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
