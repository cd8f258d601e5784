// A thousand orchestrations at a time in one process, against plain loops over the SDK that make the same calls.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median, ratioRow, valueRow } from './report.mjs';

const rounds = 5;
const clients = ['ours', 'kept', 'openai'];

export async function run() {
  const server = fork(join(import.meta.dirname, 'orchestrationServer.mjs'));
  try {
    const [{ port }] = await once(server, 'message');
    const measured = Object.fromEntries(clients.map((client) => [client, []]));
    for (let round = 0; round < rounds; round++) {
      for (const client of clients) measured[client].push(await measure(client, port));
    }
    const of = (client, value) => median(measured[client].map((one) => one[value]));
    const peer = 'openai SDK, loops by hand';
    return {
      title: 'Orchestrations',
      rows: [
        ratioRow(`1,000 orchestrations of 5 teams, ms / ${peer}`, of('ours', 'wall'), of('openai', 'wall'), { atMost: 1.2 }),
        ratioRow(`the same, kept step by step, ms / ${peer}`, of('kept', 'wall'), of('openai', 'wall'), {}),
        ratioRow(`CPU per task, µs / ${peer}`, of('ours', 'cpu'), of('openai', 'cpu'), {}),
        ratioRow(`CPU per task, kept step by step, µs / ${peer}`, of('kept', 'cpu'), of('openai', 'cpu'), {}),
        valueRow('memory with 1,000 orchestrations at a time', of('ours', 'rss'), 'MiB', {}),
      ],
      notes: [notes],
    };
  } finally {
    server.disconnect();
  }
}

async function measure(client, port) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'orchestrationClient.mjs'),
    client,
    String(port),
  ]);
  return JSON.parse(stdout);
}

const notes =
  'Wall time from the first of 1,000 orchestrations begun at once to the end of the last; each is five teams with one task, one after the other, routed by what the task gave, the text of one part of the prompt of the next (every run and every prompt verified; the server, in another process, waits 50 ms before each answer). The loops by hand send the same prompts, read the same field and go on. Kept: with a folder for each run and every step durable before the next begins. Medians of 5 interleaved processes each.';
