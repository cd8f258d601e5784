// `npm run test:live`: whole runs against real providers, those whose key is in the environment. Costs a few tenths of a cent each. Says what was not
// run. `LIVE_{PROVIDER}_MODEL` and `LIVE_{PROVIDER}_BASE_URL` (a gateway, a local server) change what is called.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = (name) => import(pathToFileURL(join(import.meta.dirname, '../../dist/esm', name)).href);
const { defineTool } = await dist('core.js');
const { openProject } = await dist('node.js');

const providers = [
  { name: 'openai', key: 'OPENAI_API_KEY', model: 'gpt-5-mini' },
  { name: 'anthropic', key: 'ANTHROPIC_API_KEY', model: 'claude-haiku-4-5' },
  { name: 'gemini', key: 'GEMINI_API_KEY', model: 'gemini-2.5-flash' },
];

const answer = {
  type: 'object',
  properties: {
    cheapest: { type: 'string', enum: ['apple', 'pear', 'plum'] },
    total_cents: { type: 'integer', description: 'the prices of all three fruits together' },
  },
  required: ['cheapest', 'total_cents'],
  additionalProperties: false,
};
const enums = { cheapest: ['apple', 'pear', 'plum'] };
const prices = { apple: 40, pear: 55, plum: 15 };
const expected = { cheapest: 'plum', total_cents: 110 };
const loop = {
  agent_type: 'react',
  system_text: 'You answer questions about a shop. Look prices up; never guess them.',
  enabled_tools: ['price_of'],
  output_schema: answer,
  enums,
  max_output_tokens: 4096,
  timeout_ms: 120_000,
};

/** Each is an agent, its payload, and what must be true of its result beside being completed. */
const cases = [
  {
    name: 'a single call with a schema, streamed',
    agent: {
      mode: 'Extractor',
      system_text: 'You read price lists.',
      purpose_text: 'Name the cheapest fruit and add the prices up.',
      output_schema: answer,
      enums,
      timeout_ms: 120_000,
    },
    payload: { prices: 'apple 40 cents, pear 55 cents, plum 15 cents' },
    isGood: ({ output }) => isExpected(output),
  },
  {
    name: 'a loop with native tool calls',
    agent: loop,
    payload: { message: 'Which of apple, pear and plum is the cheapest, and what do one of each cost together?' },
    isGood: ({ output, metadata }, asked) => isExpected(output) && asked.size === 3 && metadata.tools_used.join() === 'price_of',
  },
  {
    name: 'a loop with the text protocol',
    agent: { ...loop, tool_protocol: 'text' },
    payload: { message: 'Which of apple, pear and plum is the cheapest, and what do one of each cost together?' },
    isGood: ({ output }, asked) => isExpected(output) && asked.size === 3,
  },
];

let failed = 0;
let passed = 0;
for (const provider of providers) {
  if (!process.env[provider.key]) {
    console.log(`not run: ${provider.name} (${provider.key} is not set)`);
    continue;
  }
  for (const each of cases) {
    const problem = await tryOut(provider, each);
    if (problem === undefined) passed++;
    else failed++;
    console.log(`${problem === undefined ? 'ok' : 'FAILED'}: ${provider.name}, ${each.name}${problem === undefined ? '' : `: ${problem}`}`);
  }
}
if (passed + failed === 0) console.log('Nothing was run: set the key of at least one provider.');
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** What is wrong with the run, in words; undefined when nothing is. */
async function tryOut({ name, model }, { agent, payload, isGood }) {
  const NAME = name.toUpperCase();
  const asked = new Set();
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-live-'));
  try {
    write(folder, 'agentstack.json', { skills: { price_of: { description: 'The price of a fruit in cents.' } } });
    write(folder, 'config/agents/Live/v1.json', { agent_name: 'Live', version: 'v1', llm_config_id: 'live', ...agent });
    const base_url = process.env[`LIVE_${NAME}_BASE_URL`];
    const model_name = process.env[`LIVE_${NAME}_MODEL`] ?? model;
    write(folder, 'config/llms/live.json', { llm_id: 'live', provider: name, model_name, ...(base_url && { base_url }) });
    const priceOf = defineTool({
      name: 'price_of',
      description: 'The price of a fruit in cents.',
      parameters: {
        type: 'object',
        properties: { fruit: { type: 'string', enum: Object.keys(prices) } },
        required: ['fruit'],
        additionalProperties: false,
      },
      idempotent: true,
      side_effects: false,
      call({ fruit }) {
        asked.add(fruit);
        return { cents: prices[fruit] };
      },
    });
    const project = openProject(folder, { tools: [priceOf] });
    let result;
    let hasStreamed = false;
    for await (const event of project.run({ agent_name: 'Live', version: 'v1', payload, keep: 'none' })) {
      if (event.type === 'chunk') hasStreamed = true;
      if (event.final) result = event.result;
    }
    await project.flush();
    const { status, error, output, metadata } = result;
    const { token_usage, iterations, estimated_cost_usd } = metadata;
    const facts = `${iterations} calls, ${token_usage.total_tokens} tokens, ${estimated_cost_usd ?? 'unknown'} USD`;
    if (status !== 'completed') return `${status}: ${error?.code}: ${error?.message}`;
    if (!hasStreamed) return `no text came before the end (${facts})`;
    if (token_usage.prompt_tokens === 0 || token_usage.completion_tokens === 0) return `no usage was told (${facts})`;
    if (!isGood(result, asked))
      return `answered ${JSON.stringify(output)} after asking for ${[...asked].join(', ') || 'nothing'} (${facts})`;
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isExpected(output) {
  return output?.cheapest === expected.cheapest && output?.total_cents === expected.total_cents;
}

function write(folder, path, value) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(value));
}
