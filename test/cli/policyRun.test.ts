import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Policy } from '../../core/generated/types.js';
import type { JsonObject } from '../../core/json.js';
import { agent, mcpOf, projectFiles, type ServerLabels, standard } from '../permits/policyProject.js';
import { startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { agentstack, outcomeOf, read, start, temporaryProject, write } from './command.js';

const key = 'sk-test-0123456789abcdef';
const env = { OPENAI_API_KEY: key, NO_PROXY: '*' };
const never: Policy = { never: [{ from: 'untrusted', to: 'sends' }] };
const withApproval: Policy = { never: [{ from: 'untrusted', to: 'sends', without: 'approval' }] };
const place = 'config/system.json#/policy/never/0';
const way = 'github/search (untrusted) -> A -> mail/send (sends)';

function callOf(name: string) {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1-mini', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const tool_calls = [{ index: 0, id: `call_${name}`, type: 'function', function: { name, arguments: JSON.stringify({ q: name }) } }];
  const body = [chunk({ role: 'assistant', content: '' }, null), chunk({ tool_calls }, null), chunk({}, 'tool_calls'), 'data: [DONE]\n\n'];
  return { body: body.join(''), headers: { 'content-type': 'text/event-stream' } };
}

/** An agent whose model calls these tools one after the other, then speaks. `slow`: the turn that is not answered before `state.isSlow` ends. */
async function project(policy: Policy | undefined, tools: readonly string[], { slow = 0, servers = standard as ServerLabels } = {}) {
  const state = { isSlow: true, told: '' };
  const server = await startLoopbackOpenAi(
    ({ body }) => {
      state.told = JSON.stringify(body.messages);
      const turn = (body.messages as readonly { readonly role: string }[]).filter(({ role }) => role === 'assistant').length;
      const delay_ms = state.isSlow && turn + 1 === slow ? 60_000 : 0;
      const tool = tools[turn];
      return tool === undefined ? { text: 'Done.', delay_ms } : { ...callOf(tool), delay_ms };
    },
    { key },
  );
  onTestFinished(() => server.close());
  const {
    provider: _p,
    model_name: _m,
    ...fields
  } = agent('A', { llm_config_id: 'real', client_ids: ['github', 'mail'], input_keys: ['message'] });
  const cwd = temporaryProject({
    ...projectFiles(policy, { 'agents/A/v1': { ...fields, timeout_ms: 600_000 } }, servers),
    'config/llms/real.json': {
      llm_id: 'real',
      provider: 'openai',
      model_name: 'gpt-4.1-mini',
      base_url: server.url,
      api_key: 'secret://openai_api_key',
    },
  });
  write(cwd, 'config/mcp.json', mcpOf(cwd, servers));
  const log = join(cwd, 'calls.txt');
  return { cwd, state, called: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []) };
}

test('a run that is killed and resumed is held to the policy by what it had read before', async () => {
  const { cwd, state, called } = await project(never, ['search', 'send'], { slow: 2 });
  const child = start(['run', 'A', '--durable', '--allow-tools', '--message', 'Go'], { cwd, env });
  while (!state.told.includes('search: search')) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGKILL');
  await outcomeOf(child);
  state.isSlow = false;
  // The run is held to what was frozen with it.
  write(cwd, 'config/system.json', {});
  const { code, stderr } = await agentstack(['runs', 'resume', 'last', '--allow-tools'], { cwd, env });
  expect(stderr).toContain('The policy denies this call');
  expect(state.told).toContain(`never untrusted -> sends: ${way} (${place})`);
  expect({ code, called: called() }).toEqual({ code: 0, called: ['search search'] });
}, 30_000);

test('--allow-tools does not count for what the policy wants approved', async () => {
  const { cwd, called } = await project(withApproval, ['search', 'send']);
  const { code, stderr } = await agentstack(['run', 'A', '--allow-tools', '--message', 'Go'], { cwd, env });
  expect(stderr).toContain(
    `The policy wants this call of "send" approved, and there is nobody to ask: never untrusted -> sends without approval: ${way} (${place}).`,
  );
  expect({ code, called: called() }).toEqual({ code: 1, called: ['search search'] });
});

