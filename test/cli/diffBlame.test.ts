import { describe, expect } from 'vitest';
import type { BehaviourDiff, Blame } from '../../core/diff/types.js';
import { writeProject } from '../support/changedProject.js';
import { gitIn } from '../support/gitIn.js';
import { testWith } from '../support/needs.js';
import { validateBehaviourDiff } from '../support/validateRun.js';
import { toneAgent } from './command.js';
import { formal, friendly, servedTone } from './servedTone.js';

const tone = { ...toneAgent, llm_config_id: 'real', system_text: 'Say how it sounds.', temperature: 0.2, max_output_tokens: 500 };
const cases = (count: number, input: object) => ({
  cases: Array.from({ length: count }, (_, index) => ({ name: `c${index}`, input: { text: `text ${index}`, ...input } })),
  expect: [{ output_field: 'tone', operator: 'equals', value: 'formal' }],
});

/** A repository whose agent Tone changes. @param answers formal or not, by the request */
async function project(
  count: number,
  change: object,
  isFormal: (request: string, number: number) => boolean,
  commit: object = tone,
  input: object = {},
) {
  let [asked, ignored] = [0, 0];
  const forget = () => {
    ignored = asked;
  };
  const served = await servedTone(
    ({ body }) => {
      asked += 1;
      const request = JSON.stringify(body);
      return isFormal(request, Number(/text (\d+)/.exec(request)?.[1])) ? formal : friendly;
    },
    () => ({ 'config/payloads/Tone/set.json': cases(count, input), 'config/agents/Tone/v1.json': commit }),
  );
  const { cwd } = served;
  const save = () => {
    gitIn(cwd, 'add', '.');
    gitIn(cwd, 'commit', '-q', '-m', 'state');
  };
  gitIn(cwd, 'init', '-q', '-b', 'main');
  save();
  const begin = () => writeProject(cwd, { 'config/agents/Tone/v1.json': { ...commit, ...change } });
  const revert = () => writeProject(cwd, { 'config/agents/Tone/v1.json': commit });
  begin();
  const diff = (...args: string[]) => served.run('diff', '--blame', ...args);
  const blame = async (...args: string[]): Promise<Blame> => {
    const { stdout } = await diff('--max-cost', '5', '--json', ...args);
    const result = JSON.parse(stdout) as BehaviourDiff;
    expect(validateBehaviourDiff(result)).toEqual([]);
    return result.subjects.find(({ name }) => name === 'Tone')?.blame as Blame;
  };
  return { ...served, save, begin, revert, diff, blame, asked: () => asked - ignored, forget };
}

const change = { system_text: 'Say how it sounds. Be brief.', temperature: 0.9, max_output_tokens: 400, description: 'Tones' };
const parts = ({ findings }: Blame) =>
  findings.map(
    (finding) => `${finding.outcome} ${finding.parts.map((part) => part.map(({ names }) => names.join()).join('|')).join(' + ')}`,
  );

