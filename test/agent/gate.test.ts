import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import type { Change, Gate, Stop } from '../../core/agent/gate.js';
import { runAgent } from '../../core/agent/runAgent.js';
import { CancelledError } from '../../core/errors.js';
import { createRunTask } from '../../core/team/createRunTask.js';
import { runOrchestration } from '../../core/team/runOrchestration.js';
import { timedGate } from '../../core/team/timedGate.js';
import { scriptedModel } from '../support/scriptedModel.js';
import { prepareTeams, scriptedConnections } from '../support/teams.js';
import { testPorts } from '../support/testPorts.js';
import { collectRun, typesOf } from './collectRun.js';
import { planRun } from './plan/planRun.js';
import { asks, good, reactRun, says } from './react/reactRun.js';
import { sampleProject } from './sampleProject.js';

/** A gate that changes what `change` says, and what it saw. */
function recordingGate(change: (stop: Stop) => Change | undefined = () => undefined) {
  const stops: Stop[] = [];
  const gate: Gate = (stop) => {
    stops.push(stop);
    return change(stop);
  };
  return { gate, stops, kinds: () => stops.map(({ at }) => at).join(' ') };
}

const editsIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'edit' ? [{ path: event.path, before: event.before, after: event.after }] : []));

async function shot(gate: Gate, options = {}) {
  const { factory, ports } = sampleProject();
  const agent = await factory.load('Labels', 'v1');
  const model = scriptedModel(says(good));
  const request = { agent, payload: { title: 'It crashes' }, llm: model, ports, gate, ...options };
  return { model, agent, request };
}

describe('a run stops', () => {
  test('before and after each call of an agent of one call, with the exact request', async () => {
    const { gate, stops, kinds } = recordingGate();
    const { request, model } = await shot(gate);
    const { result } = await collectRun(runAgent(request));
    expect(result.status).toBe('completed');
    expect(result.metadata).not.toHaveProperty('edits');
    expect(kinds()).toBe('model answer');
    const [first] = stops;
    expect(first).toMatchObject({ at: 'model', step: 1, locked: undefined, used: { total_tokens: 0 } });
    expect(first?.at === 'model' && first.request.messages).toEqual(model.requests[0]?.messages);
    expect(first?.at === 'model' && first.tokens).toBeGreaterThan(0);
  });

  test('around the tools of a loop too', async () => {
    const { gate, kinds } = recordingGate();
    const { result } = await reactRun({ answers: [asks('look'), says(good)], tools: [{ name: 'look' }], options: { gate } });
    expect(result.status).toBe('completed');
    expect(kinds()).toBe('model answer tool tool_answer model answer');
  });

  test('in the steps of a plan, of its own and of the agents that it calls', async () => {
    const { gate, stops } = recordingGate();
    const { result } = await planRun({
      plan: {
        steps: [
          { name: 'own', llm: 'Say it.' },
          { name: 'other', agent: 'Labels@v1', input: { title: 'x' } },
          { name: 'skill', skill: 'look', input: { q: 'x' } },
        ],
      },
      answers: [says('Said.')],
      tools: [{ name: 'look' }],
      models: { Labels: [says(good)] },
      options: { gate },
    });
    expect(result.error).toBeNull();
    const placeOf = (stop: Stop) => (stop.at === 'route' ? '' : [...stop.callers, ...stop.caller_steps, stop.plan_step].join(' '));
    expect(stops.map((stop) => `${stop.at} ${placeOf(stop)}`)).toEqual([
      'model own',
      'answer own',
      'model Plan@v1 other ',
      'answer Plan@v1 other ',
      'tool skill',
      'tool_answer skill',
    ]);
  });

  test('and time that passes there is not the time of the run', async () => {
    const ports = testPorts();
    const { request } = await shot(() => ports.clock.pass(3_600_000).then(() => undefined), { ports });
    const { agent } = request;
    const limited = { ...agent, resolved: { ...agent.resolved, config: { ...agent.resolved.config, timeout_ms: 1000 } } };
    const { result } = await collectRun(runAgent({ ...request, agent: limited }));
    expect(result).toMatchObject({ status: 'completed', error: null });
  });

  test('and ends as cancelled there when its signal says so', async () => {
    const over = new AbortController();
    const { request, model } = await shot(
      () => {
        over.abort(new CancelledError('The run was ended at a stop.'));
        return new Promise(() => undefined);
      },
      { signal: over.signal },
    );
    const { result } = await collectRun(runAgent(request));
    expect(result.status).toBe('cancelled');
    expect(model.requests).toEqual([]);
  });
});

