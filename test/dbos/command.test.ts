import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { approveTools } from '../../cli/allowTools.js';
import { openDbosEngine } from '../../core/dbos/dbosEngine.js';
import { createNodeEnvironment } from '../../core/node/nodePorts.js';
import {
  agentstack,
  agentstackRunning,
  cleanEnvironment,
  type Outcome,
  outcomeOf,
  repository,
  start,
  temporaryProject,
  toneProject,
} from '../cli/command.js';
import { type LoopbackReply, type LoopbackRequest, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { newDatabase, ownPostgres, query, testWithPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

const key = 'sk-test-0123456789abcdef';
const words = { type: 'object', properties: { words: { type: 'string' } }, required: ['words'], additionalProperties: false };
const agent = (agent_name: string, more: object) => ({
  agent_name,
  version: 'v1',
  system_text: `You are ${agent_name}.`,
  llm_config_id: 'real',
  ...more,
});
const writer = (name: string) => agent(name, { mode: 'Writer', purpose_text: 'Write.', output_schema: words });
const team = (name: string, task: string, next: string | null) => ({
  name,
  tasks: [{ name: task, agent: `${task}@v1` }],
  routing: { default: next },
});

/** Three teams of one task: a model call, a mail that may not be sent twice, a model call. */
function mailProject(url: string): { readonly cwd: string; readonly log: string } {
  const log = join(temporaryFolder(), 'mails.txt');
  const mail = { type: 'stdio', command: process.execPath, args: [join(repository, 'test/fixtures/run/mailServer.mjs'), log] };
  const cwd = temporaryProject({
    'config/llms/real.json': {
      llm_id: 'real',
      provider: 'openai',
      model_name: 'gpt-4.1-mini',
      base_url: url,
      api_key: 'secret://openai_api_key',
    },
    'config/agents/First/v1.json': writer('First'),
    'config/agents/Mailer/v1.json': agent('Mailer', { agent_type: 'react', client_ids: ['mail'] }),
    'config/agents/Last/v1.json': writer('Last'),
    'config/mcp.json': { servers: { mail } },
    'config/orchestrations/write.json': {
      name: 'write',
      entry_team: 'one',
      teams: { one: team('One', 'First', 'two'), two: team('Two', 'Last', null) },
    },
    'config/orchestrations/mail.json': {
      name: 'mail',
      entry_team: 'one',
      teams: { one: team('One', 'First', 'two'), two: team('Two', 'Mailer', 'three'), three: team('Three', 'Last', null) },
    },
  });
  return { cwd, log };
}

function stepOf({ body }: LoopbackRequest): string {
  const messages = body.messages as readonly { readonly role: string; readonly content: string }[];
  const name = /^You are (\w+)/.exec(messages[0]?.content ?? '')?.[1];
  return `${name}/${messages.filter(({ role }) => role === 'assistant').length + 1}`;
}

function callOf(name: string, input: object): LoopbackReply {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1-mini', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const call = { index: 0, id: `call_${name}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  const body = `${chunk({ role: 'assistant', content: '' }, null)}${chunk({ tool_calls: [call] }, null)}${chunk({}, 'tool_calls')}data: [DONE]\n\n`;
  return { body, headers: { 'content-type': 'text/event-stream' } };
}

interface Begun {
  /** What it has said on stderr. */
  said(): string;
  readonly outcome: Promise<Outcome>;
}

/** A project, its database and server, and the command in it. */
async function setUp() {
  const database = await newDatabase();
  const asked: string[] = [];
  const hanging = new Set<string>();
  const delays = new Map<string, number>();
  const server = await startLoopbackOpenAi(
    (request) => {
      const step = stepOf(request);
      asked.push(step);
      if (hanging.has(step)) return { fault: 'hang' };
      if (step === 'Mailer/1') return callOf('send', { to: 'ada' });
      return { text: step === 'Mailer/2' ? 'Done.' : '{"words": "well done"}', delay_ms: delays.get(step) ?? 0 };
    },
    { key },
  );
  onTestFinished(() => server.close());
  const { cwd, log } = mailProject(server.url);
  const plain = { NO_PROXY: '*', AGENTSTACK_DATABASE_URL: database };
  /** The command in this process. */
  const begin = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Begun => {
    const command = agentstackRunning(args, { cwd, env: { ...plain, ...more } });
    onTestFinished(async () => void (await command.leave()));
    const outcome = command.ended.then((code) => ({ code, stdout: command.stdout(), stderr: command.stderr() }));
    return { said: command.stderr, outcome };
  };
  /** The built command as a process, which the test ends. */
  const beginProcess = (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const child = start(args, { cwd, env: { ...plain, ...more } });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdin.end();
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    return { child, said: () => said, outcome: outcomeOf(child) };
  };
  return {
    database,
    asked,
    hanging,
    delays,
    cwd,
    begin,
    beginProcess,
    call: (...args: readonly string[]): Promise<Outcome> => begin(args).outcome,
    mails: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0),
    /** While it does, no mail is confirmed. */
    holdMails: (isHeld: boolean) => (isHeld ? writeFileSync(`${log}.hold`, '') : rmSync(`${log}.hold`)),
    /** In this process, of which there can be one at a time. */
    async worker() {
      const environment = createNodeEnvironment({ ...cleanEnvironment(plain), OPENAI_API_KEY: key });
      const engine = openDbosEngine(cwd, { ports: { environment }, database_url: database });
      const worker = await engine.startWorker({ approve: approveTools });
      onTestFinished(() => worker.stop());
    },
    async workerProcess(env: Readonly<Record<string, string>> = { OPENAI_API_KEY: key }, ...args: readonly string[]) {
      const worker = beginProcess(['worker', '--engine', 'dbos', ...args], env);
      await expect.poll(worker.said, { timeout: 60_000 }).toMatch(/Worker \w+ is ready/);
      return worker;
    },
    async runId(): Promise<string> {
      const rows = () => query<{ run_id: string }>(database, 'SELECT run_id FROM agent_stack.runs').catch(() => []);
      await expect.poll(rows, { timeout: 60_000 }).toHaveLength(1);
      return (await rows())[0]?.run_id ?? '';
    },
    kept: (run_id: string, name: string) => join(cwd, '.agentstack/runs', run_id, name),
  };
}

const soon = { timeout: 60_000 };
const stripped = (text: string) => text.replaceAll(/\s+/g, ' ');

testWithPostgres('a run is left to a worker that has its key, and the submitter is told what is missing', async () => {
  const { begin, worker, workerProcess, asked, runId, database } = await setUp();
  const without = await workerProcess({});
  const follower = begin(['orchestrate', 'write', '--engine', 'dbos', '--json']);
  await expect
    .poll(follower.said, soon)
    .toMatch(/No worker at work has what the run needs\. The key is missing: the secret "openai_api_key" is not set\..* The run waits/);
  const run_id = await runId();
  expect(without.said()).toContain(`The run ${run_id} was left to workers that have what it needs. The key is missing: the secret`);
  expect(asked).toEqual([]);
  await worker();
  const { code, stdout, stderr } = await follower.outcome;
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('It continues.');
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' });
  expect(asked).toEqual(['First/1', 'Last/1']);
  expect(await query(database, 'SELECT waits_for FROM agent_stack.runs')).toEqual([{ waits_for: null }]);
});

testWithPostgres('what a worker left goes to one that has the key, however many there are without', async () => {
  const { begin, worker, workerProcess, asked, hanging } = await setUp();
  hanging.add('Last/1');
  const first = await workerProcess();
  const follower = begin(['orchestrate', 'write', '--engine', 'dbos', '--json']);
  await expect.poll(() => asked, soon).toEqual(['First/1', 'Last/1']);
  await Promise.all([workerProcess({}), workerProcess({})]);
  first.child.kill('SIGKILL');
  hanging.clear();
  await worker();
  const { code, stderr } = await follower.outcome;
  expect(code, stderr).toBe(0);
  expect(asked).toEqual(['First/1', 'Last/1', 'Last/1']);
});

testWithPostgres('what a worker cannot finish in time goes to another one, and is not reported as cancelled', async () => {
  const { begin, worker, workerProcess, asked, hanging } = await setUp();
  hanging.add('Last/1');
  const first = await workerProcess({ OPENAI_API_KEY: key }, '--patience', '300');
  const follower = begin(['orchestrate', 'write', '--engine', 'dbos', '--json']);
  await expect.poll(() => asked, soon).toEqual(['First/1', 'Last/1']);
  first.child.kill('SIGTERM');
  const { code } = await first.outcome;
  expect(code, first.said()).toBe(0);
  expect(first.said()).toContain('Finishing what is at work (2)');
  hanging.clear();
  await worker();
  const { stdout, stderr, ...ended } = await follower.outcome;
  expect(ended.code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' });
  expect(asked).toEqual(['First/1', 'Last/1', 'Last/1']);
});

testWithPostgres('a run that its submitter cancels goes on with runs resume, and what was finished is not done again', async () => {
  const { beginProcess, call, worker, asked, hanging, runId, kept } = await setUp();
  hanging.add('Last/1');
  await worker();
  const submitter = beginProcess(['orchestrate', 'write', '--engine', 'dbos', '--json']);
  await expect.poll(() => asked, soon).toEqual(['First/1', 'Last/1']);
  submitter.child.kill('SIGINT');
  const cancelled = await submitter.outcome;
  expect(cancelled.code, cancelled.stderr).toBe(130);
  const run_id = await runId();
  expect(stripped(cancelled.stderr)).toContain(`resume with agent-stack runs resume ${run_id} --engine dbos`);
  expect(JSON.parse(cancelled.stdout)).toMatchObject({ status: 'cancelled' });
  expect((await call('runs', 'list')).stdout).toMatch(/ (open|cancelled) .*on workers/);
  expect((await call('runs', 'show', 'last')).stdout).toContain(`on workers: npx agent-stack runs resume ${run_id} --engine dbos`);
  expect(await call('runs', 'resume', 'last')).toMatchObject({ code: 2, stderr: expect.stringContaining('add --engine dbos') });
  hanging.clear();
  const resumed = await call('runs', 'resume', 'last', '--engine', 'dbos', '--json');
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'completed', run_id });
  expect(asked).toEqual(['First/1', 'Last/1', 'Last/1']);
  expect((await call('runs', 'list')).stdout).toMatch(/ completed(?!.*on workers)/);
  // Its result can still be had by one whose folder lacks it.
  expect(await call('runs', 'resume', 'last', '--engine', 'dbos')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it has ended'),
  });
  const result = readFileSync(kept(run_id, 'result.json'), 'utf8');
  rmSync(kept(run_id, 'result.json'));
  expect(await call('runs', 'resume', 'last', '--engine', 'dbos')).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(kept(run_id, 'result.json'), 'utf8'))).toEqual(JSON.parse(result));
  expect(asked).toHaveLength(3);
});

