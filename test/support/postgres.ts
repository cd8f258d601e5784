import { randomInt } from 'node:crypto';
import { Pool } from 'pg';
import { inject, type TestFunction, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../scripts/postgres.mjs';

/** The database that new ones are copies of. */
const templateName = 'with_tables';

/**
 * A test that needs a PostgreSQL server. Where none can be had it is reported as not run, never as passed; where everything must run
 * (`AGENT_STACK_REQUIRE_ALL`) it fails.
 */
export function testWithPostgres(name: string, body: TestFunction, timeout = 180_000): void {
  const { missing } = inject('postgres');
  if (missing === undefined) test(name, body, timeout);
  else if (process.env.AGENT_STACK_REQUIRE_ALL) {
    test(name, () => {
      throw new Error(`PostgreSQL could not be installed: ${missing}`);
    });
  } else test.skip(`${name} (needs PostgreSQL: ${missing})`, body);
}

/** A database with all tables and without rows, on the server that all tests share (test/dbos/setup.ts). */
export function newDatabase(): Promise<string> {
  return createDatabase(inject('postgres').url, `TEMPLATE ${templateName}`);
}

/** One without tables, which are made by whoever comes first. */
export function emptyDatabase(): Promise<string> {
  return createDatabase(inject('postgres').url, '');
}

async function createDatabase(url: string, options: string): Promise<string> {
  const name = `test_${randomInt(2 ** 47)}`;
  await query(url, `CREATE DATABASE ${name} ${options}`);
  return url.replace(/\/postgres$/, `/${name}`);
}

/** A server of one test alone, which may end it. @param settings of postgresql.conf, beside those for speed */
export function ownPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  return startPostgres({ fsync: 'off', ...settings });
}

export async function query<Row = Record<string, unknown>>(url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const pool = new Pool({ connectionString: url, max: 1 });
  // A server that stops just then tells a connection that is being closed, which would end the process.
  pool.on('error', () => undefined);
  try {
    return (await pool.query<Row>(text, values)).rows;
  } finally {
    await pool.end();
  }
}
