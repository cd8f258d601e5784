import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ResumeError, StorageError } from '../../core/errors.js';
import { createNodeClock } from '../../core/node/nodePorts.js';
import { openProject } from '../../core/node/openProject.js';
import { comparable, crashed, type DurableProject, durableProject, readAll } from './durableProject.js';

const runFolder = (folder: string) => join(folder, '.agentstack/runs', readdirSync(join(folder, '.agentstack/runs'))[0] ?? '');

describe('an orchestration that is run', () => {
  test('ends with its result and keeps snapshot, events and steps', async () => {
    const { folder, project, outside } = durableProject();
    const { events, result } = await readAll(project.orchestrate({ keep: 'folder', name: 'supply', input: { wanted: 5 } }));
    expect(result.error).toBe(null);
    expect(result.status).toBe('completed');
    expect(outside.calls).toEqual(['stock bolts', 'order bolts']);
    const kept = runFolder(folder);
    expect(JSON.parse(readFileSync(join(kept, 'run.json'), 'utf8'))).toMatchObject({
      input: { wanted: 5 },
      journals: [expect.any(String)],
    });
    expect(JSON.parse(readFileSync(join(kept, 'result.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(result)));
    expect(readFileSync(join(kept, 'events.jsonl'), 'utf8').trim().split('\n')).toHaveLength(events.length);
    expect(readdirSync(kept).filter((name) => name.includes('lock'))).toEqual([]);
  });
});

/** The same project where no key is: neither stored nor in the environment. */
function withoutKeys({ folder, options }: DurableProject) {
  const ports = { secrets: { get: async () => undefined }, environment: { get: () => undefined, names: () => [] } };
  return openProject(folder, { ...options, providers: [], ports });
}

test('a key that is missing is told before anything runs', async () => {
  const project = durableProject();
  const { events, result } = await readAll(withoutKeys(project).orchestrate({ keep: 'folder', name: 'supply' }));
  expect(result.error).toMatchObject({
    code: 'secret-missing',
    message: expect.stringContaining('the environment variable OPENAI_API_KEY'),
  });
  expect(events).toHaveLength(1);
  expect(existsSync(join(project.folder, '.agentstack'))).toBe(false);
});

describe('a run that was interrupted', () => {
  test('goes on from every point of its way to the same result, and asks no model twice for what it had', async () => {
    const whole = durableProject();
    const copies: { readonly at: string; readonly copy: ReturnType<typeof crashed>; readonly asked: number }[] = [];
    let final: unknown;
    for await (const event of whole.project.orchestrate({ keep: 'folder', name: 'supply', input: { wanted: 5 } })) {
      if (event.final) final = comparable(event.result);
      else copies.push({ at: `${event.seq} ${event.type}`, copy: crashed(whole), asked: whole.outside.requests.length });
    }
    expect(copies.length).toBeGreaterThan(20);
    for (const { at, copy, asked } of copies) {
      rmSync(join(copy.folder, 'config'), { recursive: true });
      const run_id = readdirSync(join(copy.folder, '.agentstack/runs'))[0] ?? '';
      const { events, result } = await readAll(copy.project.resume(run_id, { askUnfinished: async () => 'repeat' }));
      expect(comparable(result), at).toEqual(final);
      expect(events[0], at).toMatchObject({ type: 'run_start', run_id, resumed: expect.any(Number) });
      // What was under way at that moment may be asked again, in two tasks at most, and nothing else.
      const again = asked + copy.outside.requests.length - whole.outside.requests.length;
      expect(again, at).toBeGreaterThanOrEqual(0);
      expect(again, at).toBeLessThanOrEqual(2);
      expect(existsSync(join(runFolder(copy.folder), 'result.json'))).toBe(true);
      const numbers = readFileSync(join(runFolder(copy.folder), 'events.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { seq: number }).seq);
      expect(numbers, at).toEqual(numbers.map((_, index) => index));
    }
  });
});

const idOf = ({ folder }: DurableProject) => readdirSync(join(folder, '.agentstack/runs'))[0] ?? '';
const has = (project: DurableProject, name: string) => existsSync(join(runFolder(project.folder), name));
const failureOf = (project: DurableProject, run_id = idOf(project)) =>
  readAll(project.project.resume(run_id)).catch((error: unknown) => error);

/** What a crash leaves in the middle of a call of a tool. */
async function crashedInCall(tool: string): Promise<DurableProject> {
  let begun: () => void = () => undefined;
  const call = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const whole = durableProject({ tool, begun: () => begun() });
  const stop = new AbortController();
  const ended = readAll(whole.project.orchestrate({ keep: 'folder', name: 'supply', signal: stop.signal }));
  await call;
  const copy = crashed(whole);
  stop.abort();
  await ended;
  return copy;
}

describe('a call that may not be made twice and was under way', () => {
  test('stops the run where there is no answer, and leaves it as it is', async () => {
    const copy = await crashedInCall('order');
    const { events, result } = await readAll(copy.project.resume(idOf(copy)));
    expect(result.error).toMatchObject({
      code: 'denied',
      details: { unfinished: { tool: 'order', input: { item: 'bolts' }, team: 'buy', task: 'order' } },
    });
    expect(events.filter(({ final }) => final)).toHaveLength(1);
    expect(copy.outside.calls).toEqual([]);
    expect(has(copy, 'result.json')).toBe(false);
    expect((await readAll(copy.project.resume(idOf(copy)))).result.error?.code).toBe('denied');
  });

  test.each([
    ['repeat', ['order bolts']],
    ['skip', []],
  ] as const)('is made again or left alone as a person says: %s', async (answer, calls) => {
    const copy = await crashedInCall('order');
    const { result } = await readAll(copy.project.resume(idOf(copy), { askUnfinished: async () => answer }));
    expect(result.status).toBe('completed');
    expect(copy.outside.calls).toEqual(calls);
    expect(JSON.stringify(result.output).includes('"status":"failed"')).toBe(false);
    expect(has(copy, 'result.json')).toBe(true);
  });

  test('is made again without a question where the tool may be called twice', async () => {
    const copy = await crashedInCall('stock');
    const { result } = await readAll(copy.project.resume(idOf(copy)));
    expect(result.status).toBe('completed');
    expect(copy.outside.calls).toEqual(['stock bolts', 'order bolts']);
  });
});

describe('a run that cannot go on', () => {
  test('because there is none: no folder is made for it', async () => {
    const project = durableProject();
    const failure = await failureOf(project, '0'.repeat(32));
    expect(failure).toBeInstanceOf(ResumeError);
    expect((failure as Error).message).toContain('run.json is missing');
    expect(existsSync(join(project.folder, '.agentstack'))).toBe(false);
  });

  test('because it is still running, in any process', async () => {
    const project = durableProject();
    for await (const event of project.project.orchestrate({ keep: 'folder', name: 'supply' })) {
      if (event.type !== 'route') continue;
      const failure = await failureOf(project);
      expect(failure).toBeInstanceOf(ResumeError);
      expect((failure as Error).message).toContain(`it is still running (process ${process.pid})`);
    }
    expect(((await failureOf(project)) as Error).message).toContain('it has ended (completed)');
  });

  test('because another is quicker: of two that resume it one does', async () => {
    const copy = await crashedInCall('stock');
    const both = await Promise.all([failureOf(copy), failureOf(copy)]);
    expect(both.filter((one) => one instanceof ResumeError)).toHaveLength(1);
    expect(both.filter((one) => !(one instanceof Error))).toHaveLength(1);
    expect(copy.outside.calls).toEqual(['stock bolts', 'order bolts']);
  });

  test('because its journal was edited: the line is named, and the run is free again', async () => {
    const copy = await crashedInCall('order');
    const journal = join(copy.folder, '.agentstack/journal', readdirSync(join(copy.folder, '.agentstack/journal'))[0] ?? '');
    const text = readFileSync(journal, 'utf8');
    writeFileSync(journal, text.replace('enough bolts', 'enough nails'));
    const failure = await failureOf(copy);
    expect(failure).toBeInstanceOf(StorageError);
    expect((failure as Error).message).toMatch(/line \d+ of \.agentstack\/journal\/\w+\.jsonl is not as it was written/);
    writeFileSync(journal, text);
    expect((await readAll(copy.project.resume(idOf(copy), { askUnfinished: async () => 'repeat' }))).result.status).toBe('completed');
  });

  test('because its frozen config was edited', async () => {
    const copy = await crashedInCall('order');
    const name = readdirSync(runFolder(copy.folder)).find((file) => /^effective_config_\w+\.json$/.test(file)) ?? '';
    const path = join(runFolder(copy.folder), name);
    chmodSync(path, 0o644);
    writeFileSync(path, readFileSync(path, 'utf8').replace('Writer', 'Wright'));
    const failure = await failureOf(copy);
    expect(failure).toBeInstanceOf(ResumeError);
    expect((failure as Error).message).toContain('was changed after it was written');
  });

  test('because a key is missing: nothing of it has failed, and it goes on once the key is there', async () => {
    const copy = await crashedInCall('stock');
    const failure = await readAll(withoutKeys(copy).resume(idOf(copy))).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ResumeError);
    expect((failure as Error).message).toContain(
      'cannot be resumed yet: The key is missing: the environment variable OPENAI_API_KEY is not set.',
    );
    expect(has(copy, 'result.json')).toBe(false);
    expect((await readAll(copy.project.resume(idOf(copy)))).result.status).toBe('completed');
  });

  test('but one that has no model left to ask needs no key', async () => {
    const whole = durableProject();
    const copies: DurableProject[] = [];
    for await (const event of whole.project.orchestrate({ keep: 'folder', name: 'supply' }))
      if (event.type === 'team_end' && event.team === 'buy') copies.push(crashed(whole));
    const [copy] = copies;
    if (copy === undefined) throw new Error('The last team did not end.');
    expect((await readAll(withoutKeys(copy).resume(idOf(copy)))).result.status).toBe('completed');
    expect(copy.outside.requests).toEqual([]);
  });

  test('because its steps were never kept', async () => {
    const project = durableProject();
    const { result } = await readAll(project.project.run({ keep: 'folder', agent_name: 'Writer', payload: {} }));
    rmSync(join(project.folder, '.agentstack/runs', result.run_id, 'result.json'));
    expect(((await failureOf(project)) as Error).message).toContain('its steps were not kept');
  });
});

describe('a run that stopped on its way', () => {
  test('goes on after it was cancelled', async () => {
    const project = durableProject();
    const stop = new AbortController();
    let last: unknown;
    for await (const event of project.project.orchestrate({ keep: 'folder', name: 'supply', signal: stop.signal })) {
      if (event.type === 'route') stop.abort();
      if (event.final) last = event.result.status;
    }
    expect(last).toBe('cancelled');
    const asked = project.outside.requests.length;
    const { result } = await readAll(project.project.resume(idOf(project)));
    expect(result.status).toBe('completed');
    expect(project.outside.requests.slice(asked).every((request) => request.startsWith('Buyer'))).toBe(true);
  });

  test('goes on though the clock has gone backwards', async () => {
    let now = Date.UTC(2026, 0, 1);
    const clock = { ...createNodeClock(), now: () => (now -= 60_000) };
    const project = durableProject(undefined, { clock });
    const stop = new AbortController();
    for await (const event of project.project.orchestrate({ keep: 'folder', name: 'supply', signal: stop.signal }))
      if (event.type === 'route') stop.abort();
    const { result } = await readAll(project.project.resume(idOf(project)));
    expect(result.status).toBe('completed');
  });

  test('is one of a single agent too, when it was started as durable', async () => {
    const project = durableProject();
    const expected = comparable(
      (await readAll(project.project.run({ keep: 'folder', agent_name: 'Counter', payload: { item: 'bolts' } }))).result,
    );
    const copies: { readonly copy: DurableProject; readonly at: string }[] = [];
    const whole = durableProject();
    for await (const event of whole.project.run({ keep: 'folder', agent_name: 'Counter', payload: { item: 'bolts' }, durable: true })) {
      if (!event.final) copies.push({ copy: crashed(whole), at: event.type });
    }
    expect(copies.length).toBeGreaterThan(3);
    for (const { copy, at } of copies) {
      rmSync(join(copy.folder, 'config'), { recursive: true });
      const { events, result } = await readAll(copy.project.resume(idOf(copy)));
      expect(comparable(result), at).toEqual(expected);
      expect(events[0]).toMatchObject({ type: 'run_start', resumed: expect.any(Number) });
    }
  });
});
