import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type LoopbackScript, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { agentstack, offlineProfile, outcomeOf, start, temporaryProject, toneAgent } from './command.js';

const key = 'sk-test-0123456789abcdef';
const env = { OPENAI_API_KEY: key, NO_PROXY: '*' };

const orchestration = {
  name: 'letters',
  entry_team: 'judge',
  context: { text: 'Good day to you' },
  teams: {
    judge: {
      name: 'Judge',
      tasks: [
        { name: 'first', agent: 'Tone@v1', input: { text: '{{context.text}}' } },
        { name: 'second', agent: 'Tone@v1', input: { text: '{{tasks.first.output.tone}}' } },
      ],
      routing: {
        rules: [
          { condition: { context_field: 'missing', operator: 'equals', value: 1 }, next_team: null },
          {
            condition: { task: 'first', output_field: 'tone', operator: 'equals', value: 'formal' },
            next_team: 'answer',
            context_updates: { tone: 'formal' },
          },
        ],
        default: null,
      },
    },
    answer: { name: 'Answer', tasks: [{ name: 'reply', agent: 'Tone@v1', input: { text: 'x' } }], routing: { default: null } },
  },
};

async function served(
  script: LoopbackScript = { text: '{"tone": "formal"}', usage: { prompt_tokens: 100, completion_tokens: 10 } },
  teams: object = orchestration,
) {
  const server = await startLoopbackOpenAi(script, { key });
  onTestFinished(() => server.close());
  const real = { llm_id: 'real', provider: 'openai', model_name: 'gpt-4.1-mini', base_url: server.url, api_key: 'secret://openai_api_key' };
  const cwd = temporaryProject({
    'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'real' },
    'config/llms/real.json': real,
    'config/llms/offline.json': offlineProfile,
    'config/orchestrations/letters.json': teams,
  });
  return { cwd, server, run: (...args: string[]) => agentstack(args, { cwd, env }) };
}

const steady = (text: string) =>
  text
    .replace(/ *\d+ ms| *\d+\.\d+ s/g, ' TIME')
    .replace(/[0-9a-f]{32}/g, 'ID')
    .replace(/ +took/, ' took');

