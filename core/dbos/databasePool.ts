import { Pool, type PoolClient } from './dbosSdk.js';

/** A process that stops within a transaction holds its locks no longer than this, in ms, since others wait for them to take over its flows. */
const mostIdle = 2000;

/** Connections to the database, opened as they are needed. @param connections the most at a time */
export function openPool(url: string, connections: number): Pool {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    application_name: 'agentstack',
    keepAlive: true,
    idle_in_transaction_session_timeout: mostIdle,
  });
  // An idle connection that breaks is replaced; the user of a busy one learns of it from the next statement. Each connection has its own
  // listener: while it is handed over, neither the pool nor its user listens, and an error without a listener ends the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Work that needs one connection for several statements. After a failure the connection is not used again. */
export async function withConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    const result = await work(client);
    isBroken = false;
    return result;
  } finally {
    client.release(isBroken);
  }
}
