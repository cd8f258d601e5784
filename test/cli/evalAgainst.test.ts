import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EvalReport } from '../../core/generated/types.js';
import type { LoopbackScript } from '../support/loopbackOpenAi.js';
import { listFiles, read, toneAgent, write } from './command.js';
import { formal, friendly, reportOf, servedTone } from './servedTone.js';

const today = new Date().toISOString().slice(0, 10);
const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const caseOf = (text: string) => ({ input: { text }, expect: [{ output_field: 'tone', operator: 'equals', value: 'formal' }] });
const file = 'config/baselines/Tone.json';

function served(script: LoopbackScript, files: Readonly<Record<string, unknown>> = {}) {
  return servedTone(script, () => ({
    ...Object.fromEntries(names.map((name) => [`config/payloads/Tone/${name}.json`, caseOf(`Text ${name}`)])),
    ...files,
  }));
}

/** How many requests there have been since. */
function countFrom({ requests }: { readonly requests: readonly unknown[] }): () => number {
  const before = requests.length;
  return () => requests.length - before;
}

function commit(cwd: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd, stdio: 'pipe' });
  if (!existsSync(join(cwd, '.git'))) git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'x');
}

describe('eval --save-baseline', () => {
  test('writes one line a verdict, in the order of the cases, and holds no input and no answer', async () => {
    const { run, cwd } = await served((request) => (JSON.stringify(request.body).includes('Text b') ? friendly : formal));
    const { code, stderr } = await run('eval', '--save-baseline', '--concurrency', '1');
    expect(code).toBe(1);
    expect(stderr).toContain('config/baselines/Tone.json: 6 verdicts saved.');
    const text = read(cwd, file);
    const shape = text.replace(/[0-9a-f]{64}/g, 'KEY').replaceAll(today, 'DAY');
    expect(shape.split('\n').slice(0, 5)).toEqual([
      '{',
      '  "format": 2,',
      '  "verdicts": [',
      '    { "case": "a", "version": "v1", "passes": 1, "repeats": 1, "model": "gpt-4.1-mini", "cost_usd": 0.000056, "date": "DAY", "key": "KEY", "test": "KEY" },',
      '    { "case": "b", "version": "v1", "passes": 0, "repeats": 1, "model": "gpt-4.1-mini", "cost_usd": 0.000056, "date": "DAY", "key": "KEY", "test": "KEY" },',
    ]);
    expect(text).not.toMatch(/Text|formal|friendly|sk-/);
    expect((await run('check')).code).toBe(0);
  });

  test('keeps what was not asked, takes what is gone away, and changes no other line', async () => {
    const { run, cwd } = await served(formal);
    await run('eval', '--save-baseline');
    const before = read(cwd, file).split('\n');
    rmSync(join(cwd, 'config/payloads/Tone/c.json'));
    const { stderr } = await run('eval', 'Tone/a', '--save-baseline');
    expect(stderr).toContain('config/baselines/Tone.json: 1 verdict saved, 4 kept, 1 removed.');
    expect(read(cwd, file).split('\n')).toEqual(before.filter((line) => !line.includes('"case": "c"')));
  });

  test('keeps the old verdict where the new one could not be had', async () => {
    let isLimited = false;
    const { run, cwd } = await served(() =>
      isLimited ? { status: 429, error: { message: 'Slow down', code: 'rate_limit_exceeded' } } : formal,
    );
    await run('eval', '--save-baseline');
    const before = read(cwd, file);
    isLimited = true;
    expect((await run('eval', '--save-baseline')).code).toBe(3);
    expect(read(cwd, file)).toBe(before);
  });

  test('writes no file where nothing could be judged and there was none', async () => {
    const { run, cwd } = await served({ status: 429, error: { message: 'Slow down', code: 'rate_limit_exceeded' } });
    expect((await run('eval', '--save-baseline')).stderr).toContain('config/baselines/Tone.json: 0 verdicts saved.');
    expect(listFiles(cwd)).not.toContain(file);
  });

  test('marks made-up answers, and never compares them with those of a model', async () => {
    const { run, cwd, server } = await served(formal);
    write(cwd, 'config/agents/Tone/v1.json', JSON.stringify({ ...toneAgent, llm_config_id: 'offline' }));
    await run('eval', '--save-baseline');
    expect(read(cwd, file)).toContain('"simulated": true');
    write(cwd, 'config/agents/Tone/v1.json', JSON.stringify({ ...toneAgent, llm_config_id: 'real' }));
    const report = await reportOf(run('eval', '--against', 'config/baselines', '--json'));
    expect(report.baseline).toMatchObject({ counts: { changed: 6, carried: 0 }, comparisons: [], verdict: null });
    expect(server.requests).toHaveLength(6);
  });

  test('can be made up for from the kept results', async () => {
    const { run, cwd, server } = await served(formal);
    await run('eval', '--save-baseline');
    const before = read(cwd, file);
    rmSync(join(cwd, file));
    expect((await run('eval', 'grade', 'last', '--save-baseline')).code).toBe(0);
    expect(read(cwd, file)).toBe(before);
    expect(server.requests).toHaveLength(6);
  });

  test.each([
    [
      '{ "format": 1, "verdicts": [] }',
      'config/baselines/Tone.json:1: The baseline is of format 1, and this version of Agent Stack reads format 2.',
    ],
    [
      '{ "format": 2, "verdicts": [\n{ "case": "a", "passes": 2, "repeats": 1, "date": "2026-05-01", "key": "KEY", "test": "KEY" }] }',
      'config/baselines/Tone.json:2: 2 of 1 repeats cannot have passed.',
    ],
    [
      '{ "format": 2, "verdicts": [\n{ "case": "a", "passes": 1, "repeats": 1, "date": "yesterday", "key": "KEY", "test": "KEY" }] }',
      'config/baselines/Tone.json:2: /verdicts/0/date must be a day such as 2026-05-01.',
    ],
    [
      '{ "format": 2, "verdicts": [\n{ "case": "a", "passes": 1, "repeats": 1e15, "date": "2026-05-01", "key": "KEY", "test": "KEY" }] }',
      'config/baselines/Tone.json:2: /verdicts/0/repeats must be at most 9999',
    ],
    [
      '{ "format": 2, "verdicts": [\n<<<<<<< HEAD\n',
      'config/baselines/Tone.json: This is not valid JSON. A merge may have left its marks in it.',
    ],
  ])('refuses a baseline that was edited before it pays for anything: %s', async (text, message) => {
    const { run, cwd, server } = await served(formal);
    const written = text.replaceAll('KEY', '0'.repeat(64));
    write(cwd, file, written);
    for (const args of [['--save-baseline'], ['--against', 'config/baselines']]) {
      const { code, stderr } = await run('eval', ...args);
      expect(stderr).toContain(message);
      expect(stderr).toContain('Nothing was asked');
      expect(code).toBe(2);
    }
    expect(server.requests).toEqual([]);
    expect(read(cwd, file)).toBe(written);
    expect(listFiles(cwd).filter((path) => path.includes('.agentstack/evals'))).toEqual([]);
  });

  test('does not go with recordings', async () => {
    const { run } = await served(formal);
    const { code, stderr } = await run('eval', '--save-baseline', '--replay', 'recordings');
    expect(stderr).toContain('--save-baseline does not go with --replay');
    expect(code).toBe(2);
  });
});

