// One process of the journal benchmark: `journalClient.mjs <task> <sources>` prints what it measured as JSON.
// Task: alone (one run, beside plain appends) or together (64 runs at a time).
import { closeSync, fdatasync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median } from './report.mjs';
import { loadSources } from './sources.mjs';

const [task, sources] = process.argv.slice(2);
const { createJournalSteps, createNodePorts, createRunKeeping, openProject, readJournals } = await loadSources(sources);
const folder = mkdtempSync(join(tmpdir(), 'agent-stack-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
openProject(folder);
const { journal, storage } = createRunKeeping(folder, createNodePorts(folder));
const journalFolder = join(folder, '.agentstack/journal');

/** What a step of a run keeps most: a model's answer. */
const answerOf = (number) => ({
  text: `The entry of key ${number} is as the store has it, and nothing speaks against it. `.repeat(2),
  finish_reason: 'stop',
  usage: { prompt_tokens: 400 + number, completion_tokens: 40, total_tokens: 440 + number, cached_tokens: 0 },
  model: 'bench',
});

const tasks = { alone, together };
process.stdout.write(JSON.stringify(await tasks[task]()));
process.exit(0);

async function begin(run_id) {
  const id = await journal.begin();
  return { id, steps: createJournalSteps({ journal: journal.write(run_id, id, async () => undefined) }) };
}

/** Microseconds of a step, and of appending its line and syncing. In turns, since disks have moods. */
async function alone() {
  const { id, steps } = await begin('alone');
  const plain = openSync(join(folder, 'plain.jsonl'), 'a');
  const sync = promisify(fdatasync);
  const times = { step: [], plain: [] };
  let number = 0;
  const batch = 50;
  for (let round = 0; round < 12; round++) {
    for (let index = 0; index < batch; index++) {
      const answer = answerOf(number);
      const start = performance.now();
      await steps.step(`llm/${number++}`, async () => answer);
      times.step.push(performance.now() - start);
    }
    const lines = readFileSync(join(journalFolder, `${id}.jsonl`), 'utf8')
      .split('\n')
      .slice(-batch - 1, -1);
    for (const line of lines) {
      const start = performance.now();
      writeSync(plain, `${line}\n`);
      await sync(plain);
      times.plain.push(performance.now() - start);
    }
  }
  closeSync(plain);
  await verify([id], 'alone', number);
  const warm = (values) => median(values.slice(2 * batch)) * 1000;
  return { step: warm(times.step), plain: warm(times.plain) };
}

/** Durable steps per second, and the most memory this process ever held, in MiB. */
async function together() {
  const runs = 64;
  const stepsOf = (count, name) =>
    Promise.all(
      Array.from({ length: runs }, async (_, run) => {
        const { steps } = await begin(`${name}-${run}`);
        for (let number = 0; number < count; number++) await steps.step(`llm/${number}`, async () => answerOf(number));
      }),
    );
  await stepsOf(200, 'warm');
  const count = 1000;
  const start = performance.now();
  await stepsOf(count, 'run');
  const seconds = (performance.now() - start) / 1000;
  const rss = process.resourceUsage().maxRSS / 1024;
  const ids = readdirSync(journalFolder).map((name) => name.replace('.jsonl', ''));
  await Promise.all(Array.from({ length: runs }, (_, run) => verify(ids, `run-${run}`, count)));
  return { rate: (runs * count) / seconds, rss };
}

async function verify(ids, run_id, count) {
  const kept = await readJournals(storage, ids, run_id);
  for (let number = 0; number < count; number++) {
    const step = kept.get(`llm/${number}`);
    if (JSON.stringify(step?.value) !== JSON.stringify(answerOf(number))) throw new Error(`Step ${number} of ${run_id} was not kept`);
  }
}
