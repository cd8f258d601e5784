import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { agentstack, agentstackProcess, offlineProfile, outcomeOf, read, start, temporaryProject, toneAgent, write } from './command.js';

const key = 'sk-test-0123456789abcdef';
const env = { OPENAI_API_KEY: key, NO_PROXY: '*' };
const one = (name: string, agent: string) => ({
  name,
  entry_team: 'a',
  context: { text: 'Hello' },
  teams: { a: { name: 'A', tasks: [{ name: 'x', agent }], routing: { default: null } } },
});

async function project() {
  let isSlow = true;
  const server = await startLoopbackOpenAi(
    ({ body }) => ({ text: '{"tone": "formal"}', delay_ms: isSlow && JSON.stringify(body).includes('slow') ? 60_000 : 0 }),
    { key },
  );
  onTestFinished(() => server.close());
  const real = { llm_id: 'real', provider: 'openai', model_name: 'gpt-4.1-mini', base_url: server.url, api_key: 'secret://openai_api_key' };
  const cwd = temporaryProject({
    'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'real' },
    'config/llms/real.json': real,
    'config/llms/offline.json': offlineProfile,
    'config/orchestrations/quick.json': one('quick', 'Tone@v1'),
  });
  const runs = join(cwd, '.agentstack/runs');
  const journals = join(cwd, '.agentstack/journal');
  const list = (place: string) => (existsSync(place) ? readdirSync(place) : []);
  return {
    cwd,
    server,
    runs: () => list(runs),
    journals: () => list(journals),
    hurry: () => {
      isSlow = false;
    },
    run: (...args: string[]) => agentstack(args, { cwd, env }),
    /** Runs of processes that are gone: the journals of one that is alive are left alone. */
    async endedRuns(count: number) {
      for (let done = 0; done < count; done += 1)
        expect(await agentstackProcess(['orchestrate', 'quick'], { cwd, env })).toMatchObject({ code: 0 });
    },
    /** Lets a run be as old as this. */
    age(run_id: string, days: number) {
      const then = new Date(Date.now() - days * 86_400_000);
      for (const name of readdirSync(join(runs, run_id))) utimesSync(join(runs, run_id, name), then, then);
      utimesSync(join(runs, run_id), then, then);
    },
    /** A run that was killed, or cancelled, while its model was at work. */
    async killed(signal: 'SIGKILL' | 'SIGINT' = 'SIGKILL') {
      const child = start(['orchestrate', 'quick', '--set', 'text=slow'], { cwd, env });
      const asked = server.requests.length;
      while (server.requests.length === asked) await new Promise((resolve) => setTimeout(resolve, 5));
      child.kill(signal);
      await outcomeOf(child);
    },
  };
}

describe('agent-stack runs delete', () => {
  test('deletes runs and the journals no run needs, and says what it did', async () => {
    const { run, runs, journals, endedRuns } = await project();
    await endedRuns(3);
    const [first = '', second = '', third = ''] = runs();
    expect(await run('runs', 'delete', first)).toEqual({ code: 0, stdout: `${first}\n`, stderr: '1 run deleted, and 1 journal\n' });
    expect(runs()).toEqual([second, third]);
    expect(journals()).toHaveLength(2);
    const { stdout } = await run('runs', 'delete', second, 'last', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ deleted: [second, third], kept: [], journals: [expect.any(String), expect.any(String)] });
    expect([...runs(), ...journals()]).toEqual([]);
  });

  test('leaves a run alone that is going on, and finds none that is not there', async () => {
    const { cwd, run, runs, server } = await project();
    const child = start(['orchestrate', 'quick', '--set', 'text=slow'], { cwd, env });
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const refused = await run('runs', 'delete', 'last', '--force');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`is still running (process ${child.pid})`);
    child.kill('SIGKILL');
    await outcomeOf(child);
    expect(runs()).toHaveLength(1);
    expect(await run('runs', 'delete', 'ffff')).toMatchObject({ code: 2 });
    expect(await run('runs', 'delete', '../journal')).toMatchObject({ code: 2 });
    expect(await run('runs', 'delete', '')).toMatchObject({ code: 2 });
    expect(runs()).toHaveLength(1);
    expect((await run('runs', 'delete', 'last')).code).toBe(0);
  });
});

