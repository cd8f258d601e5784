import type { Ports } from '../ports.js';
import { withConnection } from './databasePool.js';
import { ensureSystemDatabase, type Pool } from './dbosSdk.js';
import { libraryLogger } from './libraryLogger.js';
import { lockOfLibraryTables } from './tables.js';

/** How often it is checked whether another process is done, in ms. */
const interval = 50;

/**
 * Makes the tables of the library, or brings them up to date, one process at a time: done by several at once it fails in most of them, and workers
 * are often started together. When there is nothing to do it takes a few short statements.
 *
 * The lock is asked for again and again instead of waited for: the library builds indexes while others write, and that waits for every statement
 * under way, so it would wait for those that wait for it. It belongs to the connection, and is free again when the process ends.
 */
export async function prepareLibraryTables(pool: Pool, url: string, { clock, logger }: Pick<Ports, 'clock' | 'logger'>): Promise<void> {
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