describe('an orchestration', () => {
  test('is shown as its teams, tasks and routes, then what each task took; its output is on stdout', async () => {
    const { run } = await served();
    const { code, stdout, stderr } = await run('orchestrate', 'letters');
    expect(JSON.parse(stdout)).toMatchObject({
      teams: [{ team: 'judge', tasks: { first: { output: { tone: 'formal' } } } }, { team: 'answer' }],
      context: { text: 'Good day to you', tone: 'formal' },
    });
    expect(steady(stderr)).toBe(`1 judge
  first begins
  first  completed TIME | 110 tokens | 0.000056 USD
  second begins
  second  completed TIME | 110 tokens | 0.000056 USD
  -> answer  rule 2
     context: {"tone":"formal"}
     The context has no field "missing".
2 answer
  reply begins
  reply  completed TIME | 110 tokens | 0.000056 USD
  -> end  default

team      task    status took  tokens          cost
1 judge   first   completed TIME     110  0.000056 USD
1 judge   second  completed TIME     110  0.000056 USD
2 answer  reply   completed TIME     110  0.000056 USD
completed letters | 2 teams, 3 tasks | TIME | 300 in, 30 out tokens | 0.000168 USD
kept in  .agentstack/runs/ID
`);
    expect(code).toBe(0);
    const list = await run('runs', 'list');
    expect(steady(list.stdout)).toMatch(/^ID {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}completed {2}letters TIME {2}330 tokens {2}0\.000168 USD\n$/);
    const page = (await run('runs', 'show', 'last')).stdout;
    expect(page).toContain('2 answer\n  reply  completed\n  -> end  default\n');
    expect(page).toContain('1 judge   second  completed');
  });

  test('is one JSON value, or its events as they happen, for programs', async () => {
    const { run } = await served();
    const whole = await run('orchestrate', 'letters', '--json', '--set', 'text="Hi"');
    expect(JSON.parse(whole.stdout)).toMatchObject({
      status: 'completed',
      output: { context: { text: 'Hi' } },
      metadata: { agent_version: null },
    });
    expect(whole.stderr).toBe('');
    const { stdout } = await run('orchestrate', 'letters', '--events', 'jsonl', '--no-keep');
    const types = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types[0]).toBe('run_start');
    expect(types.at(-1)).toBe('final');
  });

  test('shows which task failed and why, and goes on as its rules say', async () => {
    const { run } = await served({ status: 400, error: { message: 'no such thing' } });
    const { code, stderr } = await run('orchestrate', 'letters');
    expect(stderr).toContain('first  failed');
    expect(stderr).toContain('no such thing');
    expect(stderr).toContain('-> end  default');
    expect(stderr).toContain('partial letters');
    expect(code).toBe(1);
  });

  test('without its required tasks is partial, in the list of runs too; --allow-partial makes that exit code 0', async () => {
    const { run } = await served({ status: 400, error: { message: 'no such thing' } });
    const { code, stdout } = await run('orchestrate', 'letters', '--allow-partial', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'partial', success: false, error: { code: 'llm' } });
    const listed = await run('runs', 'list', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({ runs: [{ state: 'partial', can_resume: false }] });
    expect((await run('runs', 'list')).stdout).toContain('  partial ');
    expect((await run('runs', 'show', 'last')).stdout).toContain('partial');
    expect((await run('runs', 'prune', '--keep', '0')).stdout).not.toBe('');
  });

  test.each([
    [['orchestrate', 'Tone'], 'Tone is an agent, not an orchestration. Run it with `agent-stack run Tone`.'],
    [['run', 'letters'], 'letters is an orchestration, not an agent. Run it with `agent-stack orchestrate letters`.'],
    [['orchestrate', 'leters'], 'Did you mean "letters"?'],
    [['orchestrate', 'leters', '--case', 'one'], 'There is no orchestration "leters"'],
    [['run', 'tone', '--case', 'greeting'], 'There is no agent "tone"'],
    [['orchestrate', 'letters', '--context', 'none.json'], '--context none.json: there is no such file.'],
    [['orchestrate', 'letters', '--context', '{"a": '], 'The input from --context is not valid JSON'],
    [['orchestrate', 'letters', '--context', '[1]'], 'must be a JSON object'],
    [['orchestrate', 'letters', '--context', ''], 'The input from --context is empty.'],
    [['orchestrate', 'letters', '--llm', 'ofline'], 'Did you mean "offline"?'],
    [['orchestrate', 'letters', '--environment', 'pord'], 'There is no environment "pord"'],
    [['orchestrate', 'letters', '--allow-tools=send'], 'no tool "send"'],
    [['orchestrate', 'letters', '--events', 'jsonl', '--json'], 'not both'],
    [['run', 'Tone', '--durable', '--no-keep'], 'not both'],
    [['runs', 'resume', 'last'], 'There are no runs yet'],
    [['runs', 'resume', '0'.repeat(32)], 'There is no run'],
  ])('is refused with the way out: %j', async (args, words) => {
    const { run, cwd } = await served();
    const { code, stdout, stderr } = await run(...args);
    expect(stderr + stdout).toContain(words);
    expect(code).toBe(2);
    expect(existsSync(join(cwd, '.agentstack/runs'))).toBe(false);
  });

  test('that has errors shows them in their files, as check does', async () => {
    const { run } = await served(undefined, { ...orchestration, entry_team: 'juge' });
    const { code, stderr } = await run('orchestrate', 'letters');
    expect(stderr).toContain('entry-team-unknown');
    expect(stderr).toContain('letters.json');
    expect(code).toBe(2);
  });
});

describe('a run that is interrupted', () => {
  test('by Ctrl+C says how it goes on, and does', async () => {
    const { run, cwd } = await served({ text: '{"tone": "formal"}', delay_ms: 300 });
    const child = start(['orchestrate', 'letters'], { cwd, env });
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('second begins')) child.kill('SIGINT');
    });
    const { code, stderr } = await outcomeOf(child);
    expect(code).toBe(130);
    expect(stderr).toMatch(/resume with {2}agent-stack runs resume [0-9a-f]{32}/);
    expect((await run('runs', 'list')).stdout).toContain('can be resumed');
    const resumed = await run('runs', 'resume', 'last');
    expect(resumed.stderr).toContain('finished steps not repeated');
    expect(resumed.stderr).toContain('completed letters | 2 teams, 3 tasks');
    expect(resumed.code).toBe(0);
    const again = await run('runs', 'resume', 'last');
    expect(again.stderr).toContain('it has ended (completed)');
    expect(again.code).toBe(2);
  });

  test('while it runs belongs to its process', async () => {
    const { run, cwd } = await served({ text: '{"tone": "formal"}', delay_ms: 2000 });
    const child = start(['orchestrate', 'letters'], { cwd, env });
    const ended = outcomeOf(child);
    await new Promise<void>((resolve) => child.stderr.on('data', (chunk: Buffer) => chunk.toString().includes('begins') && resolve()));
    const { code, stderr } = await run('runs', 'resume', 'last');
    expect(stderr).toContain(`it is still running (process ${child.pid})`);
    expect(code).toBe(2);
    child.kill('SIGKILL');
    await ended;
  });
});

