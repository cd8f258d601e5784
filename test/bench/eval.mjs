// Evals: an eval with everything carried over against `check` on the same project, grading from kept results, and what scheduling adds.
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runMeasured } from './measuredProcess.mjs';
import { median, ratioRow, valueRow } from './report.mjs';
import { buildSources, loadSources } from './sources.mjs';

const root = join(import.meta.dirname, '../..');
const cli = join(root, 'dist/cli.cjs');
const rounds = 5;
/** Of the project that is carried over, and of the one that is graded. */
const [agents, casesEach] = [40, 25];
const graded = 10_000;
const concurrency = 64;
const askedRounds = 3;

export async function run() {
  return {
    title: 'Evals',
    rows: [carried(), ...(await asked()), grading(), await scheduling()],
    notes: [
      `Carried over: ${agents} agents with ${casesEach} cases each in a data set, every verdict in the baselines, no canaries; from the start of the command to its end, medians of ${rounds} interleaved rounds. Asked: ${graded} cases of the sample agent A2, ${concurrency} at a time, by the whole command, against a loop by hand over the plain SDK that sends the same prompts and checks the same fields but keeps nothing; then their verdicts carried over, against the check of the same project; CPU time, user and system, of the whole process, the model in another, medians of ${askedRounds} interleaved rounds. Graded: ${graded} cases of one agent, their answers kept before; the whole command with its report as JSON. Scheduling: 20 runs in a row at each of ${concurrency} places, each of which waits for 100 ms, as a short call of a model does, against the same waits without the runner.`,
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

async function asked() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-bench-'));
  const server = fork(join(import.meta.dirname, 'callServer.mjs'));
  try {
    const [{ port }] = await once(server, 'message');
    await makeAskedProject(folder, port);
    const measured = { eval: [], loop: [], check: [], against: [] };
    for (let round = 0; round < askedRounds; round++) {
      for (const [name, args] of [
        ['loop', [join(import.meta.dirname, 'evalLoop.mjs'), folder, String(port)]],
        ['eval', [cli, 'eval', '--concurrency', String(concurrency), '--json']],
      ]) {
        const { stdout, cpu, rss } = await runMeasured(args, { cwd: folder, env: { BENCH_KEY: 'sk-bench' } });
        const { total, passed } = name === 'eval' ? JSON.parse(stdout).cases : JSON.parse(stdout);
        if (total !== graded || passed !== graded) throw new Error(`Of ${total} cases ${passed} passed in ${name}.`);
        measured[name].push({ cpu, rss });
      }
    }
    const env = { BENCH_KEY: 'sk-bench' };
    await runMeasured([cli, 'eval', '--concurrency', String(concurrency), '--save-baseline'], { cwd: folder, env });
    for (let round = 0; round < rounds; round++) {
      for (const [name, args] of [
        ['check', ['check']],
        ['against', ['eval', '--against', 'config/baselines', '--canaries', '0']],
      ])
        measured[name].push(await runMeasured([cli, ...args], { cwd: folder }));
    }
    const of = (name, value) => median(measured[name].map((result) => result[value]));
    const count = graded.toLocaleString('en');
    return [
      ratioRow(`CPU of ${count} cases asked / a loop over the openai SDK, ms`, of('eval', 'cpu'), of('loop', 'cpu'), { atMost: 1.6 }),
      ratioRow(`CPU of ${count} cases carried over / \`check\`, ms`, of('against', 'cpu'), of('check', 'cpu'), { atMost: 2 }),
      valueRow(`memory with ${count} cases asked`, of('eval', 'rss'), 'MiB', { atMost: 250 }),
    ];
  } finally {
    server.disconnect();
    rmSync(folder, { recursive: true });
  }
}

/** The sample agent A2 with a data set, pointed at the server; and `request.json`, which is what the loop by hand sends of it. */
async function makeAskedProject(folder, port) {
  const write = (path, value) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${JSON.stringify(value, null, 2)}\n`);
  };
  const sample = JSON.parse(readFileSync(join(root, 'config/agents/A2/v1.json'), 'utf8'));
  const input = (at) => ({
    task: `Write a parser for log files of kind ${at} in Python`,
    purpose: 'Find slow requests',
    context: 'The team knows "regex" well.',
  });
  write('agentstack.json', { config_dir: 'config' });
  write('config/agents/A2/v1.json', { ...sample, llm_config_id: 'bench', model_name: 'bench' });
  write('config/llms/bench.json', {
    llm_id: 'bench',
    provider: 'openai',
    base_url: `http://127.0.0.1:${port}/v1`,
    api_key_env: 'BENCH_KEY',
  });
  const expect = [{ output_field: 'system', operator: 'equals', value: 'Python_Programmer' }, { status: 'success' }];
  write('config/payloads/A2/set.json', {
    cases: Array.from({ length: graded }, (_, at) => ({ name: `case${at}`, input: input(at), expect })),
  });
  const { openProject } = await import(pathToFileURL(join(root, 'dist/esm/node.js')).href);
  const { prompt } = await openProject(folder, { ports: { environment: { get: () => 'sk-bench' } } }).factory.load('A2', 'v1');
  const { messages, response_format } = prompt.compose(input(0));
  write('request.json', { model: 'bench', system: messages[0].content, response_format, temperature: 0, max_completion_tokens: 256 });
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
          process: 1,
          spent: 0,
          spent_incomplete: false,
          writer: { add: async () => undefined, end: async () => undefined },
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
