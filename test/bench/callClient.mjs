// One client of the call benchmark, a process of its own: `callClient.mjs <client> <task> <port>` prints what it measured as JSON.
// Client: ours (the whole stack: compose, call, parse, validate, events), openai, ai or agents. Task: calls, stream or memory.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [client, task, port] = process.argv.slice(2);
const here = import.meta.dirname;
const origin = `http://127.0.0.1:${port}`;
const baseURL = task === 'memory' ? `${origin}/slow/v1` : `${origin}/v1`;
const peer = (name) => import(pathToFileURL(createRequire(join(here, 'peers/package.json')).resolve(name)).href);
const dist = (name) => import(pathToFileURL(join(here, '../../dist/esm', name)).href);

const expected = { system: 'Python_Programmer', audience: 'Developer', tone: 'direct', response_depth: 'detailed', confidence: 'high' };
const payload = {
  task: 'Write a parser for our log files in Python',
  purpose: 'Find slow requests',
  context: 'The team knows "regex" well.\n'.repeat(8),
};

// Every client sends the prompt and the schema of the sample agent.
const { openProject } = await dist('node.js');
const project = openProject(sampleProject(), { ports: { environment: { get: () => 'sk-bench' } } });
const agent = await project.factory.load('A2', 'v1');
const { messages, response_format } = agent.prompt.compose(payload);
const { schema } = response_format.json_schema;
const [system, user] = messages.map(({ content }) => content);

/** Each gives `call`, which resolves to the answer as an object, and may give `stream`, an iterable of texts. */
const clients = {
  async ours() {
    const { connect, runAgent } = await dist('core.js');
    const { ports } = project;
    const llm = connect(agent, ports);
    const run = (delivery) => runAgent({ agent, payload, llm, ports, delivery });
    return {
      call: async () => {
        for await (const event of run('call')) if (event.final) return event.result.output;
      },
      // The stream's words are no answer to the schema, so its run ends as failed; all chunks have come by then.
      stream: async function* () {
        for await (const event of run('stream')) if (event.type === 'chunk') yield event.text;
      },
    };
  },
  async openai() {
    const { default: OpenAI } = await peer('openai');
    const openai = new OpenAI({ apiKey: 'sk-bench', baseURL, maxRetries: 0 });
    const request = { model: 'bench', messages, temperature: 0, max_completion_tokens: 256 };
    return {
      call: async () => JSON.parse((await openai.chat.completions.create({ ...request, response_format })).choices[0].message.content),
      stream: async function* () {
        const chunks = await openai.chat.completions.create({ ...request, stream: true, stream_options: { include_usage: true } });
        for await (const { choices } of chunks) if (choices[0]?.delta.content) yield choices[0].delta.content;
      },
    };
  },
  async ai() {
    const [{ generateText, jsonSchema, Output }, { createOpenAICompatible }] = await Promise.all([
      peer('ai'),
      peer('@ai-sdk/openai-compatible'),
    ]);
    const model = createOpenAICompatible({ name: 'bench', apiKey: 'sk-bench', baseURL, supportsStructuredOutputs: true })('bench');
    const output = Output.object({ schema: jsonSchema(schema), name: 'answer' });
    return {
      call: async () =>
        (await generateText({ model, system, prompt: user, output, temperature: 0, maxOutputTokens: 256, maxRetries: 0 })).output,
    };
  },
  async agents() {
    const [{ Agent, OpenAIProvider, Runner }, { default: OpenAI }] = await Promise.all([peer('@openai/agents'), peer('openai')]);
    const openAIClient = new OpenAI({ apiKey: 'sk-bench', baseURL, maxRetries: 0 });
    const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient, useResponses: false }), tracingDisabled: true });
    const peerAgent = new Agent({
      name: 'bench',
      instructions: system,
      model: 'bench',
      modelSettings: { temperature: 0, maxTokens: 256 },
      outputType: { type: 'json_schema', name: 'answer', strict: response_format.json_schema.strict, schema },
    });
    return { call: async () => (await runner.run(peerAgent, user)).finalOutput };
  },
};

const { call, stream } = await clients[client]();
const tasks = { calls: measureCalls, stream: measureStream, memory: measureMemory };
process.stdout.write(JSON.stringify(await tasks[task]()));
process.exit(0);

/** CPU time of this process, user and system, per call in microseconds, once it is warm; with 1 and with 64 calls at a time. */
async function measureCalls() {
  verify(await call());
  await repeat(3000, 16);
  return { 1: await cpuPerCall(1), 64: await cpuPerCall(64) };
}

async function cpuPerCall(concurrency) {
  await repeat(300, concurrency);
  const count = 1000;
  const start = process.cpuUsage();
  await repeat(count, concurrency);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}

async function repeat(count, concurrency) {
  let next = 0;
  const worker = async () => {
    while (next++ < count) await call();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** CPU time of this process, user and system, per chunk in microseconds, and ms from the request to the first chunk, once it is warm. */
async function measureStream() {
  await readStreams(40);
  const start = process.cpuUsage();
  const firsts = await readStreams(60);
  const { user, system } = process.cpuUsage(start);
  return { cpu: (user + system) / (60 * 1000), first: firsts.sort((left, right) => left - right)[30] };
}

async function readStreams(rounds) {
  const firsts = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    let count = 0;
    let length = 0;
    for await (const text of stream()) {
      if (count++ === 0) firsts.push(performance.now() - start);
      length += text.length;
    }
    if (count !== 1000 || length !== 7890) throw new Error(`${client} streamed ${count} chunks of ${length} characters`);
  }
  return firsts;
}

/** Most memory this process ever held, in MiB, with 1,000 calls at a time. */
async function measureMemory() {
  for (const answer of await Promise.all(Array.from({ length: 1000 }, call))) verify(answer);
  return { rss: process.resourceUsage().maxRSS / 1024 };
}

/** A project with the sample agent, pointed at the server of the benchmark. */
function sampleProject() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const sample = JSON.parse(readFileSync(join(here, '../../config/agents/A2/v1.json'), 'utf8'));
  const files = {
    'config/agents/A2/v1.json': { ...sample, llm_config_id: 'bench', model_name: 'bench' },
    'config/llms/bench.json': { llm_id: 'bench', provider: 'openai', base_url: baseURL, api_key_env: 'BENCH_KEY' },
  };
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(value));
  }
  return folder;
}

function verify(answer) {
  if (JSON.stringify(answer) !== JSON.stringify(expected)) throw new Error(`${client} answered ${JSON.stringify(answer)}`);
}
