// A thousand runs at a time in one process, against the same loop over the plain SDK.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { measureLoops } from './loopRounds.mjs';
import { median, ratioRow, valueRow } from './report.mjs';

export async function run() {
  const server = fork(join(import.meta.dirname, 'loopServer.mjs'));
  try {
    const [{ port }] = await once(server, 'message');
    const { ours, openai } = await measureLoops(['ours', 'openai'], 'concurrent', port);
    const of = (results, value) => median(results.map((result) => result[value]));
    const rows = [
      ratioRow(`CPU of ${runs}, ms / ${peer}`, of(ours, 'cpu'), of(openai, 'cpu'), { atMost: 1.1 }),
      ratioRow(`${runs}, ms / ${peer}`, of(ours, 'wall'), of(openai, 'wall'), {}),
      valueRow('memory with 1,000 runs at a time', of(ours, 'rss'), 'MiB', { atMost: 250 }),
    ];
    return { title: 'Concurrency', rows, notes: [notes] };
  } finally {
    server.disconnect();
  }
}

const runs = '1,000 runs of 4 calls of 50 ms at a time';
const peer = 'openai SDK, loop by hand';
const notes =
  'CPU time, user and system, of the client process, and wall time, from the first of 1,000 runs begun at once to the end of the last (every run verified), and the most memory the process ever held; the server, in another process, waits 50 ms before each answer. Medians of 5 interleaved processes each.';
