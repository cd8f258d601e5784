import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import type { Project } from '../../core/project/types.js';
import { comparable, copyOfCrash, readAll } from './durableProject.js';
import { covered, expectNone, keptIn, type LogLine, openAt, secretProject, shaped } from './secretProject.js';

// No secret is in anything that a run tells or keeps, wherever it came from: the model, a tool, or the caller.

const ways = {
  'a single answer': (project: Project) => project.run({ keep: 'folder', agent_name: 'Writer', payload: { title: shaped } }),
  'a single answer at once': (project: Project) =>
    project.run({ keep: 'folder', agent_name: 'Writer', payload: { title: shaped }, delivery: 'call' }),
  'a loop': (project: Project) => project.run({ keep: 'folder', agent_name: 'Looker', payload: { title: shaped }, delivery: 'call' }),
  'a loop kept step by step': (project: Project) =>
    project.run({ keep: 'folder', agent_name: 'Looker', payload: { title: shaped }, durable: true, delivery: 'call' }),
  'an orchestration': (project: Project) =>
    project.orchestrate({ keep: 'folder', name: 'both', input: { title: shaped }, delivery: 'call' }),
  'an orchestration that streams': (project: Project) => project.orchestrate({ keep: 'folder', name: 'both', input: { title: shaped } }),
};

const streamed = (events: readonly AgentEvent[]) => events.flatMap((event) => (event.type === 'chunk' ? [event.text] : [])).join('');

describe.each(Object.entries(ways))('of %s', (_, run) => {
  test('no secret is told or kept', async () => {
    const { folder, project } = await secretProject();
    const { events, result } = await readAll(run(project));
    expect(result.error).toBe(null);
    expectNone(JSON.stringify(events));
    expectNone(streamed(events));
    expectNone(keptIn(folder));
    expect(JSON.stringify(result.output)).toContain(covered);
    // Of a key that a stream cuts, what shows its kind may have been told before it could be known.
    expect(streamed(events).replace(/\b(?:sk?|sk-)(?=\*{8})/g, (start) => '*'.repeat(start.length))).toContain(covered);
  });
});

type Source = { readonly record: string } | { readonly replay: string };

test.each<[string, (project: Project, source: Source) => AsyncIterable<AgentEvent>]>([
  [
    'an agent',
    (project, source) => project.run({ keep: 'folder', agent_name: 'Looker', payload: { title: shaped }, delivery: 'call', ...source }),
  ],
  [
    'an agent that streams',
    (project, source) => project.run({ keep: 'folder', agent_name: 'Writer', payload: { title: shaped }, ...source }),
  ],
  [
    'an orchestration',
    (project, source) => project.orchestrate({ keep: 'folder', name: 'both', input: { title: shaped }, delivery: 'call', ...source }),
  ],
])('the record of %s holds none, and answers all the same', async (_, begin) => {
  const { folder, project } = await secretProject();
  const record = join(folder, 'record.jsonl');
  const { result } = await readAll(begin(project, { record }));
  expect(result.error).toBe(null);
  const text = readFileSync(record, 'utf8');
  expectNone(text);
  // Nor in the parts of an answer that was cut.
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { llm?: { parts: readonly { text?: string }[] } });
  expectNone(lines.map(({ llm }) => llm?.parts.map((part) => part.text ?? '').join('') ?? '').join('\n'));
  const again = await readAll(begin(openAt(folder), { replay: record }));
  expect(again.result.error).toBe(null);
  expect(again.result.output).toEqual(result.output);
});

test('a run goes on from every point of its way to what it would have come to, though secrets were covered', async () => {
  const whole = await secretProject();
  const copies: string[] = [];
  let final: unknown;
  for await (const event of whole.project.orchestrate({ keep: 'folder', name: 'both', input: { title: shaped }, delivery: 'call' })) {
    if (event.final) final = comparable(event.result);
    else if (event.type !== 'chunk') copies.push(copyOfCrash(whole.folder));
  }
  expect(copies.length).toBeGreaterThan(8);
  for (const folder of copies) {
    const [run_id = ''] = readdirSync(join(folder, '.agentstack/runs'));
    const { events, result } = await readAll(openAt(folder).resume(run_id, { delivery: 'call' }));
    expect(comparable(result)).toEqual(final);
    expectNone(JSON.stringify(events));
    expectNone(keptIn(folder));
  }
});

describe.each([
  {
    way: 'an agent',
    run: (project: Project) =>
      project.run({ keep: 'folder', agent_name: 'Looker', payload: { deep: [{ title: shaped }] }, durable: true, delivery: 'call' }),
    place: '/payload/deep/0/title',
  },
  {
    way: 'an orchestration',
    run: (project: Project) =>
      project.orchestrate({ keep: 'folder', name: 'both', input: { deep: [{ title: shaped }] }, delivery: 'call' }),
    place: '/input/deep/0/title',
  },
])('of the input of $way that is kept step by step', ({ run, place }) => {
  test('the log says once where a secret was covered, and not what it was', async () => {
    const { folder } = await secretProject();
    const log: LogLine[] = [];
    await readAll(run(openAt(folder, log)));
    expect(log.filter(({ level }) => level === 'warn')).toMatchObject([
      {
        message: 'the input holds what looks like a secret, and the run works with it covered',
        fields: { run_id: expect.any(String), places: [place] },
      },
    ]);
    expectNone(JSON.stringify(log));
  });
});
