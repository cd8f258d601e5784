import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { agentstack, outcomeOf, repository, start, temporaryProject, write } from './command.js';

const key = 'sk-test-0123456789abcdef';
const env = { OPENAI_API_KEY: key, NO_PROXY: '*' };
const adder = {
  agent_name: 'Adder',
  version: 'v1',
  agent_type: 'react',
  system_text: 'You add.',
  llm_config_id: 'real',
  enabled_tools: ['calculator', 'send'],
  client_ids: ['mail'],
  timeout_ms: 600_000,
};

/** An agent that calculates, then sends a mail, then speaks. `slow`: the number of the request that is not answered before it is killed. */
async function project(slow: number | 'mail') {
  const state = { isSlow: true, asked: [] as number[] };
  const call = (name: string, input: object) => {
    const chunk = (delta: object, finish_reason: string | null) =>
      `data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1-mini', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    const made = { index: 0, id: `call_${name}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
    const body = [
      chunk({ role: 'assistant', content: '' }, null),
      chunk({ tool_calls: [made] }, null),
      chunk({}, 'tool_calls'),
      'data: [DONE]\n\n',
    ];
    return { body: body.join(''), headers: { 'content-type': 'text/event-stream' } };
  };
  const server = await startLoopbackOpenAi(
    ({ body }) => {
      const turn = (body.messages as readonly { readonly role: string }[]).filter(({ role }) => role === 'assistant').length + 1;
      state.asked.push(turn);
      const delay_ms = state.isSlow && turn === slow ? 60_000 : 0;
      if (turn === 1) return { ...call('calculator', { expression: '6 * 7' }), delay_ms };
      if (turn === 2) return { ...call('send', { to: 'ada' }), delay_ms };
      return { text: 'Done.', delay_ms };
    },
    { key },
  );
  onTestFinished(() => server.close());
  const cwd = temporaryProject({
    'config/llms/real.json': {
      llm_id: 'real',
      provider: 'openai',
      model_name: 'gpt-4.1-mini',
      base_url: server.url,
      api_key: 'secret://openai_api_key',
    },
    'config/agents/Adder/v1.json': adder,
  });
  const log = join(cwd, 'mails.txt');
  const quick = readFileSync(join(repository, 'test/fixtures/run/mailServer.mjs'), 'utf8');
  // It answers long after it has sent: a process killed in between cannot know.
  write(cwd, 'mailServer.mjs', slow === 'mail' ? quick.replace(/wait\(8\);\n(\s+)answer/, 'wait(5000);\n$1answer') : quick);
  const args = [join(cwd, 'mailServer.mjs'), log];
  write(cwd, 'config/mcp.json', { servers: { mail: { type: 'stdio', command: process.execPath, args } } });
  const runs = join(cwd, '.agentstack/runs');
  const mails = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0);
  return {
    state,
    mails,
    path: (name: string) => join(runs, readdirSync(runs)[0] ?? '', name),
    run: (...words: string[]) => agentstack(words, { cwd, env }),
    /** Kills the run once it waits for what is slow. */
    async killed() {
      const child = start(['run', 'Adder', '--message', 'Go', '--durable', '--allow-tools=send'], { cwd, env });
      const isThere = () => (slow === 'mail' ? mails() > 0 : state.asked.includes(slow));
      while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 2));
      child.kill('SIGKILL');
      await outcomeOf(child);
      state.isSlow = false;
      state.asked = [];
    },
  };
}

test('a durable run of an agent that was killed is listed, and goes on with all its events, asking nothing again', async () => {
  const { state, run, killed, path, mails } = await project(3);
  await killed();
  expect((await run('runs', 'list')).stdout).toContain('open       Adder@v1  real  can be resumed');
  expect((await run('runs', 'show', 'last')).stdout).toContain('can be resumed: npx agent-stack runs resume');
  const { code, stdout } = await run('runs', 'resume', 'last', '--events', 'jsonl', '--allow-tools=send');
  expect(code).toBe(0);
  expect(state.asked).toEqual([3]);
  expect(mails()).toBe(1);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; seq: number; resumed?: number; final: boolean });
  expect(events[0]).toMatchObject({ type: 'run_start', resumed: 5 });
  expect(events.at(-1)).toMatchObject({ type: 'final', result: { status: 'completed', text: 'Done.' } });
  const numbers = readFileSync(path('events.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { seq: number }).seq);
  expect(numbers).toEqual(numbers.map((_, index) => index));
  expect(await run('runs', 'resume', 'last')).toMatchObject({ code: 2, stderr: expect.stringContaining('it has ended (completed)') });
});

test('one that was killed in a call which may not be made twice stops there until the user says what to do', async () => {
  const { run, killed, path, mails } = await project('mail');
  await killed();
  expect((await run('runs', 'list')).stdout).toContain('can be resumed');
  const first = await run('runs', 'resume', 'last', '--json', '--allow-tools=send');
  const { error } = JSON.parse(first.stdout) as { error: object };
  expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('--unfinished repeat') });
  expect(error).toMatchObject({ code: 'denied', details: { unfinished: { tool: 'send' } } });
  expect(existsSync(path('result.json'))).toBe(false);
  const skipped = await run('runs', 'resume', 'last', '--unfinished', 'skip', '--json', '--allow-tools=send');
  expect(skipped.code).toBe(0);
  expect(mails()).toBe(1);
});

test('one that cannot go on is left as it is, with 2: no such run, a config that was changed, a key that is missing', async () => {
  const { run, killed, path, state } = await project(2);
  await killed();
  expect(await run('runs', 'resume', 'ffff')).toMatchObject({ code: 2 });
  const name = readdirSync(path('.')).find((file) => /^effective_config_\w+\.json$/.test(file)) ?? '';
  const text = readFileSync(path(name), 'utf8');
  chmodSync(path(name), 0o644);
  writeFileSync(path(name), text.replace('You add.', 'You sub.'));
  expect(await run('runs', 'resume', 'last')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('was changed after it was written'),
  });
  writeFileSync(path(name), text);
  const keyless = await agentstack(['runs', 'resume', 'last'], { cwd: join(path('.'), '../../..') });
  expect(keyless).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be resumed yet') });
  expect(state.asked).toEqual([]);
  expect((await run('runs', 'resume', 'last', '--allow-tools=send')).code).toBe(0);
});