describe('agent-stack runs prune', () => {
  test('deletes what is old and over, and asks which', async () => {
    const { run, runs, journals, age, killed, endedRuns } = await project();
    await endedRuns(3);
    await killed();
    const all = runs();
    for (const run_id of all.slice(1)) age(run_id, 40);
    const [fresh = '', oldest = '', old = '', open = ''] = all;
    expect((await run('runs', 'prune')).stderr).toContain('Say which: --older-than 30d, --keep 100, or both.');
    expect(await run('runs', 'prune', '--older-than', '1y')).toMatchObject({ code: 2 });

    const dry = await run('runs', 'prune', '--older-than', '30d', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: `${old}\n${oldest}\n` });
    expect(dry.stderr).toBe(`${open} can still be resumed (--unfinished takes it too).\n2 runs would be deleted\n`);
    expect(runs()).toEqual(all);

    expect((await run('runs', 'prune', '--older-than', '30d', '--keep', '2')).stdout).toBe(`${oldest}\n`);
    expect((await run('runs', 'prune', '--older-than', '30d')).stdout).toBe(`${old}\n`);
    expect(runs()).toEqual([fresh, open]);
    expect(journals()).toHaveLength(2);
    expect((await run('runs', 'prune', '--older-than', '30d', '--unfinished')).stdout).toBe(`${open}\n`);
    expect((await run('runs', 'prune', '--keep', '0')).stdout).toBe(`${fresh}\n`);
    expect([...runs(), ...journals()]).toEqual([]);
  });

  test('leaves a cancelled run that can still be resumed, unless it is asked to', async () => {
    const { run, runs, age, killed } = await project();
    await killed('SIGINT');
    const [cancelled = ''] = runs();
    age(cancelled, 40);
    expect((await run('runs', 'list')).stdout).toMatch(/cancelled .*can be resumed/);
    const left = await run('runs', 'prune', '--older-than', '30d');
    expect(left).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(`${cancelled} can still be resumed`) });
    expect(runs()).toEqual([cancelled]);
    expect((await run('runs', 'prune', '--older-than', '30d', '--unfinished')).stdout).toBe(`${cancelled}\n`);
  });

  test('may be done by two processes at a time', async () => {
    const { cwd, runs } = await project();
    const ids = Array.from({ length: 60 }, (_, index) => `0193f1c2a7b87c3d9e4f5a6b7c8d${9000 + index}`);
    for (const run_id of ids) {
      write(cwd, `.agentstack/runs/${run_id}/run.json`, { run_id });
      write(cwd, `.agentstack/runs/${run_id}/result.json`, { status: 'completed' });
    }
    const outcomes = await Promise.all([0, 1].map(() => agentstackProcess(['runs', 'prune', '--keep', '0'], { cwd })));
    expect(outcomes.filter(({ code }) => code !== 0)).toEqual([]);
    const deleted = outcomes.flatMap(({ stdout }) => stdout.split('\n').filter((line) => line !== ''));
    expect([...new Set(deleted)].sort()).toEqual(ids);
    expect(runs()).toEqual([]);
    expect(existsSync(join(cwd, '.agentstack/deleted'))).toBe(false);
  });

  test.each([
    ['prune', '--keep', '9'],
    ['delete', '0193f1c2a7b87c3d9e4f5a6b7c8d9000'],
  ])('clears away what an earlier one left that was killed: runs %s', async (...args) => {
    const { cwd } = await project();
    write(cwd, '.agentstack/deleted/1-2/run.json', {});
    write(cwd, '.agentstack/runs/0193f1c2a7b87c3d9e4f5a6b7c8d9000/run.json', { run_id: '0193f1c2a7b87c3d9e4f5a6b7c8d9000' });
    write(cwd, '.agentstack/runs/0193f1c2a7b87c3d9e4f5a6b7c8d9000/result.json', { status: 'completed' });
    await agentstack(['runs', 'prune', '--keep', '9', '--dry-run'], { cwd });
    expect(existsSync(join(cwd, '.agentstack/deleted'))).toBe(true);
    expect((await agentstack(['runs', ...args], { cwd })).code).toBe(0);
    expect(existsSync(join(cwd, '.agentstack/deleted'))).toBe(false);
  });

  test('says why it left journals alone, also beside a result for programs', async () => {
    const { cwd, run } = await project();
    write(cwd, '.agentstack/runs/torn/run.json', '{"run_id":');
    const { stdout, stderr } = await run('runs', 'prune', '--keep', '1', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ deleted: [], journals: [] });
    expect(stderr).toBe(
      'Journals were left alone, since a run may need any of them. .agentstack/runs/torn/run.json: it is torn, or not a JSON object.\n',
    );
  });
});

describe('agent-stack runs unlock', () => {
  test('frees a run from a machine that is gone, once the user is sure', async () => {
    const { cwd, run, runs, killed, age, hurry } = await project();
    await killed();
    hurry();
    const [run_id = ''] = runs();
    expect((await run('runs', 'unlock', 'last')).stderr).toContain('is free: no process has it.');
    const lock = join(cwd, '.agentstack/runs', run_id, 'lock-9.json');
    writeFileSync(lock, JSON.stringify({ pid: 7, host: 'build-9', boot: 'x', namespace: null, started: null }));
    age(run_id, 3);
    const asked = await run('runs', 'unlock', 'last');
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(`The run ${run_id} belongs to process 7 on the machine build-9. It was last written to 3 days ago.`);
    expect(await run('runs', 'resume', 'last')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`agent-stack runs unlock ${run_id}`),
    });
    expect(await run('runs', 'unlock', 'last', '--force')).toMatchObject({ code: 0, stderr: expect.stringContaining('It is free now.') });
    expect(await run('runs', 'resume', 'last', '--json')).toMatchObject({ code: 0 });
  });
});

test('an orchestration is recorded, and replayed without key or network', async () => {
  const { cwd, run, server, journals } = await project();
  const recorded = await run('orchestrate', 'quick', '--record', 'quick.jsonl');
  expect(recorded.code).toBe(0);
  expect(read(cwd, 'quick.jsonl')).not.toContain(key);
  await server.close();
  const replayed = await agentstack(['orchestrate', 'quick', '--replay', 'quick.jsonl'], { cwd });
  expect(replayed).toMatchObject({ code: 0, stdout: recorded.stdout });
  expect(journals()).toHaveLength(1);
  const list = (await run('runs', 'list')).stdout;
  expect(list).not.toContain('can be resumed');
  expect(list).toMatch(/0 USD, replayed \(recorded at [0-9.]+ USD\)/);
  await run('orchestrate', 'quick', '--set', 'text=Mine', '--llm', 'offline', '--record', 'mine.jsonl');
  expect(await agentstack(['orchestrate', 'quick', '--replay', 'mine.jsonl'], { cwd })).toMatchObject({ code: 0 });
  const other = await agentstack(['orchestrate', 'quick', '--replay', 'quick.jsonl', '--set', 'text=Other'], { cwd });
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('Model call 1 is not the one that was recorded') });
  expect((await run('orchestrate', 'quick', '--record', 'a', '--replay', 'b')).stderr).toContain('Give --record or --replay, not both.');
});
