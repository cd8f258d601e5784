import { Pool, type PoolClient } from './dbosSdk.js';

/** How long a process that stops within a transaction keeps its locks, in ms: others wait for them to take over its flows. */
const mostIdle = 2000;

/** Connections to the database, opened on demand. @param connections the most at a time */
export function openPool(url: string, connections: number): Pool {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    application_name: 'agentstack',
    keepAlive: true,
    idle_in_transaction_session_timeout: mostIdle,
  });
  // A broken idle connection is replaced; on a busy one, the next statement fails. Each connection has its own listener: during a handover,
  // neither the pool nor its user listens, and an error without a listener ends the process.
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
