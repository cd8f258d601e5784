import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../docs/pages.js';
import { readEvalReport } from '../support/readEvalReport.js';
import { agentstack, temporaryProject } from './command.js';

// The sample project is where people meet evals first, with the offline provider: nothing of it may look like a measurement.

const rehearsal = ['eval', '--tags', 'smoke', '--llm', 'offline'];

/** @param more what an agent that reads files needs, beside the files of the project */
function copyOfSample(...more: string[]): string {
  const sample = temporaryProject({});
  for (const path of ['agentstack.json', 'config', ...more]) cpSync(join(root, path), join(sample, path), { recursive: true });
  return sample;
}

describe('the tests of the sample project, rehearsed', () => {
  test('are all asked and judged, and say in words that nothing passed or failed', async () => {
    const { code, stdout } = await agentstack(rehearsal, { cwd: copyOfSample('docs') });
    expect(code).toBe(1);
    for (const name of ['A2', 'DocsHelper', 'IssueLabels']) expect(stdout).toContain(`${name}@v1 with offline (simulated)`);
    expect(stdout).toContain('issue_intake with offline (simulated)');
    expect(stdout).toContain('Simulated: the offline provider made answers up and no model was asked. This is a rehearsal');
    expect(stdout).toMatch(/\d+ cases: \d+ met, \d+ not met; \d+ runs: \d+ met, \d+ not met; cost simulated/);
    expect(stdout).not.toMatch(/\bpassed\b|\bfailed\b|95 %|unknown/);
  });

  test('have no rates, intervals and comparisons in JSON', async () => {
    const { stdout } = await agentstack([...rehearsal, '--format', 'json'], { cwd: copyOfSample() });
    const report = readEvalReport(stdout);
    expect(report).toMatchObject({ simulated: true, comparisons: [], cases: { unknown: 0 }, runs: { unknown: 0 } });
    for (const suite of report.suites) {
      expect(suite).toMatchObject({ simulated: true, model_name: null, pass_rate: null, detectable_drop: null });
      expect(suite.cases.map(({ interval }) => interval)).toEqual(suite.cases.map(() => null));
    }
  });

  test('are no error of a pull request, but a warning', async () => {
    const { stdout } = await agentstack([...rehearsal, '--format', 'github'], { cwd: copyOfSample() });
    expect(stdout).toContain('::warning file=config/payloads/A2/parser.json');
    expect(stdout).not.toContain('::error');
  });
});

describe('the tests of the sample project, answered by its recordings', () => {
  const edit = (path: string, change: (text: string) => string) => writeFileSync(path, change(readFileSync(path, 'utf8')));

  test('pass, each of them: where a request has changed, `npm run sample:record` records them again', async () => {
    const { code, stdout } = await agentstack(['eval'], { cwd: copyOfSample() });
    expect(stdout).not.toContain('unknown');
    expect(stdout).toContain('43 cases: 43 passed;');
    expect(code).toBe(0);
    for (const name of ['A2@v1', 'DocsHelper@v1', 'IssueLabels@v1', 'issue_intake']) expect(stdout).toContain(`${name} (replayed)`);
  });

  test.each(['text', 'markdown', 'html', 'junit', 'github', 'json'])('say so as %s', async (format) => {
    const { stdout } = await agentstack(['eval', 'A2', '--format', format], { cwd: copyOfSample() });
    expect(stdout).toMatch(format === 'json' ? /"replayed": ?true/ : /[Rr]eplayed/);
    expect(stdout).not.toMatch(/gpt-|"simulated": ?true/);
  });

  test('are unknown, not passed, once a prompt says something else', async () => {
    const cwd = copyOfSample();
    edit(join(cwd, 'config/agents/A2/v1.json'), (text) =>
      text.replace('You never answer a request yourself.', 'You answer no request yourself.'),
    );
    const { code, stdout } = await agentstack(['eval', 'A2/parser', 'IssueLabels/login_loop'], { cwd });
    expect(stdout).toMatch(/unknown parser[\s\S]*replay-mismatch[\s\S]*You never answer a/);
    expect(stdout).toContain('2 cases: 1 passed, 1 unknown');
    expect(code).toBe(3);
  });

  test('are unknown where a run has no record, and made up where the whole case has none', async () => {
    const cwd = copyOfSample();
    const folder = join(cwd, 'config/recordings/A2');
    rmSync(join(folder, 'parser/own/3.jsonl'));
    rmSync(join(folder, 'cloud_costs'), { recursive: true });
    const { stdout } = await agentstack(['eval', 'A2', '--format', 'json'], { cwd });
    const [suite] = readEvalReport(stdout).suites;
    expect(suite?.cases.map(({ name, simulated, replayed, judged }) => ({ name, simulated, replayed, judged }))).toEqual([
      { name: 'cloud_costs', simulated: true, replayed: false, judged: 5 },
      { name: 'parser', simulated: false, replayed: true, judged: 4 },
    ]);
  });

  test('may have been recorded with any model, since the offline provider is none', async () => {
    const cwd = copyOfSample();
    for (const repeat of [1, 2, 3, 4, 5])
      edit(join(cwd, `config/recordings/A2/parser/own/${repeat}.jsonl`), (text) =>
        text.replace('"model":"gpt-5.4-mini"', '"model":"other"'),
      );
    expect((await agentstack(['eval', 'A2/parser'], { cwd })).stdout).toContain('1 case: 1 passed');
  });

  test('answer no agent that has a model', async () => {
    const { code, stdout } = await agentstack(['eval', 'A2/parser', '--environment', 'prod'], { cwd: copyOfSample() });
    expect(stdout).toMatch(/OPENAI_API_KEY|openai_api_key/);
    expect(stdout).not.toContain('eplayed');
    expect(code).toBe(3);
  });
});

test('the sample project is clean in every environment', async () => {
  expect((await agentstack(['check', 'config'], { cwd: root })).stdout).toMatch(/^No problems in \d+ files, environments dev, prod\.\n$/m);
});

test('the data set has thirty cases of different names, and three or more of each label', () => {
  interface LabelCase {
    readonly name: string;
    readonly expect: readonly { readonly operator: string; readonly value: string }[];
  }
  const read = (path: string) => JSON.parse(readFileSync(join(root, 'config', path), 'utf8'));
  const { cases } = read('payloads/IssueLabels/labels.json') as { cases: readonly LabelCase[] };
  expect(new Set(cases.map(({ name }) => name)).size).toBe(30);
  const expected = cases.flatMap((one) => one.expect.filter(({ operator }) => operator === 'contains').map(({ value }) => value));
  for (const label of read('agents/IssueLabels/v1.json').output_schema.properties.labels.items.enum as string[])
    expect(expected.filter((value) => value === label).length, label).toBeGreaterThanOrEqual(3);
});
