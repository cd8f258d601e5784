import { StorageError } from '../errors.js';
import type { ClientBase } from './dbosSdk.js';

/** Version of the tables below. A worker of an older version refuses newer tables; a newer one updates them. */
const tablesVersion = 2;

/**
 * The tables of Agent Stack, beside those of the library (schema `dbos`), created or updated from any older version. Text, not jsonb, which does not
 * allow U+0000.
 *
 * - `runs`: the request, and the number of events. `event_count` numbers them: a writer locks the row until its events are in.
 *   `waits_for`: what all workers so far lacked.
 * - `events`: JSON arrays of consecutive events, each under the number of its first.
 * - `snapshots`: by hash, each once for all runs.
 * - `workers`: one row per start of a worker, its epoch. It is over with `ended_at`, which is never reset.
 * - `unfinished`: calls that must not be repeated without asking, and the answers about them.
 */
const statements = [
  'CREATE SCHEMA IF NOT EXISTS agent_stack',
  'CREATE TABLE IF NOT EXISTS agent_stack.version (version integer NOT NULL)',
  `CREATE TABLE IF NOT EXISTS agent_stack.snapshots (
     hash text PRIMARY KEY, value text NOT NULL, origins text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE IF NOT EXISTS agent_stack.runs (
     run_id text PRIMARY KEY, snapshot_hash text NOT NULL, request text NOT NULL, event_count bigint NOT NULL DEFAULT 0,
     starts integer NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now(), cancel_requested_at timestamptz, ended_at timestamptz)`,
  'CREATE INDEX IF NOT EXISTS runs_ended_at ON agent_stack.runs (ended_at)',
  `CREATE TABLE IF NOT EXISTS agent_stack.events (
     run_id text NOT NULL, first_seq bigint NOT NULL, events text NOT NULL, PRIMARY KEY (run_id, first_seq))`,
  `CREATE TABLE IF NOT EXISTS agent_stack.workers (
     worker_id text PRIMARY KEY, host text NOT NULL, pid integer NOT NULL, version text NOT NULL,
     started_at timestamptz NOT NULL DEFAULT now(), heartbeat_at timestamptz NOT NULL DEFAULT now(), ended_at timestamptz)`,
  `CREATE TABLE IF NOT EXISTS agent_stack.unfinished (
     run_id text NOT NULL, step text NOT NULL, call text NOT NULL, answer text, PRIMARY KEY (run_id, step))`,
  // Version 2.
  'ALTER TABLE agent_stack.runs ADD COLUMN IF NOT EXISTS waits_for text',
];

/** Creates the tables, in the first process only. @throws StorageError for tables of a newer version, and errors of the database */
export async function prepareTables(client: ClientBase): Promise<void> {
  await client.query('BEGIN');
  try {
    // Two workers that start together would both find no tables.
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockOfTables]);
    const { rows: tables } = await client.query<{ there: boolean }>("SELECT to_regclass('agent_stack.version') IS NOT NULL AS there");
    const version = tables[0]?.there ? await versionOf(client) : undefined;
    if (version !== undefined && version > tablesVersion) throw newerTables(version);
    if (version !== tablesVersion) {
      for (const statement of statements) await client.query(statement);
      await client.query('DELETE FROM agent_stack.version');
      await client.query('INSERT INTO agent_stack.version VALUES ($1)', [tablesVersion]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function versionOf(client: ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ version: number }>('SELECT version FROM agent_stack.version');
  return rows[0]?.version;
}

function newerTables(version: number): StorageError {
  return new StorageError(
    `The tables of Agent Stack in this database have version ${version}, but this program knows ${tablesVersion}: update agent-stack, or use another database.`,
  );
}

/** Keys of PostgreSQL's advisory locks, unique to Agent Stack. */
const lockOfTables = 7_216_390_001;
export const lockOfAdoption = 7_216_390_002;
export const lockOfLibraryTables = 7_216_390_003;