describe('what is changed at a stop', () => {
  test('a message is sent, is in the record, and marks the run', async () => {
    const { gate } = recordingGate((stop) => {
      if (stop.at !== 'model') return undefined;
      return {
        messages: stop.request.messages.map((message) => (message.role === 'user' ? { ...message, content: 'Other' } : message)),
      } as Change;
    });
    const { request, model } = await shot(gate);
    const { events, result } = await collectRun(runAgent(request));
    expect(model.requests[0]?.messages.at(-1)?.content).toBe('Other');
    expect(editsIn(events)).toEqual([{ path: '/messages/1/content', before: expect.any(String), after: 'Other' }]);
    expect(typesOf(events)).toMatch(/^run_start step_start edit chunk/);
    expect(result.metadata.edits).toBe(1);
  });

  test('arguments of a tool, and its answer', async () => {
    const { gate } = recordingGate((stop) => {
      if (stop.at === 'tool') return { input: { q: 'better' } };
      return stop.at === 'tool_answer' ? { output: 'from me' } : undefined;
    });
    const { seen, events, result, model } = await reactRun({
      answers: [asks('look'), says(good)],
      tools: [{ name: 'look' }],
      options: { gate },
    });
    expect(seen.calls).toEqual([{ name: 'look', input: { q: 'better' } }]);
    expect(editsIn(events)).toEqual([
      { path: '/tool_calls/use_1_1/input', before: { q: 'x' }, after: { q: 'better' } },
      { path: '/tool_calls/use_1_1/output', before: 'look of {"q":"better"}', after: 'from me' },
    ]);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('from me');
    expect(result.metadata.edits).toBe(2);
  });

  test('an answer in place of a call: the tool is not called', async () => {
    const { gate } = recordingGate((stop) => (stop.at === 'tool' ? { output: 'known' } : undefined));
    const { seen, result } = await reactRun({ answers: [asks('look'), says(good)], tools: [{ name: 'look' }], options: { gate } });
    expect(seen.calls).toEqual([]);
    expect(result).toMatchObject({ status: 'completed', metadata: { edits: 1 } });
  });

  test.each([
    ['arguments that do not fit the tool', 'tool', { input: { other: 1 } }],
    [
      'a message that is empty',
      'model',
      {
        messages: [
          { role: 'system', content: 'x' },
          { role: 'user', content: ' ' },
        ],
      },
    ],
    [
      'a message of another role',
      'model',
      {
        messages: [
          { role: 'user', content: 'x' },
          { role: 'user', content: 'x' },
        ],
      },
    ],
    ['a message more', 'model', { messages: [] }],
    ['what a stop does not have', 'model', { output: 'x' }],
    ['what a model said', 'answer', { output: 'x' }],
  ] as const)('%s is refused before anything is sent', async (_, at, change) => {
    const checked: unknown[] = [];
    const { result, model } = await reactRun({
      answers: [asks('look'), says(good)],
      tools: [{ name: 'look' }],
      options: {
        gate: async (stop) => {
          if (stop.at !== at) return undefined;
          checked.push(...(await stop.check(change as Change)));
          return change as Change;
        },
      },
    });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'input-invalid' } });
    expect(model.requests).toHaveLength(at === 'model' ? 0 : 1);
    if (at !== 'answer') expect(checked).not.toEqual([]);
  });
});

describe('an orchestration', () => {
  const orchestration = {
    context: { level: 1 },
    teams: {
      a: { tasks: [{ name: 'x' }], routing: { rules: [], default: 'b' } },
      b: { tasks: [{ name: 'y' }], routing: { default: null } },
    },
  };

  async function run(gate: Gate, waited?: () => number) {
    const { request, orchestration: frozen, ports } = prepareTeams(orchestration);
    const { connectAgent } = scriptedConnections(frozen.agents);
    const runTask = createRunTask({ agents: frozen.agents, connectAgent, ports, gate });
    return collectRun(runOrchestration({ ...request, runTask, gate, ...(waited && { waited }) }));
  }

  test('stops in its tasks, which it names, and at its routes', async () => {
    const { gate, stops } = recordingGate();
    const { result } = await run(gate);
    expect(result.status).toBe('completed');
    expect(stops.map(({ at, team, task }) => `${at} ${team}/${task}`)).toEqual([
      'model a/x',
      'answer a/x',
      'route a/undefined',
      'model b/y',
      'answer b/y',
      'route b/undefined',
    ]);
    expect(stops[2]).toMatchObject({ rule: null, next_team: 'b', context: { level: 1 }, outcomes: { x: { status: 'completed' } } });
  });

  test('continues with the context that a person changed', async () => {
    const { gate } = recordingGate((stop) => (stop.at === 'route' && stop.team === 'a' ? { context: { level: 2 } } : undefined));
    const { events, result } = await run(gate);
    expect(editsIn(events)).toEqual([{ path: '/context', before: { level: 1 }, after: { level: 2 } }]);
    expect(result).toMatchObject({ status: 'completed', output: { context: { level: 2 } }, metadata: { edits: 1 } });
  });

  test('does not count the time of its stops', async () => {
    let now = 0;
    const pass: Gate = () => {
      now += 1000;
      return undefined;
    };
    const timed = timedGate(pass, { monotonic: () => now });
    const { result } = await run(timed.gate, timed.waited);
    expect(timed.waited()).toBe(6000);
    expect(result.status).toBe('completed');
  });
});
