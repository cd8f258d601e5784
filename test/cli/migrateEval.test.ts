import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Migration } from '../../core/generated/types.js';
import type { LoopbackReply } from '../support/loopbackOpenAi.js';
import { validateMigration } from '../support/validateRun.js';
import { read, toneAgent, write } from './command.js';
import { formal, friendly, servedTone } from './servedTone.js';

const [oldModel, newModel] = ['gpt-4.1-mini', 'gpt-5.4-mini'];
const cases = (count: number) => ({
  cases: Array.from({ length: count }, (_, index) => ({ name: `c${index}`, input: { text: `text ${index}` } })),
  expect: [{ output_field: 'tone', operator: 'equals', value: 'formal' }],
});

/** A project whose agent has cases. @param broken how many of them the new model answers with `wrong` */
async function project(count: number, broken = 0, wrong: LoopbackReply = friendly) {
  const asked: string[] = [];
  const served = await servedTone(
    ({ body }) => {
      const text = JSON.stringify(body);
      asked.push(String(body.model));
      const number = Number(/text (\d+)/.exec(text)?.[1]);
      return body.model === newModel && number < broken ? wrong : formal;
    },
    () => ({
      'config/payloads/Tone/set.json': cases(count),
      'config/agents/Quiet/v1.json': { ...toneAgent, agent_name: 'Quiet', llm_config_id: 'real' },
    }),
  );
  const migrate = (...args: string[]) => served.run('migrate', '--from', oldModel, '--to', newModel, '--eval', '--max-cost', '5', ...args);
  const report = async (...args: string[]): Promise<Migration> => JSON.parse((await migrate('--json', ...args)).stdout);
  return { ...served, asked, migrate, report };
}

describe('migrate --eval', () => {
  test('asks each case with both models and says where the new one is not worse; no cases are never fine', async () => {
    const { report, asked, cwd } = await project(40);
    const migration = await report();
    expect(validateMigration(migration)).toEqual([]);
    expect(migration.eval?.comparisons).toMatchObject([
      { subject: 'Quiet@v1', verdict: 'cannot_tell', cases: 0, why: 'no cases', more_cases: 32 },
      { subject: 'Tone@v1', verdict: 'not_worse', cases: 40, difference: 0, worse_cases: [] },
    ]);
    expect([oldModel, newModel].map((model) => asked.filter((name) => name === model).length)).toEqual([40, 40]);
    expect(JSON.parse(read(cwd, 'config/llms/real.json')).model_name).toBe(oldModel);
  });

  test('says where it is worse, in which cases, and writes nothing then', async () => {
    const { migrate, cwd } = await project(40, 12);
    const { code, stdout, stderr } = await migrate('Tone', '--apply', '--yes', '--max-price-change', '1000');
    expect(stdout).toContain(
      '0 of 2 not worse, 1 worse (Tone@v1: 12 cases), 1 cannot tell (Quiet@v1: no cases; 32 without a difference would show 10 points)',
    );
    expect(stdout).toContain('Tone@v1   worse        40     -30');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Tone@v1 is worse')]);
    expect(JSON.parse(read(cwd, 'config/llms/real.json')).model_name).toBe(oldModel);
  });

  test('cases that only the old model could be judged on count against the new one', async () => {
    const { report } = await project(40, 4, { status: 500, error: { message: 'Overloaded.' } });
    const tone = (await report('Tone')).eval?.comparisons.find(({ subject }) => subject === 'Tone@v1');
    expect(tone).toMatchObject({
      verdict: 'cannot_tell',
      cases: 36,
      why: expect.stringContaining('4 could be judged with one model only'),
    });
    // As the verdict says: not within the margin.
    expect(tone?.low).toBeLessThan(-0.1);
  });

  test('cases that no answer of the new model could be judged on say why', async () => {
    const { report } = await project(4, 4, { status: 500, error: { message: 'Overloaded.' } });
    const tone = (await report('Tone')).eval?.comparisons.find(({ subject }) => subject === 'Tone@v1');
    expect(tone).toMatchObject({ verdict: 'cannot_tell', cases: 0, why: expect.any(String) });
    expect(tone?.why).toMatch(
      /^no case could be judged with both models \(with the new one, 4 cases: The provider has failed .*Overloaded\. .*\w\)$/,
    );
  });

  test('few cases cannot tell, and say how many would', async () => {
    const { migrate } = await project(4);
    const { code, stdout } = await migrate('--margin', '20', '--format', 'markdown');
    expect(code).toBe(3);
    expect(stdout).toContain('### Old against new\n\n0 of 2 not worse, 2 cannot tell');
    expect(stdout).toContain('4 cases do not show it; 11 more without a difference would show 20 points');
  });

  test('verdicts of the old model are carried over', async () => {
    const { run, report, asked } = await project(4);
    await run('eval', 'Tone', '--save-baseline');
    asked.length = 0;
    expect((await report()).eval?.comparisons[1]).toMatchObject({ cases: 4, difference: 0 });
    // One of the old verdicts is asked again, to see whether the model still answers alike.
    expect([oldModel, newModel].map((model) => asked.filter((name) => name === model).length)).toEqual([1, 4]);
  });

  test('what the prices refuse is said before anything is asked, also as JSON', async () => {
    const { migrate, asked } = await project(4);
    const { code, stdout, stderr } = await migrate('--apply', '--yes', '--max-price-change', '0', '--json');
    expect([code, asked, JSON.parse(stdout).applied]).toEqual([2, [], false]);
    expect(stderr).toContain('That is more than --max-price-change allows. Nothing was written.');
  });

  test('asks before it spends, and refuses where no one can answer', async () => {
    const { run, asked, cwd } = await project(4);
    const { code, stderr } = await run('migrate', '--from', oldModel, '--to', newModel, '--eval');
    expect([code, asked]).toEqual([2, []]);
    expect(stderr).toMatch(/--eval asks before it spends, and no one can answer here\. .*USD.* Give --max-cost USD\. Nothing was asked\./);
    expect(existsSync(join(cwd, '.agentstack/evals'))).toBe(false);
  });

  test('with a new version, the cases of the old one are asked with the new one too', async () => {
    const { report, asked, cwd } = await project(4);
    write(cwd, 'config/agents/Tone/v1.json', { ...toneAgent, llm_config_id: 'real', model_name: oldModel });
    const migration = await report('Tone');
    expect(migration.moves[0]?.places).toMatchObject([{ write: 'new_version', new_file: 'config/agents/Tone/v2.json' }]);
    expect(migration.eval?.comparisons).toMatchObject([{ subject: 'Tone@v1', cases: 4, difference: 0 }]);
    expect([oldModel, newModel].map((model) => asked.filter((name) => name === model).length)).toEqual([4, 4]);
    expect(existsSync(join(cwd, 'config/agents/Tone/v2.json'))).toBe(false);
  });
});
