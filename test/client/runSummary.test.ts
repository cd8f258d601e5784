import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { listRunIds, parseEvents, readRun, readRunSummary } from '../../core/run/readRuns.js';
import { summarizeRun, timeOfId } from '../../core/run/runSummary.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

const runId = '019aa8a01c007000800000000000000a';
const began = {
  kind: 'agent',
  name: 'A2',
  version: 'v1',
  environment: 'dev',
  context: { timestamp: '2026-11-22T05:00:00.000Z' },
  input: { task: 'x' },
};
const ended = {
  run_id: runId,
  status: 'completed',
  output: { tone: 'direct' },
  metadata: {
    agent_name: 'A2',
    agent_version: 'v1',
    provider: 'openai',
    model_name: 'gpt-x',
    execution_time_ms: 1200,
    estimated_cost_usd: 0.002,
    token_usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7, cached_tokens: 0 },
    simulated: false,
    iterations: 1,
    tools_used: ['search_files'],
  },
};

/** A project with one run of these files. */
function projectWith(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder();
  const folder = join(root, '.agentstack/runs', runId);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return createNodeFiles(root);
}

const summaryOf = (files: Readonly<Record<string, string>>) => readRunSummary(projectWith(files), runId);

describe('a run in a list', () => {
  test('has what its files say', async () => {
    expect(await summaryOf({ 'run.json': JSON.stringify(began), 'result.json': JSON.stringify(ended) })).toEqual({
      run_id: runId,
      state: 'completed',
      problem: null,
      started: Date.parse('2026-11-22T05:00:00.000Z'),
      kind: 'agent',
      can_resume: false,
      on_workers: false,
      name: 'A2',
      version: 'v1',
      environment: 'dev',
      llm_id: null,
      case: null,
      provider: 'openai',
      model_name: 'gpt-x',
      duration_ms: 1200,
      total_tokens: 7,
      completion_tokens: 2,
      replayed: false,
      recorded_cost: null,
      tokens_incomplete: false,
      cost: 0.002,
      simulated: false,
      edits: 0,
      forked_from: null,
      iterations: 1,
      tools_used: ['search_files'],
      error: null,
    });
  });

  test('without a result is on workers where it was handed to them', async () => {
    const handed = { ...began, engine: 'dbos' };
    expect(await summaryOf({ 'run.json': JSON.stringify(handed) })).toMatchObject({ state: 'open', can_resume: false, on_workers: true });
    const result = JSON.stringify(ended);
    expect(await summaryOf({ 'run.json': JSON.stringify(handed), 'result.json': result })).toMatchObject({ on_workers: false });
  });

  test('without a result can be resumed where its steps were kept', async () => {
    const durable = { ...began, journals: [runId] };
    expect(await summaryOf({ 'run.json': JSON.stringify(durable) })).toMatchObject({ state: 'open', can_resume: true });
    expect(await summaryOf({ 'run.json': JSON.stringify(began) })).toMatchObject({ state: 'open', can_resume: false });
    expect(await summaryOf({ 'run.json': JSON.stringify(durable), 'result.json': JSON.stringify(ended) })).toMatchObject({
      can_resume: false,
    });
    const cancelled = JSON.stringify({ ...ended, status: 'cancelled' });
    expect(await summaryOf({ 'run.json': JSON.stringify(durable), 'result.json': cancelled })).toMatchObject({ can_resume: true });
  });

  test('without a result is open', async () => {
    expect(await summaryOf({ 'run.json': JSON.stringify(began) })).toMatchObject({ state: 'open', problem: null, name: 'A2' });
  });

  test.each([
    ['a torn result', { 'run.json': JSON.stringify(began), 'result.json': JSON.stringify(ended).slice(0, 40) }, /^result\.json/],
    ['an empty result', { 'run.json': JSON.stringify(began), 'result.json': '' }, /empty/],
    ['a result that is a list', { 'run.json': JSON.stringify(began), 'result.json': '[]' }, /^result\.json/],
    ['a result without a status', { 'run.json': JSON.stringify(began), 'result.json': '{}' }, /does not say how/],
    ['a torn beginning', { 'run.json': '{"name": "A', 'result.json': JSON.stringify(ended) }, /^run\.json/],
    ['no beginning', { 'result.json': JSON.stringify(ended) }, /missing/],
    ['nothing at all', {}, /missing/],
  ])('with %s is broken, and says why', async (_name, files, problem) => {
    const summary = await summaryOf(files);
    expect(summary.state).toBe('broken');
    expect(summary.problem).toMatch(problem);
  });

  test('of which the time is lost has that of its id', () => {
    expect(summarizeRun(runId, { missing: true }, { missing: true }).started).toBe(timeOfId(runId));
    expect(new Date(timeOfId(runId) ?? 0).getUTCFullYear()).toBe(2025);
    expect(timeOfId('own-id')).toBeNull();
  });

  test('is never trusted to have any form', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('status', 'metadata', 'error', 'context', '__proto__', 'name'), fc.jsonValue()),
        (value) => {
          const object = JSON.parse(JSON.stringify(value));
          const summary = summarizeRun(runId, { value: object }, { value: object });
          expect(['completed', 'failed', 'cancelled', 'broken']).toContain(summary.state);
          expect(typeof summary.simulated).toBe('boolean');
          for (const one of [summary.cost, summary.total_tokens, summary.duration_ms])
            expect(one === null || typeof one === 'number').toBe(true);
        },
      ),
    );
  });
});

describe('the events of a run', () => {
  const line = (seq: number, text: string) => JSON.stringify({ type: 'chunk', seq, text });

  test('come in order, each once, without those that are torn', () => {
    const text = [line(0, 'a'), '{"type":"chunk","se', line(2, 'c'), line(1, 'b'), line(2, 'c'), 'null', '{"type":"chunk"}', ''].join('\n');
    const { events, skipped } = parseEvents(text);
    expect(events.map(({ text: piece }) => piece)).toEqual(['a', 'b', 'c']);
    expect(skipped).toBe(3);
  });

  test('that are torn are told with the run', async () => {
    const files = projectWith({ 'run.json': JSON.stringify(began), 'events.jsonl': `${line(0, 'a')}\n{"type":"ch` });
    const run = await readRun(files, runId);
    expect(run.events).toHaveLength(1);
    expect(run.problems).toEqual(['events.jsonl: one line is torn.']);
    expect(run.result).toBeNull();
  });
});

describe('the runs of a project', () => {
  test('are listed newest first, without what is not a folder', async () => {
    const files = projectWith({});
    await files.writeText('.agentstack/runs/019aa8a01c007000800000000000000b/run.json', '{}');
    await files.writeText('.agentstack/runs/notes.txt', '');
    expect(await listRunIds(files)).toEqual(['019aa8a01c007000800000000000000b', runId]);
  });

  test('are none where nothing has run', async () => {
    expect(await listRunIds(createNodeFiles(temporaryFolder()))).toEqual([]);
  });
});
