import { readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { describe, expect, test } from 'vitest';
import type { LoopbackScript } from '../support/loopbackOpenAi.js';
import { readEvalReport } from '../support/readEvalReport.js';
import { agentstack, listFiles, offlineProfile, temporaryProject, toneAgent, write } from './command.js';
import { formal, friendly, servedTone } from './servedTone.js';

const case_ = { input: { text: 'Good day' }, expect: [{ output_field: 'tone', operator: 'equals', value: 'formal' }] };
const judged = { ...case_, expect: [{ judge: 'Judge', output_field: 'verdict', operator: 'equals', value: 'right' }] };
const judge = {
  ...toneAgent,
  agent_name: 'Judge',
  input_keys: ['input', 'output'],
  output_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['verdict'],
    properties: { verdict: { type: 'string', enum: ['right', 'wrong'] } },
  },
  enums: { verdict: ['right', 'wrong'] },
};

function served(script: LoopbackScript, files: Readonly<Record<string, unknown>> = {}) {
  return servedTone(script, (profile) => ({
    'config/agents/Tone/v1.json': { ...toneAgent, defaults: { tone: 'friendly' }, llm_config_id: 'real' },
    'config/llms/dear.json': { ...profile, llm_id: 'dear', model_name: 'gpt-4.1', price: { input: 1000, output: 1000 } },
    'config/payloads/Tone/greeting.json': case_,
    ...files,
  }));
}

describe('eval --coverage', () => {
  test('shows what no run has reached, with its place, in text, JSON and Markdown', async () => {
    const { run } = await served(formal);
    const { stdout, code } = await run('eval', '--coverage');
    expect(stdout).toContain(`Coverage
  config/agents/Tone/v1.json  1 of 2 enum values, 0 of 1 default
    not reached  config/agents/Tone/v1.json:20  enum value tone: friendly
    not reached  config/agents/Tone/v1.json:33  default tone: friendly`);
    expect(code).toBe(0);
    const report = readEvalReport((await run('eval', 'grade', 'last', '--coverage', '--json')).stdout);
    expect(report.coverage?.map(({ label, hits }) => [label, hits])).toEqual([
      ['tone: friendly', 0],
      ['tone: formal', 1],
      ['tone: friendly', 0],
    ]);
    expect((await run('eval', 'grade', 'last', '--coverage', '--format', 'markdown')).stdout).toContain(
      '| config/agents/Tone/v1.json | 1 of 2 enum values, 0 of 1 default | tone: friendly<br>tone: friendly |',
    );
    const refused = await run('eval', 'grade', 'last', '--coverage', '--format', 'junit');
    expect(refused.stderr).toContain('--coverage is not part of --format junit.');
    expect(refused.code).toBe(2);
  });
});

describe('eval list and eval prune', () => {
  test('list the newest first, and delete what is old and has ended', async () => {
    const { run, cwd } = await served(formal);
    expect((await run('eval', 'list')).stderr).toContain('There are no evals yet.');
    for (let times = 0; times < 3; times++) await run('eval');
    const { evals } = JSON.parse((await run('eval', 'list', '--json')).stdout) as {
      evals: readonly { eval_id: string; state: string; outcome: string }[];
    };
    expect(evals.map(({ state, outcome }) => [state, outcome])).toEqual(Array(3).fill(['ended', 'passed']));
    expect((await run('eval', 'list', '--limit', '1')).stdout).toMatch(
      new RegExp(`^${evals[0]!.eval_id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  passed   Tone@v1  1 case: 1 passed`),
    );

    expect((await run('eval', 'prune')).code).toBe(2);
    const dry = await run('eval', 'prune', '--keep', '1', '--dry-run');
    expect(dry.stdout).toBe(`${evals[1]!.eval_id}\n${evals[2]!.eval_id}\n`);
    expect(dry.stderr).toContain('Would delete 2 evals.');
    expect((await run('eval', 'prune', '--older-than', '1d')).stderr).toContain('Deleted 0 evals.');
    const old = join(cwd, '.agentstack/evals', evals[1]!.eval_id);
    for (const name of listFiles(cwd).filter((path) => path.includes(evals[1]!.eval_id))) utimesSync(join(cwd, name), 1, 1);
    utimesSync(old, 1, 1);
    expect((await run('eval', 'prune', '--older-than', '1d')).stdout).toBe(`${evals[1]!.eval_id}\n`);
    expect((await run('eval', 'prune', '--keep', '1')).stdout).toBe(`${evals[2]!.eval_id}\n`);
    expect(listFiles(cwd).filter((path) => path.includes(evals[1]!.eval_id) || path.includes(evals[2]!.eval_id))).toEqual([]);
    expect((await run('eval', 'grade', 'last')).code).toBe(0);
  });

  test('keep one that can still be resumed', async () => {
    const { run, cwd } = await served(formal);
    await run('eval');
    const report = listFiles(cwd).find((path) => path.endsWith('report.json'));
    rmSync(join(cwd, report!));
    expect((await run('eval', 'list')).stdout).toContain('  open');
    const { stdout, stderr } = await run('eval', 'prune', '--keep', '0');
    expect(stdout).toBe('');
    expect(stderr).toContain('can still be resumed (--unfinished takes it too).');
    expect((await run('eval', 'prune', '--keep', '0', '--unfinished')).stdout).not.toBe('');
  });
});