testWithPostgres('a run that no worker is there to cancel says how to follow it, and goes on when it is resumed', async () => {
  const { begin, beginProcess, worker, asked, runId } = await setUp();
  const submitter = beginProcess(['orchestrate', 'write', '--engine', 'dbos']);
  const run_id = await runId();
  await expect.poll(submitter.said, soon).toContain('No worker is at work');
  submitter.child.kill('SIGINT');
  const { code, stderr } = await submitter.outcome;
  expect(code).toBe(130);
  expect(stderr).toContain(
    `No worker has answered yet to the request to cancel the run ${run_id}: it ends as soon as one does. Follow and resume it: npx agent-stack runs resume ${run_id} --engine dbos\n`,
  );
  const resuming = begin(['runs', 'resume', run_id, '--engine', 'dbos', '--json']);
  await expect.poll(resuming.said, soon).toContain('No worker is at work');
  await worker();
  const resumed = await resuming.outcome;
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'completed' });
  expect(asked).toEqual(['First/1', 'Last/1']);
});

testWithPostgres('a run whose submitter is killed goes on, and can be followed from anywhere', async () => {
  const { begin, beginProcess, worker, asked, delays, runId, kept, cwd, database } = await setUp();
  delays.set('Last/1', 1500);
  await worker();
  const submitter = beginProcess(['orchestrate', 'write', '--engine', 'dbos']);
  await expect.poll(() => asked, soon).toEqual(['First/1', 'Last/1']);
  submitter.child.kill('SIGKILL');
  await submitter.outcome;
  const run_id = await runId();
  const followed = await begin(['runs', 'resume', run_id, '--engine', 'dbos', '--json']).outcome;
  expect(followed.code, followed.stderr).toBe(0);
  const sequence = (folder: string) =>
    readFileSync(join(folder, '.agentstack/runs', run_id, 'events.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { seq: number }).seq);
  expect(sequence(cwd)).toEqual(sequence(cwd).map((_, index) => index));
  // Elsewhere there is no folder of it yet.
  const elsewhere = toneProject();
  const outcome = await agentstack(['runs', 'resume', run_id, '--engine', 'dbos', '--json'], {
    cwd: elsewhere,
    env: { AGENTSTACK_DATABASE_URL: database },
  });
  expect(outcome.code, outcome.stderr).toBe(0);
  expect(JSON.parse(outcome.stdout)).toEqual(JSON.parse(readFileSync(kept(run_id, 'result.json'), 'utf8')));
  expect(asked).toEqual(['First/1', 'Last/1']);
});

for (const [answer, mails] of [
  ['repeat', 2],
  ['skip', 1],
] as const) {
  testWithPostgres(`a mail that a killed worker may have sent is not sent again before the user says so: ${answer}`, async () => {
    const { begin, call, worker, workerProcess, mails: sent, holdMails, runId, asked } = await setUp();
    const first = await workerProcess();
    holdMails(true);
    const submitter = begin(['orchestrate', 'mail', '--engine', 'dbos', '--json', '--allow-tools=send']);
    await expect.poll(sent, soon).toBe(1);
    first.child.kill('SIGKILL');
    holdMails(false);
    await worker();
    const stopped = await submitter.outcome;
    const run_id = await runId();
    expect(stopped.code, stopped.stderr).toBe(1);
    expect(stripped(stopped.stderr)).toContain(
      `resume with agent-stack runs resume ${run_id} --engine dbos --unfinished repeat or --unfinished skip`,
    );
    // No terminal to ask on: the run stays as it is.
    const unanswered = await call('runs', 'resume', 'last', '--engine', 'dbos', '--json');
    expect(unanswered.code, unanswered.stderr).toBe(1);
    expect(JSON.parse(unanswered.stdout)).toMatchObject({ error: { code: 'denied', details: { unfinished: { tool: 'send' } } } });
    expect(sent()).toBe(1);
    const answered = await call('runs', 'resume', 'last', '--engine', 'dbos', '--json', '--unfinished', answer);
    expect(answered.code, answered.stderr).toBe(0);
    expect(sent()).toBe(mails);
    expect(asked).toEqual(['First/1', 'Mailer/1', 'Mailer/2', 'Last/1']);
  });
}

testWithPostgres('a folder that cannot be written ends the following, not the run', async () => {
  const { begin, call, worker, asked, delays, runId, kept } = await setUp();
  delays.set('First/1', 1500);
  await worker();
  const submitter = begin(['orchestrate', 'write', '--engine', 'dbos']);
  const run_id = await runId();
  await expect.poll(() => existsSync(kept(run_id, 'events.jsonl')), soon).toBe(true);
  // Not even root can write to it, as with a full disk.
  rmSync(kept(run_id, 'events.jsonl'));
  symlinkSync('/dev/full', kept(run_id, 'events.jsonl'));
  const { code, stderr } = await submitter.outcome;
  expect(code).toBe(2);
  expect(stderr).toContain(`The workers continue the run ${run_id} anyway. Follow and resume it: npx agent-stack runs resume`);
  rmSync(kept(run_id, 'events.jsonl'));
  const resumed = await call('runs', 'resume', run_id, '--engine', 'dbos');
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(asked).toEqual(['First/1', 'Last/1']);
});

testWithPostgres('what cannot be used is said with the way out, and no password is shown', async () => {
  const { begin, call, database } = await setUp();
  const unknown = '0'.repeat(32);
  expect(await call('runs', 'resume', unknown, '--engine', 'dbos')).toMatchObject({
    code: 2,
    stderr: `error: The run ${unknown} cannot be resumed: it is not in this database. Check --database-url.\n`,
  });
  const elsewhere = database.replace(/\/[^/]*$/, '/none');
  for (const args of [['worker'], ['orchestrate', 'write'], ['runs', 'resume', unknown]])
    expect(await begin([...args, '--engine', 'dbos'], { AGENTSTACK_DATABASE_URL: elsewhere }).outcome).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^error: The database 127\.0\.0\.1:\d+\/none refused: .* The database does not exist: create it \(createdb\)/,
      ),
    });
});

