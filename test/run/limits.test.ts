import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import { openProject } from '../../core/node/openProject.js';
import type { Project } from '../../core/project/types.js';
import { write } from '../cli/command.js';
import { standingClock } from '../support/testPorts.js';
import { crashed, type DurableProject, durableProject, readAll } from './durableProject.js';

const idOf = ({ folder }: DurableProject) => readdirSync(join(folder, '.agentstack/runs'))[0] ?? '';

/** Leaves a run at the first event that is `at`, having let time pass as `passes` says of each event. */
async function interrupted(
  begin: (project: Project) => AsyncIterable<AgentEvent>,
  at: (event: AgentEvent) => boolean,
  passes: (event: AgentEvent) => number,
): Promise<DurableProject> {
  const clock = standingClock();
  const whole = durableProject(undefined, { clock });
  let copy: DurableProject | undefined;
  for await (const event of begin(whole.project)) {
    if (at(event)) copy ??= crashed(whole);
    await clock.pass(passes(event));
  }
  if (copy === undefined) throw new Error('The run did not get there.');
  return copy;
}

/** Goes on with a run on another day, with a clock that begins anew; at the first event that is `at` so much time passes. */
async function resumed({ folder, options }: DurableProject, at: (event: AgentEvent) => boolean, passes: number) {
  const clock = standingClock(Date.UTC(2020, 0, 1));
  const project = openProject(folder, { ...options, ports: { clock } });
  const events: AgentEvent[] = [];
  for await (const event of project.resume(readdirSync(join(folder, '.agentstack/runs'))[0] ?? '')) {
    if (at(event) && !events.some(at)) await clock.pass(passes);
    events.push(event);
  }
  const last = events.at(-1);
  if (!last?.final) throw new Error('The run ended without a final event.');
  return last.result;
}

describe('the time of a run that goes on in another process', () => {
  const orchestrated = (passes: (event: AgentEvent) => number) =>
    interrupted(
      (project) => project.orchestrate({ keep: 'folder', name: 'supply', context: { budget: { max_time_ms: 1000 } } }),
      (event) => event.type === 'route',
      passes,
    );
  const isRoute = (event: AgentEvent) => event.type === 'route';

  test('is what it was at work before and now, not the days between', async () => {
    const copy = await orchestrated((event) => (event.type === 'task_end' && event.task !== 'sum' ? 300 : 0));
    expect((await resumed(copy, isRoute, 399)).status).toBe('completed');
    const again = await orchestrated((event) => (event.type === 'task_end' && event.task !== 'sum' ? 300 : 0));
    const result = await resumed(again, isRoute, 400);
    expect(result.error).toMatchObject({ code: 'timeout', message: expect.stringContaining('longer than 1000 ms (budget.max_time_ms)') });
    expect(result.metadata.execution_time_ms).toBe(1000);
  });

  test('is never less for a clock that goes backwards', async () => {
    const copy = await orchestrated((event) => (event.type !== 'task_end' ? 0 : event.task === 'sum' ? -5000 : 300));
    const text = readFileSync(
      join(copy.folder, '.agentstack/journal', readdirSync(join(copy.folder, '.agentstack/journal'))[0] ?? ''),
      'utf8',
    );
    const times = text.split('\n').flatMap((line) => /"ms":(-?\d+)/.exec(line)?.[1] ?? []);
    expect(times.map(Number).every((ms) => ms >= 0)).toBe(true);
    expect((await resumed(copy, isRoute, 400)).error?.code).toBe('timeout');
  });

  test('counts for a single agent too', async () => {
    const single = () =>
      interrupted(
        (project) =>
          project.run({
            keep: 'folder',
            agent_name: 'Counter',
            payload: { item: 'bolts' },
            durable: true,
            context: { budget: { max_time_ms: 1000 } },
          }),
        (event) => event.type === 'tool_result',
        (event) => (event.type === 'tool_call' ? 600 : 0),
      );
    const isStep = (event: AgentEvent) => event.type === 'step_start' && event.step === 2;
    expect((await resumed(await single(), isStep, 399)).status).toBe('completed');
    expect((await resumed(await single(), isStep, 400)).error?.code).toBe('timeout');
  });

  test('is all there is where nothing was kept of it', async () => {
    const copy = await interrupted(
      (project) => project.orchestrate({ keep: 'folder', name: 'supply', context: { budget: { max_time_ms: 1000 } } }),
      (event) => event.type === 'run_start',
      () => 0,
    );
    expect(idOf(copy)).toMatch(/^[0-9a-f]{32}$/);
    expect((await resumed(copy, isRoute, 999)).status).toBe('completed');
    expect((await readAll(durableProject().project.orchestrate({ keep: 'folder', name: 'supply' }))).result.status).toBe('completed');
  });
});

describe('the money of a run that goes on in another process', () => {
  /** Each call costs 5 USD, and never more; the run makes five. */
  const priced = () => {
    const project = durableProject();
    const settings = JSON.parse(readFileSync(join(project.folder, 'agentstack.json'), 'utf8')) as object;
    const script = { context_window: 100_000, max_output_tokens: 5, price: { input: 0, output: 1_000_000 } };
    write(project.folder, 'agentstack.json', { ...settings, models: { script } });
    return project;
  };
  const supply = (max_cost: number) => ({
    name: 'supply',
    keep: 'folder' as const,
    overrides: { config: { max_output_tokens: 5 } },
    context: { budget: { max_cost } },
  });

  test.each([
    [27, 25],
    [12, 10],
  ])('is what was spent before and now, wherever it was cut: of %d USD %d', async (max_cost, most) => {
    const whole = priced();
    const copies: DurableProject[] = [];
    let expected: unknown;
    for await (const event of whole.project.orchestrate(supply(max_cost))) {
      if (event.final) expected = event.result.metadata.estimated_cost_usd;
      else copies.push(crashed(whole));
    }
    expect(expected).toBe(most);
    for (const copy of copies) {
      rmSync(join(copy.folder, 'config'), { recursive: true });
      const { result } = await readAll(copy.project.resume(idOf(copy), { askUnfinished: async () => 'repeat' }));
      expect(result.metadata.estimated_cost_usd).toBe(most);
    }
  });
});
