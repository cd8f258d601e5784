import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../docs/pages.js';
import { readEvalReport } from '../support/readEvalReport.js';
import { agentstack, temporaryProject } from './command.js';

// The sample project is where people meet evals first, with the offline provider: nothing of it may look like a measurement.

const rehearsal = ['eval', '--tags', 'smoke', '--llm', 'offline'];
function copyOfSample(): string {
  const sample = temporaryProject({});
  for (const path of ['agentstack.json', 'config', 'docs']) cpSync(join(root, path), join(sample, path), { recursive: true });
  return sample;
}

describe('the tests of the sample project, rehearsed', () => {
  test('are all asked and judged, and say in words that nothing passed or failed', async () => {
    const { code, stdout } = await agentstack(rehearsal, { cwd: copyOfSample() });
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

test('the data set has thirty cases of different names, and three or more of each label', () => {
  interface LabelCase {
    readonly name: string;
    readonly expect: readonly { readonly operator: string; readonly value: string }[];
  }
  const read = (path: string) => JSON.parse(readFileSync(join(root, 'config', path), 'utf8'));
  const { cases } = read('payloads/IssueLabels/labels.json') as { cases: readonly LabelCase[] };
  expect(new Set(cases.map(({ name }) => name)).size).toBe(30);
  const expected = cases.flatMap((one) => one.expect.filter(({ operator }) => operator === 'contains').map(({ value }) => value));
  for (const label of read('agents/IssueLabels/v1.json').enums.labels as string[])
    expect(expected.filter((value) => value === label).length, label).toBeGreaterThanOrEqual(3);
});