/** Small file systems are for the administrator alone to make; elsewhere this is reported as not run. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0 && canMountHere();

function canMountHere(): boolean {
  const folder = temporaryFolderName();
  mkdirSync(folder);
  const works = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status === 0;
  if (works) execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return works;
}

function temporaryFolderName(): string {
  return join(tmpdir(), `agent-stack-mount-${process.pid}`);
}

test.skipIf(!canMount)('a disk that is full ends the run with what to do, and it goes on when there is room', async () => {
  let onRequest: (() => void) | undefined;
  const { run, cwd } = await served(() => {
    onRequest?.();
    return { text: '{"tone": "formal"}' };
  });
  const home = join(cwd, '.agentstack');
  mkdirSync(home);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', home]);
  onTestFinished(() => void spawnSync('umount', ['-l', home]));
  let asked = 0;
  onRequest = () => {
    asked += 1;
    if (asked !== 2) return;
    const { bavail, bsize } = statfsSync(home);
    writeFileSync(join(home, 'filler'), Buffer.alloc(bavail * bsize));
  };
  const { code, stderr } = await run('orchestrate', 'letters');
  expect(stderr).toContain('The run could not be saved (storage):');
  expect(stderr).toContain('Free some space');
  expect(stderr).toContain('runs resume');
  expect(code).toBe(1);
  rmSync(join(home, 'filler'));
  const before = asked;
  const resumed = await run('runs', 'resume', 'last');
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(resumed.stderr).toContain('completed letters | 2 teams, 3 tasks');
  // The first call was kept and is not made again; the second only where it did not fit either.
  expect(asked - before).toBeLessThanOrEqual(2);
  expect(readdirSync(join(home, 'journal')).length).toBeGreaterThan(1);
});

describe('exit codes', () => {
  const broken = {
    ...orchestration,
    teams: {
      judge: {
        ...orchestration.teams.judge,
        routing: {
          rules: [{ condition: { task: 'first', status: 'success' }, next_team: null, context_updates: { a: '{{context.nowhere}}' } }],
        },
      },
    },
  };

  test('an input that cannot be made after tasks were done and paid for is a run that failed', async () => {
    const { run } = await served(undefined, broken);
    const { code, stderr } = await run('orchestrate', 'letters');
    expect([code, stderr]).toEqual([1, expect.stringContaining('The input does not fit (input-invalid): The context_updates of rule')]);
  });

  test('a key that is missing stops the run before it begins', async () => {
    const { cwd } = await served();
    const { code, stdout, stderr } = await agentstack(['orchestrate', 'letters'], { cwd, env: {} });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'A secret is missing (secret-missing): The key is missing: the secret "openai_api_key" is not set. Store it in the editor, or for the command line set the environment variable OPENAI_API_KEY. It is for Tone@v1 (llm profile "real").\n',
    );
    expect(existsSync(join(cwd, '.agentstack'))).toBe(false);
  });
});

test('takes a case of the orchestration, which check accepts', async () => {
  const cwd = temporaryProject({
    'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'offline' },
    'config/llms/offline.json': offlineProfile,
    'config/orchestrations/letters.json': orchestration,
    'config/payloads/letters/rude.json': { context: { text: 'Go away', saved: true } },
  });
  expect((await agentstack(['check'], { cwd })).code).toBe(0);
  const { code, stdout } = await agentstack(['orchestrate', 'letters', '--case', 'rude', '--json', '--no-keep'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ output: { context: { text: 'Go away', saved: true } } });
  const unknown = await agentstack(['orchestrate', 'letters', '--case', 'rud'], { cwd });
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean "rude"?')]);
  expect((await agentstack(['orchestrate', 'letters', '--case', 'rude', '--context', '{}'], { cwd })).code).toBe(2);
});
