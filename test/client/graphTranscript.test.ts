import { describe, expect, test } from 'vitest';
import { newFacts, Transcript } from '../../client/panels/run/transcript.js';
import type { JsonObject } from '../../core/json.js';

const facts = newFacts({
  kind: 'orchestration',
  agent: 'flow',
  version: '',
  project: 'p',
  root: '/p',
  status: 'running',
  isKept: true,
  isDurable: true,
});

function transcriptOf(events: readonly JsonObject[]): Transcript {
  const transcript = new Transcript(facts, { originOf: (tool, instance) => `${instance} has ${tool}` });
  for (const event of events) transcript.add(event);
  return transcript;
}

const result = (more: JsonObject = {}): JsonObject => ({
  status: 'completed',
  output: { text: 'x' },
  metadata: { execution_time_ms: 12, token_usage: { total_tokens: 7 }, estimated_cost_usd: 0.5, simulated: false },
  error: null,
  ...more,
});

describe('a run of several agents as its panel shows it', () => {
  test('tells teams, tasks and routes where they happened', () => {
    const { events } = transcriptOf([
      { type: 'run_start', run_id: 'r', snapshot_hash: 'h', snapshot_path: 'p' },
      { type: 'team_start', team: 'a', execution: 2, snapshot_hash: 'other' },
      { type: 'task_start', team: 'a', task: 't' },
      { type: 'step_start', team: 'a', task: 't', step: 1 },
      { type: 'tool_call', team: 'a', task: 't', tool_calls: [{ id: '1', name: 'search', input: {} }] },
      { type: 'task_end', team: 'a', task: 't', status: 'completed', result: result() },
      { type: 'route', team: 'a', rule: null, next_team: null, context_updates: { n: 1 }, notes: ['The context has no field "x".', 3] },
      { type: 'team_end', team: 'a' },
    ]);
    expect(events.map(({ type, place }) => `${type} ${place}`)).toEqual([
      'team a',
      'task a / t',
      'step a / t',
      'tool_call a / t',
      'task_end a / t',
      'route a',
      'team_end a',
    ]);
    expect(events[0]).toMatchObject({ execution: 2, isNewContext: true });
    expect(events[3]).toMatchObject({ origin: 'a/t has search' });
    expect(events[4]).toMatchObject({ status: 'completed', duration_ms: 12, tokens: 7, cost: 0.5, error: '' });
    expect(events[5]).toMatchObject({ rule: null, next: null, updates: '{"n":1}', notes: ['The context has no field "x".'] });
  });

  test('keeps what its tasks say out of its own result, which is the context', () => {
    const transcript = transcriptOf([
      { type: 'chunk', team: 'a', task: 't', text: '{"made": "up"}' },
      { type: 'final', result: result({ output: { teams: [], context: { round: 2 } } }) },
    ]);
    expect(transcript.facts.fields).toMatchObject([{ name: 'round', text: '2', verdict: 'unchecked' }]);
    expect(transcript.facts.status).toBe('completed');
  });

  test.each([
    ['cancelled', result({ status: 'cancelled', error: { code: 'cancelled', message: 'x' } }), true],
    ['stopped at a question', result({ status: 'failed', error: { code: 'denied', message: 'x', details: { unfinished: {} } } }), true],
    ['unkept', result({ status: 'failed', error: { code: 'storage', message: 'x' } }), true],
    ['denied', result({ status: 'failed', error: { code: 'denied', message: 'x', details: {} } }), false],
    ['completed', result(), false],
  ])('can go on or not: %s', (_name, ended, canResume) => {
    expect(transcriptOf([{ type: 'final', result: ended }]).facts.canResume).toBe(canResume);
  });

  test('of one agent can go on where its steps are kept, and nowhere else', () => {
    const cancelled = result({ status: 'cancelled', error: { code: 'cancelled', message: 'x' } });
    const canResume = (isDurable: boolean) => {
      const transcript = new Transcript({ ...facts, kind: 'agent', agent: 'A2', version: 'v1', isDurable });
      transcript.add({ type: 'final', result: cancelled });
      return transcript.facts.canResume;
    };
    expect([canResume(true), canResume(false)]).toEqual([true, false]);
  });

  test('says that it goes on, and can no longer be resumed', () => {
    const transcript = new Transcript({ ...facts, canResume: true });
    transcript.add({ type: 'run_start', run_id: 'r', snapshot_hash: 'h', snapshot_path: 'p', resumed: 3 });
    expect(transcript.events).toEqual([{ type: 'resumed', place: '', steps: 3 }]);
    expect(transcript.facts.canResume).toBe(false);
  });
});
