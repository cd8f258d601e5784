import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Pool } from 'pg';
import type { TestProject } from 'vitest/node';
import { openEngineClient } from '../../core/dbos/engineClient.js';
import { createNodeClock } from '../../core/node/nodePorts.js';
import { startPostgres } from '../../scripts/postgres.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server in which each test makes a database of its own. `missing` says why there is none. */
    postgres: { readonly url: string; readonly missing?: string };
    /** The program of `startWorkerProcess`. */
    workerFile: string;
  }
}

const root = join(import.meta.dirname, '../..');

/** What the tests of this folder share: one PostgreSQL server, and the worker as a program that Node runs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startSharedPostgres();
  project.provide('postgres', typeof server === 'string' ? { url: '', missing: server } : { url: server.url });
  // In the repository, where Node finds the packages that are left out.
  const folder = mkdtempSync(join(root, 'node_modules', '.agent-stack-worker-'));
  const outfile = join(folder, 'worker.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'plainWorker.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
    logLevel: 'silent',
  });
  project.provide('workerFile', outfile);
  return async () => {
    rmSync(folder, { recursive: true, force: true });
    if (typeof server !== 'string') await server.stop();
  };
}

/** The server, or why it cannot be had here. */
async function startSharedPostgres() {
  try {
    // The data need not survive a power cut.
    const server = await startPostgres({ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' });
    // `newDatabase` copies it.
    const pool = new Pool({ connectionString: server.url, max: 1 });
    await pool.query('CREATE DATABASE with_tables');
    await pool.end();
    const ports = { clock: createNodeClock(), logger: { log: () => undefined } };
    const client = await openEngineClient({ database_url: server.url.replace(/\/postgres$/, '/with_tables'), ports });
    await client.close();
    return server;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? 'unknown') : String(error);
  }
}
