import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import type { Change, Gate, Stop } from '../../core/agent/gate.js';
import { parseRecording } from '../../core/run/readRecording.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { standingClock } from '../support/testPorts.js';
import { comparable, crashed, type DurableProject, durableProject, readAll } from './durableProject.js';

const edits = (events: readonly AgentEvent[]) => events.flatMap((event) => (event.type === 'edit' ? [[event.path, event.after]] : []));

/** Changes each kind of place of the orchestration `supply` once: the arguments and the answer of a tool, the context at a route, and a message. */
function change(stop: Stop): Change | undefined {
  if (stop.at === 'tool' && stop.call.name === 'stock') return { input: { item: 'screws' } };
  if (stop.at === 'tool_answer' && stop.call.name === 'stock') return { output: 'stock: many' };
  if (stop.at === 'tool' && stop.call.name === 'order') return { output: 'order: not made' };
  if (stop.at === 'route' && stop.team === 'look') return { context: { ...stop.context, item: 'nuts' } };
  if (stop.at === 'model' && stop.task === 'note') {
    return { messages: stop.request.messages.map((message) => (message.role === 'user' ? { role: 'user', content: 'Other.' } : message)) };
  }
  return undefined;
}

const orchestrate = ({ project }: DurableProject, options: object = {}) =>
  readAll(project.orchestrate({ name: 'supply', keep: 'folder', gate: change, ...options }));

/** Runs up to a stop at which its process ends. */
async function killedAt(isThere: (stop: Stop) => boolean): Promise<{ readonly left: DurableProject; readonly run_id: string }> {
  const project = durableProject();
  let run_id = '';
  const isStopped = new Promise<void>((resolve) => {
    const gate: Gate = (stop) => {
      if (!isThere(stop)) return change(stop);
      resolve();
      return new Promise(() => undefined);
    };
    void (async () => {
      for await (const event of project.project.orchestrate({ name: 'supply', keep: 'folder', gate })) run_id = event.run_id;
    })();
  });
  await isStopped;
  return { left: crashed(project), run_id };
}

describe('what is changed in a run that keeps its steps', () => {
  test('is part of it', async () => {
    const project = durableProject();
    const { events, result } = await orchestrate(project);
    expect(result).toMatchObject({ status: 'completed', metadata: { edits: 5 } });
    expect(
      edits(events)
        .map(([path]) => path)
        .sort(),
    ).toEqual(['/context', '/messages/1/content', '/tool_calls/use_1/input', '/tool_calls/use_1/output', '/tool_calls/use_1/output']);
    expect(project.outside.calls).toEqual(['stock screws']);
  });

  test.each<readonly [string, (stop: Stop) => boolean]>([
    ['a tool', (stop) => stop.at === 'tool' && stop.call.name === 'order'],
    ['a route', (stop) => stop.at === 'route' && stop.team === 'buy'],
    ['a model call', (stop) => stop.at === 'model' && stop.task === 'sum'],
    ['an answer', (stop) => stop.at === 'answer' && stop.task === 'count' && stop.step === 2],
  ])('is applied by the process that resumes it at %s, with or without stops', async (_, isThere) => {
    const whole = await orchestrate(durableProject());
    const { left, run_id } = await killedAt(isThere);
    const stops: Stop[] = [];
    const gate: Gate = (stop) => {
      stops.push(stop);
      return change(stop);
    };
    const { result } = await readAll(left.project.resume(run_id, { gate }));
    expect(comparable(result)).toEqual(comparable(whole.result));
    expect(isThere(stops[0] as Stop)).toBe(true);
    // Nothing that was left is shown again.
    const places = stops.map((stop) => `${stop.at} ${stop.team} ${stop.task} ${'step' in stop ? stop.step : ''}`);
    expect(new Set(places).size).toBe(places.length);
  });

  test('is applied without a gate too', async () => {
    const whole = await orchestrate(durableProject());
    const { left, run_id } = await killedAt((stop) => stop.at === 'route' && stop.team === 'buy');
    const { result } = await readAll(left.project.resume(run_id));
    expect(comparable(result)).toEqual(comparable(whole.result));
  });

  test('shows only what is ahead when a run begun without stops is resumed with them', async () => {
    const held: { begun: () => void } = { begun: () => undefined };
    const isAtWork = new Promise<void>((resolve) => {
      held.begun = resolve;
    });
    const killed = durableProject({ tool: 'order', begun: () => held.begun() });
    let run_id = '';
    void (async () => {
      for await (const event of killed.project.orchestrate({ name: 'supply', keep: 'folder' })) run_id = event.run_id;
    })();
    await isAtWork;
    const stops: string[] = [];
    const gate: Gate = (stop) => void stops.push(`${stop.at} ${stop.team}`);
    await readAll(crashed(killed).project.resume(run_id, { gate, askUnfinished: async () => 'repeat' }));
    expect(stops).toEqual(['tool_answer buy', 'model buy', 'answer buy', 'route buy']);
  });
});

