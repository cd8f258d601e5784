import { existsSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentstack, agentstackProcess, temporaryProject, write } from './command.js';

const none = { total: 0, passed: 0, failed: 0, unknown: 0 };
const report = { format: 1, outcome: 'passed', suites: [], cases: none, runs: none, cost_usd: 0, baseline: null };
const planOf = (format: number) => `${JSON.stringify({ format, llms: [null], targets: [] })}\n`;
const idAt = (index: number) => `0193f1c2a7b87c3d9e4f5a6b7c8d${9000 + index}`;

/** Evals that have ended, as far as their files are not replaced: those of null are not there. */
function project(...evals: readonly Readonly<Record<string, unknown>>[]) {
  const cwd = temporaryProject({ 'agentstack.json': {} });
  for (const [index, files] of evals.entries()) {
    const whole = { 'plan.jsonl': planOf(1), 'report.json': { ...report, eval_id: idAt(index) }, ...files };
    for (const [name, value] of Object.entries(whole)) if (value !== null) write(cwd, `.agentstack/evals/${idAt(index)}/${name}`, value);
  }
  return {
    cwd,
    evals: () => readdirSync(join(cwd, '.agentstack/evals')),
    run: (...args: string[]) => agentstack(['eval', ...args], { cwd }),
  };
}
const elsewhere = { pid: 7, host: 'build-9', boot: 'x', namespace: null, started: null };

describe('agent-stack eval prune', () => {
  test('leaves an eval of another machine, says that it cannot be seen, and frees it once the user is sure', async () => {
    const { run, evals, cwd } = project({ 'lock-1.json': elsewhere });
    const { stderr, stdout } = await run('prune', '--keep', '0', '--unfinished');
    expect(stdout).toBe('');
    expect(stderr).toContain(`it belongs to process 7 on the machine build-9, which cannot be seen from here`);
    expect(stderr).toContain(`\`npx agent-stack eval unlock ${idAt(0)}\``);
    expect(evals()).toEqual([idAt(0)]);
    expect((await run('resume', 'last')).stderr).toContain(`agent-stack eval unlock ${idAt(0)}`);
    const asked = await run('unlock', 'last');
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(`The eval ${idAt(0)} belongs to process 7 on the machine build-9. It was last written to`);
    expect(await run('unlock', 'last', '--force')).toMatchObject({ code: 0, stderr: expect.stringContaining('It is free now.') });
    expect((await run('prune', '--keep', '0')).stdout).toBe(`${idAt(0)}\n`);
    expect(existsSync(join(cwd, '.agentstack/deleted'))).toBe(false);
  });

  test.each([
    ['the plan of another version', { 'plan.jsonl': planOf(2), 'report.json': null }, 'plan.jsonl is not of format 1'],
    [
      'a plan that is not there',
      { 'plan.jsonl': null, 'report.json': null, 'results_1.jsonl': '' },
      'plan.jsonl cannot be read: it does not exist',
    ],
    ['a folder in place of its report', { 'report.json': null, 'report.json/x': {} }, 'report.json cannot be read: it is a folder'],
  ])('keeps an eval with %s, which nobody can call ended or resumable', async (_, files, words) => {
    const { run, evals } = project({}, files);
    expect((await run('list')).stdout).toMatch(new RegExp(`^${idAt(1)}  \\S+ \\S+  broken`, 'm'));
    const { stderr, stdout, code } = await run('prune', '--keep', '0');
    expect(code).toBe(0);
    expect(stdout).toBe(`${idAt(0)}\n`);
    expect(stderr).toContain(`${idAt(1)} is kept: it cannot be read back`);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('resumed');
    expect(evals()).toEqual([idAt(1)]);
    expect((await run('prune', '--keep', '0', '--unfinished')).stdout).toBe(`${idAt(1)}\n`);
  });

  test('clears away what an earlier one left that was killed, unless it only looks', async () => {
    const { run, cwd } = project({});
    write(cwd, '.agentstack/deleted/1-2/report.json', {});
    const torn = join(cwd, `.agentstack/evals/${idAt(0)}/.report.json.0b5e8f0e-0000-4000-8000-000000000000.tmp`);
    writeFileSync(torn, '{');
    utimesSync(torn, 1, 1);
    await run('prune', '--keep', '1', '--dry-run');
    expect([existsSync(torn), existsSync(join(cwd, '.agentstack/deleted'))]).toEqual([true, true]);
    expect((await run('prune', '--keep', '1')).code).toBe(0);
    expect([existsSync(torn), existsSync(join(cwd, '.agentstack/deleted'))]).toEqual([false, false]);
  });

  test('touches nothing but folders among the evals', async () => {
    const { run, evals, cwd } = project({});
    write(cwd, 'config/a.json', {});
    symlinkSync(join(cwd, 'config'), join(cwd, '.agentstack/evals/link'));
    expect(await run('list')).toMatchObject({ code: 0, stdout: expect.stringContaining(idAt(0)) });
    expect((await run('prune', '--keep', '0', '--unfinished')).stdout).toBe(`${idAt(0)}\n`);
    expect(evals()).toEqual(['link']);
    expect(readdirSync(join(cwd, 'config'))).toEqual(['a.json']);
  });

  test('may be done by two processes at a time', async () => {
    const { cwd, evals } = project(...Array.from({ length: 60 }, () => ({})));
    const outcomes = await Promise.all([0, 1].map(() => agentstackProcess(['eval', 'prune', '--keep', '0'], { cwd })));
    expect(outcomes.filter(({ code }) => code !== 0)).toEqual([]);
    expect(evals()).toEqual([]);
    expect(existsSync(join(cwd, '.agentstack/deleted'))).toBe(false);
  });
});
