// What the benchmarks of the loop have in common.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const rounds = 5;

/** Interleaved: every client once, then every client again. */
export async function measureLoops(clients, task, port) {
  const measured = Object.fromEntries(clients.map((client) => [client, []]));
  for (let round = 0; round < rounds; round++) {
    for (const client of clients) {
      const { stdout } = await promisify(execFile)(process.execPath, [
        join(import.meta.dirname, 'loopClient.mjs'),
        client,
        task,
        String(port),
      ]);
      measured[client].push(JSON.parse(stdout));
    }
  }
  return measured;
}
