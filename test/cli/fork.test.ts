import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ForkReport } from '../../core/generated/types.js';
import { answer, env, forkProject, single } from '../fork/forkProject.js';
import { validateForkReport } from '../support/validateRun.js';
import { agentstack, listFiles, outcomeOf, read, start, write } from './command.js';

const trusting = { ...env, AGENT_STACK_TRUST: '1' };
const moduleText = `const parameters = { type: 'object', properties: { item: { type: 'string' } }, required: ['item'], additionalProperties: false };
const tool = (name, idempotent) => ({ name, description: name, parameters, idempotent, side_effects: !idempotent, call: ({ item }) => name + ': ' + item });
export const stock = tool('stock', true);
export const order = tool('order', false);
`;
const change = 'Writer.purpose_text=Write more.';
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[mK]`, 'g');

/** A project with a run that is kept and recorded. */
async function recorded(agent: 'Planner' | 'Buyer', script = answer) {
  const expect3 = [{ text: true, operator: 'contains', value: 'Writer' }];
  const place = await forkProject(
    {
      'agentstack.json': { tools: './tools.mjs' },
      'config/payloads/Planner/three.json': { input: { item: 'bolts' }, expect: expect3 },
    },
    script,
  );
  const { folder: cwd } = place;
  write(cwd, 'tools.mjs', moduleText);
  const run = (...args: string[]) => agentstack(args, { cwd, env: trusting });
  const input = agent === 'Planner' ? ['--case', 'three'] : ['--set', 'item=bolts'];
  const first = await run('run', agent, ...input, '--durable', '--allow-tools', '--record', 'run.jsonl', '--json');
  expect(first.code).toBe(0);
  place.asked();
  return { ...place, cwd, run, run_id: JSON.parse(first.stdout).run_id as string };
}

function reportOf({ stdout }: { readonly stdout: string }): ForkReport {
  const report = JSON.parse(stdout) as ForkReport;
  expect(validateForkReport(report)).toEqual([]);
  return report;
}

describe('agent-stack fork', () => {
  test('says what a change would cost before it forks, and forks nothing in a dry run', async () => {
    const { run, run_id, asked, cwd } = await recorded('Planner');
    const before = listFiles(cwd);
    const { code, stdout, stderr } = await run('fork', 'last', '--with', change, '--dry-run');
    expect(stderr).toContain(`fork  Planner@v1 of ${run_id}\n  free     2 model calls, 0.00112 USD\n`);
    expect(stderr).toContain('  live     from model call 1 of Writer@v1: purpose_text (config/agents/Writer/v1.json)\n');
    expect(stderr).toMatch(/ {2}cost {5}at most [\d.]+ USD\n/);
    expect([code, stdout]).toEqual([0, '']);
    const { plan, forks } = reportOf(await run('fork', 'run.jsonl', '--with', change, '--dry-run', '--json'));
    expect([plan.live.model_calls, forks.length]).toEqual([1, 0]);
    expect(asked()).toEqual([]);
    expect(listFiles(cwd)).toEqual(before);
  });

  test('has nothing to fork where no request changes, and asks nothing', async () => {
    const { run, asked } = await recorded('Planner');
    for (const args of [[], ['--files'], ['--with', 'Writer.description=x']]) {
      const { code, stderr } = await run('fork', 'last', ...args);
      expect(stderr).toContain('Nothing to fork: no request changes');
      expect(code).toBe(0);
    }
    expect(asked()).toEqual([]);
  });

  test('shows original and fork side by side, with what was paid and saved', async () => {
    const { run, run_id, asked } = await recorded('Planner');
    const { code, stdout } = await run('fork', 'last', '--with', change, '--yes');
    expect(asked()).toEqual(['Writer']);
    expect(stdout).toContain('  read        {"words":"Reader 0"}');
    expect(stdout).toMatch(/> write {7}\{"words":"Writer 2"\} +\{"words":"Writer 3"\}\n/);
    expect(stdout).toContain('paid 0.00056 USD, saved 0.00112 USD by the record\n');
    expect(stdout).toContain(
      'case three: the original passed, 1 of 1 fork passed (no difference seen: one case says nothing about others)',
    );
    expect(stdout).toMatch(/\* cost +0.00168 USD +0.00056 USD \(-67 %\)/);
    expect(code).toBe(0);
    const shown = await run('runs', 'show', 'last');
    expect(shown.stdout).toContain(`fork of     ${run_id}`);
    expect(shown.stdout).toContain('0.00056 USD, the rest recorded (at 0.00112 USD)');
    expect((await run('runs', 'resume', 'last')).stderr).toContain('it has ended');
  });

  test('judges nothing where the case of the run expects nothing, and refuses such a case before it pays where it is named', async () => {
    const { run, cwd, asked } = await recorded('Planner');
    write(cwd, 'config/payloads/Planner/three.json', { input: { item: 'bolts' } });
    const named = await run('fork', 'last', '--with', change, '--yes', '--case', 'three');
    expect(named.stderr).toContain('Planner has no case "three" that expects something. Nothing was forked.');
    expect([named.code, asked()]).toEqual([2, []]);
    const { code, stdout } = await run('fork', 'last', '--with', change, '--yes');
    expect(stdout).toContain('paid 0.00056 USD');
    expect(stdout).not.toContain('case three');
    expect([code, asked()]).toEqual([0, ['Writer']]);
    const invented = await run('fork', 'last', '--with', 'enums.nothing=x');
    expect(invented.stderr).toMatch(/config\/agents\/Planner\/v1\.json:\d+:\d+ error /);
    expect([invented.code, invented.stderr]).toEqual([2, expect.not.stringContaining(' at ')]);
    const misspelt = await run('fork', 'last', '--with', 'purpose_tex=x');
    expect(misspelt.stderr).toContain('purpose_tex');
    expect(misspelt.stderr).not.toContain('--input');
  });

  test('runs the live part several times, and says how the answers spread', async () => {
    const { run, asked } = await recorded('Planner');
    const report = reportOf(await run('fork', 'last', '--with', change, '--times', '3', '--max-cost', '0.5', '--json'));
    expect(asked()).toEqual(['Writer', 'Writer', 'Writer']);
    expect(report.forks.map(({ status, cost_usd, recorded_cost_usd }) => [status, cost_usd, recorded_cost_usd])).toEqual(
      Array(3).fill(['completed', 0.00056, 0.00112]),
    );
    expect(report).toMatchObject({
      paid_usd: 0.00168,
      saved_usd: 0.00336,
      original: { cost_usd: 0.00168 },
      case: { passes: 3, judged: 3, p_value: 1 },
    });
    expect(report.spread).toMatchObject([{ field: 'text', values: [{ count: 1 }, { count: 1 }, { count: 1 }] }]);
    expect(report.rows.map(({ name, is_equal, is_live }) => [name, is_equal, is_live])).toEqual([
      ['read', true, false],
      ['edit', true, false],
      ['write', false, true],
    ]);
  });

  test('pays no more than allowed for all forks together, and what is recorded does not count', async () => {
    const { run, asked } = await recorded('Planner');
    const report = reportOf(
      await run('fork', 'last', '--with', change, '--times', '3', '--concurrency', '1', '--max-cost', '0.0012', '--json'),
    );
    expect(report.paid_usd).toBeLessThanOrEqual(0.0012);
    expect(asked().length).toBeGreaterThan(0);
    expect(report.forks.some(({ error }) => error?.code === 'budget-exceeded')).toBe(true);
  });

  test('without a terminal forks nothing whose cost nobody has agreed to', async () => {
    const { run, asked } = await recorded('Planner');
    const { code, stderr } = await run('fork', 'last', '--with', change);
    expect(stderr).toContain('Give --max-cost USD, or --yes. Nothing was forked.');
    expect(code).toBe(2);
    expect(asked()).toEqual([]);
  });

  test.each<[string, string]>([
    ['Writer.purpse_text=x', 'an agent has no field "purpse_text" that could be changed. Did you mean "purpose_text"?'],
    ['Writer.mode=Nobody', 'config/agents/Writer/v1.json'],
    ['Writer.temperature=hot', 'config/agents/Writer/v1.json'],
    ['execution_plan.steps.0.agent=Nobody@v1', 'config/agents/Planner/v1.json'],
    ['purpose_text', 'expected FIELD=VALUE'],
    ['purpose_text=@../outside.txt', 'the file is not in the project'],
  ])('refuses %s before anything runs', async (written, words) => {
    const { run, asked, cwd } = await recorded('Planner');
    const text = read(cwd, 'config/agents/Writer/v1.json');
    const { code, stderr } = await run('fork', 'last', '--with', written, '--yes');
    expect(stderr).toContain(words);
    expect(code).toBe(2);
    expect(asked()).toEqual([]);
    expect(read(cwd, 'config/agents/Writer/v1.json')).toBe(text);
  });

  test.each([
    ['nobody', 'There is no run "nobody"'],
    ['missing.jsonl', 'missing.jsonl does not exist. Write one with --record.'],
    ['config/agents/Writer/v1.json', 'is not a record of a run'],
  ])('refuses %s, which is nothing to fork', async (written, words) => {
    const { run } = await recorded('Planner');
    const { code, stderr } = await run('fork', written, '--yes');
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });

  test('takes values as JSON, as text and from a file of the project, and leaves the files alone', async () => {
    const { run, cwd } = await recorded('Planner');
    write(cwd, 'draft.txt', 'Write "all".\n');
    const args = [
      '--with',
      'Writer.purpose_text=@draft.txt',
      '--with',
      'Writer/temperature=0.2',
      '--with',
      'Reader@v1.mode=',
      '--dry-run',
      '--json',
    ];
    const { plan } = reportOf(await run('fork', 'last', ...args));
    expect(plan.changes.map(({ field }) => field).sort()).toEqual(expect.arrayContaining(['mode', 'purpose_text', 'temperature']));
    expect(JSON.parse(read(cwd, 'config/agents/Writer/v1.json'))).toEqual(single('Writer'));
  });

  test('needs a permission for tools that are not idempotent, before anything is paid, and asks at a terminal', async () => {
    const { run, asked, cwd } = await recorded('Buyer');
    const args = ['fork', 'run.jsonl', '--with', 'system_text=Buyer\nBuy little.', '--yes'];
    const refused = await run(...args);
    expect(refused.stderr).toContain('order would be called again, which is not idempotent');
    expect(refused.code).toBe(2);
    expect(asked()).toEqual([]);

    const stdin = Object.assign(Readable.from([Buffer.from('n\n')]), { isTTY: true });
    const asking = await agentstack(args, { cwd, env: trusting, stdin, columns: 100 });
    const words = asking.stderr.replace(colours, '');
    expect(words).toContain('Buyer wants to call order');
    expect(words).toContain('{"item":"bolts"}');
    expect(asking.stdout.replace(colours, '')).toContain('order {"item":"bolts"}');

    const allowed = reportOf(await run(...args, '--allow-tools=order', '--json'));
    expect(allowed.forks).toMatchObject([{ status: 'completed', recorded_cost_usd: 0 }]);
    expect(allowed.rows[2]?.cells[1]?.calls).toEqual([{ name: 'order', input: { item: 'bolts' }, output: 'order: bolts' }]);
  });

  test('forks a fork, from its run and from its record', async () => {
    const { run, asked } = await recorded('Planner');
    await run('fork', 'last', '--with', change, '--yes', '--record', 'fork.jsonl');
    asked();
    for (const from of ['last', 'fork.jsonl']) {
      const report = reportOf(
        await run('fork', from, '--with', change, '--with', 'Editor.purpose_text=Edit more.', '--yes', '--json', '--no-keep'),
      );
      expect(report.plan).toMatchObject({ places: [{ place: 'Editor@v1' }], free: { model_calls: 1 } });
      expect(report.forks).toMatchObject([{ status: 'completed', recorded_cost_usd: 0.00056, cost_usd: 0.00112 }]);
      expect(asked()).toEqual(['Editor', 'Writer']);
    }
  });

  test('goes on where a record was cut off, also if nothing has changed', async () => {
    const { run, asked, cwd } = await recorded('Planner');
    const lines = readFileSync(join(cwd, 'run.jsonl'), 'utf8').split('\n');
    writeFileSync(join(cwd, 'run.jsonl'), lines.filter((line) => !line.includes('"at":"Writer@v1"') && !line.includes('"end"')).join('\n'));
    const report = reportOf(await run('fork', 'run.jsonl', '--yes', '--json'));
    expect(report.plan).toMatchObject({ changes: [], places: [{ place: 'Writer@v1', causes: [] }], free: { model_calls: 2 } });
    expect(report.forks).toMatchObject([{ status: 'completed' }]);
    expect(asked()).toEqual(['Writer']);
  });

  test('says that the config of a record is not known any more', async () => {
    const { run, cwd } = await recorded('Planner');
    expect((await run('runs', 'delete', 'last')).code).toBe(0);
    write(cwd, 'config/agents/Writer/v1.json', { ...single('Writer'), purpose_text: 'Write more.' });
    const { stderr } = await run('fork', 'run.jsonl', '--dry-run');
    expect(stderr).toContain('The config of the record is not known any more');
    expect(stderr).toContain('live     from model call 1 of Writer@v1\n');
  });

  test('killed in the middle, leaves the original as it was', async () => {
    let isSlow = false;
    const { run_id, cwd, server } = await recorded('Planner', (request, index) => ({
      ...answer(request, index),
      ...(isSlow && { delay_ms: 60_000 }),
    }));
    isSlow = true;
    const files = () => Object.fromEntries(listFiles(cwd).flatMap((path) => (path.includes(run_id) ? [[path, read(cwd, path)]] : [])));
    const before = files();
    const asked = server.requests.length;
    const command = start(['fork', run_id, '--with', change, '--yes'], { cwd, env: trusting });
    const ended = outcomeOf(command);
    await expect.poll(() => server.requests.length, { timeout: 30_000 }).toBeGreaterThan(asked);
    command.kill('SIGKILL');
    await ended;
    await wait(50);
    expect(files()).toEqual(before);
    const resumed = await agentstack(['runs', 'resume', 'last'], { cwd, env: trusting });
    expect(resumed.stderr).toContain('it is a fork');
    expect(resumed.code).toBe(2);
  });

  test('counts in no average of past runs', async () => {
    const { run } = await recorded('Planner');
    const costOf = async () => (await run('compose', 'Planner', '--case', 'three')).stderr;
    const before = await costOf();
    await run('fork', 'last', '--with', change, '--yes');
    expect(await costOf()).toBe(before);
  });
});
