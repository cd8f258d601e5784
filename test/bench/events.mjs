// Events per second through the generator of a run, with its trace, in a process of its own; the model is in the same process and costs nothing.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median, valueRow } from './report.mjs';

const rounds = 5;

export async function run() {
  const rates = [];
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'eventsClient.mjs')]);
    rates.push(JSON.parse(stdout).rate);
  }
  const rows = [valueRow('events through a run', median(rates), 'per second', { atLeast: 200_000 })];
  return { title: 'Events', rows, notes: [notes] };
}

const notes =
  'A loop of ten model calls, each with 20 thoughts, 200 pieces of text and (but the last) two tool calls, read event by event with the trace on; numbers, order and the trace verified. Medians of 5 processes.';
