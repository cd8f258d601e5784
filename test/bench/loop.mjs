// Tool loops of ten model calls through our whole stack against a loop over the plain SDK and the frameworks people use, each in a process
// of its own, one server for all.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { measureLoops } from './loopRounds.mjs';
import { median, ratioRow } from './report.mjs';

const targets = { openai: { atMost: 1.15 }, ai: {}, langgraph: {}, agents: {} };
const names = {
  openai: 'openai SDK, loop by hand',
  ai: 'Vercel AI SDK',
  langgraph: 'LangGraph createReactAgent',
  agents: '@openai/agents',
};

export async function run() {
  const server = fork(join(import.meta.dirname, 'loopServer.mjs'));
  try {
    const [{ port }] = await once(server, 'message');
    const measured = await measureLoops(['ours', ...Object.keys(targets)], 'steps', port);
    const cpu = (client) => median(measured[client].map((result) => result.cpu));
    const rows = Object.entries(targets).map(([peer, target]) =>
      ratioRow(`CPU per step of a ten-step tool loop, µs / ${names[peer]}`, cpu('ours'), cpu(peer), target),
    );
    return { title: 'Loop', rows, notes: [notes] };
  } finally {
    server.disconnect();
  }
}

const notes =
  'CPU time, user and system, of the client process per model call with its tool call, in runs of ten calls, one after the other (every run verified: nine tool calls, and their results back at the server; ours with input validation, trace and events), the server in another process. Medians of 5 interleaved processes each.';
