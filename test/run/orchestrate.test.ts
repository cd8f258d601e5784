import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { comparable, crashed, durableProject, readAll } from './durableProject.js';

const runFolder = (folder: string) => join(folder, '.agentstack/runs', readdirSync(join(folder, '.agentstack/runs'))[0] ?? '');

describe('an orchestration that is run', () => {
  test('ends with its result and keeps snapshot, events and steps', async () => {
    const { folder, project, outside } = durableProject();
    const { events, result } = await readAll(project.orchestrate({ name: 'supply', input: { wanted: 5 } }));
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

describe('a run that was interrupted', () => {
  test('goes on from every point of its way to the same result, and asks no model twice for what it had', async () => {
    const whole = durableProject();
    const copies: { readonly at: string; readonly copy: ReturnType<typeof crashed>; readonly asked: number }[] = [];
    let final: unknown;
    for await (const event of whole.project.orchestrate({ name: 'supply', input: { wanted: 5 } })) {
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