describe('diff --blame', () => {
  testWith('git', 'names the field that moved the verdicts, with the interval, and what it asked', async () => {
    const { blame, asked } = await project(30, change, (request, number) => !request.includes('Be brief') || number % 3 === 0);
    const found = await blame();
    expect(found).toMatchObject({
      environment: 'dev',
      all: { outcome: 'moved', cases: 30, difference: -2 / 3 },
      findings: [
        { outcome: 'moved', alone: true, parts: [[{ names: ['system_text'], places: [{ file: 'config/agents/Tone/v1.json' }] }]] },
        { outcome: 'cannot_tell', more_cases: 2, difference: 0 },
        { outcome: 'cannot_tell', difference: 0 },
      ],
      not_sent: [{ names: ['description'] }],
      cases: 30,
      mixes: 6,
      runs: 180,
      unjudged_runs: 0,
      max_cost_usd: 5,
      why: null,
    });
    expect(found.findings[0]?.interval?.high).toBeLessThan(-0.4);
    expect(asked()).toBe(180);
  });

  testWith('git', 'tells it as text', async () => {
    const { diff } = await project(36, change, (request, number) => !request.includes('Be brief') || number % 3 === 0);
    const { stdout, code } = await diff('--max-cost', '5');
    expect(code).toBe(0);
    expect(stdout).toContain('  What moved its verdicts\n    ! All changes together: -67 points, 95 % ');
    expect(stdout).toMatch(/! system_text: -67 points, 95 % -\d+ to -\d+, in 36 cases\n\s+config\/agents\/Tone\/v1\.json#\/system_text/);
    expect(stdout).toContain('+ temperature: no effect of 10 points or more (0 points, 95 % 0 to 0, in 36 cases)');
    expect(stdout).toContain('Part of no request: description');
    expect(stdout).toMatch(/Asked: 6 mixes of 36 cases: 216 runs, 0\.\d+ USD of at most 5\.00 USD/);
  });

  testWith('git', 'blames two fields together where neither does it alone', async () => {
    const { blame } = await project(30, change, (request) => !(request.includes('Be brief') && request.includes('0.9')));
    expect(parts(await blame()).filter((line) => line.startsWith('moved'))).toEqual(['moved system_text + temperature']);
  });

  testWith('git', 'asks no more where nothing moved, and cannot tell from few cases', async () => {
    const { blame, asked } = await project(4, change, () => true);
    expect(await blame()).toMatchObject({ all: { outcome: 'cannot_tell', more_cases: 28 }, findings: [], mixes: 2 });
    expect(asked()).toBe(8);
  });

  testWith('git', 'carries verdicts of the commit over, and asks anew once something moved', async () => {
    const { run, save, begin, revert, blame, asked, forget } = await project(30, change, () => true);
    revert();
    await run('eval', 'Tone', '--save-baseline');
    save();
    begin();
    forget();
    expect(await blame()).toMatchObject({ all: { outcome: 'cannot_tell', cases: 30 }, mixes: 2 });
    // One of the old verdicts is asked again, to see whether the model still answers alike.
    expect(asked()).toBe(31);
  });

  testWith('git', 'takes fields together that only fit together, and says why', async () => {
    const { blame } = await project(
      30,
      { user_text: '{{input.text}} {{input.kind}}', input_keys: ['text', 'kind'], temperature: 0.9 },
      (request) => !request.includes('0.9'),
      { ...tone, mode: undefined, user_text: '{{input.text}}' },
      { kind: 'mail' },
    );
    const found = await blame();
    expect(found.joined).toMatchObject([
      {
        fields: [{ names: ['input_keys'] }, { names: ['user_text'] }],
        why: 'the prompt names {{input.kind}}, which the input does not have',
      },
    ]);
    expect(parts(found)).toEqual(['moved temperature', 'cannot_tell input_keys,user_text']);
  });

  testWith('git', 'needs cases that both sides take', async () => {
    const { blame, asked } = await project(3, { input_keys: ['text', 'kind'] }, () => true, tone, { kind: 'mail' });
    expect(await blame()).toMatchObject({
      all: null,
      cases: 3,
      why: 'No request of its cases changes.',
      not_sent: [{ names: ['input_keys'] }],
    });
    expect(asked()).toBe(0);
    const closed = { type: 'object', properties: { text: {} }, additionalProperties: false };
    const refusing = await project(
      3,
      { ...change, input_schema: undefined },
      () => true,
      { ...tone, input_schema: closed },
      { kind: 'mail' },
    );
    expect(await refusing.blame()).toMatchObject({
      all: null,
      cases: 0,
      refused_cases: 3,
      why: 'One side refuses the inputs of all cases.',
    });
  });

  testWith('git', 'finds the agent of an orchestration, and asks its teams with mixes too', async () => {
    const task = (name: string, agent: string) => ({ name, agent: `${agent}@v1`, input: { text: '{{context.text}}' } });
    const flow = {
      entry_team: 'in',
      context: { text: 'none' },
      teams: { in: { name: 'In', tasks: [task('one', 'Tone'), task('two', 'Other')], routing: { default: null } } },
    };
    const other = { ...tone, agent_name: 'Other', system_text: 'Listen to it.' };
    const { cwd, save, run } = await project(1, {}, (request, number) => !request.includes('Be brief') || number % 5 === 0);
    const tests = Array.from({ length: 30 }, (_, index) => ({ name: `c${index}`, context: { text: `text ${index}` } }));
    writeProject(cwd, {
      'config/agents/Other/v1.json': other,
      'config/orchestrations/flow.json': flow,
      'config/payloads/flow/set.json': {
        cases: tests,
        expect: [{ task: 'one', output_field: 'tone', operator: 'equals', value: 'formal' }],
      },
    });
    save();
    writeProject(cwd, {
      'config/agents/Tone/v1.json': { ...tone, system_text: 'Be brief.' },
      'config/agents/Other/v1.json': { ...other, system_text: 'Be quiet.' },
      'config/orchestrations/flow.json': { ...flow, max_total_teams: 5 },
    });
    const { stdout, stderr } = await run('diff', 'flow', '--blame', '--max-cost', '5', '--json');
    expect(stderr).toContain('orchestration flow: 3 fields, 30 cases');
    const { blame } = (JSON.parse(stdout) as BehaviourDiff).subjects[0]!;
    expect(blame?.findings.filter(({ outcome }) => outcome === 'moved')).toMatchObject([
      { alone: true, parts: [[{ names: ['system_text'], instances: ['in/one'], places: [{ file: 'config/agents/Tone/v1.json' }] }]] },
    ]);
  });

  testWith('git', 'compares two versions, and two environments', async () => {
    const { cwd, run } = await project(30, {}, (request) => !request.includes('0.9'));
    writeProject(cwd, {
      'config/agents/Tone/v2.json': { ...tone, version: 'v2', temperature: 0.9, max_output_tokens: 400 },
      'config/environments/prod.json': { agent_defaults: { top_p: 0.5 } },
    });
    const moved = async (...sides: readonly string[]) => {
      const { stdout } = await run('diff', ...sides, '--blame', '--max-cost', '5', '--json');
      const { blame } = (JSON.parse(stdout) as BehaviourDiff).subjects[0]!;
      return [blame?.environment, blame?.all?.outcome, ...parts(blame!).filter((line) => line.startsWith('moved'))];
    };
    expect(await moved('Tone@v1', 'Tone@v2')).toEqual(['dev', 'moved', 'moved temperature']);
    expect(await moved('Tone@v1:dev', 'Tone@v1:prod')).toEqual(['prod', 'cannot_tell']);
  });

  testWith('git', 'stops where the budget ends, and blames nobody by guess', async () => {
    const { diff } = await project(30, change, (request) => !request.includes('Be brief'));
    const { stdout } = await diff('--max-cost', '0.006', '--json');
    const { blame } = (JSON.parse(stdout) as BehaviourDiff).subjects[0]!;
    expect(blame?.cost_usd).toBeLessThanOrEqual(0.006);
    expect(blame?.why).toContain('The budget was used up (budget-exceeded)');
    expect(blame?.findings.every(({ outcome, parts: [first] }) => outcome !== 'moved' || (first?.length ?? 0) > 1)).toBe(true);
  });

  testWith('git', 'asks before it spends, and refuses where no one can answer', async () => {
    const { diff, asked } = await project(4, change, () => true);
    const { code, stderr } = await diff();
    expect([code, asked()]).toEqual([2, 0]);
    expect(stderr).toMatch(
      /--blame asks before it spends, and no one can answer here\. agent Tone@v1: 3 fields, 4 cases; .*USD.* Give --max-cost USD\./,
    );
  });
});
