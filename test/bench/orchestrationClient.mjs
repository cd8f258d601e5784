// One client of the orchestration benchmark, a process of its own: `orchestrationClient.mjs <client> <port>` prints what it measured as JSON.
// Client: ours (orchestrations of which nothing is kept), kept (with a folder and a journal) or openai (loops written by hand).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { partText, teamCount } from './orchestrationParts.mjs';

const [client, port] = process.argv.slice(2);
const here = import.meta.dirname;
const baseURL = `http://127.0.0.1:${port}/v1`;
const dist = (name) => import(pathToFileURL(join(here, '../../dist/esm', name)).href);
const peer = (name) => import(pathToFileURL(createRequire(join(here, 'peers/package.json')).resolve(name)).href);

const [{ openProject, createRunKeeping }, { connect, createDurableRun, createOrchestrationFactory, createRunTask, runOrchestration }] =
  await Promise.all([dist('node.js'), dist('core.js')]);
const folder = sampleProject();
const { ports } = openProject(folder, { ports: { environment: { get: () => 'sk-bench', names: () => [] } } });
const orchestration = await createOrchestrationFactory({ ports }).load('report');

/** Each gives `run`, which resolves to the last text and how many tasks there were. */
const clients = {
  ours: () => orchestrate(() => ({})),
  kept: () => {
    const keeping = createRunKeeping(folder, ports);
    return orchestrate(() => {
      const { steps, orchestrationStore, release } = createDurableRun(keeping);
      return { steps, store: orchestrationStore, release };
    });
  },
  async openai() {
    const { default: OpenAI } = await peer('openai');
    const openai = new OpenAI({ apiKey: 'sk-bench', baseURL, maxRetries: 0 });
    // The prompts that ours composes.
    const prompts = [...orchestration.agents.values()].map(({ prompt }, index) =>
      prompt.compose({ part: index + 1, previous: partText(index) }),
    );
    return async () => {
      let previous = partText(0);
      for (let part = 1; ; part++) {
        const { messages, response_format } = prompts[part - 1];
        if (!messages[1].content.includes(previous)) throw new Error(`Part ${part} was given ${JSON.stringify(previous)}`);
        const { choices } = await openai.chat.completions.create({ model: 'bench', messages, response_format, temperature: 0 });
        const { text, verdict } = JSON.parse(choices[0].message.content);
        if (verdict !== 'go') return { text, tasks: part };
        previous = text;
      }
    };
  },
};

/** @param keep what keeps one run */
function orchestrate(keep) {
  const llms = new Map([...orchestration.agents.values()].map((agent) => [agent, connect(agent, ports)]));
  const connectAgent = (agent) => ({ llm: llms.get(agent) });
  return async () => {
    const { steps, store, release } = keep();
    const runTask = createRunTask({ agents: orchestration.agents, connectAgent, ports, delivery: 'call', ...(steps && { steps }) });
    const input = { previous: partText(0) };
    try {
      for await (const event of runOrchestration({ orchestration, input, ports, runTask, ...(steps && { steps, store }) })) {
        if (!event.final) continue;
        const { status, error, output } = event.result;
        if (status !== 'completed') throw new Error(`ended ${status}: ${error?.message}`);
        return { text: output.teams.at(-1)?.tasks.write.output?.text, tasks: output.teams.length };
      }
    } finally {
      release?.();
    }
  };
}

const run = await clients[client]();
const count = 1000;
await verified(100);
await verified(100);
const before = process.cpuUsage();
const start = performance.now();
await verified(count);
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(before);
const cpu = (user + system) / (count * teamCount);
process.stdout.write(JSON.stringify({ wall, cpu, rss: process.resourceUsage().maxRSS / 1024 }));
process.exit(0);

async function verified(runs) {
  const results = await Promise.all(Array.from({ length: runs }, run));
  for (const { text, tasks } of results) {
    if (text !== partText(teamCount) || tasks !== teamCount) throw new Error(`${client} ended with ${JSON.stringify({ text, tasks })}`);
  }
}

/** A project with one orchestration of five teams, pointed at the server of the benchmark. */
function sampleProject() {
  const scratch = mkdtempSync(join(tmpdir(), 'agent-stack-bench-'));
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
  const teamOf = (part) => ({
    name: `Part ${part}`,
    tasks: [{ name: 'write', agent: 'Writer@v1', input: { part, previous: '{{context.previous}}' } }],
    routing: {
      rules: [
        { condition: { task: 'write', status: 'failure' }, next_team: null },
        {
          condition: { task: 'write', output_field: 'verdict', operator: 'equals', value: 'go' },
          next_team: part < teamCount ? `part${part + 1}` : null,
          context_updates: { previous: '{{tasks.write.output.text}}' },
        },
      ],
      default: null,
    },
  });
  const files = {
    'agentstack.json': {},
    'config/agents/Writer/v1.json': {
      agent_name: 'Writer',
      version: 'v1',
      mode: 'Writer',
      system_text: 'You write one part of a report, going on from the part before.',
      purpose_text: 'Say what was found, and whether another part must follow.',
      input_keys: ['part', 'previous'],
      output_schema: {
        type: 'object',
        properties: { text: { type: 'string' }, verdict: { type: 'string', enum: ['go', 'done'] } },
        required: ['text', 'verdict'],
        additionalProperties: false,
      },
      enums: { verdict: ['go', 'done'] },
      llm_config_id: 'bench',
      timeout_ms: 600_000,
    },
    'config/llms/bench.json': { llm_id: 'bench', provider: 'openai', model_name: 'bench', base_url: baseURL, api_key_env: 'BENCH_KEY' },
    'config/orchestrations/report.json': {
      name: 'report',
      entry_team: 'part1',
      teams: Object.fromEntries(Array.from({ length: teamCount }, (_, index) => [`part${index + 1}`, teamOf(index + 1)])),
    },
  };
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(scratch, path)), { recursive: true });
    writeFileSync(join(scratch, path), JSON.stringify(value));
  }
  return scratch;
}
