import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { roundedUsd } from '../../core/amounts.js';
import type { LoopbackReply, LoopbackRequest, LoopbackScript } from '../support/loopbackOpenAi.js';
import { agentstack, listFiles, outcomeOf, read, start, toneAgent, toneProject, write } from './command.js';
import { env, formal, friendly, reportOf, servedTone, usage } from './servedTone.js';

const judge = {
  ...toneAgent,
  agent_name: 'ToneJudge',
  purpose_text: 'Say whether the answer is faithful.',
  input_keys: ['input', 'output'],
  output_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['verdict'],
    properties: { verdict: { type: 'string', enum: ['faithful', 'wrong'] } },
  },
  enums: { verdict: ['faithful', 'wrong'] },
};

const greeting = {
  input: { text: 'Good day to you' },
  expect: [{ output_field: 'tone', operator: 'equals', value: 'formal' }],
};

function served(script: LoopbackScript, files: Readonly<Record<string, unknown>> = {}) {
  return servedTone(script, (profile) => ({
    'config/llms/other.json': { ...profile, llm_id: 'other', model_name: 'gpt-4.1' },
    'config/payloads/Tone/greeting.json': greeting,
    ...files,
  }));
}

/** Expectations that no answer meets are refused before anything is asked. */
const impossibleAllowed = { config_dir: 'config', rules: { 'expectation-impossible': 'off' } };

const steady = (text: string) => text.replace(/[0-9a-f]{32}/g, 'ID');

