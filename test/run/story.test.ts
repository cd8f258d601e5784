import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import { createStory, storyOf } from '../../core/run/story/createStory.js';
import { pathOf } from '../../core/run/story/pathOf.js';
import { sampleRuns } from '../support/sampleRuns.js';

const samples = await sampleRuns();
const storyOfSample = (name: string) => storyOf(samples.get(name)?.events ?? []);

describe('a story', () => {
  test.each([...samples.keys()])('of a part of the events is that up to there: %s', (name) => {
    const events = samples.get(name)?.events ?? [];
    const { story, add } = createStory();
    for (const [index, event] of events.entries()) {
      add(event);
      expect(storyOf(events.slice(0, index + 1))).toEqual(story);
    }
    expect(JSON.parse(JSON.stringify(story))).toEqual(JSON.parse(JSON.stringify(storyOf(events))));
  });

  test('counts calls, failures, contradictions, corrections and retries', () => {
    const { counts, tools, end } = storyOfSample('tools');
    expect(counts).toEqual({ retries: 1, repairs: 0, calls: 5, failed_calls: 2, contradictions: 1, rejected: 1 });
    expect(tools).toEqual(['find', 'count', 'nothing']);
    expect(end).toMatchObject({ status: 'completed', iterations: 5, source_quality: 'medium' });
  });

  test('counts contradictions as the run itself does', () => {
    const { counts } = storyOfSample('tools');
    const { end } = storyOfSample('tools');
    // 1 turn in 5, 2 of 5 calls failed, and what contradictions and corrections take: docs/loops.md.
    const pace = 1 - 0.3 * Math.min(1, 4 / 9);
    const success = 1 - 0.4 * (counts.failed_calls / counts.calls);
    expect(end?.smoothness).toBeCloseTo(pace * success - 0.1 * (counts.contradictions + counts.rejected), 2);
  });

  test('has each call in its step, with its answer', () => {
    const { steps } = storyOfSample('tools');
    expect(steps.map(({ number, parts }) => [number, parts.map(({ type }) => type).join(' ')])).toEqual([
      [1, 'thinking text call'],
      [2, 'call call call'],
      [3, 'call'],
      [4, 'retry text'],
      [5, 'thinking text'],
    ]);
    const calls = steps[1]?.parts.flatMap((part) => (part.type === 'call' ? [`${part.name} ${part.state}`] : []));
    expect(calls).toEqual(['find done', 'count failed', 'nothing failed']);
    expect(steps.map(({ is_correction }) => is_correction)).toEqual([false, false, false, true, false]);
  });

  test('takes the result of a step of a plan for no correction', () => {
    const { steps, counts } = storyOfSample('plan');
    expect(steps.map(({ plan_step, observation }) => [plan_step, observation])).toEqual([
      ['search', 'found'],
      ['labels', '{"label":"bug","reason":"not given"}'],
      ['reply', 'Thank you.'],
      ['never', 'Skipped: its "when" does not hold.'],
    ]);
    expect(counts.rejected).toBe(0);
  });

  test('has teams with their tasks, the steps of these, and where routing led', () => {
    const { teams, steps } = storyOfSample('teams');
    expect(teams.map(({ team, execution, state, route }) => [team, execution, state, route?.rule, route?.next_team])).toEqual([
      ['a', 1, 'completed', null, 'b'],
      ['b', 2, 'completed', 0, 'b'],
      ['b', 3, 'completed', null, null],
    ]);
    expect(teams[0]?.tasks.map(({ task, state, end }) => [task, state, end?.total_tokens])).toEqual([
      ['x', 'completed', 15],
      ['left', 'completed', 15],
      ['right', 'completed', 15],
    ]);
    for (const { tasks } of teams)
      for (const task of tasks) expect(task.steps.map((index) => steps[index]?.task)).toEqual(task.steps.map(() => task.task));
  });

  test('of a run that is resumed tells where it begins anew', () => {
    const { since, teams } = storyOfSample('teamResumed');
    expect(since.team).toBeGreaterThan(0);
    expect(teams.slice(since.team).map(({ team }) => team)).toEqual(['a', 'b', 'b']);
  });

  test('counts what a run that is resumed tells again once', () => {
    const events = samples.get('tools')?.events ?? [];
    const told = storyOf(events.slice(0, -1));
    const again = storyOf([...events.slice(0, 9), ...events]);
    expect(again.counts).toEqual(told.counts);
    expect(again.steps.slice(again.since.step).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  });

  test('takes in whatever a file may hold', () => {
    const names = ['run_start', 'step_start', 'chunk', 'tool_call', 'tool_result', 'repair', 'step_end', 'task_end', 'route', 'final', 'x'];
    const event = fc.record({ type: fc.constantFrom(...names), team: fc.jsonValue(), tool_calls: fc.jsonValue(), result: fc.jsonValue() });
    fc.assert(
      fc.property(fc.array(event), (events) => {
        storyOf(events as unknown as readonly JsonObject[]);
      }),
    );
  });
});

describe('the path of a run', () => {
  const read = (...events: readonly Json[]) => {
    return storyOf(events as readonly JsonObject[]);
  };
  const round = (status: string, rule: number | null = 1): readonly Json[] => [
    { type: 'team_start', team: 'review', execution: 1 },
    { type: 'task_start', team: 'review', task: 'a' },
    { type: 'chunk', team: 'review', task: 'a', text: 'x' },
    { type: 'task_end', team: 'review', task: 'a', status, result: {} },
    { type: 'route', team: 'review', rule, next_team: 'draft' },
    { type: 'team_end', team: 'review' },
  ];

  test('counts teams and ways, and knows where the run is', () => {
    const path = pathOf(
      read({ type: 'run_start' }, ...round('completed'), ...round('completed'), {
        type: 'team_start',
        team: 'draft',
        execution: 3,
      }),
    );
    expect(path).toEqual({
      teams: { review: { count: 2, state: 'done' }, draft: { count: 1, state: 'running' } },
      tasks: { 'review/a': 'done' },
      ways: { '/entry_team': 1, '/teams/review/routing/rules/1': 2 },
      status: 'running',
    });
  });

  test('tells a failed task, a default way, the end', () => {
    const path = pathOf(read(...round('failed', null), { type: 'final', result: { status: 'completed' } }));
    expect(path).toMatchObject({
      teams: { review: { state: 'failed' } },
      ways: { '/teams/review/routing/default': 1 },
      status: 'completed',
    });
  });

  test('tells a partial end', () => {
    expect(pathOf(read(...round('failed', null), { type: 'final', result: { status: 'partial' } })).status).toBe('partial');
  });

  test('ends with what was going on when the run was interrupted, and begins again when it goes on', () => {
    const begun = [{ type: 'run_start' }, { type: 'team_start', team: 'x', execution: 1 }];
    expect(pathOf(read(...begun), true)).toMatchObject({ teams: { x: { state: 'failed' } }, status: 'open' });
    const resumed = read(...begun, { type: 'run_start', resumed: 2 });
    expect(pathOf(resumed)).toEqual({ teams: {}, tasks: {}, ways: {}, status: 'running' });
  });
});
