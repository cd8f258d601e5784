import { Pool } from 'pg';
import { afterAll, type TestFunction, test } from 'vitest';
import { installPostgres, type PostgresServer, startPostgres } from '../../scripts/postgres.mjs';

/** Why there is no PostgreSQL here; undefined when there is one. */
const missing = whyMissing();

function whyMissing(): string | undefined {
  try {
    installPostgres();
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? 'unknown') : String(error);
  }
}

/**
 * A test that needs a PostgreSQL server. Where none can be had it is reported as not run, never as passed; where everything must run
 * (`AGENT_STACK_REQUIRE_ALL`) it fails.
 */
export function testWithPostgres(name: string, body: TestFunction, timeout = 180_000): void {
  if (missing === undefined) test(name, body, timeout);
  else if (process.env.AGENT_STACK_REQUIRE_ALL) {
    test(name, () => {
      throw new Error(`PostgreSQL could not be installed: ${missing}`);
    });
  } else test.skip(`${name} (needs PostgreSQL: ${missing})`, body);
}

let server: Promise<PostgresServer> | undefined;
let count = 0;

// A test process is ended from outside, so it cannot clean up at its exit.
afterAll(async () => {
  await (await server)?.stop();
});

/** An empty database on a server that the tests of a file share. */
export async function emptyDatabase(): Promise<string> {
  // Nothing here is to survive a power cut.
  server ??= startPostgres({ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' });
  const { url } = await server;
  const name = `test_${++count}`;
  await query(url, `CREATE DATABASE ${name}`);
  return url.replace(/\/postgres$/, `/${name}`);
}

/** A server of one test alone, which may end it. @param settings of postgresql.conf, beside those for speed */
export function ownPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  return startPostgres({ fsync: 'off', ...settings });
}

export async function query<Row = Record<string, unknown>>(url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const pool = new Pool({ connectionString: url, max: 1 });
  try {
    return (await pool.query<Row>(text, values)).rows;
  } finally {
    await pool.end();
  }
}