describe('eval --against', () => {
  test('asks only what changed since a commit, and says so before', async () => {
    const { run, cwd, server } = await served(formal);
    await run('eval', '--save-baseline');
    commit(cwd);
    rmSync(join(cwd, file));
    const asked = countFrom(server);
    write(cwd, 'config/payloads/Tone/b.json', JSON.stringify(caseOf('Another text')));
    write(cwd, 'config/payloads/Tone/new.json', JSON.stringify(caseOf('A new text')));
    const { code, stdout, stderr } = await run('eval', '--against', 'HEAD', '--canaries', '0');
    expect(stderr).toContain('0 of 7 cases changed, 1 with another test, 1 new, 5 carried over; at most 2 calls, ');
    expect(stderr).toMatch(/at most 2 calls, [\d.]+ USD\./);
    expect(asked()).toBe(2);
    expect(stdout).toContain(`  passed  a  1 run, carried over from ${today}`);
    expect(stdout).toContain(`  passed  b  1 run, was 1 of 1 on ${today}, before the test changed`);
    expect(stdout).toContain('  passed  new  1 run, new');
    expect(stdout).toMatch(
      /Compared with HEAD \([0-9a-f]{7}\)\n {2}5 of 7 cases carried over, 1 not compared because the test changed, 1 new\.\n {2}Tone@v1 compared with the baseline in 5 cases: pass rate: no difference seen/,
    );
    expect(stdout).toContain('7 cases: 7 passed; 2 runs: 2 passed; 0.000112 USD');
    expect(code).toBe(0);
  });

  test('asks a share again as canaries, the same ones all day, and reports what they contradict', async () => {
    let answer = formal;
    const { run, server } = await served(() => answer);
    await run('eval', '--save-baseline');
    const asked = countFrom(server);
    answer = friendly;
    const first = await reportOf(run('eval', '--against', 'config/baselines', '--json'));
    const second = await reportOf(run('eval', '--against', 'config/baselines', '--json'));
    const canaries = (report: EvalReport) =>
      report.suites.flatMap(({ cases }) => cases.flatMap((one) => (one.state === 'canary' ? [one.name] : [])));
    expect(canaries(first)).toHaveLength(1);
    expect(canaries(second)).toEqual(canaries(first));
    expect(asked()).toBe(2);
    expect(first.baseline?.drift).toMatchObject({ canaries: 1, contradicted: [{ case: canaries(first)[0], passes: 0, judged: 1 }] });
    expect((await run('eval', 'grade', 'last')).stdout).toContain('Ask all again with --canaries 100.');
    const { stdout, code } = await run('eval', '--against', 'config/baselines', '--canaries', '100%');
    expect(stdout).toContain('Drift: 6 of 6 canaries contradict the baseline, though nothing changed in the files: ');
    expect(stdout).toContain('Over all canaries the pass rate is worse');
    expect(stdout).not.toContain('--canaries 100');
    expect(code).toBe(1);
  });

  test('ends with 1 where no case failed and the pass rate is worse than the baseline, in every format', async () => {
    const share = { repeats: 10, pass_rate: 0.1 };
    // As few cases as can tell the rates apart.
    const files = Object.fromEntries(
      [...names, 'g', 'h', 'i', 'j'].map((name) => [`config/payloads/Tone/${name}.json`, { ...caseOf(`Text ${name}`), ...share }]),
    );
    let isWorse = false;
    const { run, cwd } = await served((_request, index) => (isWorse && index % 10 < 8 ? friendly : formal), files);
    expect((await run('eval', '--save-baseline', '--concurrency', '1')).code).toBe(0);
    isWorse = true;
    write(cwd, 'config/agents/Tone/v1.json', JSON.stringify({ ...toneAgent, llm_config_id: 'real', purpose_text: 'Guess the tone.' }));
    const { code, stdout } = await run('eval', '--against', file, '--concurrency', '1');
    expect(stdout).toContain('10 cases: 10 passed');
    expect(stdout).toContain('pass rate: worse (-80 points');
    expect(code).toBe(1);
    for (const [format, words] of [
      ['markdown', '## Eval worse than the baseline'],
      ['github', '::error title=agent-stack eval::Compared with'],
      ['junit', '<failure message="pass rate: worse (-80 points'],
      ['html', 'pass rate: worse (-80 points'],
      ['json', '"verdict": "worse"'],
    ] as const) {
      const graded = await run('eval', 'grade', 'last', '--format', format);
      expect(graded.stdout, format).toContain(words);
      expect(graded.code, format).toBe(1);
    }
  });

  test.each([
    ['loosened', friendly, { operator: 'equals', value: 'formal' }, { operator: 'exists' }],
    ['tightened', formal, { operator: 'exists' }, { operator: 'equals', value: 'formal' }],
  ])('says that the test changed, and not the agent, where expectations were %s', async (_how, answer, before, after) => {
    const write6 = (cwd: string, entry: object) => {
      for (const name of names)
        write(
          cwd,
          `config/payloads/Tone/${name}.json`,
          JSON.stringify({ ...caseOf(`Text ${name}`), expect: [{ output_field: 'tone', ...entry }] }),
        );
    };
    const { run, cwd } = await served(answer);
    write6(cwd, before);
    await run('eval', '--save-baseline');
    write6(cwd, after);
    const { code, stdout, stderr } = await run('eval', '--against', 'config/baselines');
    expect(stderr).toContain('0 of 6 cases changed, 6 with another test, 0 carried over; at most 6 calls');
    expect(stdout).toContain('0 of 6 cases carried over, 6 not compared because the test changed.\n  No case could be compared.');
    expect(stdout).toMatch(/ {2}passed {2}a {2}1 run, was \d of 1 on [\d-]+, before the test changed/);
    expect(code).toBe(0);
    for (const format of ['text', 'markdown', 'github', 'junit', 'html'] as const) {
      const graded = await run('eval', 'grade', 'last', '--format', format);
      expect(graded.stdout, format).toContain('6 not compared because the test changed');
      expect(graded.stdout, format).not.toMatch(/better|worse|points/);
      expect(graded.code, format).toBe(0);
    }
    const report = await reportOf(run('eval', 'grade', 'last', '--json'));
    expect(report.baseline).toMatchObject({ counts: { changed: 0, test_changed: 6 }, comparisons: [], verdict: null });
  });

  test('compares agents in the cases whose test is the same, also where the agent changed beside other tests', async () => {
    let isWorse = false;
    const { run, cwd } = await served(() => (isWorse ? friendly : formal));
    await run('eval', '--save-baseline');
    isWorse = true;
    write(
      cwd,
      'config/agents/Tone/v2.json',
      JSON.stringify({ ...toneAgent, version: 'v2', llm_config_id: 'real', purpose_text: 'Guess.' }),
    );
    write(cwd, 'config/payloads/Tone/b.json', JSON.stringify(caseOf('Another text')));
    write(cwd, 'config/payloads/Tone/c.json', JSON.stringify({ ...caseOf('Text c'), expected: { tone: 'formal' } }));
    const report = await reportOf(run('eval', 'Tone@v2', '--against', 'config/baselines', '--json'));
    expect(report.baseline).toMatchObject({
      counts: { changed: 4, test_changed: 2 },
      comparisons: [{ version: 'v2', cases: 4, pass_rate: { difference: -1 } }],
    });
  });

  test('asks again without a word about drift where kept answers are judged by other expectations', async () => {
    const { run, cwd } = await served(formal);
    await run('eval', '--save-baseline');
    await run('eval', '--against', 'config/baselines', '--canaries', '100');
    for (const name of names)
      write(
        cwd,
        `config/payloads/Tone/${name}.json`,
        JSON.stringify({ ...caseOf(`Text ${name}`), expect: [{ output_field: 'tone', operator: 'equals', value: 'friendly' }] }),
      );
    const report = await reportOf(run('eval', 'grade', 'last', '--json'));
    expect(report).toMatchObject({ outcome: 'failed', baseline: { counts: { test_changed: 6, canary: 0 }, verdict: null, drift: null } });
  });

  test('asks again what is too old, and what was asked less often than it is now', async () => {
    const { run, cwd, server } = await served(formal);
    await run('eval', '--save-baseline');
    const old = new Date(Date.now() - 31 * 86_400_000).toISOString().slice(0, 10);
    write(cwd, file, read(cwd, file).replace(today, old));
    write(cwd, 'config/payloads/Tone/b.json', JSON.stringify({ ...caseOf('Text b'), repeats: 3 }));
    const asked = countFrom(server);
    const { stderr } = await run('eval', '--against', 'config/baselines', '--canaries', '0');
    expect(stderr).toContain('0 of 6 cases changed, 1 with more repeats, 1 expired, 4 carried over; at most 4 calls, ');
    expect(asked()).toBe(4);
    expect((await run('eval', '--against', 'config/baselines', '--max-age-days', '40', '--estimate')).stdout).toContain(
      '1 canary asked again, 4 carried over',
    );
  });

  test('with --estimate says the line and asks nothing', async () => {
    const { run, cwd, server } = await served(formal);
    const { code, stdout } = await run('eval', '--estimate');
    expect(stdout).toMatch(/^6 cases; at most 6 calls, [\d.]+ USD\n$/);
    expect(code).toBe(0);
    write(cwd, 'config/llms/real.json', read(cwd, 'config/llms/real.json').replace('gpt-4.1-mini', 'house'));
    write(cwd, 'config/agents/Tone/v1.json', JSON.stringify({ ...toneAgent, llm_config_id: 'real', max_output_tokens: 100 }));
    expect((await run('eval', '--estimate')).stdout).toContain('at most 6 calls, price of the model unknown');
    expect(server.requests).toEqual([]);
    expect(listFiles(cwd).filter((path) => path.includes('.agentstack/evals'))).toEqual([]);
  });

  test('names what cannot be compared with', async () => {
    const { run, cwd, server } = await served(formal);
    expect((await run('eval', '--against', 'config/baselines/Tone.json')).stderr).toContain(
      'There is no file config/baselines/Tone.json. Write one with',
    );
    expect((await run('eval', '--against', 'main')).stderr).toContain('is in no git repository');
    commit(cwd);
    expect(await run('eval', '--against', 'no-such-branch')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Git knows no commit "no-such-branch"'),
    });
    expect((await run('eval', '--against', 'HEAD', '--estimate')).stdout).toContain('6 new, 0 carried over; at most 6 calls');
    expect((await run('eval', '--against', 'HEAD', '--estimate')).stdout).toContain('There is no baseline of Tone');
    write(cwd, 'config/baselines/Other.json', '{ "format": 2, "verdicts": [] }');
    expect((await run('eval', '--against', 'config/baselines/Other.json')).stderr).toContain('no case of Other is asked');
    expect((await run('eval', '--canaries', '5')).stderr).toContain('Add --against REF');
    expect(server.requests).toEqual([]);
  });

  test('carries a case that was renamed, with its old day', async () => {
    const { run, cwd, server } = await served(formal);
    await run('eval', '--save-baseline');
    const old = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    write(cwd, file, read(cwd, file).replaceAll(today, old));
    write(cwd, 'config/payloads/Tone/z.json', readFileSync(join(cwd, 'config/payloads/Tone/a.json'), 'utf8'));
    rmSync(join(cwd, 'config/payloads/Tone/a.json'));
    const asked = countFrom(server);
    const { stderr, code } = await run('eval', '--against', 'config/baselines', '--canaries', '0', '--save-baseline');
    expect(stderr).toContain('0 of 6 cases changed, 6 carried over; no calls');
    expect(read(cwd, file)).toContain(
      `{ "case": "z", "version": "v1", "passes": 1, "repeats": 1, "model": "gpt-4.1-mini", "cost_usd": 0.000056, "date": "${old}"`,
    );
    expect(read(cwd, file)).not.toContain('"case": "a"');
    expect(asked()).toBe(0);
    expect(code).toBe(0);
  });
});
