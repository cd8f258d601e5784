// Structured calls and streams through our whole stack against the SDKs people use, each in a process of its own, one server for all.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median, ratioRow, valueRow } from './report.mjs';

const here = import.meta.dirname;
/** With all clients and tasks this takes six minutes on a quiet machine. */
const rounds = 5;
const targets = { openai: { atMost: 1.15 }, ai: {}, agents: {} };
const names = { openai: 'openai SDK', ai: 'Vercel AI SDK', agents: '@openai/agents' };

export async function run() {
  const server = fork(join(here, 'callServer.mjs'));
  try {
    const [{ port }] = await once(server, 'message');
    const rows = [...(await callRows(port)), ...(await streamRows(port)), await memoryRow(port)];
    return { title: 'Calls', rows, notes: [notes] };
  } finally {
    server.disconnect();
  }
}

const notes = `CPU time, user and system, of the client process per structured call (the answer verified first; ours with composing, parsing, validating and events), the server in another process; a stream is 1,000 chunks, four to a write. Medians of ${rounds} interleaved processes each.`;

async function callRows(port) {
  const measured = await measure(['ours', ...Object.keys(targets)], 'calls', port);
  const cpu = (client, concurrency) => median(measured[client].map((result) => result[concurrency]));
  return [1, 64].flatMap((concurrency) =>
    Object.entries(targets).map(([peer, target]) => {
      const name = `CPU per call, ${concurrency} at a time, µs / ${names[peer]}`;
      return ratioRow(name, cpu('ours', concurrency), cpu(peer, concurrency), target);
    }),
  );
}

async function streamRows(port) {
  const { ours, openai } = await measure(['ours', 'openai'], 'stream', port);
  const of = (results, value) => median(results.map((result) => result[value]));
  return [
    ratioRow('CPU per streamed chunk, µs / openai SDK', of(ours, 'cpu'), of(openai, 'cpu'), { atMost: 1.2 }),
    ratioRow('first chunk, ms / openai SDK', of(ours, 'first'), of(openai, 'first'), {}),
  ];
}

async function memoryRow(port) {
  const { ours } = await measure(['ours'], 'memory', port);
  return valueRow('memory with 1,000 calls at a time', median(ours.map(({ rss }) => rss)), 'MiB', {});
}

/** Interleaved: every client once, then every client again. */
async function measure(clients, task, port) {
  const measured = Object.fromEntries(clients.map((client) => [client, []]));
  for (let round = 0; round < rounds; round++) {
    for (const client of clients) {
      const { stdout } = await promisify(execFile)(process.execPath, [join(here, 'callClient.mjs'), client, task, String(port)]);
      measured[client].push(JSON.parse(stdout));
    }
  }
  return measured;
}
