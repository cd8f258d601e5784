import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import type { LoopbackScript } from '../support/loopbackOpenAi.js';
import { listFiles, outcomeOf, read, start, toneAgent, write } from './command.js';
import { env, formal, friendly, reportOf, servedTone, usage } from './servedTone.js';

const formally = { output_field: 'tone', operator: 'equals', value: 'formal' };
const kindly = { output_field: 'tone', operator: 'equals', value: 'friendly' };

const talk = {
  turns: [
    { input: { text: 'Good day to you' }, expect: [formally] },
    { input: { text: 'And hi there' }, expect: [kindly] },
    { input: { text: 'Both of them' }, expect: [formally] },
  ],
};

const answers = [formal, friendly, formal];

function served(script: LoopbackScript, files: (profile: object) => Readonly<Record<string, unknown>> = () => ({})) {
  return servedTone(script, (profile) => ({
    'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'real', include_history: true },
    'config/payloads/Tone/talk.json': talk,
    ...files(profile),
  }));
}

/** What a request says, in order: the role and the beginning of each message but the first. */
const saidIn = ({ body }: { readonly body: JsonObject }) =>
  (body.messages as readonly { role: string; content: string }[]).slice(1).map(({ role, content }) => [role, content.split('\n')[0]]);

describe('a case with turns', () => {
  test('asks each turn with the real answers of those before it, and passes when all do', async () => {
    const { run, server, cwd } = await served((_request, index) => answers[index % 3] ?? formal);
    const { code, stdout } = await run('eval', '--repeats', '2', '--concurrency', '1');
    expect(stdout).toBe(`Tone@v1 (gpt-4.1-mini)
  passed  talk  2 of 2 runs, 95 % 34–100 %

1 case: 1 passed; 2 runs: 2 passed; 0.000336 USD
`);
    expect(code).toBe(0);
    const first = ['user', 'text = "Good day to you"'];
    const second = [first, ['assistant', formal.text], ['user', 'text = "And hi there"']];
    const third = [...second, ['assistant', friendly.text], ['user', 'text = "Both of them"']];
    expect(server.requests.map(saidIn)).toEqual([[first], second, third, [first], second, third]);
    // A conversation belongs to its case, and leaves no session.
    expect(listFiles(cwd).filter((path) => path.includes('sessions'))).toEqual([]);
  });

  test('counts as one, with the sums of its turns', async () => {
    const { run } = await served((_request, index) => answers[index % 3] ?? formal);
    const report = await reportOf(run('eval', '--json'));
    expect(report).toMatchObject({ cases: { total: 1, passed: 1 }, runs: { total: 1, passed: 1 }, cost_usd: 0.000168 });
    const [tested] = report.suites[0]?.cases ?? [];
    expect(tested).toMatchObject({ mean_cost_usd: 0.000168, input_tokens: 300, output_tokens: 30, judged: 1, repeats: 1 });
    expect(tested?.runs).toMatchObject([{ outcome: 'passed', cost_usd: 0.000168 }]);
  });

  test('names the turn that failed, and goes on to the next', async () => {
    const { run, server } = await served([formal, formal, formal]);
    const report = await reportOf(run('eval', '--json'));
    expect(server.requests).toHaveLength(3);
    expect(report.suites[0]?.cases[0]).toMatchObject({
      outcome: 'failed',
      answer: { tone: 'formal' },
      reasons: [
        {
          pointer: '/turns/1/expect/0',
          turn: 2,
          outcome: 'failed',
          reason: 'turn 2: tone is "formal"; expected: equals "friendly".',
          actual: 'formal',
          wanted: 'friendly',
        },
      ],
    });
    for (const format of ['text', 'junit', 'github', 'markdown', 'html'])
      expect((await run('eval', 'grade', 'last', '--format', format)).stdout, format).toMatch(/turn 2: tone is (?:"|&quot;|&#34;)formal/);
  });

  test('ends with a turn whose run fails: those after it are not run, and never passed', async () => {
    const refusal = { refusal: 'I may not.', usage: { prompt_tokens: 100, completion_tokens: 10 } };
    const { run, server } = await served([formal, refusal, formal]);
    const report = await reportOf(run('eval', '--json'));
    expect(server.requests).toHaveLength(2);
    const [tested] = report.suites[0]?.cases ?? [];
    expect(tested).toMatchObject({ outcome: 'failed', passes: 0, judged: 1 });
    expect(tested?.reasons.map(({ pointer, outcome, reason }) => [pointer, outcome, reason])).toEqual([
      ['/turns/1', 'failed', expect.stringMatching(/^turn 2: The model declined to answer \(llm\/refusal\)/)],
      ['/turns/1/expect/0', 'failed', expect.stringMatching(/^turn 2: tone is missing/)],
      ['/turns/2', 'unknown', 'turn 3: It was not run, since the run of turn 2 failed.'],
    ]);
  });

  test('is unknown where a turn could not be asked, and is asked again from its beginning', async () => {
    const limited = { status: 429, error: { message: 'Slow down', code: 'rate_limit_exceeded' } };
    const { run, server } = await served(
      (_request, index) => (index === 1 ? limited : (answers[(index + 1) % 3] ?? formal)),
      () => ({
        'config/payloads/Tone/talk.json': {
          turns: talk.turns.map(({ input }) => ({ input, expect: [{ output_field: 'tone', operator: 'exists' }] })),
        },
      }),
    );
    const { code, stdout } = await run('eval');
    expect(code).toBe(3);
    expect(stdout).toContain('turn 2: ');
    expect(stdout).toContain('turn 3: It was not run, since the run of turn 2 failed.');
    expect(server.requests).toHaveLength(2);
    expect((await run('eval', 'resume', 'last')).code).toBe(0);
    expect(server.requests.slice(2).map((request) => saidIn(request).length)).toEqual([1, 3, 5]);
  });

  test('that was killed in its second turn is asked from its beginning, and what was paid is counted', async () => {
    let asked = 0;
    const script: LoopbackScript = (_request, index) => {
      asked = index + 1;
      // The fifth call, the second turn of the second repeat, does not end in time.
      const turn = index < 5 ? index % 3 : index - 5;
      return { ...(answers[turn] ?? formal), delay_ms: index === 4 ? 60_000 : 0 };
    };
    const { cwd, server, run } = await served(script);
    const child = start(['eval', '--repeats', '2', '--concurrency', '1'], { cwd, env });
    const ended = outcomeOf(child);
    while (asked < 5) await wait(20);
    child.kill('SIGKILL');
    await ended;
    expect((await run('eval', 'grade', 'last')).stdout).toContain(
      'turn 2: It and all turns up to 3 were not run, since the eval was interrupted.',
    );
    const resumed = await run('eval', 'resume', 'last');
    // Three turns of the first repeat, one that was answered and is asked again, and three of the second.
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('2 runs: 2 passed; at least 0.000392 USD') });
    expect(server.requests).toHaveLength(8);
    expect(server.requests.slice(5).map((request) => saidIn(request).length)).toEqual([1, 3, 5]);
    expect((await run('eval', 'grade', 'last')).code).toBe(0);
  });

  test('lets a judge see the conversation before the turn', async () => {
    const judge = {
      ...toneAgent,
      agent_name: 'Judge',
      llm_config_id: 'judging',
      input_keys: ['input', 'output', 'conversation'],
      output_schema: { type: 'object', required: ['verdict'], properties: { verdict: { type: 'string', enum: ['good', 'bad'] } } },
      enums: { verdict: ['good', 'bad'] },
    };
    const good = { judge: 'Judge@v1', output_field: 'verdict', operator: 'equals', value: 'good' };
    const script: LoopbackScript = ({ body }) => (body.model === 'gpt-4.1' ? { text: '{"verdict": "good"}', usage } : formal);
    const { run, server } = await served(script, (profile) => ({
      'config/agents/Judge/v1.json': judge,
      'config/llms/judging.json': { ...profile, llm_id: 'judging', model_name: 'gpt-4.1' },
      'config/payloads/Tone/talk.json': { turns: [{ input: { text: 'a' } }, { input: { text: 'b' }, expect: [good] }] },
    }));
    const { code, stderr } = await run('eval');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const asked = server.requests.filter(({ body }) => body.model === 'gpt-4.1');
    expect(asked).toHaveLength(1);
    const [, user] = (asked[0]?.body.messages ?? []) as readonly { content: string }[];
    expect(user?.content).toContain('input = {"text":"b"}\n');
    expect(user?.content).toContain(
      `conversation = [{"input":{"text":"a"},"output":{"tone":"formal"},"text":"{\\"tone\\": \\"formal\\"}"}]\n`,
    );
  });

  test('is refused before anything is paid where the agent remembers nothing', async () => {
    const noHistory = await served(formal, () => ({ 'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'real' } }));
    const refused = await noHistory.run('eval');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'Tone@v1 remembers no conversation, so it would answer each turn without the others. Give it "include_history": true, or make each turn a case of its own, with "input" and "expect".',
    );
    write(noHistory.cwd, 'agentstack.json', { config_dir: 'config', rules: { 'input-invalid': 'off' } });
    expect((await noHistory.run('eval')).code).toBe(2);
    const check = await noHistory.run('eval', '--estimate');
    expect(check.code).toBe(2);
    expect(noHistory.server.requests).toEqual([]);
    // One turn needs no memory.
    write(noHistory.cwd, 'config/payloads/Tone/talk.json', { turns: talk.turns.slice(0, 1) });
    expect((await noHistory.run('eval')).code).toBe(0);
  });

  test('is refused of an orchestration, and where a turn does not fit', async () => {
    const { run, server } = await served(formal, () => ({
      'config/orchestrations/flow.json': {
        name: 'flow',
        entry_team: 'one',
        teams: { one: { tasks: [{ name: 'tone', agent: 'Tone@v1' }], routing: { default: null } } },
      },
      'config/payloads/flow/talk.json': { turns: [{ input: { text: 'a' }, expect: [{ status: 'success' }] }, { input: { text: 'b' } }] },
      'config/payloads/Tone/talk.json': { turns: [talk.turns[0], { input: { txt: 'b' } }] },
    }));
    const { code, stderr } = await run('eval');
    expect(code).toBe(2);
    expect(stderr).toContain('flow is an orchestration, and its runs remember no conversation.');
    expect(stderr).toContain('talk.json');
    expect(stderr).toContain('Did you mean "text"?');
    expect(server.requests).toEqual([]);
  });

  test('is either a conversation or an input', async () => {
    const { run } = await served(formal, () => ({
      'config/payloads/Tone/talk.json': { ...talk, input: { text: 'a' } },
      'config/payloads/Tone/other.json': { ...talk, expect: [formally] },
      'config/payloads/Tone/third.json': { turns: [{ text: 'a', expect: [formally] }] },
      'config/payloads/Tone/fourth.json': { turns: [] },
    }));
    const { code, stdout } = await run('check');
    expect(code).toBe(1);
    expect(stdout).toContain('together with "turns"');
    expect(stdout.match(/error/g)?.length).toBeGreaterThanOrEqual(4);
  });

  test('is not passed over where its turns are written wrongly', async () => {
    const { run, server, cwd } = await served(formal);
    for (const turns of [talk.turns[0], [[talk.turns[0]]], 'text']) {
      write(cwd, 'config/payloads/Tone/other.json', { turns });
      const { code, stderr } = await run('eval');
      expect([code, stderr]).toEqual([2, expect.stringContaining('other.json')]);
    }
    expect(server.requests).toEqual([]);
  });

  test('counts each turn in an estimate, with the conversation before it', async () => {
    const { run, cwd } = await served(formal);
    const estimate = async (turns: readonly unknown[]) => {
      write(cwd, 'config/payloads/Tone/talk.json', { turns });
      const { worst_case } = JSON.parse((await run('eval', '--estimate', '--json')).stdout);
      return worst_case as { calls: number; prompt_tokens: number };
    };
    const [one, two, three] = [await estimate(talk.turns.slice(0, 1)), await estimate(talk.turns.slice(0, 2)), await estimate(talk.turns)];
    expect([one.calls, two.calls, three.calls]).toEqual([1, 2, 3]);
    const [second, third] = [two.prompt_tokens - one.prompt_tokens, three.prompt_tokens - two.prompt_tokens];
    expect(second).toBeGreaterThan(one.prompt_tokens);
    expect(third).toBeGreaterThan(second);
  });

  test('is carried over where no turn changed, and says so where the test did', async () => {
    const { run, server, cwd } = await served((_request, index) => answers[index % 3] ?? formal);
    expect((await run('eval', '--save-baseline')).code).toBe(0);
    const against = ['eval', '--against', 'config/baselines', '--canaries', '0', '--estimate'];
    expect((await run(...against)).stdout).toContain('0 of 1 case changed, 1 carried over');
    const [first, second, third] = talk.turns;
    const looser = { turns: [first, { ...second, expect: [{ output_field: 'tone', operator: 'exists' }] }, third] };
    write(cwd, 'config/payloads/Tone/talk.json', looser);
    const report = await reportOf(run('eval', '--against', 'config/baselines', '--json'));
    expect(report.baseline?.counts).toMatchObject({ test_changed: 1 });
    write(cwd, 'config/payloads/Tone/talk.json', { turns: [first, { ...second, input: { text: 'Otherwise' } }, third] });
    expect((await reportOf(run('eval', '--against', 'config/baselines', '--json'))).baseline?.counts).toMatchObject({ test_changed: 1 });
    expect(server.requests).toHaveLength(9);
  });

  test('is recorded turn by turn, and replayed', async () => {
    const { run, server, cwd } = await served(answers);
    expect((await run('eval', '--record', 'kept')).code).toBe(0);
    expect(listFiles(cwd).filter((path) => path.startsWith('kept/'))).toEqual([
      'kept/Tone/talk/own/1.turn1.jsonl',
      'kept/Tone/talk/own/1.turn2.jsonl',
      'kept/Tone/talk/own/1.turn3.jsonl',
    ]);
    expect(await run('eval', '--replay', 'kept')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 run: 1 passed') });
    expect(server.requests).toHaveLength(3);
  });

  test('stands in a data set, whose expectations hold for each turn, and is no input of one run', async () => {
    const cases = [{ name: 'both', turns: talk.turns.slice(0, 2) }];
    const { run } = await served([formal, formal], () => ({
      'config/payloads/Tone/talk.json': { cases, expect: [{ measure: 'input_tokens', operator: 'equals', value: 7 }] },
    }));
    const { stdout } = await run('eval');
    expect(stdout).toContain('  failed  talk/both  0 of 1 run\n');
    for (const turn of [1, 2]) expect(stdout).toContain(`talk.json:34  turn ${turn}: input_tokens is 100; expected: equals 7.\n`);
    expect(stdout).toContain('turn 2: tone is "formal"; expected: equals "friendly".');
    const { code, stderr } = await run('run', 'Tone', '--case', 'talk/both');
    expect(code).toBe(2);
    expect(stderr).toContain('The case talk/both is a conversation of 2 turns, and a run asks once.');
  });

  test('of an eval of an earlier version is one turn', async () => {
    const { run, cwd } = await served(formal, () => ({
      'config/payloads/Tone/talk.json': { input: { text: 'a' }, expect: [formally] },
    }));
    expect((await run('eval', '--repeats', '2')).code).toBe(0);
    const plan = listFiles(cwd).find((path) => path.endsWith('plan.jsonl')) ?? '';
    const [header, line] = read(cwd, plan).split('\n');
    const { turns, ...others } = JSON.parse(line ?? '');
    write(cwd, plan, `${header}\n${JSON.stringify({ ...others, ...turns[0] })}\n`);
    expect(await run('eval', 'grade', 'last')).toMatchObject({ code: 0, stdout: expect.stringContaining('2 of 2 runs') });
  });
});