test('an hour at a stop is no time of a run that keeps its steps', async () => {
  const clock = standingClock();
  const project = durableProject(undefined, { clock });
  const gate: Gate = () => clock.pass(3_600_000).then(() => undefined);
  const context = { budget: { max_time_ms: 1000 } };
  for (const events of [
    project.project.run({ agent_name: 'Counter', payload: {}, durable: true, context, gate }),
    project.project.orchestrate({ name: 'supply', keep: 'folder', context, gate }),
  ]) {
    const { result } = await readAll(events);
    expect(result).toMatchObject({ status: 'completed', metadata: { execution_time_ms: expect.any(Number) } });
  }
  const journals = join(project.folder, '.agentstack/journal');
  const kept = readdirSync(journals).map((name) => readFileSync(join(journals, name), 'utf8'));
  const times = [...kept.join('').matchAll(/"ms":(\d+)/g)].map(([, ms]) => Number(ms));
  expect(times.length).toBeGreaterThan(0);
  expect(Math.max(...times)).toBeLessThan(1000);
});

describe('the record of a run that was changed', () => {
  const recordFile = () => join(temporaryFolder(), 'run.jsonl');

  test('has the changes, and its replay applies them', async () => {
    const record = recordFile();
    const project = durableProject();
    const whole = await orchestrate(project, { record, keep: 'none' });
    const { events, result } = await readAll(project.project.orchestrate({ name: 'supply', replay: record }));
    expect(comparable(result)).toEqual(comparable(whole.result));
    expect(result.metadata.edits).toBe(5);
    expect(edits(events).sort()).toEqual(edits(whole.events).sort());
  });

  test('of an agent alone', async () => {
    const record = recordFile();
    const { project } = durableProject();
    const whole = await readAll(project.run({ agent_name: 'Counter', payload: {}, record, gate: change }));
    expect(whole.result.metadata.edits).toBe(2);
    const { result } = await readAll(project.run({ agent_name: 'Counter', payload: {}, replay: record }));
    expect(comparable(result)).toEqual(comparable(whole.result));
  });

  test.each([{ durable: true }, { keep: 'folder' as const }])('is that of the kept run: %j', async (keeping) => {
    const record = recordFile();
    const { project } = durableProject();
    const { result } = await readAll(project.run({ agent_name: 'Counter', payload: {}, ...keeping, record, gate: change }));
    const { recording } = await project.recordingOf(result.run_id);
    const editLines = (lines: readonly object[]) => lines.filter((line) => 'edit' in line);
    const recorded = parseRecording(readFileSync(record, 'utf8'));
    expect('lines' in recording && editLines(recording.lines)).toEqual('lines' in recorded && editLines(recorded.lines));
    const replayed = await readAll(project.replay(result.run_id));
    expect(comparable(replayed.result)).toEqual(comparable(result));
  });

  test('of a kept orchestration has the change at its route', async () => {
    const project = durableProject();
    const whole = await orchestrate(project);
    const { result } = await readAll(project.project.replay(whole.result.run_id));
    expect(comparable(result)).toEqual(comparable(whole.result));
  });

  test('cannot be changed, also at a route', async () => {
    const record = recordFile();
    const { project } = durableProject();
    await readAll(project.orchestrate({ name: 'supply', record }));
    const locked: unknown[] = [];
    const gate: Gate = (stop) => void locked.push(stop.locked);
    await readAll(project.orchestrate({ name: 'supply', replay: record, gate }));
    expect(locked.every((why) => typeof why === 'string')).toBe(true);
  });
});