testWithPostgres('a wrong password is told without it', async () => {
  const folder = temporaryFolder();
  const rules = join(folder, 'pg_hba.conf');
  // The server may run as another user.
  chmodSync(folder, 0o755);
  writeFileSync(rules, 'host all all 127.0.0.1/32 scram-sha-256\n', { mode: 0o644 });
  const postgres = await ownPostgres({ hba_file: rules });
  onTestFinished(() => postgres.stop());
  const { begin } = await setUp();
  const url = postgres.url.replace('postgres@', 'postgres:wrong-password-1@');
  for (const args of [['worker'], ['orchestrate', 'write']]) {
    const { code, stdout, stderr } = await begin([...args, '--engine', 'dbos'], { AGENTSTACK_DATABASE_URL: url, AGENTSTACK_LOG: 'debug' })
      .outcome;
    expect(code, stderr).toBe(2);
    expect(stderr).toContain('User or password is wrong: correct them in --database-url or AGENTSTACK_DATABASE_URL.');
    expect(stdout + stderr).not.toContain('wrong-password-1');
  }
});

test('limits that are none are refused', async () => {
  const cwd = temporaryProject({ 'config/llms/offline.json': { llm_id: 'offline', provider: 'offline', model_name: 'offline' } });
  const refused = [
    ['--rate', '0/1'],
    ['--rate', '1/0'],
    ['--rate', '5'],
    ['--rate', '1.5/1'],
    ['--rate', '-1/60'],
    ['--concurrency', '0'],
    ['--concurrency=-1'],
    ['--concurrency', '2.5'],
    ['--concurrency', 'many'],
    ['--patience', '-1'],
  ];
  for (const args of refused) {
    const { code, stderr } = await agentstack(['worker', '--engine', 'dbos', '--database-url', 'postgres://127.0.0.1:1/none', ...args], {
      cwd,
    });
    expect(code, args.join(' ')).toBe(2);
    expect(stderr).toMatch(/^error: option '--(rate|concurrency|patience) .* is invalid\. Expected /);
  }
});