test.each([
  ['y\n', ['search search', 'send send'], 'send: send'],
  ['n\n', ['search search'], 'The user did not allow this call.'],
])('somebody at the terminal is asked, and answers %j', async (answer, expected, told) => {
  const { cwd, state, called } = await project(withApproval, ['search', 'send']);
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.write(answer);
  const { code, stderr } = await agentstack(['run', 'A', '--allow-tools', '--message', 'Go'], { cwd, env, stdin, columns: 200 });
  expect(stderr).toContain('A wants to call mail/send (sends, changes data):');
  expect(stderr).toContain(`The policy wants each such call approved: never untrusted -> sends without approval: ${way} (${place})`);
  expect({ code, called: called() }).toEqual({ code: 0, called: expected });
  expect(state.told).toContain(told);
});

test('a stop and a question of the policy read one terminal, each its own line', async () => {
  const { cwd, called } = await project(withApproval, ['search', 'send']);
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end('\n\ny\n');
  const args = ['run', 'A', '--allow-tools', '--break', 'before-tool', '--message', 'Go'];
  const { code, stderr } = await agentstack(args, { cwd, env, stdin, columns: 200 });
  expect(stderr.match(/Stopped before the tool (search|send)/g)).toEqual([
    'Stopped before the tool search',
    'Stopped before the tool send',
  ]);
  expect(stderr).toContain('A wants to call mail/send');
  expect({ code, called: called() }).toEqual({ code: 0, called: ['search search', 'send send'] });
});

test('a lock from before labels leaves every tool unlabelled, so that it is denied', async () => {
  const { cwd, state, called } = await project(never, ['search', 'send']);
  const lock = JSON.parse(read(cwd, 'config/mcp.lock.json'));
  for (const { tools } of Object.values<JsonObject>(lock.servers))
    for (const tool of Object.values(tools as JsonObject)) delete (tool as { labels?: unknown }).labels;
  writeFileSync(join(cwd, 'config/mcp.lock.json'), JSON.stringify(lock));
  const { code } = await agentstack(['run', 'A', '--allow-tools', '--message', 'Go'], { cwd, env });
  expect(state.told).toContain('github/search (not labelled) -> A -> mail/send (not labelled)');
  expect({ code, called: called() }).toEqual({ code: 0, called: ['search search'] });
});

test('labels of a server that is gone, and of a tool that has changed, hold nothing', async () => {
  const { cwd, state } = await project(never, ['search', 'send']);
  const lock = JSON.parse(read(cwd, 'config/mcp.lock.json'));
  lock.servers.gone = { tools: { x: { ...lock.servers.mail.tools.send, labels: { sends: true } } } };
  const { search } = lock.servers.github.tools;
  search.labels = {};
  search.changed = { description: 'Other.', parameters: search.parameters, hash: search.hash };
  writeFileSync(join(cwd, 'config/mcp.lock.json'), JSON.stringify(lock));
  await agentstack(['run', 'A', '--allow-tools', '--message', 'Go'], { cwd, env });
  expect(state.told).toContain('github/search (not labelled) -> A -> mail/send (sends)');
});

test('a replay is held to the policy as its run was', async () => {
  const { cwd } = await project(withApproval, ['search', 'send']);
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.write('y\n');
  const run = ['run', 'A', '--message', 'Go'];
  expect(await agentstack([...run, '--allow-tools', '--record', 'r.jsonl'], { cwd, env, stdin, columns: 200 })).toMatchObject({ code: 0 });
  const replayed = await agentstack([...run, '--replay', 'r.jsonl'], { cwd, env: {} });
  expect(replayed).toMatchObject({ code: 0, stdout: 'Done.\n' });
  // With a policy of today that forbids it, the recorded answer is not handed on.
  write(cwd, 'config/system.json', { policy: never });
  const stricter = await agentstack([...run, '--replay', 'r.jsonl'], { cwd, env: {} });
  expect(stricter.code).not.toBe(0);
});
