import { StorageError } from '../errors.js';
import type { Clock, Logger } from '../ports.js';

/** Codes of a lost connection, from PostgreSQL (documentation, "Error Codes") and Node. */
const lost: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '08000',
  '08003',
  '08006',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);
const wordsOfLoss = /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

const advice: { readonly [code: string]: string } = {
  ECONNREFUSED: 'Nothing listens there: start PostgreSQL, or correct host and port in --database-url.',
  ENOTFOUND: 'The host does not exist: correct it in --database-url.',
  ETIMEDOUT: 'It does not answer: check host, port and firewall.',
  '28P01': 'User or password is wrong: correct them in --database-url or AGENTSTACK_DATABASE_URL.',
  '28000': 'The server does not let this user in: check pg_hba.conf, or the user in --database-url.',
  '3D000': 'The database does not exist: create it (createdb), or correct its name in --database-url.',
  '42501': 'The user lacks a permission: it needs CREATE on the database the first time, see docs/scaling.md.',
  '53300': 'The server has no connection left: raise max_connections, or use fewer workers.',
  '57P03': 'The server is starting up: try again in a moment.',
  '53100': 'The disk of the server is full: free some space there.',
};

/** Whether the same statement may succeed once the server is reachable again. */
export function isConnectionLoss(error: unknown): boolean {
  return lost.has(codeOf(error)) || (error instanceof Error && wordsOfLoss.test(error.message));
}

/** The error for users: the database without its password, the cause and the remedy. */
export function toDatabaseError(error: unknown, url: string): Error {
  if (error instanceof StorageError) return error;
  const code = codeOf(error);
  const reason = innermost(error);
  if (code === '' && !isConnectionLoss(error)) return error instanceof Error ? error : new Error(String(error));
  const what = isConnectionLoss(error) ? 'could not be reached' : 'refused';
  return new StorageError(
    `The database ${databaseName(url)} ${what}: ${reason}${reason.endsWith('.') ? '' : '.'} ${advice[code] ?? ''}`.trimEnd(),
    {
      cause: error,
    },
  );
}

/** `host:port/name` of a connection string: the part that may be shown. */
export function databaseName(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname}`;
  } catch {
    return 'of --database-url';
  }
}

export interface RetryOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Logger;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
  /** Called once, when the waiting starts. */
  readonly onOutage?: (error: unknown) => void;
}

/**
 * Repeats `work` while the database cannot be reached: after 100 ms, doubled each time, at most 2 s. Its data is not lost meanwhile.
 * @throws everything else, and the signal's reason
 */
export async function throughOutages<T>(work: () => Promise<T>, { clock, logger, signal, onOutage }: RetryOptions): Promise<T> {
  for (let wait = 100, tries = 0; ; wait = Math.min(wait * 2, 2000), tries += 1) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isConnectionLoss(error)) throw error;
      if (tries === 0) onOutage?.(error);
      logger.log(tries === 0 ? 'warn' : 'debug', 'database not reachable, trying again', { error: innermost(error), wait_ms: wait });
      await clock.sleep(wait, signal);
    }
  }
}

function codeOf(error: unknown): string {
  for (const each of chain(error)) {
    const { code } = each as { code?: unknown };
    if (typeof code === 'string' && code !== '') return code;
  }
  return '';
}

function innermost(error: unknown): string {
  const errors = [...chain(error)];
  const last = errors.find((each) => typeof (each as { code?: unknown }).code === 'string') ?? errors.at(-1);
  return last instanceof Error && last.message !== '' ? last.message : String((last as { code?: unknown } | undefined)?.code ?? error);
}

/** An error and its causes. Several addresses of one host fail together. */
function* chain(error: unknown): Generator<object> {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [error];
  for (const each of waiting) {
    if (typeof each !== 'object' || each === null || seen.has(each)) continue;
    seen.add(each);
    yield each;
    const { cause, errors } = each as { cause?: unknown; errors?: unknown };
    waiting.push(cause, ...(Array.isArray(errors) ? errors : []));
  }
}
