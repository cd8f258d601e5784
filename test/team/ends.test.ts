import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import type { DurableSteps } from '../../core/durable.js';
import { BudgetExceededError, StorageError, UnfinishedStepError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import { runOrchestration } from '../../core/team/runOrchestration.js';
import type { OrchestrationStore } from '../../core/team/types.js';
import { checkRun, collectRun } from '../agent/collectRun.js';
import { draw, freezeTeams, instantTasks, plainResult, prepareTeams, teamRun } from '../support/teams.js';

/** Two teams, the first with tasks beside each other; the second runs twice. */
const work: JsonObject = {
  max_recursion_depth: 2,
  context: { round: 0 },
  teams: {
    a: {
      tasks: [{ name: 'x' }, { name: 'left', depends_on: ['x'] }, { name: 'right', depends_on: ['x'] }],
      routing: { default: 'b' },
    },
    b: {
      tasks: [{ name: 'y' }],
      routing: {
        rules: [{ condition: { context_field: 'round', operator: 'equals', value: 0 }, next_team: 'b', context_updates: { round: 1 } }],
        default: null,
      },
    },
  },
};
const orchestration = freezeTeams(work);
const whole = await collectRun(teamRun(orchestration));

/** Keeps everything, and fails at its `failing`th call. */
function storeFailingAt(failing = Number.POSITIVE_INFINITY) {
  const kept: { event: AgentEvent[]; begun: number; snapshots: string[]; ended: number } = { event: [], begun: 0, snapshots: [], ended: 0 };
  let calls = 0;
  let failed = 0;
  const call = (act: () => void) => {
    calls += 1;
    if (calls === failing) {
      failed += 1;
      throw new StorageError('events.jsonl cannot be written: the disk is full. Make room.');
    }
    act();
  };
  const store: OrchestrationStore = {
    begin: () => {
      call(() => (kept.begun += 1));
      return { snapshot_path: 'runs/effective.json' };
    },
    snapshot: ({ hash }) => {
      call(() => kept.snapshots.push(hash));
      return { snapshot_path: `runs/effective_${hash}.json` };
    },
    event: (event) => call(() => kept.event.push(event)),
    end: () => call(() => (kept.ended += 1)),
  };
  return { store, kept, calls: () => calls, failed: () => failed };
}

describe('a run that is cancelled', () => {
  test('at any of its events ends as cancelled, keeps what it had, and leaves nothing at work', async () => {
    for (let index = 0; index < whole.events.length - 1; index++) {
      const cancel = new AbortController();
      const events: AgentEvent[] = [];
      for await (const event of teamRun(orchestration, { signal: cancel.signal })) {
        events.push(event);
        if (event.seq === index) cancel.abort();
      }
      const result = checkRun(events);
      expect([index, result.status, result.error?.code]).toEqual([index, 'cancelled', 'cancelled']);
      expect(events.filter(({ type }) => type === 'task_start')).toHaveLength(events.filter(({ type }) => type === 'task_end').length);
      expect(events.slice(0, index + 1).map(({ type }) => type)).toEqual(whole.events.slice(0, index + 1).map(({ type }) => type));
    }
  });

  test('by leaving its events, at any of them, is kept as cancelled when its tasks have ended', async () => {
    for (let index = 0; index < whole.events.length - 1; index++) {
      const { store, kept } = storeFailingAt();
      let atWork = 0;
      const { request } = prepareTeams(orchestration, { store });
      const runTask: typeof request.runTask = async (call, emit) => {
        atWork += 1;
        try {
          return await request.runTask(call, emit);
        } finally {
          atWork -= 1;
        }
      };
      for await (const event of runOrchestration({ ...request, runTask })) if (event.seq === index) break;
      expect(atWork).toBe(0);
      const last = kept.event.at(-1);
      expect(last?.type === 'final' && last.result.status).toBe('cancelled');
      expect(kept.event.map(({ seq }) => seq)).toEqual(
        kept.event
          .map((_, seq) => seq)
          .slice(0, kept.event.length - 1)
          .concat(last!.seq),
      );
      expect(kept.ended).toBe(1);
    }
  });

  test('before it begins runs nothing', async () => {
    const { events } = await collectRun(teamRun(orchestration, { signal: AbortSignal.abort() }));
    expect(draw(events)).toEqual(['final cancelled cancelled']);
  });
});

describe('a run that cannot be kept', () => {
  test('at any call of its store ends with storage, all it had in its result', async () => {
    const { store, calls } = storeFailingAt();
    await collectRun(teamRun(orchestration, { store }));
    for (let failing = 1; failing <= calls(); failing++) {
      const broken = storeFailingAt(failing);
      const { result } = await collectRun(teamRun(orchestration, { store: broken.store }));
      expect(broken.failed()).toBe(1);
      expect(result.error).toMatchObject({ code: 'storage', message: expect.stringContaining('Make room.') });
      const { teams } = result.output as { teams: { tasks: object }[] };
      const told = broken.kept.event.filter(({ type }) => type === 'task_end').length;
      expect(teams.flatMap(({ tasks }) => Object.keys(tasks)).length).toBeGreaterThanOrEqual(told);
    }
  });
});

describe('a task that cannot be done', () => {
  const failing = (thrown: unknown) => {
    const run = prepareTeams(orchestration);
    return runOrchestration({
      ...run.request,
      runTask: async (call, emit) => {
        if (call.task === 'left') throw thrown;
        return run.request.runTask(call, emit);
      },
    });
  };

  test('for a bug ends the run, names the task, and stops those beside it', async () => {
    const { result, events } = await collectRun(failing(new TypeError('x is undefined')));
    expect(result.error).toMatchObject({
      code: 'internal',
      message: expect.stringMatching(/^Task "left" of team "a": Internal error: x is undefined\. /),
    });
    expect(draw(events)).toEqual([
      'team_start a 1',
      'task_start a/x',
      'task_end a/x completed',
      'task_start a/left',
      'task_start a/right',
      'task_end a/right cancelled',
      'team_end a',
      'final failed internal',
    ]);
  });

  test('for a log that throws ends the run too, and crashes nothing', async () => {
    const run = prepareTeams(orchestration, { script: { 'a/x': [{ chunks: ['no JSON'] }] } });
    const log: typeof run.ports.logger.log = (_level, message) => {
      if (message === 'task failed') throw new Error('The log is full.');
    };
    const { result } = await collectRun(runOrchestration({ ...run.request, ports: { ...run.ports, logger: { log } } }));
    expect(result.error?.message).toContain('Task "x" of team "a": Internal error: The log is full.');
  });

  test('because it is unknown whether a call was made ends the run as denied, with the call', async () => {
    const unfinished = { step: '1/a/left/tool/1/c', tool: 'mail', input: {}, team: 'a', task: 'left' };
    const { result } = await collectRun(
      failing(new UnfinishedStepError('The call of "mail" was begun by an earlier process.', unfinished)),
    );
    expect(result.error).toMatchObject({ code: 'denied', details: { unfinished }, recoverable: true });
    expect(result.error?.message).toMatch(/^Task "left" of team "a": /);
  });
});

describe('a budget of the run', () => {
  const tasks = (calls: JsonObject[]) => ({
    runTask: (async (call) => {
      calls.push({ task: call.task, ...call.context.budget });
      return plainResult(orchestration.agents.get('a/x')!, {});
    }) satisfies Parameters<typeof runOrchestration>[0]['runTask'],
  });

  test('is handed to each task as far as it is left', async () => {
    const calls: JsonObject[] = [];
    await collectRun(teamRun(orchestration, { ...tasks(calls), context: { budget: { max_cost: 10 } } }));
    expect(calls.map(({ task, max_cost }) => `${task} ${max_cost}`)).toEqual(['x 10', 'left 9.75', 'right 9.75', 'y 9.25', 'y 9']);
  });

  test('that is spent begins no task, and ends the run with what it has', async () => {
    const { result, events } = await collectRun(teamRun(orchestration, { context: { budget: { max_cost: 0.000000001 } }, ...costly() }));
    expect(result.error).toEqual({
      code: 'budget-exceeded',
      message:
        'The run has spent its budget of 0.000000001 USD (budget.max_cost), so task "left" of team "a" was not begun. Raise it, or use cheaper models.',
      recoverable: false,
    });
    expect(draw(events).slice(-4)).toEqual([
      'task_end a/left failed',
      'task_end a/right failed',
      'team_end a',
      'final failed budget-exceeded',
    ]);
    expect((result.output as { teams: { tasks: object }[] }).teams[0]!.tasks).toMatchObject({ x: { status: 'completed' } });
  });

  test('of time is one for all tasks', async () => {
    const run = prepareTeams(orchestration, { context: { budget: { max_time_ms: 1000 } } });
    const { result } = await collectRun(
      runOrchestration({
        ...run.request,
        runTask: async (call, emit) => {
          const done = await run.request.runTask(call, emit);
          await run.ports.clock.pass(600);
          return done;
        },
      }),
    );
    expect(result.error).toMatchObject({
      code: 'timeout',
      message:
        'The run took longer than 1000 ms (budget.max_time_ms), so task "y" of team "b" was not begun. Raise it, or use faster models.',
    });
  });

  test('that is over when routing cannot do without what a task had no time for is why the run ends', async () => {
    const teams = freezeTeams({
      teams: {
        a: {
          tasks: [{ name: 'x' }],
          routing: { rules: [{ condition: [], next_team: null, context_updates: { got: '{{tasks.x.output}}' } }] },
        },
      },
    });
    const run = prepareTeams(teams, { context: { budget: { max_time_ms: 1000 } } });
    const { result } = await collectRun(
      runOrchestration({
        ...run.request,
        runTask: async (call) => {
          await run.ports.clock.pass(1000.5);
          return {
            ...plainResult(teams.agents.get(call.instance)!, {}),
            success: false,
            status: 'failed',
            error: { code: 'timeout', message: 'Too slow.', recoverable: true },
          };
        },
      }),
    );
    expect(result.error).toMatchObject({
      code: 'timeout',
      message: 'The run took longer than 1000 ms (budget.max_time_ms), in team "a". Raise it, or use faster models.',
    });
  });

  test('of time is handed on in whole milliseconds', async () => {
    const handed: (number | undefined)[] = [];
    const run = prepareTeams(orchestration, { context: { budget: { max_time_ms: 1000 } } });
    await collectRun(
      runOrchestration({
        ...run.request,
        runTask: async (call, emit) => {
          handed.push(call.context.budget?.max_time_ms);
          await run.ports.clock.pass(0.3);
          return run.request.runTask(call, emit);
        },
      }),
    );
    expect(handed).toEqual([1000, 1000, 1000, 1000, 999]);
  });

  test('is no smaller for a clock that goes backwards', async () => {
    const run = prepareTeams(orchestration, { context: { budget: { max_time_ms: 1000 } } });
    const { result, events } = await collectRun(
      runOrchestration({
        ...run.request,
        runTask: async (call, emit) => {
          await run.ports.clock.pass(-5000);
          expect(call.context.budget?.max_time_ms).toBe(1000);
          return run.request.runTask(call, emit);
        },
      }),
    );
    expect(result.status).toBe('completed');
    expect(result.metadata.execution_time_ms).toBe(0);
    expect(events.at(-1)!.time < events[0]!.time).toBe(true);
  });

  /** The first task costs something, and asks no model. */
  function costly() {
    const run = prepareTeams(orchestration);
    return {
      runTask: (async (call, emit) =>
        call.task === 'x' ? plainResult(orchestration.agents.get('a/x')!, {}) : run.request.runTask(call, emit)) satisfies Parameters<
        typeof runOrchestration
      >[0]['runTask'],
    };
  }
});

describe('a team that runs again', () => {
  test('with another context has a snapshot of its own, which is recorded and named', async () => {
    const { store, kept } = storeFailingAt();
    const { events } = await collectRun(teamRun(orchestration, { store }));
    const starts = events.filter((event) => event.type === 'team_start');
    expect(starts.map(({ snapshot_hash }) => snapshot_hash)).toEqual([undefined, undefined, kept.snapshots[0]]);
    expect(starts[2]).toMatchObject({ execution: 3, snapshot_path: `runs/effective_${kept.snapshots[0]}.json` });
  });

  test('with the same context has none', async () => {
    const again = {
      ...work,
      teams: { a: { tasks: [{ name: 'x' }], routing: { rules: [{ condition: [], next_team: 'a', context_updates: { round: 0 } }] } } },
    };
    const { events } = await collectRun(teamRun(again));
    expect(events.filter((event) => event.type === 'team_start').map((event) => 'snapshot_hash' in event)).toEqual([false, false]);
  });
});

describe('a run that goes on in another process', () => {
  test('does no finished task again, and goes on with the numbers of its events', async () => {
    const kept = new Map<string, string>();
    const first = prepareTeams(orchestration, { steps: rememberSteps(kept) });
    const before: AgentEvent[] = [];
    const run = runOrchestration(first.request);
    // The process ends while the second team is at work: the reader leaves.
    for (let next = await run.next(); !next.done; next = await run.next()) {
      before.push(next.value);
      if (next.value.type === 'team_start' && next.value.team === 'b') break;
    }
    const run_id = before[0]!.run_id;
    const second = prepareTeams(orchestration, {
      steps: rememberSteps(kept),
      resume: { run_id, seq: before.length, finished_steps: 6, timestamp: '2026-01-01T00:00:00.000Z' },
    });
    const after: AgentEvent[] = [];
    for await (const event of runOrchestration(second.request)) after.push(event);
    expect(after.map(({ seq }) => seq)).toEqual(after.map((_, index) => before.length + index));
    expect(after[0]).toMatchObject({ type: 'run_start', run_id, resumed: 6 });
    expect(
      after
        .slice(1, 9)
        .map(({ type }) => type)
        .join(' '),
    ).toBe('team_start task_start task_end task_start task_start task_end task_end route');
    expect(['a/x', 'a/left', 'a/right'].map(second.asked)).toEqual([0, 0, 0]);
    expect(second.asked('b/y')).toBe(2);
    const last = after.at(-1)!;
    expect(last.type === 'final' && last.result.output).toEqual(whole.result.output);
  });

  test('does a task again that was cancelled', async () => {
    const kept = new Map<string, string>();
    const cancel = new AbortController();
    const script = { 'a/left': [{ chunks: ['{'], hangs: true }], 'a/right': [{ chunks: ['{'], hangs: true }] };
    const first = teamRun(orchestration, { steps: rememberSteps(kept), signal: cancel.signal, script });
    for await (const event of first) if (event.type === 'chunk' && event.task === 'right') cancel.abort();
    expect([...kept.keys()].filter((name) => name.endsWith('/result'))).toEqual(['1/a/x/result']);
  });

  test('names team and task when it asks about a call', async () => {
    const asked: unknown[] = [];
    const steps: DurableSteps = {
      step: async (_name, work, options) => {
        if (options?.once) asked.push(options.once.describe());
        return work();
      },
      scope: () => steps,
    };
    const { taskSteps } = await import('../../core/team/createRunTask.js');
    const own = taskSteps(steps, { team: 'a', task: 'x' });
    await own.steps.scope('inner').step('tool/1/c', async () => 1, { once: { describe: () => ({ tool: 'mail', input: {} }) } });
    expect(asked).toEqual([{ tool: 'mail', input: {}, team: 'a', task: 'x' }]);
    expect(own.failure()).toBeUndefined();
  });

  test('ends when a step of a task cannot be kept, even if the agent goes on', async () => {
    const steps = rememberSteps(new Map(), (name) => {
      if (name === '1/a/left/llm/1') throw new StorageError('The journal cannot be written: the disk is full.');
    });
    const { result } = await collectRun(teamRun(orchestration, { steps }));
    expect(result.error).toMatchObject({
      code: 'storage',
      message: 'Task "left" of team "a": The journal cannot be written: the disk is full.',
    });
  });
});

describe('teams without number or with odd names', () => {
  test('a thousand in a row are a thousand turns of one loop', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `t${index}`);
    const teams = Object.fromEntries(
      names.map((name, index) => [name, { tasks: [{ name: 'x' }], routing: { default: names[index + 1] ?? null } }]),
    );
    const chain = freezeTeams({ entry_team: 't0', max_total_teams: 1000, teams });
    const { result, events } = await collectRun(teamRun(chain, { runTask: instantTasks(chain, () => ({})) }));
    expect(result.status).toBe('completed');
    expect(events.filter(({ type }) => type === 'team_start')).toHaveLength(1000);
    expect(result.metadata.estimated_cost_usd).toBe(250);
  }, 60_000);

  test('names that objects have already are names as any other', async () => {
    const odd = {
      entry_team: 'constructor',
      context: { ['__proto__']: 'kept', hasOwnProperty: 1 },
      teams: {
        constructor: {
          tasks: [
            { name: 'toString' },
            {
              name: 'valueOf',
              depends_on: ['toString'],
              input: { v: '{{tasks.toString.output.constructor}}', p: '{{context.__proto__}}' },
            },
          ],
          routing: {
            rules: [
              {
                condition: { task: 'toString', output_field: 'constructor', operator: 'equals', value: 7 },
                next_team: 'prototype',
                context_updates: JSON.parse('{"__proto__": {"a": 1}}'),
              },
            ],
          },
        },
        prototype: { tasks: [{ name: 'hasOwnProperty' }], routing: { default: null } },
      },
    };
    const { result, events } = await collectRun(teamRun(odd, { script: { 'constructor/toString': [{ constructor: 7 }] } }));
    expect(draw(events)).toContain('route constructor 0 -> prototype');
    expect(JSON.stringify(result.output)).toContain('"context":{"__proto__":{"a":1},"hasOwnProperty":1}');
    const { teams } = result.output as { teams: { tasks: object }[] };
    expect(Object.keys(teams[0]!.tasks)).toEqual(['toString', 'valueOf']);
  });

  test('a team that is nowhere ends the run and names the nearest', async () => {
    const { result } = await collectRun(
      teamRun({ entry_team: 'draft', teams: { drafts: { tasks: [{ name: 'x' }], routing: { default: null } } } }),
    );
    expect(result.error).toMatchObject({
      code: 'config-invalid',
      message: '"draft" would run next and is not a team of this orchestration. Did you mean "drafts"?',
    });
  });

  test('what a program gives that is not JSON is refused, and nothing runs', async () => {
    const loop: { [key: string]: unknown } = {};
    loop.self = loop;
    for (const input of [{ when: Number.NaN }, { f: () => 1 }, { at: new Date(0) }, loop]) {
      const { result, events } = await collectRun(teamRun(orchestration, { input: input as never }));
      expect(draw(events)).toEqual(['final failed input-invalid']);
      expect(result.error?.message).toMatch(/^The input (is not JSON: \/(when|f|at) |makes a context nested deeper)/);
    }
  });
});

/** Keeps what steps give as JSON, as a journal does. */
function rememberSteps(kept: Map<string, string>, before: (name: string) => void = () => undefined, prefix = ''): DurableSteps {
  return {
    async step(name, work) {
      const full = `${prefix}${name}`;
      const known = kept.get(full);
      if (known !== undefined) return JSON.parse(known);
      before(full);
      const value = await work();
      kept.set(full, JSON.stringify(value));
      return value;
    },
    scope: (name) => rememberSteps(kept, before, `${prefix}${name}/`),
  };
}

test('a budget error of one agent is its own, and the run goes on', async () => {
  const { result } = await collectRun(
    teamRun(orchestration, { script: { 'a/x': [{ chunks: [], error: new BudgetExceededError('Too dear.') }] } }),
  );
  expect(result.status).toBe('completed');
});
