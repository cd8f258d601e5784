import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test } from 'vitest';
import { createProgram } from '../../cli/program.js';
import { cliFor } from './cliFor.js';
import { toneAgent, toneProject } from './command.js';

const planner = {
  agent_name: 'Planner',
  version: 'v1',
  agent_type: 'orchestrating',
  execution_plan: { steps: [{ name: 'tone', agent: 'Tone@v1', input: { text: 'hello' } }] },
};
const clerk = { agent_name: 'Clerk', version: 'v1', agent_type: 'react', system_text: 'You calculate.', enabled_tools: ['calculator'] };
const letters = {
  name: 'letters',
  entry_team: 'judge',
  context: { text: 'Good day to you' },
  teams: {
    judge: {
      name: 'Judge',
      tasks: [
        { name: 'first', agent: 'Tone@v1', input: { text: '{{context.text}}' } },
        { name: 'second', persona_key: 'judge', input: { text: 'x' } },
      ],
      routing: { default: null },
    },
  },
};

function project(): string {
  const { agent_name, version, input_keys, ...persona } = toneAgent;
  return toneProject({
    'agentstack.json': { environment: 'dev' },
    'config/system.json': { agent_defaults: { temperature: 0 } },
    'config/environments/dev.json': {},
    'config/environments/prod.json': { agent_defaults: { temperature: 1 } },
    'config/personas/judge.json': persona,
    'config/agents/Planner/v1.json': planner,
    'config/agents/Clerk/v1.json': clerk,
    'config/mcp.json': { inputs: [], servers: {} },
    'config/orchestrations/letters.json': letters,
  });
}

/** How often each config file was opened for reading while `work` ran. */
async function readsOf(root: string, work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const reads: Record<string, number> = {};
  const { openSync } = fs;
  const restore = () => {
    fs.openSync = openSync;
    syncBuiltinESMExports();
  };
  onTestFinished(restore);
  fs.openSync = (path, ...rest) => {
    const file = String(path)
      .slice(root.length + 1)
      .replaceAll('\\', '/');
    if (String(path).startsWith(root) && /^(?:config|agentstack)/.test(file)) reads[file] = (reads[file] ?? 0) + 1;
    return openSync(path, ...rest);
  };
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    restore();
  }
  return reads;
}

/** Runs a command in this process, where its reads can be counted. */
async function run(cwd: string, args: readonly string[]): Promise<void> {
  const stream = { write: () => true, isTTY: false, columns: 80, on: () => stream, once: () => stream };
  const host = { stdout: stream, stderr: stream, env: {}, platform: process.platform } as never;
  await createProgram(cliFor(cwd, host), '0').parseAsync([...args], { from: 'user' });
}

test.each([
  [['compose', 'Tone', '--case', 'greeting']],
  [['compose', 'Tone@v1', '--set', 'text=x', '--llm', 'offline', '--env', 'prod', '--json']],
  [['run', 'Tone', '--case', 'greeting']],
  [['run', 'Tone', '--case', 'greeting', '--no-keep', '--json']],
  [['run', 'Tone', '--case', 'greeting', '--durable']],
  [['run', 'Clerk', '--session', 's', '--allow-tools=calculator']],
  [['run', 'Planner']],
  [['orchestrate', 'letters']],
  [['orchestrate', 'letters', '--json', '--no-keep']],
  [['snapshot', 'Tone']],
  [['snapshot', 'letters']],
  [['snapshot', 'Tone', '--explain', 'temperature']],
  [['graph', 'letters']],
  [['tools', 'Tone']],
  [['new', 'version', 'Tone']],
  [['new', 'agent', 'Other']],
])('%j reads each config file once', async (args) => {
  const cwd = project();
  const reads = await readsOf(fs.realpathSync.native(cwd), () => run(cwd, args));
  expect(reads).toHaveProperty(['config/system.json'], 1);
  expect(Object.entries(reads).filter(([, count]) => count > 1)).toEqual([]);
});

test('a comparison of two environments reads what both have in common once', async () => {
  const cwd = project();
  const reads = await readsOf(fs.realpathSync.native(cwd), () => run(cwd, ['snapshot', 'diff', 'Tone:dev', 'Tone:prod']));
  expect(Object.entries(reads).filter(([, count]) => count > 1)).toEqual([['config/agents/Tone/v1.json', 2]]);
});
