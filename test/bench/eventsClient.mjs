// The process of the events benchmark: prints `{rate}`, events per second once it is warm, as JSON.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { description, lookup, parameters } from './loopTool.mjs';

const dist = (name) => import(pathToFileURL(join(import.meta.dirname, '../../dist/esm', name)).href);
const [{ openProject }, { runAgent }] = await Promise.all([dist('node.js'), dist('core.js')]);
const steps = 10;
const thoughts = 20;
const texts = 200;

const { ports, factory } = openProject(sampleProject());
const agent = await factory.load('Looker', 'v1');
const tool = {
  name: 'lookup',
  description,
  parameters,
  idempotent: true,
  side_effects: false,
  origin: { type: 'skill' },
  needs_approval: false,
  call: async (input) => ({ content: lookup(input) }),
};
const openTools = async () => ({ tools: [tool], close: async () => undefined });

const thinking = { type: 'thinking', text: 'thought ' };
const piece = { type: 'text', text: 'word ' };
const usage = { prompt_tokens: 400, completion_tokens: 40, total_tokens: 440, cached_tokens: 0 };

/** A model without a wire: what is measured is the run. */
function scriptedModel() {
  let call = 0;
  return {
    async *stream() {
      const step = call++;
      for (let index = 0; index < thoughts; index++) yield thinking;
      for (let index = 0; index < texts; index++) yield piece;
      const text = 'word '.repeat(texts);
      const isLast = step === steps - 1;
      const blocks = [
        { type: 'thinking', text: 'thought '.repeat(thoughts) },
        { type: 'text', text },
        ...(isLast
          ? []
          : ['a', 'b'].map((half) => ({ type: 'tool_use', id: `call_${step}${half}`, name: 'lookup', input: { key: `k${step}${half}` } }))),
      ];
      yield {
        type: 'completion',
        completion: {
          text,
          blocks,
          finish_reason: isLast ? 'stop' : 'tool_use',
          usage,
          model: 'bench',
          id: `answer-${step}`,
          left_out: [],
          simulated: false,
          attempts: 1,
          latency_ms: 1,
        },
      };
    },
  };
}

async function oneRun() {
  let count = 0;
  let result;
  for await (const event of runAgent({ agent, payload: { message: 'Find all.' }, llm: scriptedModel(), ports, openTools })) {
    if (event.seq !== count++) throw new Error(`event ${count - 1} has the number ${event.seq}`);
    if (event.final) result = event.result;
  }
  const acted = result.reasoning.steps.filter(({ action }) => action).length;
  if (!result.success || acted !== (steps - 1) * 2 || count < steps * (thoughts + texts)) {
    throw new Error(`the run ended ${result.status} with ${acted} actions and ${count} events: ${result.error?.message}`);
  }
  return count;
}

for (let warm = 0; warm < 60; warm++) await oneRun();
const start = performance.now();
let count = 0;
for (let round = 0; round < 100; round++) count += await oneRun();
process.stdout.write(JSON.stringify({ rate: count / ((performance.now() - start) / 1000) }));

function sampleProject() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const files = {
    'agentstack.json': { skills: { lookup: { description, parameters, idempotent: true, side_effects: false } } },
    'config/agents/Looker/v1.json': {
      agent_name: 'Looker',
      version: 'v1',
      agent_type: 'react',
      system_text: 'You look up keys, one after the other.',
      enabled_tools: ['lookup'],
      provider: 'offline',
      model_name: 'bench',
      max_iterations: 20,
      timeout_ms: 600_000,
    },
  };
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(value));
  }
  return folder;
}
