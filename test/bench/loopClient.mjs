// One client of the loop benchmarks, a process of its own: `loopClient.mjs <client> <task> <port>` prints what it measured as JSON.
// Client: ours (the whole stack: loop, trace, validation of inputs, events), openai (a loop written by hand), ai, langgraph or agents.
// Task: steps (CPU of ten-step runs) or concurrent (1,000 runs of 4 calls at a time).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { description, lookup, parameters } from './loopTool.mjs';

const [client, task, port] = process.argv.slice(2);
const here = import.meta.dirname;
const steps = task === 'steps' ? 10 : 4;
const baseURL = `http://127.0.0.1:${port}${task === 'steps' ? '' : '/slow'}/steps/${steps}/v1`;
const peer = (name) => import(pathToFileURL(createRequire(join(here, 'peers/package.json')).resolve(name)).href);
const dist = (name) => import(pathToFileURL(join(here, '../../dist/esm', name)).href);

const user = 'Find the entries of all keys.';
let system = 'You look up keys, one after the other.';
let calls = 0;
const execute = (input) => {
  calls++;
  return lookup(input);
};

/** Each gives `run`, which resolves to the text of the final answer. */
const clients = {
  async ours() {
    const [{ openProject }, { connect, runAgent }] = await Promise.all([dist('node.js'), dist('core.js')]);
    const { ports, factory } = openProject(sampleProject(), { ports: { environment: { get: () => 'sk-bench' } } });
    const agent = await factory.load('Looker', 'v1');
    const llm = connect(agent, ports);
    const tool = {
      name: 'lookup',
      description,
      parameters,
      idempotent: true,
      side_effects: false,
      origin: { type: 'skill' },
      needs_approval: false,
      call: async (input) => ({ content: execute(input) }),
    };
    const openTools = async () => ({ tools: [tool], close: async () => undefined });
    return async () => {
      for await (const event of runAgent({ agent, payload: { message: user }, llm, ports, openTools, delivery: 'call' })) {
        if (!event.final) continue;
        const { status, text, reasoning, error } = event.result;
        if (status !== 'completed' || reasoning.steps.length < steps - 1) throw new Error(`ended ${status}: ${error?.message}`);
        return text;
      }
    };
  },
  async openai() {
    const { default: OpenAI } = await peer('openai');
    const openai = new OpenAI({ apiKey: 'sk-bench', baseURL, maxRetries: 0 });
    const tools = [{ type: 'function', function: { name: 'lookup', description, parameters } }];
    return async () => {
      const messages = [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ];
      for (;;) {
        const { choices } = await openai.chat.completions.create({
          model: 'bench',
          messages,
          tools,
          temperature: 0.7,
          max_completion_tokens: 4096,
        });
        const { message } = choices[0];
        messages.push(message);
        if (!message.tool_calls) return message.content;
        for (const { id, function: asked } of message.tool_calls) {
          messages.push({ role: 'tool', tool_call_id: id, content: execute(JSON.parse(asked.arguments)) });
        }
      }
    };
  },
  async ai() {
    const [{ generateText, jsonSchema, stepCountIs, tool }, { createOpenAICompatible }] = await Promise.all([
      peer('ai'),
      peer('@ai-sdk/openai-compatible'),
    ]);
    const model = createOpenAICompatible({ name: 'bench', apiKey: 'sk-bench', baseURL })('bench');
    const tools = { lookup: tool({ description, inputSchema: jsonSchema(parameters), execute }) };
    return async () =>
      (
        await generateText({
          model,
          system,
          prompt: user,
          tools,
          stopWhen: stepCountIs(20),
          temperature: 0.7,
          maxOutputTokens: 4096,
          maxRetries: 0,
        })
      ).text;
  },
  async langgraph() {
    process.env.LANGSMITH_TRACING = 'false';
    const [{ createReactAgent }, { ChatOpenAI }, { tool }] = await Promise.all([
      peer('@langchain/langgraph/prebuilt'),
      peer('@langchain/openai'),
      peer('@langchain/core/tools'),
    ]);
    const llm = new ChatOpenAI({
      model: 'bench',
      apiKey: 'sk-bench',
      configuration: { baseURL },
      maxRetries: 0,
      temperature: 0.7,
      maxTokens: 4096,
    });
    const agent = createReactAgent({ llm, tools: [tool(execute, { name: 'lookup', description, schema: parameters })], prompt: system });
    return async () =>
      (await agent.invoke({ messages: [{ role: 'user', content: user }] }, { recursionLimit: 50 })).messages.at(-1).content;
  },
  async agents() {
    const [{ Agent, OpenAIProvider, Runner, tool }, { default: OpenAI }] = await Promise.all([peer('@openai/agents'), peer('openai')]);
    const openAIClient = new OpenAI({ apiKey: 'sk-bench', baseURL, maxRetries: 0 });
    const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient, useResponses: false }), tracingDisabled: true });
    const agent = new Agent({
      name: 'bench',
      instructions: system,
      model: 'bench',
      modelSettings: { temperature: 0.7, maxTokens: 4096 },
      tools: [tool({ name: 'lookup', description, parameters, strict: true, execute })],
    });
    return async () => (await runner.run(agent, user, { maxTurns: 20 })).finalOutput;
  },
};

// Everybody sends the prompt that ours composes.
system = await composedSystem();
const run = await clients[client]();
const tasks = { steps: measureSteps, concurrent: measureConcurrent };
process.stdout.write(JSON.stringify(await tasks[task]()));
process.exit(0);

/** CPU time of this process, user and system, per model call of a ten-step run in microseconds, once it is warm. */
async function measureSteps() {
  await verified(1, 1);
  await verified(300, 8);
  const count = 150;
  const start = process.cpuUsage();
  await verified(count, 1);
  const { user: inUser, system: inSystem } = process.cpuUsage(start);
  return { cpu: (inUser + inSystem) / (count * steps) };
}

/** Wall and CPU time in ms of 1,000 runs begun at once, and the most memory this process ever held, in MiB. */
async function measureConcurrent() {
  await verified(50, 50);
  const before = process.cpuUsage();
  const start = performance.now();
  await verified(1000, 1000);
  const wall = performance.now() - start;
  const { user: inUser, system: inSystem } = process.cpuUsage(before);
  return { wall, cpu: (inUser + inSystem) / 1000, rss: process.resourceUsage().maxRSS / 1024 };
}

/** Every run must have called the tool in every turn but the last, and end in the model's answer. */
async function verified(count, concurrency) {
  const before = calls;
  let next = 0;
  const worker = async () => {
    while (next++ < count) {
      const text = await run();
      if (text !== 'All found.') throw new Error(`${client} answered ${JSON.stringify(text)}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (calls - before !== count * (steps - 1))
    throw new Error(`${client} called the tool ${calls - before} times in ${count} runs of ${steps} steps`);
}

async function composedSystem() {
  const { openProject } = await dist('node.js');
  const { prompt } = await openProject(sampleProject(), { ports: { environment: { get: () => 'sk-bench' } } }).factory.load('Looker', 'v1');
  return prompt.compose({ message: user }).messages[0].content;
}

/** A project with one agent that reasons in a loop, pointed at the server of the benchmark. */
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
      llm_config_id: 'bench',
      max_iterations: 20,
      timeout_ms: 600_000,
    },
    'config/llms/bench.json': { llm_id: 'bench', provider: 'openai', model_name: 'bench', base_url: baseURL, api_key_env: 'BENCH_KEY' },
  };
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(value));
  }
  return folder;
}
