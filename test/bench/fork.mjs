// How long a fork of a long run waits for the disk: opening it, and keeping what the record answers.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { median, valueRow } from './report.mjs';

const calls = 50;
const rounds = 7;
const target = { atMost: 200 };
const dist = (name) => import(pathToFileURL(join(import.meta.dirname, '../../dist/esm', name)).href);

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-bench-'));
  try {
    const { openProject } = await dist('node.js');
    writeProject(folder);
    const answered = [];
    const project = openProject(folder, { providers: [provider(answered)] });
    const kept = await end(project.run({ agent_name: 'Planner', payload: {}, durable: true }));
    if (kept.status !== 'completed') throw new Error(kept.error.message);
    const texts = new Map([['config/agents/Last/v1.json', JSON.stringify(agent('Last', 'Write more.'))]]);
    const [opening, keeping, whole] = [[], [], []];
    // One round warms up.
    for (let round = 0; round <= rounds; round++) {
      const begun = performance.now();
      const fork = await project.fork({ run_id: kept.run_id, texts });
      const opened = performance.now();
      answered.length = 0;
      const without = await timed(fork, 'none');
      const within = await timed(fork, 'folder');
      if (answered.length !== 2) throw new Error(`Asked ${answered.length} times instead of twice.`);
      if (round === 0) continue;
      opening.push(opened - begun);
      keeping.push(within - without);
      whole.push(opened - begun + within);
    }
    const rows = [
      valueRow(`a fork of ${calls} calls opened: its record made of its steps, its plan`, median(opening), 'ms', target),
      valueRow(`the disk while ${calls - 1} calls are answered by the record, kept against not kept`, median(keeping), 'ms', target),
      valueRow(`all of it, with the live call to a model that answers at once`, median(whole), 'ms', {}),
    ];
    return { title: 'Forks', rows, notes: [notes] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const notes = `A plan of ${calls} steps, each a model call of an agent, kept with its steps; the prompt of the last agent is changed. Medians of ${rounds} forks in one process, each run once without being kept and once kept with its steps, on the disk of the temporary folder.`;

async function timed(fork, keep) {
  const begun = performance.now();
  const { status, error } = await end(fork.run({ keep }));
  if (status !== 'completed') throw new Error(error.message);
  return performance.now() - begun;
}

async function end(events) {
  for await (const event of events) if (event.final) return event.result;
}

function agent(agent_name, purpose_text) {
  return {
    agent_name,
    version: 'v1',
    system_text: 'Write.',
    purpose_text,
    input_keys: ['number'],
    provider: 'openai',
    model_name: 'bench',
  };
}

function writeProject(folder) {
  const steps = Array.from({ length: calls }, (_, index) => ({
    name: `step_${index + 1}`,
    agent: index === calls - 1 ? 'Last@v1' : 'Step@v1',
    input: { number: index + 1 },
  }));
  const planner = { agent_name: 'Planner', version: 'v1', agent_type: 'orchestrating', execution_plan: { steps }, timeout_ms: 60_000 };
  const files = {
    Step: agent('Step', 'Write.'),
    Last: agent('Last', 'Write.'),
    Planner: { ...planner, provider: 'openai', model_name: 'bench' },
  };
  for (const [name, file] of Object.entries(files)) {
    const path = join(folder, `config/agents/${name}/v1.json`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(file));
  }
}

function provider(answered) {
  const answer = (request) => {
    answered.push(request);
    return {
      text: `This is what there is to say about it, and nothing speaks against it. `.repeat(4),
      usage: { prompt_tokens: 400, completion_tokens: 60, total_tokens: 460, cached_tokens: 0 },
      model: 'bench',
      id: 'bench',
      finish_reason: 'stop',
      left_out: [],
      simulated: false,
      attempts: 1,
      latency_ms: 1,
    };
  };
  return {
    name: 'openai',
    connect: () => ({
      call: async (request) => answer(request),
      async *stream(request) {
        const completion = answer(request);
        yield { type: 'text', text: completion.text };
        yield { type: 'completion', completion };
      },
    }),
  };
}
