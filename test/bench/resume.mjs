// How soon a run that was interrupted asks its model again, against how soon one that begins asks it for the first time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { median } from './report.mjs';

const cli = join(import.meta.dirname, '../../dist/cli.cjs');
const teamCount = 20;

/** Medians in ms from spawn to the first request: of a run that begins, of one whose last task alone is left, and of how much longer that takes. */
export async function measureResume(rounds) {
  const server = await openServer();
  const folder = writeProject(server.url);
  try {
    const started = [];
    const resumed = [];
    for (let round = 0; round < rounds; round++) {
      server.forget();
      const atLast = server.hold(teamCount);
      const first = launch(folder, ['orchestrate', 'chain']);
      started.push(await server.nextRequest(first));
      await atLast;
      first.child.kill('SIGKILL');
      await first.ended;

      const [run_id] = readdirSync(join(folder, '.agentstack/runs'));
      server.release();
      const second = launch(folder, ['runs', 'resume', run_id]);
      resumed.push(await server.nextRequest(second));
      const { code, errors } = await second.ended;
      if (code !== 0) throw new Error(`The resumed run ended with ${code}: ${errors}`);
      const again = server.counts().filter(([team, count]) => count !== (team === teamCount ? 2 : 1));
      if (server.counts().length !== teamCount || again.length > 0) throw new Error(`Requests by task: ${JSON.stringify(server.counts())}`);
      rmSync(join(folder, '.agentstack'), { recursive: true, force: true });
    }
    // One after the other, so that both have the same machine.
    const longer = resumed.map((time, round) => time - started[round]);
    return { started: median(started), resumed: median(resumed), longer: median(longer) };
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function launch(folder, args) {
  const begun = performance.now();
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    env: { ...process.env, BENCH_KEY: 'sk-bench' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, errors }));
  return { begun, child, ended };
}

/** A model that answers at once, counts the requests of each task, and can keep one waiting. */
async function openServer() {
  let counts = new Map();
  let held;
  let arrived = () => undefined;
  const server = createServer((request, response) => {
    const at = performance.now();
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const team = Number(/number = (\d+)/.exec(Buffer.concat(parts).toString())[1]);
      counts.set(team, (counts.get(team) ?? 0) + 1);
      arrived(at);
      if (held?.team === team) held.reached();
      else answer(response, team);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    counts: () => [...counts],
    forget: () => {
      counts = new Map();
    },
    hold: (team) => new Promise((reached) => (held = { team, reached })),
    release: () => {
      held = undefined;
    },
    async nextRequest({ begun, ended }) {
      const at = new Promise((resolve) => (arrived = resolve));
      const gone = ended.then(({ code, errors }) => Promise.reject(new Error(`It asked nothing and ended with ${code}: ${errors}`)));
      gone.catch(() => undefined);
      return (await Promise.race([at, gone])) - begun;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(response, team) {
  const message = { role: 'assistant', content: JSON.stringify({ text: `Part ${team} is done.` }) };
  const usage = { prompt_tokens: 400, completion_tokens: 40, total_tokens: 440 };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({ id: `chatcmpl-${team}`, object: 'chat.completion', created: 1_790_000_000, model: 'bench', choices, usage }),
  );
}

function writeProject(base_url) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-bench-'));
  const teams = Object.fromEntries(
    Array.from({ length: teamCount }, (_, index) => [
      `team${index + 1}`,
      {
        name: `Team ${index + 1}`,
        tasks: [{ name: 'write', agent: 'Writer@v1', input: { number: index + 1 } }],
        routing: { default: index + 1 === teamCount ? null : `team${index + 2}` },
      },
    ]),
  );
  const files = {
    'agentstack.json': {},
    'config/agents/Writer/v1.json': {
      agent_name: 'Writer',
      version: 'v1',
      mode: 'Writer',
      system_text: 'You write one part of a report.',
      purpose_text: 'Write the part of the given number.',
      output_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
      llm_config_id: 'bench',
    },
    'config/llms/bench.json': { llm_id: 'bench', provider: 'openai', model_name: 'bench', base_url, api_key_env: 'BENCH_KEY' },
    'config/orchestrations/chain.json': { name: 'chain', entry_team: 'team1', teams },
  };
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(value));
  }
  return folder;
}