describe('eval', () => {
  test('refuses a judge that is not there, with all other errors, before anything is asked', async () => {
    const judged = {
      ...greeting,
      expect: [{ not: { any: [{ judge: 'ToneJuge', output_field: 'verdict', operator: 'equals', value: 'wrong' }] } }],
    };
    const { run, server, cwd } = await served(formal, {
      'config/agents/ToneJudge/v1.json': judge,
      'config/payloads/Tone/greeting.json': judged,
      'config/payloads/Tone/other.json': { ...greeting, expect: [{ output_field: 'tne', operator: 'equals', value: 'formal' }] },
    });
    const { code, stderr } = await run('eval');
    expect(code).toBe(2);
    expect(stderr).toContain('There is no agent "ToneJuge" that could judge. Did you mean "ToneJudge"?');
    expect(stderr).toContain('The answer of Tone@v1 has no field "tne". Did you mean "tone"?');
    expect(server.requests).toEqual([]);
    expect(listFiles(cwd).filter((path) => path.includes('.agentstack/evals'))).toEqual([]);
  });

  test('asks every case with "expect", and exits with 0 where all pass', async () => {
    const { run, server } = await served(formal, { 'config/payloads/Tone/plain.json': { input: { text: 'No test' } } });
    const { code, stdout, stderr } = await run('eval');
    expect(stderr).toBe('');
    expect(stdout).toBe(`Tone@v1 (gpt-4.1-mini)
  passed  greeting  1 run

1 case: 1 passed; 1 run: 1 passed; 0.000056 USD
`);
    expect(code).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('shows a failure at its expectation, with how often it was seen', async () => {
    const { run } = await served((_request, index) => (index < 3 ? friendly : formal));
    const { code, stdout } = await run('eval', 'Tone', '--repeats', '5', '--concurrency', '1');
    expect(stdout).toContain(`  failed  greeting  2 of 5 runs, 95 % 12–77 %, needs 5
          config/payloads/Tone/greeting.json:6  tone is "friendly"; expected: equals "formal". (3 of 5 runs)
`);
    expect(code).toBe(1);
  });

  test('takes the share that has to pass from the case', async () => {
    const script: LoopbackScript = (_request, index) => (index === 0 ? friendly : formal);
    const { run } = await served(script, { 'config/payloads/Tone/greeting.json': { ...greeting, repeats: 5, pass_rate: 0.8 } });
    expect((await run('eval')).code).toBe(0);
  });

  test('is unknown, never failed, where every third call is refused with 429', async () => {
    const limited = { status: 429, error: { message: 'Slow down', code: 'rate_limit_exceeded' } };
    const { run, server } = await served((_request, index) => (index < 6 && index % 3 === 2 ? limited : formal));
    const { code, stdout, stderr } = await run('eval', '--repeats', '6', '--concurrency', '1');
    expect(stdout).toContain('  unknown greeting  4 of 4 runs, 2 not judged');
    expect(stdout).toContain('(2 of 6 runs)');
    expect(steady(stderr)).toContain('`agent-stack eval resume ID` asks again what could not be asked, and nothing else.');
    expect(code).toBe(3);
    expect(server.requests).toHaveLength(6);

    expect(await run('eval', 'resume', 'last')).toMatchObject({ code: 0 });
    expect(server.requests).toHaveLength(8);
  });

  test('spends no more than its budget in all runs together', async () => {
    const { run, server } = await served(formal);
    const report = await reportOf(run('eval', '--repeats', '20', '--max-cost', '0.0005', '--concurrency', '8', '--json'));
    expect(report.cost_usd).toBeLessThanOrEqual(0.0005);
    expect(server.requests.length).toBeLessThan(20);
    expect(report).toMatchObject({ outcome: 'unknown', runs: { total: 20, failed: 0 } });
    expect(report.suites[0]?.cases[0]?.reasons[0]?.reason).toContain('budget');
  });

  test('counts what refusals are billed for, and stops them at its budget', async () => {
    const refusal = { refusal: 'I may not.', usage: { prompt_tokens: 190, completion_tokens: 5 } };
    const { run, server } = await servedTone(refusal, (profile) => ({
      'config/llms/real.json': { ...profile, llm_id: 'real', model_name: 'gpt-4.1-nano' },
      'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'real', max_output_tokens: 20 },
      'config/payloads/Tone/greeting.json': { ...greeting, repeats: 60 },
    }));
    const report = await reportOf(run('eval', '--json'));
    expect(report.cost_usd).toBeCloseTo(0.00126, 12);
    expect(report).toMatchObject({ outcome: 'failed', cost_incomplete: false, runs: { total: 60, failed: 60 } });
    const limited = await reportOf(run('eval', '--max-cost', '0.0005', '--json'));
    expect(limited.cost_usd).toBeGreaterThan(0.0003);
    expect(limited.cost_usd).toBeLessThanOrEqual(0.0005);
    expect(server.requests.length - 60).toBeLessThan(24);
    expect(limited.runs.unknown).toBeGreaterThan(36);
  });

  test('counts the cost of earlier processes when it goes on', async () => {
    const { run, server } = await served(formal);
    await run('eval', '--repeats', '20', '--max-cost', '0.0005');
    const asked = server.requests.length;
    const { code } = await run('eval', 'resume', 'last');
    expect(code).toBe(3);
    expect(server.requests).toHaveLength(asked);
  });

  test('lists what did not pass, and where many did their number; with --verbose all', async () => {
    const cases = Array.from({ length: 30 }, (_, index) => ({ ...greeting, name: `case ${index}` }));
    const { run } = await served((_request, index) => (index === 3 ? friendly : formal), { 'config/payloads/Tone/set.json': { cases } });
    const { stdout } = await run('eval', 'Tone/set', '--concurrency', '1');
    expect(
      stdout
        .split('\n')
        .filter((line) => line.startsWith('  '))
        .slice(0, 4),
    ).toEqual([
      '  failed  set/case 3  0 of 1 run',
      expect.stringContaining('tone is "friendly"'),
      '  29 passed; --verbose lists them.',
      expect.stringContaining('Pass rate 97 %'),
    ]);
    const all = await run('eval', 'grade', 'last', '--verbose');
    expect(all.stdout.match(/ {2}passed {2}set\/case /g)).toHaveLength(29);
    expect(all.stdout).not.toContain('--verbose');
  });

  test('tells money in JSON with ten digits that count, and in text as a person writes it', async () => {
    const script: LoopbackScript = (_request, index) => ({ ...formal, usage: { prompt_tokens: 421 + index, completion_tokens: 7 } });
    const expectations = [{ measure: 'cost_usd', operator: 'less_than', value: 0.0001 }];
    const { run } = await served(script, { 'config/payloads/Tone/greeting.json': { ...greeting, expect: expectations } });
    const args = ['--llm', 'real,other', '--repeats', '7'];
    const texts = [
      await run('eval', '--estimate', ...args, '--json'),
      await run('eval', ...args, '--json'),
      await run('eval', 'list', '--json'),
    ];
    texts.push(await run('run', 'Tone', '--case', 'greeting', '--json'));
    const amounts: number[] = [];
    const collect = (value: unknown, isMoney: boolean): void => {
      if (typeof value === 'number' && isMoney) amounts.push(value);
      if (typeof value !== 'object' || value === null) return;
      for (const [key, part] of Object.entries(value))
        collect(part, /usd$|^cost$|^limit$/.test(key) || (isMoney && /^(difference|interval|low|high)$/.test(key)));
    };
    for (const { stdout } of texts) collect(JSON.parse(stdout), false);
    expect(amounts.length).toBeGreaterThan(20);
    for (const amount of amounts) expect(amount).toBe(roundedUsd(amount));
    expect((await run('eval', 'grade', 'last')).stdout).toMatch(/cost_usd is 0\.000\d{1,10}; expected: less than 0\.0001\./);
  });

  test('compares profiles in words, by case', async () => {
    const cases = Array.from({ length: 12 }, (_, index) => ({ ...greeting, name: `case ${index}` }));
    const script: LoopbackScript = ({ body }) => (body.model === 'gpt-4.1' ? friendly : formal);
    const { run } = await served(script, { 'config/payloads/Tone/set.json': { cases } });
    const { stdout, code } = await run('eval', 'Tone/set', '--llm', 'real,other');
    expect(stdout).toContain('other compared with real in 12 cases: pass rate: worse (-100 points, 95 % -100 to -100); cost a run: worse');
    expect(code).toBe(1);
  });

  test('compares two versions in words, in the cases that both were asked', async () => {
    const cases = Array.from({ length: 12 }, (_, index) => ({ ...greeting, name: `case ${index}` }));
    const script: LoopbackScript = ({ body }) => (JSON.stringify(body).includes('Guess') ? friendly : formal);
    const { run } = await served(script, {
      'config/agents/Tone/v2.json': { ...toneAgent, version: 'v2', llm_config_id: 'real', purpose_text: 'Guess.' },
      'config/payloads/Tone/set.json': { cases },
    });
    const { stdout, code } = await run('eval', 'Tone@v1/set', 'Tone@v2/set', '--record', 'records');
    expect(stdout).toContain(
      'Tone@v2 compared with Tone@v1 in 12 cases: pass rate: worse (-100 points, 95 % -100 to -100); cost a run: no',
    );
    expect(code).toBe(1);
    const [, before = '', after = ''] = (await run('eval', 'grade', 'last', '--format', 'junit')).stdout.split('<testsuite ');
    expect(before).not.toContain('compared with');
    expect(after).toMatch(/<system-out>[^<]*Tone@v2 compared with Tone@v1 in 12 cases: pass rate: worse/);
    const replayed = await run('eval', 'Tone@v1/set', 'Tone@v2/set', '--replay', 'records');
    expect(replayed.stdout).toContain('Tone@v2 compared with Tone@v1 in 12 cases: pass rate: worse (-100 points, 95 % -100 to -100)');
    expect(replayed.stdout).not.toContain('latency,');
    const other = await reportOf(run('eval', 'Tone@v2/set', 'Tone@v1', '--llm', 'real,other', '--json'));
    expect(other.comparisons.map(({ before_version, version, before, after }) => [before_version, version, before, after])).toEqual([
      ['v2', 'v2', 'real', 'other'],
      ['v1', 'v1', 'real', 'other'],
      ['v2', 'v1', 'real', 'real'],
      ['v2', 'v1', 'other', 'other'],
    ]);
    for (const format of ['markdown', 'github', 'html'])
      expect((await run('eval', 'grade', 'last', '--format', format)).stdout).toMatch(
        /Tone(@|&#64;)v1 with real compared with Tone(@|&#64;)v2 with real/,
      );
  });

  test('compares what calls cost without the discounts of caches, and shows what was billed', async () => {
    const cases = Array.from({ length: 12 }, (_, index) => ({ ...greeting, name: `case ${index}`, input: { text: `Text ${index}` } }));
    // One of two profiles that are the same finds the cache warm.
    const script: LoopbackScript = ({ body }) => ({ ...formal, usage: { ...usage, cached_tokens: body.user === 'again' ? 96 : 0 } });
    const { run } = await servedTone(script, (profile) => ({
      'config/llms/again.json': { ...profile, llm_id: 'again', model_name: 'gpt-4.1-mini', options: { user: 'again' } },
      'config/payloads/Tone/set.json': { cases },
    }));
    const { stdout } = await run('eval', 'Tone/set', '--llm', 'real,again', '--concurrency', '1');
    expect(stdout).toMatch(
      /cost a run without the discounts of caches: no difference seen, billed -0\.0000\d+ USD; latency, asked in turns: /,
    );
    const { suites, comparisons } = await reportOf(run('eval', 'grade', 'last', '--json'));
    expect(comparisons[0]).toMatchObject({ cost_usd: { difference: 0, verdict: 'no difference seen' } });
    expect(new Set(suites.flatMap((suite) => suite.cases.map(({ mean_uncached_cost_usd }) => mean_uncached_cost_usd))).size).toBe(1);
  });

  test('takes one case of a data set, and cases by tag', async () => {
    const cases = [
      { ...greeting, name: 'a', tags: ['smoke'] },
      { ...greeting, name: 'b' },
    ];
    const { run, server } = await served(formal, { 'config/payloads/Tone/set.json': { cases } });
    expect((await reportOf(run('eval', 'Tone@v1/set/b', '--json'))).suites[0]?.cases).toMatchObject([
      { name: 'set/b', pointer: '/cases/1' },
    ]);
    expect((await reportOf(run('eval', '--tags', 'smoke', '--json'))).suites[0]?.cases).toMatchObject([{ name: 'set/a' }]);
    expect((await reportOf(run('eval', 'config/payloads/Tone/set.json', '--json'))).cases.total).toBe(2);
    expect(server.requests).toHaveLength(4);
  });

  test.each([
    ['an expectation that is no list', { ...greeting, expect: greeting.expect[0] }],
    ['a case with neither input nor expectation', { expect: greeting.expect, cases: [{ name: 'a' }] }],
    ['an input that is no object', { ...greeting, input: 'Hi' }],
  ])('passes over no file with %s', async (_, faulty) => {
    const cwd = toneProject({ 'config/payloads/Tone/greeting.json': greeting, 'config/payloads/Tone/faulty.json': faulty });
    const { code, stderr } = await agentstack(['eval'], { cwd });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(
        'No case of config/payloads/Tone/faulty.json can be read as a test. See `agent-stack check config/payloads/Tone/faulty.json`.',
      ) as string,
    });
  });

  test.each([
    ['Tune', 'There is no agent, orchestration or case "Tune". Did you mean "Tone"?'],
    ['Tone@v9', 'Tone has no version "v9". Versions: v1.'],
    ['Tone/greting', 'There is no case "Tone/greting". Did you mean "Tone/greeting"?'],
    ['Tone/plain', 'Tone/plain has no case with "expect", so there is nothing to judge. Add "expect" to config/payloads/Tone/plain.json.'],
    ['Tone/torn', 'config/payloads/Tone/torn.json is not valid JSON.'],
  ])('says what %s should be', async (name, message) => {
    const cwd = toneProject({
      'config/payloads/Tone/greeting.json': greeting,
      'config/payloads/Tone/plain.json': { input: { text: 'x' } },
      'config/payloads/Tone/torn.json': '{"input": ',
    });
    const { code, stderr } = await agentstack(['eval', name], { cwd });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(listFiles(cwd).filter((path) => path.startsWith('.agentstack'))).toEqual([]);
  });

  test('keeps what is wrong with an agent as unknown', async () => {
    const { run } = await served(formal, { 'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'gone' } });
    const { code, stdout } = await run('eval');
    expect(stdout).toContain('unknown greeting  not judged');
    expect(code).toBe(3);
  });

  test('asks a judge with the input and the answer, once a run', async () => {
    const expectations = [...greeting.expect, { judge: 'ToneJudge@v1', output_field: 'verdict', operator: 'equals', value: 'faithful' }];
    const script: LoopbackScript = (request) => (isJudge(request) ? { text: '{"verdict": "wrong"}', usage } : formal);
    const { run, server } = await served(script, {
      'config/agents/ToneJudge/v1.json': { ...judge, llm_config_id: 'other' },
      'config/payloads/Tone/greeting.json': { ...greeting, expect: expectations, repeats: 2 },
    });
    const { code, stdout } = await run('eval', 'Tone');
    expect(stdout).toContain(':11  verdict of ToneJudge@v1 is "wrong"; expected: equals "faithful". (2 of 2 runs)');
    expect(code).toBe(1);
    const asked = server.requests.filter(isJudge);
    expect(asked).toHaveLength(2);
    expect(JSON.stringify(asked[0]?.body)).toContain('Good day to you');
  });

  test('resume asks a judge again that answered outside its enums, and not the agent', async () => {
    let verdict = 'splendid';
    const script: LoopbackScript = (request) => (isJudge(request) ? { text: `{"verdict": "${verdict}"}`, usage } : formal);
    const expectations = [{ judge: 'ToneJudge@v1', output_field: 'verdict', operator: 'equals', value: 'faithful' }];
    const { run, server } = await served(script, {
      'config/payloads/Tone/greeting.json': { ...greeting, expect: expectations },
      'config/agents/ToneJudge/v1.json': { ...judge, llm_config_id: 'other' },
    });
    expect((await run('eval')).code).toBe(3);
    verdict = 'faithful';
    const before = server.requests.length;
    expect((await run('eval', 'resume', 'last')).code).toBe(0);
    expect(server.requests).toHaveLength(before + 1);
  });

  test('asks and records cases of any name', async () => {
    const names = ['naïve 試験 🧪', '../../up', 'a/b', '.', '\ud800', 'CON', '%2e%2e', ' '];
    const { run, cwd } = await served(formal, {
      'config/payloads/Tone/greeting.json': { expect: greeting.expect, cases: names.map((name) => ({ name, input: greeting.input })) },
    });
    const { code, stdout } = await run('eval', '--record', 'records');
    expect(stdout).toContain('8 cases: 8 passed');
    expect(code).toBe(0);
    expect(listFiles(cwd).filter((path) => path.includes('records/'))).toHaveLength(names.length);
  });

  test.each<[string, LoopbackReply]>([
    ['The model declined to answer (llm/refusal)', { refusal: 'I may not.', usage }],
    ['The answer was cut off (llm/length)', { text: '{"tone": "for', finish_reason: 'length', usage }],
    ['The answer does not fit the schema (output-invalid)', { text: '{"tone": "angry"}', usage }],
    ['The answer does not fit the schema (output-invalid)', { text: 'It is formal.', usage }],
  ])('says in every format first that %s', async (cause, reply) => {
    const { run } = await served(() => reply);
    expect(await run('eval')).toMatchObject({ code: 1, stdout: expect.stringContaining(`greeting.json:1  ${cause}: `) });
    for (const format of ['text', 'json', 'junit', 'github', 'markdown', 'html']) {
      const { stdout } = await run('eval', 'grade', 'last', '--format', format);
      const at = stdout.indexOf(cause);
      expect(at, format).toBeGreaterThan(0);
      expect(stdout.indexOf('tone is missing; expected'), format).toSatisfy((next: number) => next < 0 || next > at);
    }
  });

  test('that cannot keep what it paid for says how to go on, and that something was asked', async () => {
    const { run, cwd, server } = await served(() => {
      const [eval_id = ''] = readdirSync(join(cwd, '.agentstack/evals'));
      mkdirSync(join(cwd, '.agentstack/evals', eval_id, 'report.json'), { recursive: true });
      return formal;
    });
    const { code, stderr } = await run('eval');
    expect(steady(stderr)).toContain('go on with `agent-stack eval resume ID`, which asks nothing twice.');
    expect(code).toBe(3);
    const [eval_id = ''] = readdirSync(join(cwd, '.agentstack/evals'));
    rmdirSync(join(cwd, '.agentstack/evals', eval_id, 'report.json'));
    expect((await run('eval', 'resume', 'last')).code).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('whose report or baseline cannot be written names the command that writes it without a call', async () => {
    const { run, cwd, server } = await served(formal);
    mkdirSync(join(cwd, 'out.xml'));
    const output = await run('eval', '--format', 'junit', '--output', 'out.xml');
    expect(output.stdout).toContain('1 case: 1 passed');
    expect(steady(output.stderr)).toContain('`agent-stack eval grade ID --output FILE` writes it without a call.');
    writeFileSync(join(cwd, 'config/baselines'), '');
    const saved = await run('eval', 'grade', 'last', '--save-baseline');
    expect(steady(saved.stderr)).toContain('`agent-stack eval grade ID --save-baseline` writes it without a call.');
    expect([output.code, saved.code]).toEqual([3, 3]);
    expect(server.requests).toHaveLength(1);
  });

  test('is unknown where a judge answers outside its values', async () => {
    const expectations = [{ judge: 'ToneJudge@v1', output_field: 'verdict', operator: 'equals', value: 'faithful' }];
    const script: LoopbackScript = (request) => (isJudge(request) ? { text: '{"verdict": "perhaps"}', usage } : formal);
    const { run } = await served(script, {
      'config/agents/ToneJudge/v1.json': { ...judge, llm_config_id: 'other' },
      'config/payloads/Tone/greeting.json': { ...greeting, expect: expectations },
    });
    const { code, stdout } = await run('eval', 'Tone');
    expect(stdout).toContain('The judge ToneJudge@v1 failed: The answer does not fit the schema (output-invalid): ');
    expect(code).toBe(3);
  });

  test('asks for nothing that a killed process was told', async () => {
    let answered = 0;
    const script: LoopbackScript = (_request, index) => {
      answered = index;
      return index < 4 ? formal : { ...formal, delay_ms: index === 4 ? 60_000 : 0 };
    };
    const { cwd, server, run } = await served(script);
    const child = start(['eval', '--repeats', '8', '--concurrency', '1'], { cwd, env });
    const ended = outcomeOf(child);
    while (answered < 4) await wait(20);
    child.kill('SIGKILL');
    await ended;
    const resumed = await run('eval', 'resume', 'last');
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('8 of 8 runs') });
    // What the call under way was billed for, nobody knows.
    expect(resumed.stdout).toContain('8 runs: 8 passed; at least 0.000448 USD');
    expect(await reportOf(run('eval', 'grade', 'last', '--json'))).toMatchObject({ cost_incomplete: true });
    expect((await run('eval', 'list')).stdout).toContain('at least 0.000448 USD');
    // Four that were answered, the one under way, and the four that were left.
    expect(server.requests).toHaveLength(9);
  });

  test('goes by no number of repeats that a torn plan has', async () => {
    const { cwd, run } = await served(formal);
    await run('eval');
    const plan = listFiles(cwd).find((path) => path.endsWith('plan.jsonl')) ?? '';
    write(cwd, plan, read(cwd, plan).replace('"repeats":1', '"repeats":1e15'));
    for (const verb of ['resume', 'grade']) {
      const { code, stderr } = await run('eval', verb, 'last');
      expect(stderr).toContain('plan.jsonl has a number of repeats that is not from 1 to 9,999. Start the eval anew.');
      expect(code).toBe(2);
    }
  });

  test('keeps what is done when it is cancelled', async () => {
    let answered = 0;
    const script: LoopbackScript = (_request, index) => {
      answered = index;
      return { ...formal, delay_ms: index === 2 ? 60_000 : 0 };
    };
    const { cwd, run } = await served(script);
    const child = start(['eval', '--repeats', '4', '--concurrency', '1'], { cwd, env });
    const ended = outcomeOf(child);
    while (answered < 2) await wait(20);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(130);
    expect(stdout).toContain('4 runs: 2 passed, 2 unknown');
    expect(steady(stderr)).toContain('Cancelled: what was done is kept. Continue with `agent-stack eval resume ID`.');
    expect((await run('eval', 'list')).stdout).toContain('  open     Tone@v1  1 case: 0 passed, 1 unknown');
    expect((await run('eval', 'prune', '--keep', '0')).stderr).toContain('can still be resumed (--unfinished takes it too).');
    expect(stdout).toContain('; at least 0.000112 USD');
    const resumed = await run('eval', 'resume', 'last');
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('; at least 0.000224 USD') });
  });

  test('does not go on with another config than it began with', async () => {
    const { cwd, run } = await served({ status: 429, error: { message: 'Slow down' } });
    await run('eval');
    write(cwd, 'config/agents/Tone/v1.json', { ...toneAgent, llm_config_id: 'real', system_text: 'Another one.' });
    const { code, stderr } = await run('eval', 'resume', 'last');
    expect(steady(stderr)).toContain('The eval ID cannot be resumed: Tone@v1 changed since it began');
    expect(code).toBe(2);
  });

  test('does not go on with other requests than it began with, where a new version knows other facts about a model', async () => {
    const { cwd, run } = await served({ status: 429, error: { message: 'Slow down' } });
    await run('eval');
    const plan = listFiles(cwd).find((path) => path.endsWith('plan.jsonl')) ?? '';
    write(cwd, plan, read(cwd, plan).replace(/"key":"[0-9a-f]{64}"/, `"key":"${'0'.repeat(64)}"`));
    const { code, stderr } = await run('eval', 'resume', 'last');
    expect(steady(stderr)).toContain('The eval ID cannot be resumed: the requests of 1 case are not those that it began with');
    expect(code).toBe(2);
  });

  test('judges kept answers again with the expectations of today', async () => {
    const { cwd, run, server } = await served(friendly);
    expect((await run('eval')).code).toBe(1);
    write(cwd, 'config/payloads/Tone/greeting.json', {
      ...greeting,
      expect: [{ output_field: 'tone', operator: 'equals', value: 'friendly' }],
    });
    expect((await run('eval', 'grade', 'last')).code).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('judges kept answers with the expectations they had where the case has none any more', async () => {
    const { cwd, run } = await served(friendly);
    expect((await run('eval')).code).toBe(1);
    write(cwd, 'config/payloads/Tone/greeting.json', { input: greeting.input });
    expect((await run('eval', 'grade', 'last')).stdout).toContain('1 case: 0 passed, 1 failed');
  });

  test('records its calls and answers from the records', async () => {
    const { cwd, run, server } = await served(formal);
    expect((await run('eval', '--repeats', '2', '--record', 'records')).code).toBe(0);
    expect(readdirSync(join(cwd, 'records/Tone/greeting/own'))).toEqual(['1.jsonl', '2.jsonl']);
    const { code, stdout } = await run('eval', '--repeats', '3', '--replay', 'records');
    expect(stdout).toContain('Replayed: recordings answered and no model was asked.');
    expect(stdout).toContain('does not exist. Write one with --record.');
    expect(code).toBe(3);
    expect(server.requests).toHaveLength(2);
  });

  test('asks an orchestration with a context, and looks at its route', async () => {
    const { run } = await served(formal, {
      'config/orchestrations/letters.json': {
        name: 'letters',
        entry_team: 'read',
        context: { text: 'x' },
        teams: {
          read: {
            name: 'Read',
            tasks: [{ name: 'tone', agent: 'Tone@v1', input: { text: '{{context.text}}' } }],
            routing: { default: null },
          },
        },
      },
      'config/payloads/letters/polite.json': {
        context: { text: 'Dear Sir' },
        expect: [
          { route: true, operator: 'equals', value: ['read'] },
          { task: 'tone', output_field: 'tone', operator: 'equals', value: 'formal' },
          { context_field: 'text', operator: 'equals', value: 'Dear Sir' },
        ],
      },
      'config/payloads/letters/alone.json': { expect: [{ context_field: 'text', operator: 'equals', value: 'x' }] },
    });
    const { code, stdout } = await run('eval', 'letters', '--max-cost', '0.1');
    expect(stdout).toContain('letters\n  passed  alone  1 run\n  passed  polite  1 run');
    expect(code).toBe(0);
    expect((await run('orchestrate', 'letters', '--case', 'alone')).code).toBe(0);
  });

  test.each(['text', 'json', 'junit', 'github', 'markdown', 'html'])('says in %s that answers are simulated', async (format) => {
    const cwd = toneProject({
      'config/payloads/Tone/greeting.json': greeting,
      'config/system.json': { agent_defaults: { llm_config_id: 'offline' } },
    });
    const { stdout } = await agentstack(['eval', '--format', format], { cwd });
    expect(stdout).toMatch(/simulated/i);
  });

  test('writes a report to a file and tells the outcome', async () => {
    const { cwd, run } = await served(friendly);
    const { code, stdout } = await run('eval', '--format', 'junit', '--output', 'out/results.xml');
    expect(code).toBe(1);
    expect(stdout).toContain('1 case: 0 passed, 1 failed');
    expect(read(cwd, 'out/results.xml')).toContain('<failure message="tone is &#34;friendly&#34;; expected: equals &#34;formal&#34;."');
  });

  test('has annotations at the expectations', async () => {
    const { run } = await served(friendly);
    const { stdout } = await run('eval', '--format', 'github');
    expect(stdout).toContain(
      '::error file=config/payloads/Tone/greeting.json,line=6,title=Tone@v1%3A greeting failed::tone is "friendly"; expected: equals "formal". (0 of 1 run)',
    );
  });

  test('makes no markup of an answer in Markdown', async () => {
    const { run } = await served(friendly, {
      'agentstack.json': impossibleAllowed,
      'config/payloads/Tone/greeting.json': { ...greeting, expect: [{ output_field: 'tone', operator: 'equals', value: '<b>|@all' }] },
    });
    const { stdout } = await run('eval', '--format', 'markdown');
    expect(stdout).toContain(
      '| **failed** | greeting | 0 of 1 run | `config/payloads/Tone/greeting.json:6` tone is "friendly"; expected: equals "&#60;b&#62;&#124;&#64;&#8203;all". |',
    );
  });

  test('makes no link and no mention of an answer in Markdown, and leaves the name of a version as it is', async () => {
    const value = 'see https://x.example, www.x.example and #12, @all';
    const { run } = await served(friendly, {
      'agentstack.json': impossibleAllowed,
      'config/payloads/Tone/greeting.json': { ...greeting, expect: [{ output_field: 'tone', operator: 'equals', value }] },
    });
    const { stdout } = await run('eval', '--format', 'markdown');
    expect(stdout).toContain('"see https&#58;//x.example, www&#46;x.example and &#35;&#8203;12, &#64;&#8203;all"');
    expect(stdout).toContain('### Tone&#64;v1 (gpt-4.1-mini)');
  });

  test('keeps a comment on a pull request within what GitHub takes, with failures first and what passed folded', async () => {
    const long = 'x'.repeat(300);
    const case_ = (name: string, value: string) => ({
      name,
      input: { text: value },
      expect: [{ output_field: 'tone', operator: 'equals', value }],
    });
    const cases = Array.from({ length: 300 }, (_, index) => case_(`case_${index}`, index < 20 ? 'friendly' : `${long} ${index}`));
    const { run } = await served(friendly, { 'agentstack.json': impossibleAllowed, 'config/payloads/Tone/set.json': { cases } });
    const { stdout } = await run('eval', 'Tone/set', '--concurrency', '64', '--format', 'markdown');
    expect(stdout.length).toBeLessThan(50_000);
    expect(stdout).toMatch(/\n\d+ more did not pass\. `--format json` has all of them\.\n\n<details><summary>20 passed<\/summary>/);
    expect(stdout.indexOf('300 cases: 20 passed, 280 failed')).toBeLessThan(100);
  });

  test('makes one page without scripts, and no markup of an answer', async () => {
    const { run } = await served(friendly, {
      'agentstack.json': impossibleAllowed,
      'config/payloads/Tone/greeting.json': {
        ...greeting,
        repeats: 3,
        expect: [{ output_field: 'tone', operator: 'equals', value: '<script>x' }],
      },
    });
    const { stdout } = await run('eval', '--format', 'html');
    expect(stdout).toContain('expected: equals &#34;&#60;script&#62;x&#34;. (3 of 3 runs)');
    expect(stdout).not.toMatch(/<script|https?:|src=/);
    expect(stdout).toContain('<td><span class="failed">failed</span> ');
  });

  test('is checked: cases fit the schema, and so does the input of each', async () => {
    const cases = [
      { ...greeting, name: 'a', tags: ['smoke'], repeats: 3, pass_rate: 0.5, expected: { tone: 'formal' } },
      {
        ...greeting,
        name: 'b',
        input: { txt: 'misspelt' },
        expect: [{ not: { any: [{ measure: 'steps', operator: 'greater_than', value: 9 }] } }],
      },
    ];
    const cwd = toneProject({ 'config/payloads/Tone/greeting.json': greeting, 'config/payloads/Tone/set.json': { cases } });
    const { stdout } = await agentstack(['check', 'config/payloads', '--json'], { cwd });
    const { findings } = JSON.parse(stdout) as { findings: readonly { code: string; pointer: string }[] };
    expect(findings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(['input-invalid /cases/1/input/txt']);
  });

  test('tells a run that a data set is not an input, and how to name a case of it', async () => {
    const cwd = toneProject({ 'config/payloads/Tone/set.json': { input: { text: 'not a case' }, cases: [greeting] } });
    const { code, stderr } = await agentstack(['run', 'Tone', '--case', 'set'], { cwd });
    expect(stderr).toContain(
      'The case set is a data set of 1 case, and a run takes one. Name it, e.g. --case set/1, or ask them all with `eval`.',
    );
    expect(code).toBe(2);
  });

  test('runs, composes and orchestrates one of its cases', async () => {
    const cases = [greeting, { name: 'late', input: { text: 'Where is it?' } }];
    const cwd = toneProject({
      'config/payloads/Tone/set.json': { cases },
      'config/orchestrations/letters.json': {
        name: 'letters',
        entry_team: 'a',
        context: { text: 'none' },
        teams: { a: { name: 'A', tasks: [{ name: 'tone', agent: 'Tone@v1' }], routing: { default: null } } },
      },
      'config/payloads/letters/set.json': { cases: [{ name: 'first', context: { text: 'From a set' } }] },
    });
    expect((await agentstack(['run', 'Tone', '--case', 'set/late'], { cwd })).code).toBe(0);
    expect((await agentstack(['runs', 'show', 'last'], { cwd })).stdout).toContain('Where is it?');
    expect((await agentstack(['compose', 'Tone', '--case', 'set/1'], { cwd })).stdout).toContain('Good day to you');
    const { stdout } = await agentstack(['orchestrate', 'letters', '--case', 'set/first'], { cwd });
    expect(JSON.parse(stdout).context).toEqual({ text: 'From a set' });
    const refusals = [
      ['set/lat', 'The data set set has no case "set/lat". Did you mean "set/late"? There are: set/1, set/late.'],
      ['greeting/x', 'The case greeting is not a data set, so there is no "greeting/x". Write --case greeting.'],
      ['sett/late', 'Tone has no case "sett/late". Did you mean "set"?'],
    ] as const;
    for (const [name, words] of refusals) {
      const { code, stderr } = await agentstack(['run', 'Tone', '--case', name], { cwd });
      expect(stderr).toContain(words);
      expect(code).toBe(2);
    }
  });

  const faults: readonly (readonly [string, unknown, string])[] = [
    [
      'an input that the agent refuses',
      { cases: [greeting, { ...greeting, name: 'b', input: { txt: 'misspelt' } }] },
      'config/payloads/Tone/set.json:17:9 error input-invalid',
    ],
    [
      'an expectation on two things',
      { ...greeting, expect: [{ tool: 'x', output_field: 'tone', operator: 'equals', value: 'formal' }] },
      '"output_field" is not allowed together with "tool". Remove it.',
    ],
    [
      'two cases of one name',
      {
        cases: [
          { ...greeting, name: 'a' },
          { ...greeting, name: 'a' },
        ],
      },
      'error case-duplicate Another case is called "a"',
    ],
    ['a misspelt "expect"', { cases: [greeting, { input: greeting.input, expects: greeting.expect }] }, '(/cases/1/expects)'],
    [
      'a misspelt "expect" in a turn',
      { cases: [greeting, { turns: [{ input: greeting.input, Expect: [] }] }] },
      '(/cases/1/turns/0/Expect)',
    ],
    ['a case that expects nothing', { cases: [greeting, { ...greeting, expect: [] }] }, '(/cases/1/expect)'],
    ['an input beside cases', { input: { text: 'x' }, cases: [greeting] }, 'config/payloads/Tone/set.json:2:3 error'],
  ];
  test.each(faults)('%s ends the eval before anything is asked', async (_what, file, words) => {
    const { run, server, cwd } = await served(formal, { 'config/payloads/Tone/set.json': file });
    const { code, stderr, stdout } = await run('eval');
    expect(`${stderr}${stdout}`).toContain(words);
    expect(code).toBe(2);
    expect(server.requests).toEqual([]);
    expect(listFiles(cwd).filter((path) => path.includes('.agentstack/evals'))).toEqual([]);
  });

  test('an input that the version refuses that is asked ends it too, whatever the severity of the rule', async () => {
    const agentstackJson = { config_dir: 'config', rules: { 'input-invalid': 'off' } };
    const { run, server } = await served(formal, {
      'agentstack.json': agentstackJson,
      'config/payloads/Tone/set.json': { ...greeting, input: {} },
    });
    const { code, stderr } = await run('eval');
    expect(stderr).toContain('config/payloads/Tone/set.json:2:3 error input-invalid Tone@v1 needs the key "text"');
    expect(code).toBe(2);
    expect(server.requests).toEqual([]);
  });
});

function isJudge({ body }: LoopbackRequest): boolean {
  return body.model === 'gpt-4.1';
}
