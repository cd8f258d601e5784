// One client of the call benchmark, a process of its own: `callClient.mjs <client> <task> <port>` prints what it measured as JSON.
// Client: ours, whole-stack, openai, ai or agents. Task: calls-1, calls-64, stream or memory.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [client, task, port] = process.argv.slice(2);
const here = import.meta.dirname;
const origin = `http://127.0.0.1:${port}`;
const baseURL = task === 'memory' ? `${origin}/slow/v1` : `${origin}/v1`;
const peer = (name) => import(pathToFileURL(createRequire(join(here, 'peers/package.json')).resolve(name)).href);
const dist = (name) => import(pathToFileURL(join(here, '../../dist/esm', name)).href);

const labels = {
  system: ['Python_Programmer', 'AWS_Architect', 'Friend'],
  audience: ['Developer', 'Manager', 'Friend', 'Self'],
  tone: ['direct', 'friendly', 'formal'],
  response_depth: ['short', 'detailed', 'exhaustive'],
  confidence: ['low', 'medium', 'high'],
};
const schema = {
  type: 'object',
  required: Object.keys(labels),
  properties: Object.fromEntries(Object.entries(labels).map(([name, values]) => [name, { type: 'string', enum: values }])),
  additionalProperties: false,
};
const expected = { system: 'Python_Programmer', audience: 'Developer', tone: 'direct', response_depth: 'detailed', confidence: 'high' };
const payload = {
  task: 'Write a parser for our log files in Python',
  purpose: 'Find slow requests',
  context: 'The team knows "regex" well.\n'.repeat(8),
};
const system = `You shape prompts: you read what is asked and choose labels. ${'Take the reader and the task seriously. '.repeat(10)}`;
const user = `${Object.entries(payload)
  .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
  .join('\n')}\n\n${Object.entries(labels)
  .map(([name, values]) => `Choose ${name} from [${values.join(', ')}].`)
  .join('\n')}\n\nReply with a single JSON object only, no extra text, matching the schema.`;
const messages = [
  { role: 'system', content: system },
  { role: 'user', content: user },
];
const response_format = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } };

/** Each gives `call`, which resolves to the answer as an object, and may give `stream`, an iterable of texts. */
const clients = {
  async ours() {
    const [{ createLlmClient }, { createNodePorts }] = await Promise.all([dist('core.js'), dist('node.js')]);
    const ports = createNodePorts(here, { environment: { get: () => 'sk-bench' } });
    const llm = createLlmClient({ provider: 'openai', base_url: baseURL }, ports);
    const request = { model: 'bench', messages, temperature: 0, max_tokens: 256 };
    return {
      call: async () => JSON.parse((await llm.call({ ...request, response_format })).text),
      stream: async function* () {
        for await (const part of llm.stream(request)) if (part.type === 'text') yield part.text;
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
    const agent = new Agent({
      name: 'bench',
      instructions: system,
      model: 'bench',
      modelSettings: { temperature: 0, maxTokens: 256 },
      outputType: { type: 'json_schema', name: 'answer', strict: true, schema },
    });
    return { call: async () => (await runner.run(agent, user)).finalOutput };
  },
};

const { call, stream } = await clients[client]();
const tasks = { 'calls-1': () => measureCalls(1), 'calls-64': () => measureCalls(64), stream: measureStream, memory: measureMemory };
process.stdout.write(JSON.stringify(await tasks[task]()));
process.exit(0);

/** CPU time of this process, user and system, per call in microseconds. */
async function measureCalls(concurrency) {
  verify(await call());
  await repeat(1500, concurrency);
  const count = 1000;
  const start = process.cpuUsage();
  await repeat(count, concurrency);
  const { user, system } = process.cpuUsage(start);
  return { cpu: (user + system) / count };
}

async function repeat(count, concurrency) {
  let next = 0;
  const worker = async () => {
    while (next++ < count) await call();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Chunks per second over whole streams, and ms from the request to the first chunk. */
async function measureStream() {
  const rates = [];
  const firsts = [];
  for (let round = 0; round < 40; round++) {
    const start = performance.now();
    let first = 0;
    let count = 0;
    let length = 0;
    for await (const text of stream()) {
      if (count++ === 0) first = performance.now() - start;
      length += text.length;
    }
    if (count !== 1000 || length !== 7890) throw new Error(`${client} streamed ${count} chunks of ${length} characters`);
    if (round < 10) continue;
    rates.push(count / ((performance.now() - start) / 1000));
    firsts.push(first);
  }
  const median = (values) => values.sort((left, right) => left - right)[values.length >> 1];
  return { rate: median(rates), first: median(firsts) };
}

/** Most memory this process ever held, in MiB, with 1,000 calls at a time. */
async function measureMemory() {
  for (const answer of await Promise.all(Array.from({ length: 1000 }, call))) verify(answer);
  return { rss: process.resourceUsage().maxRSS / 1024 };
}

function verify(answer) {
  if (JSON.stringify(answer) !== JSON.stringify(expected)) throw new Error(`${client} answered ${JSON.stringify(answer)}`);
}
