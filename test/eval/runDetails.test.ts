import { expect, test } from 'vitest';
import type { RunResult } from '../../core/agent/events.js';
import { emptyMetadata, emptyResult } from '../../core/agent/runResult.js';
import { readCases } from '../../core/eval/readCases.js';
import { runDetails } from '../../core/eval/report/runDetails.js';
import type { KeptRun } from '../../core/eval/runner/evalStore.js';
import type { EvalPlan } from '../../core/eval/runner/plan.js';
import type { Json } from '../../core/json.js';
import { loadPatterns } from '../../core/routing/patterns.js';

const tone = (value: string) => ({ output_field: 'tone', operator: 'equals', value });

function resultOf(run_id: string, value: string): RunResult {
  const reasoning = { steps: [], decision: '', smoothness: 1, confidence: 1 };
  return { ...emptyResult, run_id, status: 'completed', error: null, output: { tone: value }, reasoning, metadata: emptyMetadata } as never;
}

async function detailsOf(payload: Json, results: readonly RunResult[]) {
  const cases = readCases('talk', payload).map((tested) => ({
    ...tested,
    kind: 'agent' as const,
    subject: 'Tone',
    version: 'v1',
    file: 'talk.json',
  }));
  const run: KeptRun = { turns: results.map((result) => ({ result, judges: new Map() })), process: 1 };
  const plan = { cases, llms: [null] } as unknown as EvalPlan;
  return runDetails({ plan, runs: new Map([['0/0/0', run]]) }, 'a', await loadPatterns());
}

test('the details of a conversation are those of its turns', async () => {
  const turns = [
    { input: { text: 'x' }, expect: [tone('formal')] },
    { input: { text: 'y' }, expect: [tone('direct')] },
  ];
  const details = await detailsOf({ turns }, [resultOf('a', 'formal'), resultOf('b', 'formal')]);
  expect(details).toMatchObject({
    case: 'talk',
    outcome: 'failed',
    turns: [
      { outcome: 'passed', input: { text: 'x' }, output: { tone: 'formal' } },
      { outcome: 'failed', input: { text: 'y' }, expectations: [{ outcome: 'failed', actual: 'formal', wanted: 'direct' }] },
    ],
  });
  expect(await detailsOf({ turns }, [resultOf('a', 'formal')])).toMatchObject({
    outcome: 'unknown',
    turns: [{ outcome: 'passed' }, { outcome: 'unknown', cause: 'It was not run.', input: { text: 'y' } }],
  });
});

test('those of a case with one input stand at the top', async () => {
  const details = await detailsOf({ input: { text: 'x' }, expect: [tone('formal')] }, [resultOf('a', 'formal')]);
  expect(details).toMatchObject({ outcome: 'passed', input: { text: 'x' }, output: { tone: 'formal' } });
  expect(details).not.toHaveProperty('turns');
});
