import { withConnection } from './databasePool.js';
import type { Pool } from './dbosSdk.js';
import { waitingQueue } from './names.js';
import { lockOfAdoption } from './tables.js';

/** A worker for others. */
export interface WorkerInfo {
  readonly worker_id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
}

/** A worker without a heartbeat for this long counts as dead, in ms: six heartbeats, which a busy process rarely misses all. */
export const lease = 3000;
export const heartbeatInterval = 500;
/** A worker that could not send heartbeats for this long, in ms, does not know which others could not either. */
const longestGap = lease / 2;

/**
 * Whether a worker may work: `current` after a recent heartbeat, `late` once it may be considered dead at any time, `over` when it was.
 */
export type Epoch = 'current' | 'late' | 'over';

/** The workers and their remaining work, by the clock of the database. Throws the errors of the database. */
export class WorkerTable {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async register({ worker_id, host, pid, version }: WorkerInfo): Promise<void> {
    await this.#pool.query('INSERT INTO agent_stack.workers (worker_id, host, pid, version) VALUES ($1, $2, $3, $4)', [
      worker_id,
      host,
      pid,
      version,
    ]);
  }

  /**
   * Reports that a worker is alive.
   *
   * @returns `over` if it was considered dead meanwhile, `late` if its previous heartbeat was so long ago that those of others may have been delayed
   * too
   */
  async heartbeat(worker_id: string): Promise<Epoch> {
    const { rows } = await this.#pool.query<{ late: boolean }>(
      `WITH before AS (SELECT heartbeat_at FROM agent_stack.workers WHERE worker_id = $1 FOR UPDATE)
       UPDATE agent_stack.workers w SET heartbeat_at = clock_timestamp() FROM before WHERE w.worker_id = $1 AND w.ended_at IS NULL
       RETURNING w.heartbeat_at - before.heartbeat_at > $2 * interval '1 millisecond' AS late`,
      [worker_id, longestGap],
    );
    return epochOf(rows[0]);
  }

  /** Whether a worker may work now, by its last heartbeat. */
  async epoch(worker_id: string): Promise<Epoch> {
    const { rows } = await this.#pool.query<{ late: boolean }>(
      `SELECT heartbeat_at < clock_timestamp() - $2 * interval '1 millisecond' AS late
       FROM agent_stack.workers WHERE worker_id = $1 AND ended_at IS NULL`,
      [worker_id, lease],
    );
    return epochOf(rows[0]);
  }

  /** Ends the epoch of a worker that stops regularly: the next worker takes its flows at once. */
  async leave(worker_id: string): Promise<void> {
    await this.#pool.query('UPDATE agent_stack.workers SET ended_at = coalesce(ended_at, now()) WHERE worker_id = $1', [worker_id]);
  }

  /** Number of workers with a heartbeat within `ms`. */
  async alive(ms: number): Promise<number> {
    const { rows } = await this.#pool.query<{ count: string }>(
      "SELECT count(*) FROM agent_stack.workers WHERE ended_at IS NULL AND heartbeat_at > now() - $1 * interval '1 millisecond'",
      [ms],
    );
    return Number(rows[0]?.count ?? 0);
  }

  /** Ends the epochs of workers without a heartbeat for a lease. Only for workers that would have received them: see `heartbeat`. */
  async endSilent(): Promise<void> {
    await this.#pool.query(
      "UPDATE agent_stack.workers SET ended_at = now() WHERE ended_at IS NULL AND heartbeat_at < now() - $1 * interval '1 millisecond'",
      [lease],
    );
  }

  /**
   * Passes all workers whose epoch is over to `adopt`, in one process at a time, so that a flow is not taken twice. An adopter that stops in
   * between is cut off after 2 s, and another one continues.
   */
  async adoptDead(adopt: (worker_ids: readonly string[]) => Promise<void>): Promise<void> {
    // Flows of a dead worker are found within a second; after an hour, none remain.
    const { rows } = await this.#pool.query<{ worker_id: string }>(
      "SELECT worker_id FROM agent_stack.workers WHERE ended_at > now() - interval '1 hour'",
    );
    if (rows.length === 0) return;
    await withConnection(this.#pool, async (client) => {
      await client.query('BEGIN');
      const { rows: locks } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [lockOfAdoption]);
      if (locks[0]?.mine) await adopt(rows.map(({ worker_id }) => worker_id));
      await client.query('COMMIT');
    });
  }

  /** Those of the runs that must be cancelled. */
  async cancelled(run_ids: readonly string[]): Promise<readonly string[]> {
    const { rows } = await this.#pool.query<{ run_id: string }>(
      'SELECT run_id FROM agent_stack.runs WHERE run_id = ANY($1) AND cancel_requested_at IS NOT NULL',
      [run_ids],
    );
    return rows.map(({ run_id }) => run_id);
  }

  /** The flows that wait for a worker with their keys, by snapshot. */
  async waiting(): Promise<readonly { readonly snapshot_hash: string; readonly flow_ids: readonly string[] }[]> {
    const { rows } = await this.#pool.query<{ snapshot_hash: string; flow_ids: string[] }>(
      `SELECT r.snapshot_hash, array_agg(w.workflow_uuid) AS flow_ids
       FROM dbos.workflow_status w JOIN agent_stack.runs r ON r.run_id = split_part(w.workflow_uuid, '/', 1)
       WHERE w.status = 'ENQUEUED' AND w.queue_name = $1 GROUP BY r.snapshot_hash`,
      [waitingQueue],
    );
    return rows;
  }

  /** Marks the runs of these flows as waiting for nothing. */
  async endWaiting(flow_ids: readonly string[]): Promise<void> {
    await this.#pool.query("UPDATE agent_stack.runs SET waits_for = NULL WHERE run_id IN (SELECT split_part(unnest($1::text[]), '/', 1))", [
      flow_ids,
    ]);
  }

  /** Claimed flows of a worker that have not ended. */
  async claimed(worker_id: string): Promise<readonly string[]> {
    const { rows } = await this.#pool.query<{ workflow_uuid: string }>(
      `SELECT workflow_uuid FROM dbos.workflow_status WHERE status = 'PENDING' AND executor_id = $1`,
      [worker_id],
    );
    return rows.map(({ workflow_uuid }) => workflow_uuid);
  }
}

/** @param row of the worker, while its epoch lasts */
function epochOf(row: { readonly late: boolean } | undefined): Epoch {
  if (row === undefined) return 'over';
  return row.late ? 'late' : 'current';
}
