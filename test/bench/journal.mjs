// The journal of durable runs against what it cannot do without: appending to a file and syncing it.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median, ratioRow, valueRow } from './report.mjs';
import { measureResume } from './resume.mjs';
import { buildSources } from './sources.mjs';

const rounds = 5;

export async function run() {
  const sources = buildSources({
    'core/node/openProject.ts': ['openProject', 'createRunKeeping'],
    'core/node/nodePorts.ts': ['createNodePorts'],
    'core/run/journal/journalSteps.ts': ['createJournalSteps'],
    'core/run/journal/readJournal.ts': ['readJournals'],
  });
  const measured = { alone: [], together: [] };
  for (let round = 0; round < rounds; round++) {
    for (const task of Object.keys(measured)) measured[task].push(await measure(task, sources));
  }
  const of = (task, value) => median(measured[task].map((one) => one[value]));
  const { started, resumed, longer } = await measureResume(rounds);
  return {
    title: 'Journal',
    rows: [
      ratioRow('a durable step, one run, µs / append + fdatasync', of('alone', 'step'), of('alone', 'plain'), { atMost: 1.3 }),
      valueRow('durable steps of 64 runs at a time', of('together', 'rate'), 'per second', { atLeast: 50_000 }),
      ratioRow(
        'durable steps of 64 runs per second / append + fdatasync one by one',
        of('together', 'rate'),
        1e6 / of('alone', 'plain'),
        {},
      ),
      valueRow('memory of that worker', of('together', 'rss'), 'MiB', { atMost: 80 }),
      valueRow('a run resumed, beyond the start of a run, spawn to the first request', longer, 'ms', { atMost: 50 }),
      ratioRow('spawn to the first request, ms: a run resumed / begun', resumed, started, {}),
    ],
    notes: [notes],
  };
}

async function measure(task, sources) {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'journalClient.mjs'), task, sources]);
  return JSON.parse(stdout);
}

const notes =
  'A step keeps a model answer of about 300 bytes. Alone: steps of ours and plain appends of the very same lines in turns, 50 each, medians. Together: 64 runs in one process that has the library loaded, each awaiting one step after the other; afterwards every step is read back from the journal. Resumed: an orchestration of 20 tasks of which 19 are finished, its process killed, `agent-stack runs resume` from spawn to the request of the last task at the server; begun: `agent-stack orchestrate` of the same from spawn to its first request. Medians of 5 processes each, on the disk of the temporary folder.';
