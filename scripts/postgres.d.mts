/** The folder with its programs, below `bin`. */
export function installPostgres(): string;

export interface PostgresServer {
  /** Of its database `postgres`. */
  readonly url: string;
  start(): Promise<void>;
  /** Ends the server and every session, and keeps the data. */
  pause(): Promise<void>;
  /** Ends the server and deletes the data. */
  stop(): Promise<void>;
}

/** A server of its own on a free port, with an empty database. */
export function startPostgres(settings?: Readonly<Record<string, string | number>>): Promise<PostgresServer>;
