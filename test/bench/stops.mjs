// How long a person at a stop of the debugger waits: from "next" until the stack and all variables of the next stop have arrived, over stdio,
// with the answer of a loopback model in between; and from "step back" until those of the place before have, after 10,000 events.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { median, valueRow } from './report.mjs';

const root = join(import.meta.dirname, '../..');
const calls = 40;
const events = 10_000;
const target = { atMost: 100 };
const targetBack = { atMost: 50 };

export async function run() {
  const rows = [];
  for (const [name, kilobytes] of [
    ['short texts', 0],
    ['files of 200 kB read', 200],
  ]) {
    const waits = await measure(kilobytes);
    rows.push(valueRow(`stop shown, median, ${name}`, median(waits), 'ms', target));
    rows.push(valueRow(`stop shown, slowest of ${waits.length}, ${name}`, Math.max(...waits), 'ms', target));
  }
  const backs = await measure(0, events / calls, 'stepBack');
  rows.push(valueRow('step back, median, after 10,000 events', median(backs), 'ms', targetBack));
  rows.push(valueRow(`step back, slowest of ${backs.length}, after 10,000 events`, Math.max(...backs), 'ms', targetBack));
  return { title: 'Stops of the debugger', rows, notes: [notes] };
}

const notes = `Wall time over stdio in one run of ${calls} model calls with a tool call each, stopped at each of its places: from \`next\` until the stack, the scopes and the variables of each scope have arrived. It contains the model call to a server on this machine. A step back asks no model; the story up to there is made again.`;

/** @param chunks in which each answer comes @param motion what is measured */
async function measure(kilobytes, chunks = 1, motion = 'stepIn') {
  const server = createServer((request, response) => answer(request, response, chunks));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = project(server.address().port, kilobytes);
  const adapter = spawn(process.execPath, [join(root, 'dist/cli.cjs'), 'debug', '--dap'], {
    cwd: folder,
    env: { ...process.env, BENCH_KEY: 'sk-bench' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    return await stepThrough(adapter, motion);
  } finally {
    adapter.kill();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stepThrough(adapter, motion) {
  const pending = new Map();
  let pieces = 0;
  let onEvent = () => undefined;
  new StreamMessageReader(adapter.stdout).listen((message) => {
    if (message.event === 'output') pieces += 1;
    if (message.type === 'event') onEvent(message);
    else pending.get(message.request_seq)(message);
  });
  const writer = new StreamMessageWriter(adapter.stdin);
  let seq = 0;
  const request = async (command, args) => {
    seq += 1;
    const answered = new Promise((resolve) => pending.set(seq, resolve));
    await writer.write({ seq, type: 'request', command, arguments: args });
    const { success, message, body } = await answered;
    if (!success) throw new Error(`${command}: ${message}`);
    return body;
  };
  const event = (...names) =>
    new Promise((resolve) => {
      onEvent = (message) => names.includes(message.event) && resolve(message);
    });
  const show = async ({ threadId }) => {
    await request('threads');
    const { stackFrames } = await request('stackTrace', { threadId });
    const { scopes } = await request('scopes', { frameId: stackFrames[0].id });
    for (const { variablesReference } of scopes) await request('variables', { variablesReference });
  };
  await request('initialize', { adapterID: 'agent-stack', pathFormat: 'path', linesStartAt1: true, columnsStartAt1: true });
  const ready = event('initialized');
  await request('launch', { agent: 'Counter', input: { message: 'Count.' }, stopBefore: ['model'] });
  await ready;
  let stopped = event('stopped', 'terminated');
  await request('configurationDone');
  const waits = [];
  const toLast = async () => {
    for (let places = 1; ; places += 1) {
      const { body } = await stopped;
      if (places === 4 * calls - 2) return body;
      stopped = event('stopped', 'terminated');
      await request('stepIn', { threadId: body.threadId });
    }
  };
  if (motion === 'stepBack') {
    for (let { threadId } = await toLast(); waits.length < 2 * calls; ) {
      stopped = event('stopped', 'terminated');
      const from = performance.now();
      await request('stepBack', { threadId });
      const { body } = await stopped;
      await show(body);
      waits.push(performance.now() - from);
      threadId = body.threadId;
    }
    if (pieces < 0.9 * events) throw new Error(`Only ${pieces} pieces of answers have come.`);
    return waits;
  }
  for (;;) {
    const message = await stopped;
    if (message.event === 'terminated') break;
    await show(message.body);
    if (waits.length > 0) waits[waits.length - 1] = performance.now() - waits[waits.length - 1];
    stopped = event('stopped', 'terminated');
    waits.push(performance.now());
    await request('stepIn', { threadId: message.body.threadId });
  }
  waits.pop();
  if (waits.length < 3 * calls) throw new Error(`The run stopped ${waits.length} times, less than at ${calls} calls.`);
  return waits;
}

/** Asks for the tool until it has been called often enough. */
function answer(request, response, chunks) {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(parts).toString());
    const turn = messages.filter(({ role }) => role === 'tool').length;
    const tool_calls = [
      {
        id: `call_${turn}`,
        type: 'function',
        index: 0,
        function: { name: 'read_file', arguments: JSON.stringify({ path: `docs/${turn}.md` }) },
      },
    ];
    const delta = turn === calls - 1 ? { role: 'assistant', content: 'Counted.' } : { role: 'assistant', content: null, tool_calls };
    const finish_reason = turn === calls - 1 ? 'stop' : 'tool_calls';
    const head = { id: `chatcmpl-${turn}`, object: 'chat.completion.chunk', created: 1_790_000_000, model: 'bench' };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (body) => response.write(`data: ${JSON.stringify({ ...head, ...body })}\n\n`);
    for (let number = 1; number < chunks; number += 1)
      chunk({ choices: [{ index: 0, delta: { content: `word ${number} ` }, finish_reason: null }] });
    chunk({ choices: [{ index: 0, delta, finish_reason: null }] });
    chunk({ choices: [{ index: 0, delta: {}, finish_reason }] });
    chunk({ choices: [], usage: { prompt_tokens: 400, completion_tokens: 40, total_tokens: 440 } });
    response.end('data: [DONE]\n\n');
  });
}

function project(port, kilobytes) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-bench-'));
  const files = {
    'agentstack.json': {},
    'config/agents/Counter/v1.json': {
      agent_name: 'Counter',
      version: 'v1',
      agent_type: 'react',
      system_text: 'You read files, one after the other.',
      enabled_tools: ['read_file'],
      llm_config_id: 'bench',
      max_iterations: calls + 1,
      timeout_ms: 600_000,
    },
    'config/llms/bench.json': {
      llm_id: 'bench',
      provider: 'openai',
      model_name: 'bench',
      base_url: `http://127.0.0.1:${port}/v1`,
      api_key_env: 'BENCH_KEY',
    },
  };
  for (let number = 0; number < calls; number += 1)
    files[`docs/${number}.md`] = 'A line of text, as files have.\n'.repeat(2 + kilobytes * 33);
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return folder;
}
