import type { UnfinishedAnswer, UnfinishedStep } from '../durable.js';
import { StorageError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { Ports } from '../ports.js';
import { toDatabaseError } from './databaseErrors.js';
import { openPool, withConnection } from './databasePool.js';
import { ensureSystemDatabase, type Pool, type PoolClient } from './dbosSdk.js';
import { libraryLogger } from './libraryLogger.js';
import { lockOfLibraryTables, prepareTables } from './tables.js';

/** The request of a run, for every worker. Plain JSON, without secrets. */
export interface StoredRun {
  readonly run_id: string;
  readonly snapshot_hash: string;
  readonly request: JsonObject;
  /** How many events there are: the number of the next one. */
  readonly event_count: number;
  /** How often a worker has started it, including this time. */
  readonly starts: number;
  readonly is_ended: boolean;
  /** What all workers so far lacked for it, in words; null if it waits for nothing. */
  readonly waits_for: string | null;
}

export interface StoredSnapshot {
  readonly hash: string;
  /** Canonical JSON, as in its file. */
  readonly text: string;
  readonly origins_text: string;
}

/** Consecutive events, the first of which has the number `first_seq`. */
export interface EventBatch {
  readonly first_seq: number;
  readonly events: readonly JsonObject[];
}

/** The owner of the flow that is written for: nothing is written once another worker owns it. */
export interface FlowOwner {
  readonly flow_id: string;
  readonly worker_id: string;
}

export interface OpenDatabaseOptions {
  /** Most at a time. */
  readonly connections: number;
  readonly ports: Pick<Ports, 'clock' | 'logger'>;
}

/**
 * The stored runs, in Agent Stack's tables in the engine's database. Every method throws the errors of the database; `toDatabaseError` converts them.
 * One statement each if possible, which is atomic even if the process or the connection ends.
 */
export class EngineDatabase {
  readonly url: string;
  /** Also for the library, which keeps its tables in the same database. */
  readonly pool: Pool;

  private constructor(url: string, pool: Pool) {
    this.url = url;
    this.pool = pool;
  }

  /**
   * Connects, and creates missing tables of Agent Stack and of the library. The database itself must exist.
   *
   * @throws StorageError with a message for users
   */
  static async open(url: string, { connections, ports }: OpenDatabaseOptions): Promise<EngineDatabase> {
    let pool: Pool | undefined;
    try {
      pool = openPool(url, connections);
      await withConnection(pool, prepareTables);
      await prepareLibraryTables(pool, url, ports);
      return new EngineDatabase(url, pool);
    } catch (error) {
      await pool?.end();
      throw toDatabaseError(error, url);
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  /** Stores a run and its snapshot, and runs `enqueue`, all in one transaction. */
  submit(
    run: { readonly run_id: string; readonly request: JsonObject; readonly snapshot: StoredSnapshot },
    enqueue: (client: PoolClient) => Promise<unknown>,
  ): Promise<void> {
    return withConnection(this.pool, async (client) => {
      await client.query('BEGIN');
      await insertSnapshot(client, run.snapshot);
      const { rowCount } = await client.query(
        'INSERT INTO agent_stack.runs (run_id, snapshot_hash, request) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [run.run_id, run.snapshot.hash, JSON.stringify(run.request)],
      );
      // The first attempt may have succeeded although its answer was lost.
      if (rowCount !== 0) await enqueue(client);
      await client.query('COMMIT');
    });
  }

  async keepSnapshot(snapshot: StoredSnapshot): Promise<void> {
    await insertSnapshot(this.pool, snapshot);
  }

  /** @throws StorageError when it does not exist */
  async snapshot(hash: string): Promise<StoredSnapshot> {
    const { rows } = await this.pool.query<{ value: string; origins: string }>(
      'SELECT value, origins FROM agent_stack.snapshots WHERE hash = $1',
      [hash],
    );
    const [row] = rows;
    if (row === undefined) throw new StorageError(`The database has no snapshot ${hash}: it was deleted while a run needs it.`);
    return { hash, text: row.value, origins_text: row.origins };
  }

  /** Undefined if there is no such run. */
  async run(run_id: string): Promise<StoredRun | undefined> {
    const { rows } = await this.pool.query<RunRow>(`SELECT ${runColumns} FROM agent_stack.runs WHERE run_id = $1`, [run_id]);
    return rows[0] && toRun(rows[0]);
  }

  /** Counts a start of the run by a worker, and returns it. @throws StorageError if it does not exist */
  async start(run_id: string): Promise<StoredRun> {
    const { rows } = await this.pool.query<RunRow>(
      `UPDATE agent_stack.runs SET starts = starts + 1 WHERE run_id = $1 RETURNING ${runColumns}`,
      [run_id],
    );
    if (rows[0] === undefined) throw new StorageError(`The database has no run ${run_id}: it was deleted while it was active.`);
    return toRun(rows[0]);
  }

  /** Replaces the request of the run. */
  async keepRequest(run_id: string, request: JsonObject): Promise<void> {
    await this.pool.query('UPDATE agent_stack.runs SET request = $2 WHERE run_id = $1', [run_id, JSON.stringify(request)]);
  }

  /**
   * Appends events. One statement: the numbers have no gaps, and their order is that of the commits.
   *
   * @param end whether the last of them finally ends the run
   * @returns false if the flow has another owner: another worker has taken it over, and nothing was added
   */
  async addEvents(run_id: string, events: readonly string[], owner: FlowOwner, end: boolean): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `WITH owned AS (
         SELECT 1 FROM dbos.workflow_status WHERE workflow_uuid = $2 AND executor_id = $3 AND status = 'PENDING' FOR SHARE
       ), run AS (
         UPDATE agent_stack.runs SET event_count = event_count + $4, ended_at = CASE WHEN $6 THEN now() ELSE ended_at END
         WHERE run_id = $1 AND EXISTS (SELECT 1 FROM owned) RETURNING event_count - $4 AS first_seq
       )
       INSERT INTO agent_stack.events (run_id, first_seq, events) SELECT $1, first_seq, $5 FROM run`,
      [run_id, owner.flow_id, owner.worker_id, events.length, `[${events.join(',')}]`, end],
    );
    return rowCount === 1;
  }

  /** The events from a number, which must be the first of a batch, in order. */
  async events(run_id: string, from: number): Promise<readonly EventBatch[]> {
    const { rows } = await this.pool.query<{ first_seq: string; events: string }>(
      'SELECT first_seq, events FROM agent_stack.events WHERE run_id = $1 AND first_seq >= $2 ORDER BY first_seq LIMIT 200',
      [run_id, from],
    );
    return rows.map(({ first_seq, events }) => ({ first_seq: Number(first_seq), events: JSON.parse(events) as JsonObject[] }));
  }

  /** Number of the first event in the batch of event `seq`; `seq` itself if it does not exist yet. */
  async batchOf(run_id: string, seq: number): Promise<number> {
    const { rows } = await this.pool.query<{ first_seq: string | null }>(
      'SELECT max(first_seq) AS first_seq FROM agent_stack.events WHERE run_id = $1 AND first_seq <= $2',
      [run_id, seq],
    );
    return Number(rows[0]?.first_seq ?? seq);
  }

  async requestCancel(run_id: string): Promise<void> {
    await this.pool.query('UPDATE agent_stack.runs SET cancel_requested_at = coalesce(cancel_requested_at, now()) WHERE run_id = $1', [
      run_id,
    ]);
  }

  /** Resumes a run that was cancelled, or stopped before its end. */
  async resume(run_id: string): Promise<void> {
    await this.pool.query('UPDATE agent_stack.runs SET cancel_requested_at = NULL WHERE run_id = $1', [run_id]);
  }

  /** Sets what a run waits for, in words. */
  async keepWaiting(run_id: string, waits_for: string): Promise<void> {
    await this.pool.query('UPDATE agent_stack.runs SET waits_for = $2 WHERE run_id = $1', [run_id, waits_for]);
  }

  /** How many steps of these flows are stored. */
  async countSteps(flow_ids: readonly string[]): Promise<number> {
    const { rows } = await this.pool.query<{ count: string }>('SELECT count(*) FROM dbos.operation_outputs WHERE workflow_uuid = ANY($1)', [
      flow_ids,
    ]);
    return Number(rows[0]?.count ?? 0);
  }

  /** Stores an unfinished call, for a person to decide. */
  async keepUnfinished(run_id: string, step: string, call: UnfinishedStep): Promise<void> {
    await this.pool.query(
      `INSERT INTO agent_stack.unfinished (run_id, step, call) VALUES ($1, $2, $3)
       ON CONFLICT (run_id, step) DO UPDATE SET call = excluded.call, answer = NULL`,
      [run_id, step, JSON.stringify(call)],
    );
  }

  async unfinished(run_id: string): Promise<readonly UnfinishedStep[]> {
    const { rows } = await this.pool.query<{ call: string }>(
      'SELECT call FROM agent_stack.unfinished WHERE run_id = $1 AND answer IS NULL ORDER BY step',
      [run_id],
    );
    return rows.map(({ call }) => JSON.parse(call) as UnfinishedStep);
  }

  async answer(run_id: string, step: string, answer: UnfinishedAnswer): Promise<void> {
    await this.pool.query('UPDATE agent_stack.unfinished SET answer = $3 WHERE run_id = $1 AND step = $2', [run_id, step, answer]);
  }

  /** Takes an answer, which is valid once: for a call that is cut off again, a person is asked again. */
  async takeAnswer(run_id: string, step: string): Promise<UnfinishedAnswer | undefined> {
    const { rows } = await this.pool.query<{ answer: UnfinishedAnswer }>(
      'DELETE FROM agent_stack.unfinished WHERE run_id = $1 AND step = $2 AND answer IS NOT NULL RETURNING answer',
      [run_id, step],
    );
    return rows[0]?.answer;
  }
}

const runColumns = 'run_id, snapshot_hash, request, event_count, starts, ended_at IS NOT NULL AS is_ended, waits_for';

interface RunRow {
  readonly run_id: string;
  readonly snapshot_hash: string;
  readonly request: string;
  /** As text: the column could hold more than a number. */
  readonly event_count: string;
  readonly starts: number;
  readonly is_ended: boolean;
  readonly waits_for: string | null;
}

function toRun({ request, event_count, ...row }: RunRow): StoredRun {
  return { ...row, request: JSON.parse(request) as JsonObject, event_count: Number(event_count) };
}

async function insertSnapshot(client: Pick<PoolClient, 'query'>, { hash, text, origins_text }: StoredSnapshot): Promise<void> {
  await client.query('INSERT INTO agent_stack.snapshots (hash, value, origins) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    hash,
    text,
    origins_text,
  ]);
}

/** How often to check whether another process is done, in ms. */
const interval = 50;

/**
 * Creates or updates the tables of the library, one process at a time: concurrent attempts fail in most processes, and workers are often started
 * together. If there is nothing to do, it takes a few short statements.
 *
 * The lock is polled, not awaited: the library builds indexes concurrently, which waits for all running statements, including one that waits for
 * the lock. It belongs to the connection, and is released when the process ends.
 */
async function prepareLibraryTables(pool: Pool, url: string, { clock, logger }: Pick<Ports, 'clock' | 'logger'>): Promise<void> {
  await withConnection(pool, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [lockOfLibraryTables]);
      if (rows[0]?.mine) break;
      await clock.sleep(interval);
    }
    try {
      await ensureSystemDatabase(url, libraryLogger(logger) as Parameters<typeof ensureSystemDatabase>[1], pool);
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [lockOfLibraryTables]);
    }
  });
}