describe('JUnit', () => {
  const schema = XmlDocument.fromBuffer(readFileSync(join(import.meta.dirname, '../fixtures/junit/junit.xsd')));
  const validator = XsdValidator.fromDoc(schema);
  const check = (text: string) => {
    const document = XmlDocument.fromString(text);
    try {
      validator.validate(document);
    } finally {
      document.dispose();
    }
  };

  test('meets the common schema, whatever passed, failed or could not be judged', async () => {
    const script: LoopbackScript = (_request, index) =>
      [formal, friendly, { status: 429, error: { message: 'Slow <down> & "wait"', code: 'rate_limit_exceeded' } }][index % 3]!;
    const { run } = await served(script, {
      'config/payloads/Tone/set.json': {
        cases: [
          { ...case_, name: 'a <b> & "c"' },
          { ...case_, name: 'tab\tline\nend\u0007' },
        ],
      },
    });
    const { stdout } = await run('eval', '--format', 'junit', '--concurrency', '1');
    check(stdout);
    expect(stdout).toContain('<failure');
    expect(stdout).toContain('<error');
  });

  test('the schema refuses what is none', () => {
    expect(() => check('<testsuites><testsuite name="x" tests="1" failures="0" errors="0"><testcase/></testsuite></testsuites>')).toThrow(
      /testcase/,
    );
  });
});

describe('bad input', () => {
  test('a judge that fails leaves its cases unknown', async () => {
    const script: LoopbackScript = (_request, index) => (index === 0 ? formal : { status: 500, error: { message: 'Broken' } });
    const { run } = await served(script, {
      'config/agents/Judge/v1.json': { ...judge, llm_config_id: 'real' },
      'config/payloads/Tone/greeting.json': judged,
    });
    const { stdout, code } = await run('eval');
    expect(stdout).toContain('unknown greeting');
    expect(stdout).toContain('The judge Judge failed: ');
    expect(code).toBe(3);
  });

  test('a judge that costs more than the budget is not asked, and its cases are unknown', async () => {
    const { run, server } = await served(formal, {
      'config/agents/Judge/v1.json': { ...judge, llm_config_id: 'dear' },
      'config/payloads/Tone/greeting.json': judged,
    });
    const { stdout, code } = await run('eval', '--max-cost', '0.05');
    expect(stdout).toContain('The judge Judge failed: ');
    expect(stdout).toContain('budget');
    expect(code).toBe(3);
    expect(server.requests).toHaveLength(1);
  });

  test('a recording that lacks a run leaves it unknown, and the others are judged', async () => {
    const { run, cwd, server } = await served(formal, { 'config/payloads/Tone/other.json': case_ });
    expect((await run('eval', '--record', 'recorded')).code).toBe(0);
    rmSync(join(cwd, 'recorded/Tone/other'), { recursive: true });
    const { stdout, code } = await run('eval', '--replay', 'recorded');
    expect(stdout).toContain('passed  greeting');
    expect(stdout).toContain('unknown other');
    expect(code).toBe(3);
    expect(server.requests).toHaveLength(2);
  });

  // The bench `eval` has 10,000: what costs more than its share with each case would show there.
  test('1,000 cases in one file are asked, kept and judged again', async () => {
    const cases = Array.from({ length: 1000 }, (_, index) => ({ name: `c${index}`, input: { text: `Text ${index}` } }));
    const cwd = temporaryProject({
      'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'offline' },
      'config/llms/offline.json': offlineProfile,
    });
    write(cwd, 'config/payloads/Tone/many.json', { cases, expect: [{ status: 'success' }] });
    const { stdout, code } = await agentstack(['eval', '--concurrency', '64', '--json'], { cwd });
    expect(readEvalReport(stdout).cases).toMatchObject({ total: 1000, passed: 1000 });
    expect(code).toBe(0);
    expect((await agentstack(['eval', 'grade', 'last'], { cwd })).stdout).toContain('1000 cases');
  });
});
