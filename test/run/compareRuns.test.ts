import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { compareRuns } from '../../core/run/compareRuns.js';
import type { RunFiles } from '../../core/run/readRuns.js';
import { containsText, fitsSummary } from '../../core/run/runFilter.js';
import { summarizeRun } from '../../core/run/runSummary.js';

const runOf = (id: string, run: JsonObject, result: JsonObject): RunFiles => ({
  summary: summarizeRun(id, { value: { kind: 'agent', name: 'A2', version: 'v1', ...run } }, { value: { status: 'completed', ...result } }),
  run,
  result,
});
const first = runOf(
  'a',
  { llm_id: 'openai', input: { title: 'Login' }, context: { case: 'login', timestamp: '2026-11-22T05:00:00.000Z' } },
  {
    output: { tone: 'direct', depth: 3 },
    metadata: { execution_time_ms: 1000, estimated_cost_usd: 0.002, token_usage: { prompt_tokens: 10 } },
  },
);
const second = runOf(
  'b',
  { llm_id: 'gemini', input: { title: 'Login' }, context: { case: 'login', timestamp: '2026-11-23T05:00:00.000Z' } },
  {
    output: { tone: 'kind', depth: 3 },
    metadata: { execution_time_ms: 1500, estimated_cost_usd: 0.001, token_usage: { prompt_tokens: 10 } },
  },
);

describe('runs side by side', () => {
  test('have a row for each field, with whether they differ in it', () => {
    const { run_ids, rows } = compareRuns([first, second]);
    expect(run_ids).toEqual(['a', 'b']);
    const lines = rows.map(({ part, field, values, differs }) => `${differs ? '*' : ' '} ${part} ${field} ${JSON.stringify(values)}`);
    expect(lines).toEqual([
      '  run agent ["A2@v1","A2@v1"]',
      '  run case ["login","login"]',
      '* run profile ["openai","gemini"]',
      '  run started [1795323600000,1795410000000]',
      '  run status ["completed","completed"]',
      '* usage duration [1000,1500]',
      '* usage cost [0.002,0.001]',
      '  usage prompt_tokens [10,10]',
      '* output tone ["direct","kind"]',
      '  output depth [3,3]',
      '  input title ["Login","Login"]',
    ]);
  });

  test('say how far a number is from that of the first', () => {
    const usage = compareRuns([first, second]).rows.filter(({ part }) => part === 'usage');
    expect(usage.map(({ field, changes }) => [field, ...changes])).toEqual([
      ['duration', null, 50],
      ['cost', null, -50],
      ['prompt_tokens', null, null],
    ]);
  });

  test('may be anything', () => {
    const torn: RunFiles = { summary: summarizeRun('c', { problem: 'torn' }, { missing: true }), run: {}, result: null };
    expect(compareRuns([torn, first]).rows.find(({ field }) => field === 'tone')?.values).toEqual([null, 'direct']);
  });
});

test('runs are filtered by what their summary says', () => {
  const fits = (filter: Parameters<typeof fitsSummary>[1]) => fitsSummary(first.summary, filter);
  expect([fits({}), fits({ agents: ['A2'], states: ['completed'], cases: ['login'], profiles: ['openai'] })]).toEqual([true, true]);
  expect([fits({ agents: ['B'] }), fits({ states: ['failed'] }), fits({ cases: ['x'] }), fits({ profiles: [] })]).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect([fits({ since: Date.parse('2026-11-22') }), fits({ since: Date.parse('2026-11-23') })]).toEqual([true, false]);
});

test('a text is found in names, input, answer and error, whatever its case', () => {
  for (const text of ['login', 'A2@V1', 'OPENAI', 'direct', 'tone: direct']) expect(containsText(first, text)).toBe(true);
  expect(containsText(first, 'gemini')).toBe(false);
  let deep: JsonObject = {};
  for (let level = 0; level < 5_000; level += 1) deep = { a: deep };
  expect(containsText({ ...first, run: { input: deep } }, 'nowhere')).toBe(false);
});
