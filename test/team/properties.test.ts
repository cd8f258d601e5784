import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import type { FrozenTask } from '../../core/snapshot/snapshotValue.js';
import { runOrchestration } from '../../core/team/runOrchestration.js';
import { collectRun } from '../agent/collectRun.js';
import { runs } from '../support/effort.js';
import { handMade, plainResult, prepareTeams } from '../support/teams.js';

/** Tasks that depend on any before them in a shuffled order, so that none waits for itself. */
const tasks: fc.Arbitrary<readonly FrozenTask[]> = fc
  .tuple(
    fc.shuffledSubarray(['k', 'l', 'm', 'n', 'o', 'p'], { minLength: 1 }),
    fc.array(fc.option(fc.array(fc.nat(5), { maxLength: 3 }), { nil: undefined, freq: 3 }), { minLength: 6, maxLength: 6 }),
    fc.array(fc.nat(1000), { minLength: 6, maxLength: 6 }),
  )
  .map(([names, dependencies, order]) => {
    // Only those with `depends_on` may stand anywhere: the others wait for each other in file order.
    const made = names.map((name, index) => {
      const given = dependencies[index];
      const depends_on = given && [...new Set(given.flatMap((at) => (at < index ? [names[at]!] : [])))];
      return { name, ...(depends_on && { depends_on }) };
    });
    const moved = made
      .filter(({ depends_on }) => depends_on)
      .sort((left, right) => order[names.indexOf(left.name)]! - order[names.indexOf(right.name)]!);
    return [...moved, ...made.filter(({ depends_on }) => !depends_on)];
  });

const plan = fc.record({
  tasks,
  /** Turns of the event loop before each event of a task, and how many events it has. */
  pace: fc.array(fc.record({ wait: fc.nat(3), events: fc.nat(4), fails: fc.boolean() }), { minLength: 6, maxLength: 6 }),
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

describe('tasks beside each other', () => {
  test('are one stream: numbered without a gap, each in its own order, each once, after all it waits for', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ tasks, pace }) => {
        const made = handMade({ teams: { a: { name: 'A', tasks, routing: { default: null } } } });
        const agent = [...made.agents.values()][0]!;
        const base = prepareTeams(made).request;
        const paceOf = (name: string) => pace[tasks.findIndex((one) => one.name === name)]!;
        const { events, result } = await collectRun(
          runOrchestration({
            ...base,
            runTask: async ({ task }, emit) => {
              const { wait, events: count, fails } = paceOf(task);
              for (let index = 0; index < count; index++) {
                await turns(wait);
                emit({
                  type: 'chunk',
                  text: String(index),
                  run_id: 'f'.repeat(32),
                  seq: index,
                  time: '2026-01-01T00:00:00.000Z',
                  final: false,
                });
              }
              await turns(wait);
              return plainResult(agent, fails ? undefined : {});
            },
          }),
        );
        const allComplete = tasks.every(({ name }) => !paceOf(name).fails);
        expect(result.status).toBe(allComplete ? 'completed' : 'partial');
        const at = (type: string, task: string) =>
          events.findIndex((event) => event.type === type && 'task' in event && event.task === task);
        const status = (task: string) => {
          const end = events[at('task_end', task)] as Extract<AgentEvent, { type: 'task_end' }>;
          return end.status;
        };
        let last: string | undefined;
        for (const { name, depends_on } of tasks) {
          const own = events.filter((event) => 'task' in event && event.task === name);
          const ran = !depends_on?.some((other) => status(other) !== 'completed');
          const { events: count, fails } = paceOf(name);
          const middle = ran ? Array.from({ length: count }, (_, index) => `chunk ${index}`) : [];
          expect(own.map((event) => (event.type === 'chunk' ? `chunk ${event.text}` : event.type))).toEqual([
            'task_start',
            ...middle,
            'task_end',
          ]);
          expect(status(name)).toBe(ran && !fails ? 'completed' : 'failed');
          for (const other of depends_on ?? (last === undefined ? [] : [last]))
            expect(at('task_end', other)).toBeLessThan(at('task_start', name));
          if (!depends_on) last = name;
        }
        expect(Object.keys((result.output as { teams: { tasks: object }[] }).teams[0]!.tasks)).toEqual(tasks.map(({ name }) => name));
      }),
      { numRuns: runs(150, 500) },
    );
  });
});

describe('limits', () => {
  test('end every run, after exactly as many teams as they allow', async () => {
    const next = fc.constantFrom('a', 'b', 'c');
    await fc.assert(
      fc.asyncProperty(
        fc.record({ a: next, b: next, c: next }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fc.record({ a: fc.option(fc.integer({ min: 1, max: 12 })), b: fc.option(fc.integer({ min: 1, max: 12 })) }),
        async (to, max_total_teams, max_recursion_depth, own) => {
          const team = (name: 'a' | 'b' | 'c') => {
            const depth = name === 'c' ? null : own[name];
            return { name, tasks: [{ name: 'x' }], routing: { default: to[name] }, ...(depth !== null && { max_recursion_depth: depth }) };
          };
          const made = handMade({ max_total_teams, max_recursion_depth, teams: { a: team('a'), b: team('b'), c: team('c') } });
          const agent = [...made.agents.values()][0]!;
          const { events, result } = await collectRun(
            runOrchestration({ ...prepareTeams(made).request, runTask: async () => plainResult(agent, {}) }),
          );
          expect(result.error?.code).toBe('recursion-limit');
          const started = events.flatMap((event) => (event.type === 'team_start' ? [event.team] : []));
          const times = (name: string) => started.filter((one) => one === name).length;
          const depthOf = (name: string) => (name === 'c' ? null : own[name as 'a' | 'b']) ?? max_recursion_depth;
          expect(started.length).toBeLessThanOrEqual(max_total_teams);
          for (const name of ['a', 'b', 'c']) expect(times(name)).toBeLessThanOrEqual(depthOf(name));
          const refused = to[started.at(-1) as 'a'];
          expect(started.length === max_total_teams || times(refused) === depthOf(refused)).toBe(true);
          expect((result.output as { teams: unknown[] }).teams).toHaveLength(started.length);
          expect(result.metadata.token_usage.total_tokens).toBe(3 * started.length);
        },
      ),
      { numRuns: runs(100, 300) },
    );
  });
});
