import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { readPastRuns } from '../../core/project/readPastRuns.js';
import { listRunIds, readRunSummary } from '../../core/run/readRuns.js';
import { isLeast, readSpending, spendingBy } from '../../core/run/spending.js';
import { memoryFiles } from '../support/memoryFiles.js';

const midnight = Date.UTC(2026, 10, 23);
const idAt = (time: number, tail: number) => `${time.toString(16).padStart(12, '0')}7${String(tail).padStart(19, '0')}`;

/** A project with runs that began so many ms after midnight, each with what its result says; null where it has none yet. */
function runs(...given: readonly (readonly [after: number, metadata: JsonObject | null])[]) {
  const files = given.flatMap(([after, metadata], at): [string, string][] => {
    const folder = `.agentstack/runs/${idAt(midnight + after, at)}`;
    const timestamp = new Date(midnight + after).toISOString();
    const run: [string, string] = [
      `${folder}/run.json`,
      JSON.stringify({ kind: 'agent', name: 'A', version: 'v1', context: { timestamp } }),
    ];
    return metadata === null ? [run] : [run, [`${folder}/result.json`, JSON.stringify({ status: 'completed', metadata })]];
  });
  return memoryFiles(Object.fromEntries(files));
}

const cost = (usd: number | null, total_tokens = 10): JsonObject => ({ estimated_cost_usd: usd, token_usage: { total_tokens } });

test('the spend of a day is the sum of the runs that began on it', async () => {
  const files = runs([-1, cost(5)], [0, cost(0.25)], [60_000, cost(0.5)]);
  expect(await readSpending(files, midnight)).toEqual({ cost: 0.75, runs: 2, unpriced: 0, open: 0 });
});

test.each([
  ['has no price', cost(null), { unpriced: 1, open: 0 }],
  ['was broken off with a call under way', { ...cost(0.5), token_usage_incomplete: true }, { cost: 0.75, unpriced: 1, open: 0 }],
  ['has not ended', null, { unpriced: 0, open: 1 }],
])('it is at least that where a run %s', async (_why, metadata, said) => {
  expect(await readSpending(runs([0, cost(0.25)], [1, metadata]), midnight)).toEqual({ cost: 0.25, runs: 2, ...said });
});

test.each([
  ['was simulated', { ...cost(null), simulated: true }],
  ['was refused before its first call', cost(null, 0)],
])('it is whole where a run %s', async (_why, metadata) => {
  expect(await readSpending(runs([0, metadata]), midnight)).toEqual({ cost: 0, runs: 1, unpriced: 0, open: 0 });
});

test('a run that has ended is read once', async () => {
  const files = runs([0, cost(0.25)], [1, null]);
  const ended = new Map();
  await readSpending(files, midnight, ended);
  expect(ended.size).toBe(1);
  const read: string[] = [];
  const counting = {
    list: files.list,
    readText: (path: string) => {
      read.push(path);
      return files.readText(path);
    },
  };
  expect(await readSpending(counting, midnight, ended)).toMatchObject({ cost: 0.25, runs: 2 });
  expect(read.filter((path) => path.includes(idAt(midnight, 0)))).toEqual([]);
});

test('a project without runs has spent nothing', async () => {
  expect(await readSpending(memoryFiles(), midnight)).toEqual({ cost: 0, runs: 0, unpriced: 0, open: 0 });
});

test('runs are added up by agent, day or month', async () => {
  const files = runs([-86_400_000 * 25, cost(1)], [0, cost(0.25)], [60_000, cost(null)]);
  const all = await Promise.all((await listRunIds(files)).map((id) => readRunSummary(files, id)));
  const sums = (by: 'agent' | 'day' | 'month') => [...spendingBy(all, by)].map(([key, sum]) => [key, sum.runs, sum.cost, isLeast(sum)]);
  expect(sums('agent')).toEqual([['A@v1', 3, 1.25, true]]);
  expect(sums('day')).toEqual([
    ['2026-11-23', 2, 0.25, true],
    ['2026-10-29', 1, 1, false],
  ]);
  expect(sums('month')).toEqual([
    ['2026-11', 2, 0.25, true],
    ['2026-10', 1, 1, false],
  ]);
});

test('what earlier runs took is the median of those with a known cost', async () => {
  const took = (usd: number, completion_tokens: number, more: JsonObject = {}) => ({
    agent_name: 'A',
    agent_version: 'v1',
    model_name: 'm',
    estimated_cost_usd: usd,
    token_usage: { total_tokens: 9, completion_tokens },
    ...more,
  });
  const files = runs(
    [0, took(1, 10)],
    [1, took(2, 40)],
    [2, took(30, 20)],
    [3, took(9, 900, { model_name: 'another' })],
    [4, took(9, 900, { simulated: true })],
    [5, took(0, 900, { recorded_cost_usd: 9 })],
    [6, took(9, 900, { token_usage_incomplete: true })],
    [7, null],
  );
  const agent = { agent_name: 'A', version: 'v1', model_name: 'm' };
  expect(await readPastRuns(files, agent)).toEqual({ runs: 3, completion_tokens: 20, cost: 2 });
  expect(await readPastRuns(files, { ...agent, version: 'v2' })).toBeUndefined();
  expect(await readPastRuns(memoryFiles({}), agent)).toBeUndefined();
});
