import { describe, expect, test } from 'vitest';
import { type DescriptionWords, describeRun } from '../../client/views/runs/describeRun.js';
import { type GroupWords, groupRuns } from '../../client/views/runs/groupRuns.js';
import type { StoredRun } from '../../core/run/readRuns.js';
import { summarizeRun } from '../../core/run/runSummary.js';

const groupWords: GroupWords = { today: 'Today', yesterday: 'Yesterday', unknown: 'Unknown', language: 'en' };
const at = (text: string) => new Date(text).getTime();
const now = at('2026-11-22T12:00:00');

const groupsOf = (runs: readonly { started: number | null; name: string | null }[], grouping: 'day' | 'agent') =>
  groupRuns(runs, grouping, now, groupWords).map(({ label, runs: inside }) => `${label}: ${inside.length}`);

describe('runs in groups', () => {
  test('by day, by the clock on the wall', () => {
    const times = ['2026-11-22T00:00:01', '2026-11-21T23:59:59', '2026-11-21T00:00:00', '2026-11-20T23:59:59'];
    const runs = times.map((time) => ({ started: at(time), name: 'A' }));
    expect(groupsOf([...runs, { started: null, name: 'A' }], 'day')).toEqual([
      'Today: 1',
      'Yesterday: 2',
      'Fri, November 20, 2026: 1',
      'Unknown: 1',
    ]);
  });

  test('by agent, the one that ran last first', () => {
    const runs = ['B', 'A', 'B', null].map((name) => ({ started: now, name }));
    expect(groupsOf(runs, 'agent')).toEqual(['B: 2', 'A: 1', 'Unknown: 1']);
  });

  test('have keys that stay when the day changes', () => {
    const runs = [{ started: now, name: 'A' }];
    const [today] = groupRuns(runs, 'day', now, groupWords);
    const [later] = groupRuns(runs, 'day', now + 86_400_000, groupWords);
    expect(later?.label).toBe('Yesterday');
    expect(later?.key).toBe(today?.key);
  });
});

const words: DescriptionWords = {
  input: 'Input',
  output: 'Output',
  error: 'Error',
  messages: 'Messages',
  metadata: 'About',
  none: '(none)',
};

function storedRun(output: string | null, id = 'r1'): StoredRun {
  const run = { name: 'A2', version: 'v1', input: { task: 'line one\nline two', count: 2 } };
  const result = {
    status: output === null ? 'failed' : 'completed',
    output: output === null ? null : { tone: output },
    error: output === null ? { code: 'llm', message: 'No.' } : null,
    conversation: [{ role: 'system', content: [{ type: 'text', text: 'You are\nA2.' }] }],
    metadata: { agent_name: 'A2', agent_version: 'v1', execution_time_ms: 5 },
  };
  return { summary: summarizeRun(id, { value: run }, { value: result }), run, result, events: [], problems: [] };
}

describe('a run as a text', () => {
  test('has input, output, messages and metadata, with real line breaks', () => {
    expect(describeRun(storedRun('direct'), words)).toBe(
      [
        '# Input\n\n## task\n\nline one\nline two\n\n## count\n\n2\n',
        '# Output\n\n## tone\n\ndirect\n',
        '# Messages\n\n## system\n\nYou are\nA2.\n',
        '# About\n\n- agent: A2@v1\n- status: completed\n- simulated: false\n- repairs: 0\n- time (ms): 5\n- run: r1\n',
      ].join('\n'),
    );
  });

  test('differs from another only where the runs do', () => {
    const left = describeRun(storedRun('direct'), words).split('\n');
    const right = describeRun(storedRun('formal', 'r2'), words).split('\n');
    expect(left.filter((line, index) => line !== right[index])).toEqual(['direct', '- run: r1']);
  });

  test('says why a run has no output', () => {
    const text = describeRun(storedRun(null), words);
    expect(text).toContain('# Output\n\n(none)\n');
    expect(text).toContain('# Error\n\n## code\n\nllm\n');
  });

  test('of a torn run is what is left of it', () => {
    const summary = summarizeRun('r', { problem: 'it is torn.' }, { missing: true });
    const text = describeRun({ summary, run: {}, result: null, events: [], problems: ['run.json: it is torn.'] }, words);
    expect(text).toContain('> run.json: it is torn.');
    expect(text).toContain('- status: broken');
  });
});
