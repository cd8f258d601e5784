import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import type { LlmProvider } from '../../core/llm/providers/provider.js';
import type { Completion } from '../../core/llm/types.js';
import { openProject } from '../../core/node/openProject.js';
import { readRunSummary } from '../../core/run/readRuns.js';
import { temporaryProject, write } from '../cli/command.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { comparable, durableProject, readAll } from './durableProject.js';

const recordFile = () => join(temporaryFolder(), 'run.jsonl');
const words = { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] };
const writer = {
  agent_name: 'Writer',
  version: 'v1',
  mode: 'Writer',
  system_text: 'Writer',
  purpose_text: 'Write.',
  output_schema: words,
  provider: 'openai',
  model_name: 'script',
};
const planner = {
  agent_name: 'Planner',
  version: 'v1',
  agent_type: 'orchestrating',
  execution_plan: {
    steps: [
      {
        name: 'ask',
        agent: 'Writer@v1',
        input: { topic: 'bolts' },
        repeat: { until: { step: 'ask', output_field: 'words', operator: 'equals', value: 'answer 3' }, max: 5 },
      },
    ],
    output: '{{steps.ask.output.words}}',
  },
};
const task = (name: string, more: object = { depends_on: [] }) => ({ name, agent: 'Writer@v1', input: { topic: 'bolts' }, ...more });
const files = {
  'config/agents/Writer/v1.json': writer,
  'config/agents/Planner/v1.json': planner,
  'config/orchestrations/again.json': {
    name: 'again',
    entry_team: 'a',
    teams: {
      a: {
        name: 'A',
        tasks: [task('x'), task('y'), task('plan', { agent: 'Planner@v1', depends_on: ['x', 'y'] })],
        routing: {
          rules: [
            { condition: { context_field: 'end', operator: 'exists' }, next_team: null },
            { condition: { task: 'plan', status: 'success' }, next_team: 'b' },
          ],
        },
      },
      b: {
        name: 'B',
        tasks: [task('z', {})],
        routing: {
          rules: [{ condition: { task: 'z', output_field: 'words', operator: 'equals', value: 'answer 8' }, next_team: null }],
          default: 'b',
        },
      },
    },
  },
};

/** Answers every request with the next number. */
function counting(): LlmProvider {
  let count = 0;
  const next = (): Completion => {
    count += 1;
    return {
      text: JSON.stringify({ words: `answer ${count}` }),
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cached_tokens: 0 },
      model: 'script',
      id: `answer-${count}`,
      finish_reason: 'stop',
      left_out: [],
      simulated: false,
      attempts: 1,
      latency_ms: 1,
    };
  };
  return {
    name: 'openai',
    connect: () => ({
      call: async () => next(),
      async *stream() {
        const completion = next();
        yield { type: 'text', text: completion.text };
        yield { type: 'completion', completion };
      },
    }),
  };
}

/** The project where nothing can be asked: no provider of its own, no key, no network. */
function alone(folder: string) {
  const fetch = () => Promise.reject(new Error('The network was used.'));
  return openProject(folder, {
    ports: { fetch, secrets: { get: async () => undefined }, environment: { get: () => undefined, names: () => [] } },
  });
}

/** What has to be the same: parallel tasks may take turns in another order. */
const told = (events: readonly AgentEvent[]) => {
  const lines = new Map<string, unknown[]>();
  for (const event of events) {
    if (event.final) continue;
    const { run_id: _run, seq: _seq, time: _time, ...rest } = event as AgentEvent & Record<string, unknown>;
    const place = String(rest.task ?? '');
    lines.set(place, [...(lines.get(place) ?? []), comparable(rest as unknown as RunResult)]);
  }
  return Object.fromEntries(lines);
};

