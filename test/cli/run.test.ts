import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type LoopbackOptions, type LoopbackScript, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { agentstack, listFiles, outcomeOf, read, repository, start, toneAgent, toneProject } from './command.js';

const key = 'sk-test-0123456789abcdef';
const env = { OPENAI_API_KEY: key, NO_PROXY: '*' };

/** A project whose agent Tone asks a server on this machine. */
async function served(script: LoopbackScript, options: LoopbackOptions = {}, agent: object = {}) {
  const server = await startLoopbackOpenAi(script, options);
  onTestFinished(() => server.close());
  const profile = {
    llm_id: 'real',
    provider: 'openai',
    model_name: 'gpt-4.1-mini',
    base_url: server.url,
    api_key: 'secret://openai_api_key',
  };
  const cwd = toneProject({
    'config/llms/real.json': profile,
    'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'real', ...agent },
  });
  return { cwd, server };
}

const answer = { text: ['{"tone"', ': "formal"}'], usage: { prompt_tokens: 100, completion_tokens: 10, cached_tokens: 50 } };

describe('for people', () => {
  test('prints the validated answer on stdout, what it took on stderr', async () => {
    const { cwd } = await served(answer, { key });
    const { code, stdout, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting'], { cwd, env });
    expect(stdout).toBe('{\n  "tone": "formal"\n}\n');
    expect(stderr.replace(/\d+ ms|\d\.\d+ s/, 'TIME').replace(/[0-9a-f]{32}/, 'ID')).toBe(
      [
        '{"tone": "formal"}',
        'completed Tone@v1 | gpt-4.1-mini (openai) | TIME | 100 in (50 cached), 10 out tokens | 0.000041 USD | no retries | no repairs',
        'kept in  .agentstack/runs/ID',
        '',
      ].join('\n'),
    );
    expect(code).toBe(0);
  });

  test('says that an offline answer is simulated', async () => {
    const { code, stdout, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting'], { cwd: toneProject() });
    expect(JSON.parse(stdout)).toEqual({ tone: 'friendly' });
    expect(stderr).toContain('simulated by offline, no model was asked');
    expect(stderr).not.toContain('USD');
    expect(code).toBe(0);
  });

  test('a case is read as check reads it: its input, whatever stands beside it', async () => {
    const cwd = toneProject({
      'config/payloads/Tone/expecting.json': {
        input: { text: 'Hello' },
        expect: [{ output_field: 'tone', operator: 'equals', value: 'formal' }],
      },
      'config/payloads/Tone/bare.json': { text: 'Hello' },
      'config/payloads/Tone/inputs.json': { inputs: { text: 'Hello' } },
      'config/payloads/Tone/text.json': { input: 'Hello' },
    });
    const run = (name: string) => agentstack(['run', 'Tone', '--case', name], { cwd });
    expect(await run('expecting')).toMatchObject({ code: 0 });
    for (const name of ['bare', 'inputs'])
      expect(await run(name)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`The case ${name} has no "input": a payload file is {"input": {"key": "value"}}.`),
      });
    expect((await run('text')).stderr).toContain('The case text has a string as "input"');
    const { stdout } = await agentstack(['check', 'config/payloads', '--json'], { cwd });
    const faulty = JSON.parse(stdout).findings.filter(({ severity }: { severity: string }) => severity === 'error');
    expect(new Set(faulty.map(({ file }: { file: string }) => file))).toEqual(
      new Set(['bare', 'inputs', 'text'].map((name) => `config/payloads/Tone/${name}.json`)),
    );
  });

  test("of another tool's file, says what it is", async () => {
    const cwd = toneProject({ 'config/agents/Crew/v1.json': { agents: ['a'], tasks: [{ description: 'x', expected_output: 'y' }] } });
    const { code, stderr } = await agentstack(['run', 'Crew', '--message', 'hi'], { cwd });
    expect(stderr).toContain('error foreign-file This looks like a CrewAI crew, so it is not read as an agent.');
    expect(stderr).toContain('1 error in 1 file.');
    expect(code).toBe(2);
  });

  test('tells of retries and repairs', async () => {
    const { cwd } = await served([
      { status: 503, error: { message: 'busy' }, headers: { 'retry-after': '0' } },
      { text: '```json\n{"tone": "formal",}\n```' },
    ]);
    const { code, stdout, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting'], { cwd, env });
    expect(stdout).toBe('{\n  "tone": "formal"\n}\n');
    expect(stderr).toMatch(/^try 1 failed, next in \d+ ms: server\n/);
    expect(stderr).toMatch(/\nrepaired: /);
    expect(stderr).toMatch(/ \| 1 retry \| [12] repairs?\n/);
    expect(code).toBe(0);
  });

  test('counts how often the model was asked again for an answer that did not fit', async () => {
    const wrong = { text: '{"tone": "loud"}' };
    const { cwd } = await served([wrong, wrong, { text: '{"tone": "formal"}' }], {}, { retry_invalid: 2 });
    const { code, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting'], { cwd, env });
    expect(stderr).toMatch(/ \| asked again 2 times \| no repairs\n/);
    expect(stderr).not.toContain('no retries');
    expect(code).toBe(0);
  });

  test('refuses a budget that it cannot enforce, unless that is allowed, and says so then', async () => {
    const { cwd } = await served(answer, { key }, { model_name: 'unheard' });
    const call = ['run', 'Tone', '--case', 'greeting', '--max-cost', '0.05'];
    const refused = await agentstack(call, { cwd, env });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('cannot be enforced, since the price of unheard is unknown');
    const allowed = await agentstack([...call, '--allow-unpriced'], { cwd, env });
    expect(allowed.stderr).toContain(' | budget not enforced: no price for unheard\n');
    expect(allowed.code).toBe(0);
  });

  test('tells the output limit that a budget has set', async () => {
    const { cwd } = await served(answer, { key });
    const { code, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting', '--max-cost', '0.01'], { cwd, env });
    expect(stderr).toMatch(/the budget limited the answer to \d+ tokens/);
    expect(code).toBe(0);
  });

  test('lets no answer draw on the terminal, and still prints JSON', async () => {
    const hostile = 'a\u001b[2J\u009b\u202e\u200b';
    const { output_schema, enums: _enums, ...rest } = toneAgent;
    const free = { ...rest, mode: 'Writer', output_schema: { ...output_schema, properties: { tone: { type: 'string' } } } };
    const { cwd } = await served({ text: JSON.stringify({ tone: hostile }) }, {}, { ...free, enums: null });
    const { stdout, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting'], { cwd, env });
    expect(JSON.parse(stdout)).toEqual({ tone: hostile });
    for (const text of [stdout, stderr]) expect([...text].filter((each) => '\u001b\u009b\u202e\u200b'.includes(each))).toEqual([]);
  });

  test('keeps the run in its folder', async () => {
    const { cwd } = await served(answer);
    await agentstack(['run', 'Tone', '--case', 'greeting'], { cwd, env });
    const files = listFiles(join(cwd, '.agentstack', 'runs')).map((path) =>
      path.replace(/[0-9a-f]{64}/, 'HASH').replace(/^[0-9a-f]+/, 'ID'),
    );
    for (const name of ['effective_config_HASH.json', 'events.jsonl', 'result.json']) expect(files).toContain(`ID/${name}`);
    for (const path of listFiles(join(cwd, '.agentstack'))) expect(read(cwd, `.agentstack/${path}`)).not.toContain(key);
  });
});

test('--no-keep writes nothing', async () => {
  const cwd = toneProject();
  const { code, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting', '--no-keep'], { cwd });
  expect(stderr).not.toContain('kept in');
  expect(code).toBe(0);
  expect(existsSync(join(cwd, '.agentstack'))).toBe(false);
});

describe('for programs', () => {
  test('--json prints the result and nothing else', async () => {
    const { cwd } = await served(answer);
    const { code, stdout, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting', '--json'], { cwd, env });
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      status: 'completed',
      output: { tone: 'formal' },
      error: null,
      metadata: {
        agent_name: 'Tone',
        agent_version: 'v1',
        token_usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110, cached_tokens: 50 },
      },
    });
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('--events jsonl prints one event a line, numbered, the last one final', async () => {
    const { cwd } = await served(answer);
    const { code, stdout, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting', '--events', 'jsonl'], { cwd, env });
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(events[0].type).toBe('run_start');
    expect(
      events
        .filter(({ type }) => type === 'chunk')
        .map(({ text }) => text)
        .join(''),
    ).toBe('{"tone": "formal"}');
    expect(events.filter(({ final }) => final)).toEqual([events.at(-1)]);
    expect(events.at(-1)).toMatchObject({ type: 'final', result: { status: 'completed', output: { tone: 'formal' } } });
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });
});

describe('a failed run', () => {
  test.each([
    [
      'an answer outside the schema',
      { text: '{"tone": "rude"}' },
      'output-invalid',
      'The answer does not fit the schema (output-invalid): ',
    ],
    ['no JSON at all', { text: 'Sorry.' }, /^(parse|output-invalid)$/, ''],
    [
      'a wrong key',
      { status: 401, error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } },
      'llm',
      'The key was refused (llm/auth): ',
    ],
    [
      'an exhausted quota',
      { status: 429, error: { message: 'You exceeded your quota.', code: 'insufficient_quota' } },
      'llm',
      'The account has no credit left (llm/quota): ',
    ],
    ['a refusal', { refusal: 'I cannot help with that.' }, 'llm', 'The model declined to answer (llm/refusal): '],
    ['a web page for JSON', { body: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } }, 'llm', ' (llm/'],
  ])('%s: exit code 1, the reason on stderr, nothing on stdout', async (_name, script, code, words) => {
    const { cwd } = await served(script, {}, { retry_attempts: 1 });
    const ran = await agentstack(['run', 'Tone', '--case', 'greeting'], { cwd, env });
    expect(ran.stderr).toContain(words);
    expect(ran.stderr).toMatch(/\nfailed Tone@v1 \| /);
    expect(ran.stderr).not.toContain(key);
    expect(ran.stdout).toBe('');
    expect(ran.code).toBe(1);
    const { stdout } = await agentstack(['run', 'Tone', '--case', 'greeting', '--json'], { cwd, env });
    expect(JSON.parse(stdout).error.code).toMatch(code);
  });

  test('--timeout ends it', async () => {
    const { cwd } = await served({ fault: 'hang' });
    const { code, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting', '--timeout', '300'], { cwd, env });
    expect(stderr).toMatch(/^The time limit was reached \(timeout\): /m);
    expect(code).toBe(1);
  });

  test.each([['0'], ['-1'], ['soon'], ['1.5']])('--timeout %s is refused', async (value) => {
    const { code, stderr } = await agentstack(['run', 'Tone', `--timeout=${value}`], { cwd: toneProject() });
    expect(stderr).toContain('Expected milliseconds, a whole number above 0.');
    expect(code).toBe(2);
  });

  test('without a key says how to give one', async () => {
    const { cwd } = await served(answer);
    const { code, stdout, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting'], { cwd });
    expect(stderr).toBe(
      'A secret is missing (secret-missing): The key is missing: the secret "openai_api_key" is not set. Store it in the editor, or for the command line set the environment variable OPENAI_API_KEY. It is for Tone@v1 (llm profile "real").\n',
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(existsSync(join(cwd, '.agentstack'))).toBe(false);
  });
});

test('--events and --json exclude each other', async () => {
  const { code, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting', '--events', 'jsonl', '--json'], { cwd: toneProject() });
  expect(stderr).toBe('error: Give --events or --json, not both.\n');
  expect(code).toBe(2);
});

describe('a run that cannot begin', () => {
  const broken = { 'config/agents/Tone/v1.json': { ...toneAgent, enums: { tone: ['friendly', 'frmal'] } } };

  test('shows the findings as check does, exit code 2, and writes nothing', async () => {
    const cwd = toneProject(broken);
    const { code, stdout, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting'], { cwd });
    const checked = await agentstack(['check', 'config/agents'], { cwd });
    expect(stderr).toBe(checked.stdout);
    expect(stderr).toContain('error enums-match-schema ');
    expect(stdout).toBe('');
    expect(code).toBe(2);
    expect(existsSync(join(cwd, '.agentstack'))).toBe(false);
  });

  test.each([
    ['--json', (stdout: string) => JSON.parse(stdout)],
    ['--events=jsonl', (stdout: string) => JSON.parse(stdout).result],
  ])('%s prints the result all the same', async (flag, resultOf) => {
    const { code, stdout, stderr } = await agentstack(['run', 'Tone', '--case', 'greeting', flag], { cwd: toneProject(broken) });
    expect(resultOf(stdout)).toMatchObject({
      success: false,
      status: 'failed',
      error: { code: 'config-invalid' },
      metadata: { snapshot_hash: null, snapshot_path: null },
    });
    expect(stderr).toContain('error enums-match-schema ');
    expect(code).toBe(2);
  });

  test.each([
    ['an unknown agent', ['run', 'Tonne'], 'Did you mean "Tone"?', 'unknown-agent-config'],
    ['a missing input', ['run', 'Tone'], 'Cases of Tone: --case greeting', 'input-invalid'],
    [
      'an unknown profile',
      ['run', 'Tone', '--case', 'greeting', '--llm', 'ofline'],
      'error: --llm ofline: there is no such llm profile. Did you mean "offline"? There are: offline.\n',
      'usage',
    ],
  ])('%s', async (_name, args, words, errorCode) => {
    const cwd = toneProject();
    const { code, stdout, stderr } = await agentstack(args, { cwd });
    expect(stderr).toContain(words);
    expect(stdout).toBe('');
    expect(code).toBe(2);
    expect(JSON.parse((await agentstack([...args, '--json'], { cwd })).stdout).error.code).toBe(errorCode);
  });
});

describe('Ctrl+C', () => {
  const hung = async (args: string[] = []) => {
    const { cwd, server } = await served({ text: ['{"tone"', ': "formal"}'], fault: 'hang-mid-body', pause_ms: 10 });
    const child = start(['run', 'Tone', '--case', 'greeting', ...args], { cwd, env });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    child.stdin.end();
    const outcome = outcomeOf(child);
    while (server.requests.length === 0) await wait(20);
    await wait(200);
    return { cwd, child, outcome, server };
  };

  test.each([['SIGINT'], ['SIGTERM']] as const)('%s cuts the request, keeps the result and exits with 130', async (signal) => {
    const { cwd, child, outcome, server } = await hung(['--json']);
    const asked = performance.now();
    child.kill(signal);
    const { code, stdout, stderr } = await outcome;
    expect(performance.now() - asked).toBeLessThan(10_000);
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'cancelled', success: false, error: { code: 'cancelled' } });
    expect(stderr).toBe('Cancelling ... (again to end at once)\n');
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
    const [result] = listFiles(join(cwd, '.agentstack/runs')).filter((path) => path.endsWith('result.json'));
    expect(JSON.parse(read(cwd, `.agentstack/runs/${result}`)).status).toBe('cancelled');
  });

  test('a reader that goes away cancels the run', async () => {
    const words = Array.from({ length: 400 }, (_, index) => `word${index} `);
    const { cwd, server } = await served({ text: words, slice: 500, pause_ms: 20 });
    const child = start(['run', 'Tone', '--case', 'greeting', '--events', 'jsonl'], { cwd, env });
    child.stdin.end();
    child.stdout.on('data', (data: Buffer) => {
      if (data.includes('"chunk"')) child.stdout.destroy();
    });
    const { code, stderr } = await outcomeOf(child);
    expect(stderr).toBe('');
    expect(code).toBe(130);
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });

  test('before anything runs ends the command at once', async () => {
    const child = start(['run', 'Tone', '--input', '-'], { cwd: toneProject() });
    await wait(500);
    child.kill('SIGINT');
    expect((await outcomeOf(child)).code).toBeNull();
  });
});

test('every agent of the sample project answers each of its cases', async () => {
  const folder = join(repository, 'config/payloads');
  const payloads = listFiles(folder).filter((path) => !path.startsWith('issue_intake/'));
  expect(payloads.length).toBeGreaterThan(3);
  for (const path of payloads) {
    const [agent = '', name = ''] = path.replace('.json', '').split('/');
    const { cases } = JSON.parse(readFileSync(join(folder, path), 'utf8'));
    // Of a data set its first case.
    const chosen = cases === undefined ? name : `${name}/${cases[0].name}`;
    const { code, stdout, stderr } = await agentstack(['run', agent, '--case', chosen, '--json', '--llm', 'offline'], { cwd: repository });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', metadata: { simulated: true } });
    expect(code).toBe(0);
  }
});
