// Evals: an eval with everything carried over against `check` on the same project, grading from kept results, and what scheduling adds.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { median, ratioRow, valueRow } from './report.mjs';
import { buildSources, loadSources } from './sources.mjs';

const root = join(import.meta.dirname, '../..');
const cli = join(root, 'dist/cli.cjs');
const rounds = 5;
/** Of the project that is carried over, and of the one that is graded. */
const [agents, casesEach] = [40, 25];
const graded = 10_000;
const concurrency = 64;

export async function run() {
  return {
    title: 'Evals',
    rows: [carried(), grading(), await scheduling()],
    notes: [
      `Carried over: ${agents} agents with ${casesEach} cases each in a data set, every verdict in the baselines, no canaries; from the start of the command to its end, medians of ${rounds} interleaved rounds. Graded: ${graded} cases of one agent, their answers kept before; the whole command with its report as JSON. Scheduling: 20 runs in a row at each of ${concurrency} places, each of which waits for 100 ms, as a short call of a model does, against the same waits without the runner.`,
    ],
  };
}

function carried() {
  const folder = makeProject(agents, casesEach);
  start(folder, ['eval', '--save-baseline'], [0, 1]);
  const against = ['eval', '--against', 'config/baselines', '--canaries', '0'];
  const { counts } = JSON.parse(start(folder, [...against, '--json'], [0, 1]).stdout).baseline;
  if (counts.carried !== agents * casesEach) throw new Error(`Not all is carried over: ${JSON.stringify(counts)}`);
  const times = { eval: [], check: [] };
  for (let round = 0; round < rounds; round++) {
    times.check.push(start(folder, ['check'], [0]).time);
    times.eval.push(start(folder, against, [0, 1]).time);
  }
  rmSync(folder, { recursive: true });
  return ratioRow('`eval --against` with all carried over / `check`, ms', median(times.eval), median(times.check), { atMost: 2 });
}

function grading() {
  const folder = makeProject(1, graded);
  start(folder, ['eval', '--concurrency', '64'], [0, 1]);
  const times = Array.from({ length: 3 }, () => {
    const { time, stdout } = start(folder, ['eval', 'grade', 'last', '--json'], [0, 1]);
    const { cases } = JSON.parse(stdout);
    if (cases.total !== graded || cases.unknown !== 0) throw new Error(`Not all is graded: ${JSON.stringify(cases)}`);
    return time;
  });
  rmSync(folder, { recursive: true });
  return valueRow(`${graded.toLocaleString('en')} cases graded from kept results`, median(times) / 1000, 's', { atMost: 3 });
}

async function scheduling() {
  const { runEval } = await loadSources(buildSources({ 'core/eval/runner/runEval.ts': ['runEval'] }));
  const wait = () => new Promise((resolve) => setTimeout(resolve, 100));
  const repeats = 20 * concurrency;
  const one = {
    kind: 'agent',
    subject: 'A',
    version: 'v1',
    name: 'case',
    file: '',
    pointer: '',
    input: {},
    expect: [],
    expected: undefined,
    repeats,
    pass_rate: 1,
    tags: [],
  };
  const metadata = { estimated_cost_usd: 0 };
  const result = { status: 'completed', error: null, metadata, output: {}, text: '', tool_calls: [], reasoning: { steps: [] } };
  const times = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    times.bare.push(
      await timed(() =>
        Promise.all(
          Array.from({ length: concurrency }, async () => {
            for (let at = 0; at < 20; at++) await wait();
          }),
        ),
      ),
    );
    times.ours.push(
      await timed(() =>
        runEval({
          plan: { cases: [one], llms: [null] },
          kept: new Map(),
          spent: 0,
          writer: { add: async () => undefined },
          ask: async () => {
            await wait();
            return result;
          },
          judgeOf: () => undefined,
          patterns: undefined,
          concurrency,
          signal: new AbortController().signal,
        }),
      ),
    );
  }
  return ratioRow(
    `${repeats.toLocaleString('en')} runs at a concurrency of ${concurrency} / the calls alone, ms`,
    median(times.ours),
    median(times.bare),
    { atMost: 1.05 },
  );
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function start(cwd, args, codes) {
  const from = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd, encoding: 'utf8', maxBuffer: 1 << 30 });
  const time = performance.now() - from;
  if (!codes.includes(status)) throw new Error(`agent-stack ${args.join(' ')} ended with ${status}: ${stderr.slice(0, 500)}`);
  return { time, stdout };
}

/** Agents of one call, each with a data set. The offline provider answers. */
function makeProject(count, each) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-bench-'));
  const write = (path, value) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${JSON.stringify(value, null, 2)}\n`);
  };
  write('agentstack.json', { config_dir: 'config' });
  write('config/llms/offline.json', { llm_id: 'offline', provider: 'offline', model_name: 'offline' });
  for (let index = 0; index < count; index++) {
    const agent_name = `Agent${index}`;
    write(`config/agents/${agent_name}/v1.json`, {
      agent_name,
      version: 'v1',
      mode: 'Chooser',
      llm_config_id: 'offline',
      system_text: `You sort what the reader of page ${index} asks for.`,
      purpose_text: 'Choose the tone that fits, and say why.',
      input_keys: ['text'],
      output_schema: {
        type: 'object',
        additionalProperties: false,
        required: ['tone', 'note'],
        properties: { tone: { type: 'string', enum: ['formal', 'friendly', 'neutral'] }, note: { type: 'string' } },
      },
      enums: { tone: ['formal', 'friendly', 'neutral'] },
    });
    const cases = Array.from({ length: each }, (_, at) => ({
      name: `case${at}`,
      input: { text: `Question ${at} of page ${index}: where do I find the report of last month?` },
      expect: [{ output_field: 'tone', operator: 'in', value: ['formal', 'friendly'] }, { status: 'success' }],
    }));
    write(`config/payloads/${agent_name}/set.json`, { cases });
  }
  return folder;
}