describe('an orchestration that is recorded', () => {
  test('is replayed with the same events and the same result, and no model is asked', async () => {
    const recorded = durableProject();
    const file = recordFile();
    const once = await readAll(recorded.project.orchestrate({ keep: 'folder', name: 'supply', input: { wanted: 5 }, record: file }));
    expect(once.result.status).toBe('completed');
    const asked = [...recorded.outside.requests];

    const { tools } = recorded.options;
    const project = openProject(recorded.folder, {
      ...(tools && { tools }),
      ports: { fetch: () => Promise.reject(new Error('no network')) },
    });
    const again = await readAll(project.orchestrate({ keep: 'folder', name: 'supply', input: { wanted: 5 }, replay: file }));
    expect(comparable(again.result)).toEqual(comparable(once.result));
    expect(told(again.events)).toEqual(told(once.events));
    expect(recorded.outside.requests).toEqual(asked);
    expect(recorded.outside.calls).toEqual(['stock bolts', 'order bolts']);
    // Nothing was done, so nothing can go on.
    const summary = await readRunSummary(project.ports.files, again.result.run_id);
    expect(summary).toMatchObject({ state: 'completed', can_resume: false });
    expect(readdirSync(join(recorded.folder, '.agentstack/journal'))).toHaveLength(1);
  });

  test('has each answer at its place, in its order, though all requests are the same', async () => {
    const folder = temporaryProject(files);
    const file = recordFile();
    const once = await readAll(
      openProject(folder, { providers: [counting()] }).orchestrate({ keep: 'folder', name: 'again', record: file }),
    );
    expect(once.result.error).toBe(null);
    expect(JSON.stringify(once.result.output)).toContain('answer 8');
    expect(new Set(readFileSync(file, 'utf8').match(/"at":"[^"]+"/g))).toEqual(
      new Set(['"at":"1/a/x"', '"at":"1/a/y"', '"at":"1/a/plan/Writer@v1"', ...[2, 3, 4, 5, 6].map((n) => `"at":"${n}/b/z"`)]),
    );
    for (let round = 0; round < 2; round += 1) {
      const again = await readAll(alone(folder).orchestrate({ name: 'again', replay: file, keep: 'none' }));
      expect(comparable(again.result)).toEqual(comparable(once.result));
    }
  });

  test('ends with replay-mismatch, in words that name task and place, where a request is another than was recorded', async () => {
    const folder = temporaryProject(files);
    const file = recordFile();
    await readAll(openProject(folder, { providers: [counting()] }).orchestrate({ keep: 'folder', name: 'again', record: file }));
    write(folder, 'config/agents/Writer/v1.json', { ...writer, purpose_text: 'Write more.' });
    const { result } = await readAll(alone(folder).orchestrate({ keep: 'folder', name: 'again', replay: file }));
    expect(result.error).toMatchObject({
      code: 'replay-mismatch',
      details: { differences: [expect.stringContaining('/messages/0/content')] },
    });
    expect(result.error?.message).toMatch(/^Task "[xy]" of team "a": Model call 1 is not the one that was recorded/);
  });

  test('ends with replay-mismatch where more is asked than was recorded, as of a record that was cut off', async () => {
    const folder = temporaryProject(files);
    const file = recordFile();
    await readAll(openProject(folder, { providers: [counting()] }).orchestrate({ keep: 'folder', name: 'again', record: file }));
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, lines.filter((line) => !line.includes('"at":"3/b/z"')).join('\n'));
    const { result } = await readAll(alone(folder).orchestrate({ keep: 'folder', name: 'again', replay: file }));
    expect(result.error).toMatchObject({
      code: 'replay-mismatch',
      message: expect.stringContaining('Task "z" of team "b": The record has 0 model calls'),
    });
    expect((result.output as { teams: unknown[] }).teams).toHaveLength(3);
  });

  test('is cancelled again where it was', async () => {
    const folder = temporaryProject(files);
    const file = recordFile();
    const stop = new AbortController();
    const hanging: LlmProvider = {
      name: 'openai',
      connect: () => ({
        call: () => new Promise(() => undefined),
        async *stream({ signal }) {
          setTimeout(() => stop.abort(), 20);
          await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
        },
      }),
    };
    const once = await readAll(
      openProject(folder, { providers: [hanging] }).orchestrate({ keep: 'folder', name: 'again', record: file, signal: stop.signal }),
    );
    expect(once.result.status).toBe('cancelled');
    const again = await readAll(alone(folder).orchestrate({ keep: 'folder', name: 'again', replay: file }));
    expect(comparable(again.result)).toEqual(comparable(once.result));
  });

  test('cannot be replayed as something else', async () => {
    const folder = temporaryProject(files);
    const [file, single] = [recordFile(), recordFile()];
    const project = openProject(folder, { providers: [counting()] });
    await readAll(project.orchestrate({ keep: 'folder', name: 'again', record: file }));
    await readAll(project.run({ keep: 'folder', agent_name: 'Writer', payload: {}, record: single }));
    const words = async (events: AsyncIterable<AgentEvent>) => (await readAll(events)).result.error;
    expect(await words(alone(folder).run({ keep: 'folder', agent_name: 'Writer', payload: {}, replay: file }))).toMatchObject({
      code: 'replay-mismatch',
      message: 'The record is of the orchestration again, not of Writer alone.',
    });
    expect(await words(alone(folder).orchestrate({ keep: 'folder', name: 'again', replay: single }))).toMatchObject({
      code: 'replay-mismatch',
      message: 'The record is of the agent Writer, not of the orchestration again.',
    });
    expect(existsSync(file)).toBe(true);
  });
});

test('an agent whose plan calls agents is recorded with all of them', async () => {
  const folder = temporaryProject(files);
  const file = recordFile();
  const once = await readAll(
    openProject(folder, { providers: [counting()] }).run({ keep: 'folder', agent_name: 'Planner', payload: {}, record: file }),
  );
  expect(once.result.output).toBe('answer 3');
  const again = await readAll(alone(folder).run({ keep: 'folder', agent_name: 'Planner', payload: {}, replay: file }));
  expect(comparable(again.result)).toEqual(comparable(once.result));
  expect(told(again.events)).toEqual(told(once.events));
});
