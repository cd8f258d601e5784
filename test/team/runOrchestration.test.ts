import { describe, expect, test } from 'vitest';
import { LlmError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import { collectRun } from '../agent/collectRun.js';
import { draw, freezeTeams, prepareTeams, type TeamRunOptions, teamRun } from '../support/teams.js';

const one = (tasks: readonly JsonObject[], routing: JsonObject = { default: null }): JsonObject => ({ teams: { a: { tasks, routing } } });
const away = { chunks: [], error: new LlmError('server', 'The model is away.') };

/** What happened, a line for each event that is not of a model turn; the run is checked against the schemas. */
async function check(orchestration: JsonObject, options: TeamRunOptions, expected: string) {
  const { events, result } = await collectRun(teamRun(orchestration, options));
  expect(`\n${draw(events).join('\n')}\n`).toEqual(expected.replaceAll(/^ +/gm, ''));
  return { events, result, output: result.output as { teams: readonly JsonObject[]; context: JsonObject } };
}

describe('the tasks of a team', () => {
  test('run one after the other in file order where none says what it depends on', async () => {
    const { output } = await check(
      one([{ name: 'x' }, { name: 'y' }]),
      { script: { 'a/x': [{ n: 1 }], 'a/y': [{ n: 2 }] } },
      `
      team_start a 1
      task_start a/x
      task_end a/x completed
      task_start a/y
      task_end a/y completed
      route a default -> end
      team_end a
      final completed
      `,
    );
    expect(output).toEqual({
      teams: [
        {
          team: 'a',
          tasks: { x: { status: 'completed', output: { n: 1 }, error: null }, y: { status: 'completed', output: { n: 2 }, error: null } },
        },
      ],
      context: {},
    });
  });

  test('run as soon as those they depend on are done, beside each other', () =>
    check(
      one([
        { name: 'x' },
        { name: 'left', depends_on: ['x'] },
        { name: 'right', depends_on: ['x'] },
        { name: 'end', depends_on: ['left', 'right'] },
      ]),
      {},
      `
      team_start a 1
      task_start a/x
      task_end a/x completed
      task_start a/left
      task_start a/right
      task_end a/left completed
      task_end a/right completed
      task_start a/end
      task_end a/end completed
      route a default -> end
      team_end a
      final completed
      `,
    ));

  test('begin at once where they depend on nothing explicitly, and hold up no other', () =>
    check(
      one([{ name: 'x' }, { name: 'free', depends_on: [] }, { name: 'y' }]),
      { script: { 'a/free': [{ chunks: ['{', ' ', ' ', ' ', ' ', ' ', ' ', ' ', '}'] }] } },
      `
      team_start a 1
      task_start a/x
      task_start a/free
      task_end a/x completed
      task_start a/y
      task_end a/y completed
      task_end a/free completed
      route a default -> end
      team_end a
      final completed
      `,
    ));

  test('fail with a task they depend on; others go on, and routing runs', async () => {
    const { output, result } = await check(
      one([{ name: 'x' }, { name: 'after', depends_on: ['x'] }, { name: 'behind', depends_on: ['after'] }, { name: 'y' }], {
        rules: [{ condition: { task: 'x', status: 'failure' }, next_team: null }],
      }),
      { script: { 'a/x': [away] } },
      `
      team_start a 1
      task_start a/x
      task_end a/x failed
      task_start a/after
      task_start a/y
      task_end a/after failed
      task_start a/behind
      task_end a/behind failed
      task_end a/y completed
      route a 0 -> end
      team_end a
      final partial llm
      `,
    );
    const { tasks } = output.teams[0] as { tasks: { [name: string]: { error: JsonObject } } };
    expect(tasks.after!.error).toEqual({
      code: 'llm',
      message: 'Task "after" of team "a" was not begun: it waits for "x", which failed: The model is away.',
      details: { reason: 'server', attempts: 1, waited_for: 'x', failed: 'x' },
      recoverable: false,
    });
    expect(tasks.behind!.error.message).toBe(
      'Task "behind" of team "a" was not begun: it waits for "after", which was not begun either, since "x" failed: The model is away.',
    );
    expect(result.reasoning.steps.map(({ observation }) => observation)).toEqual([
      'In team "a" "x" failed, "after" failed, "behind" failed, "y" completed; rule 1 ended the run.',
    ]);
  });

  test('stand in the result in file order, whichever was faster', async () => {
    const { result } = await collectRun(
      teamRun(
        one([
          { name: 'slow', depends_on: [] },
          { name: 'fast', depends_on: [] },
        ]),
        {
          script: { 'a/slow': [{ chunks: [...'{        }'] }] },
        },
      ),
    );
    const { teams } = result.output as { teams: { tasks: object }[] };
    expect(Object.keys(teams[0]!.tasks)).toEqual(['slow', 'fast']);
  });

  test('are refused before anything runs when they wait for each other, or for a task that does not exist', async () => {
    const circle = await collectRun(
      teamRun(
        one([
          { name: 'x', depends_on: ['z'] },
          { name: 'y', depends_on: ['x'] },
          { name: 'z', depends_on: ['y'] },
        ]),
      ),
    );
    expect(draw(circle.events)).toEqual(['final failed config-invalid']);
    expect(circle.result.error?.message).toBe(
      'In team "a" task "x" waits for "z" waits for "y" waits for "x", so none of them could start. Remove one depends_on.',
    );
    const unknown = await collectRun(teamRun(one([{ name: 'draft' }, { name: 'review', depends_on: ['draf'] }])));
    expect(unknown.result.error?.message).toBe(
      'Task "review" of team "a" depends on "draf", which is not a task of that team. Did you mean "draft"?',
    );
    const twice = await collectRun(teamRun(one([{ name: 'x', depends_on: [] }, { name: 'x' }])));
    expect(twice.result.error?.message).toContain('two tasks named "x"');
  });
});

describe('the events of tasks', () => {
  test('are those of their agents, with team and task, numbered as one run', async () => {
    const { events, result } = await collectRun(teamRun(one([{ name: 'x' }]), { script: { 'a/x': [{ chunks: ['{"n"', ': 1}'] }] } }));
    expect(events.map(({ type }) => type).join(' ')).toBe(
      'run_start team_start task_start step_start chunk chunk step_end task_end route team_end final',
    );
    const ofTask = events.filter((event) => 'task' in event);
    expect(ofTask.every((event) => 'team' in event && event.team === 'a' && 'task' in event && event.task === 'x')).toBe(true);
    expect(new Set(events.map(({ run_id }) => run_id))).toEqual(new Set([result.run_id]));
    const end = events.find((event) => event.type === 'task_end');
    expect(end).toMatchObject({
      status: 'completed',
      result: { output: { n: 1 }, metadata: { agent_name: 'Worker', trace_id: result.run_id } },
    });
    expect(end?.type === 'task_end' && end.result.run_id).not.toBe(result.run_id);
  });
});

describe('the input of a task', () => {
  const payloads = async (task: JsonObject, rest: JsonObject = {}, options: TeamRunOptions = {}) => {
    const run = prepareTeams(
      {
        context: { topic: 'tea', tone: 'dry' },
        teams: { a: { tasks: [{ name: 'x' }, { name: 'y', ...task }], routing: { default: null } } },
        ...rest,
      },
      options,
    );
    const seen: JsonObject[] = [];
    const runTask = run.request.runTask;
    const { events, result } = await collectRun(
      (await import('../../core/team/runOrchestration.js')).runOrchestration({
        ...run.request,
        runTask: (call, emit) => {
          if (call.task === 'y') seen.push(call.payload);
          return runTask(call, emit);
        },
      }),
    );
    const end = events.find((event) => event.type === 'task_end' && event.task === 'y');
    return { payload: seen[0], error: end?.type === 'task_end' ? end.result.error : undefined, result };
  };

  test('is the context where it says none', async () => {
    expect((await payloads({})).payload).toEqual({ topic: 'tea', tone: 'dry' });
  });

  test('is its template: paths into the input, the context and the outputs of tasks before it', async () => {
    const template = {
      first: '{{input.topic}}',
      list: ['{{tasks.x.output.words}}'],
      text: 'On {{context.tone}} {{tasks.x.output.n}}',
      ['__proto__']: 1,
    };
    const { payload } = await payloads({ input: template }, {}, { script: { 'a/x': [{ words: [1, 2], n: 3 }] }, input: { tone: 'wet' } });
    expect(payload).toEqual({ first: 'tea', list: [[1, 2]], text: 'On wet 3', ['__proto__']: 1 });
    expect(Object.keys(payload!)).toContain('__proto__');
  });

  test('may be one path that yields an object, and nothing else', async () => {
    expect((await payloads({ input: '{{tasks.x.output}}' }, {}, { script: { 'a/x': [{ n: 3 }] } })).payload).toEqual({ n: 3 });
    expect((await payloads({ input: '{{context.topic}}' })).error).toMatchObject({
      code: 'input-invalid',
      message: 'The input of task "y" of team "a" must be an object, and "{{context.topic}}" yields something else.',
    });
  });

  test('fails the task when a path leads nowhere, and says which and why', async () => {
    expect((await payloads({ input: { t: '{{context.topc}}' } })).error?.message).toBe(
      'The input of task "y" of team "a" cannot be made: Nothing provides {{context.topc}}. Did you mean "context.topic" or "context.tone"?',
    );
    expect((await payloads({ input: { t: '{{tasks.x.output.n}}' } }, {}, { script: { 'a/x': [away] } })).error?.message).toContain(
      '"x" did not complete.',
    );
    expect((await payloads({ depends_on: [], input: { t: '{{tasks.x.output.n}}' } })).error?.message).toContain(
      '"y" does not wait for "x": add it to depends_on.',
    );
    expect((await payloads({ input: { t: '{{tasks.zed.output.n}}' } })).error?.message).toContain('"zed" is not a task of this team.');
  });

  test('must be what the agent takes', async () => {
    const strict = {
      agent_name: 'Strict',
      version: 'v1',
      mode: 'Writer',
      system_text: 's',
      purpose_text: 'p',
      output_schema: { type: 'object' },
      input_keys: ['title'],
      model_name: 'gpt-4.1-mini',
    };
    const { error, result } = await payloads({ agent: 'Strict@v1' }, {}, { files: { 'agents/Strict/v1': strict } });
    expect(error).toMatchObject({ code: 'input-invalid', message: expect.stringContaining('The input of Strict@v1 is not valid: ') });
    expect(result.status).toBe('partial');
    const input_schema = { type: 'object', properties: { title: { type: 'string', minLength: 5 } } };
    const task = { agent: 'Strict@v1', depends_on: [], input: { title: 'abc' } };
    const short = await payloads(task, {}, { files: { 'agents/Strict/v1': { ...strict, input_schema } } });
    expect(short.result.error?.message).toContain('/title must have at least 5 characters. A task that the run can do without');
  });
});

describe('routing', () => {
  const review = (rules: readonly JsonObject[], rest: JsonObject = {}): JsonObject => ({
    context: { round: 1, title: 'T' },
    teams: {
      a: { tasks: [{ name: 'x' }], routing: { rules, ...rest } },
      b: { tasks: [{ name: 'y' }], routing: { default: null } },
    },
  });

  test('takes the first rule that holds, and changes the context for the teams after it', async () => {
    const rules = [
      { condition: { task: 'x', output_field: 'verdict', operator: 'equals', value: 'pass' }, next_team: null },
      {
        condition: { task: 'x', output_field: 'verdict', operator: 'equals', value: 'fail' },
        next_team: 'b',
        context_updates: { feedback: '{{tasks.x.output.why}}', old: '{{context.title}} {{input.round}}', round: 2, title: null },
      },
    ];
    const { events, output } = await check(
      review(rules),
      { script: { 'a/x': [{ verdict: 'fail', why: ['long'] }] } },
      `
      team_start a 1
      task_start a/x
      task_end a/x completed
      route a 1 -> b
      team_end a
      team_start b 2
      task_start b/y
      task_end b/y completed
      route b default -> end
      team_end b
      final completed
      `,
    );
    expect(events.find(({ type }) => type === 'route')).toMatchObject({
      context_updates: { feedback: ['long'], old: 'T 1', round: 2, title: null },
      notes: [],
    });
    expect(output.context).toEqual({ round: 2, feedback: ['long'], old: 'T 1' });
  });

  test('notes what conditions find missing, in the event and in the trace', async () => {
    const rules = [{ condition: { task: 'x', output_field: 'verdict', operator: 'equals', value: 'pass' }, next_team: 'b' }];
    const { events, result } = await collectRun(teamRun(review(rules, { default: null })));
    expect(events.find(({ type }) => type === 'route')).toMatchObject({ rule: null, notes: ['The output of "x" has no field "verdict".'] });
    expect(result.reasoning.steps[0]!.observation).toBe(
      'In team "a" "x" completed; the default ended the run. The output of "x" has no field "verdict".',
    );
  });

  test('fails with no-route where nothing takes what the tasks came to, and says what that was', async () => {
    const rules = [{ condition: { task: 'x', output_field: 'verdict', operator: 'equals', value: 'pass' }, next_team: null }];
    const { result } = await check(
      review(rules),
      { script: { 'a/x': [{ verdict: 'maybe' }] } },
      `
      team_start a 1
      task_start a/x
      task_end a/x completed
      team_end a
      final failed no-route
      `,
    );
    expect(result.error?.message).toBe(
      'No rule of team "a" matches the results of its tasks, and it has no default: "x" gave {"verdict":"maybe"}. Add a rule for it, or a default.',
    );
    expect(result.output).toMatchObject({ teams: [{ tasks: { x: { output: { verdict: 'maybe' } } } }], context: { round: 1 } });
  });

  test('fails the run when an update of the context cannot be made, naming team, rule and path', async () => {
    const rules = [
      { condition: { task: 'x', status: 'failure' }, next_team: 'b', context_updates: { f: { g: '{{tasks.x.output.why}}' } } },
    ];
    const { result } = await collectRun(teamRun(review(rules), { script: { 'a/x': [away] } }));
    expect(result.error).toMatchObject({
      code: 'input-invalid',
      message: expect.stringMatching(
        /^The context_updates of rule 1 of team "a" cannot be made: Nothing provides \{\{tasks\.x\.output\.why\}\}\..* "x" did not complete\.$/,
      ),
    });
  });

  test('loads the engine of regular expressions where a condition has one', async () => {
    const rules = [{ condition: { task: 'x', output_field: 'code', operator: 'matches', value: '^E\\d+$' }, next_team: 'b' }];
    const { events } = await collectRun(teamRun(review(rules, { default: null }), { script: { 'a/x': [{ code: 'E42' }] } }));
    expect(draw(events)).toContain('route a 0 -> b');
  });

  test('ends the run when the context outgrows what can be kept', async () => {
    const twice = {
      teams: {
        a: {
          tasks: [{ name: 'x' }],
          routing: { rules: [{ condition: [], next_team: 'a', context_updates: { p: '{{context}}', q: '{{context}}' } }] },
        },
      },
    };
    const orchestration = { context: { seed: 'x'.repeat(1000) }, max_total_teams: 1000, max_recursion_depth: 1000, ...twice };
    const { result, events } = await collectRun(teamRun(orchestration, quick(orchestration)));
    expect(result.error).toMatchObject({
      code: 'input-invalid',
      message: expect.stringContaining('Rule 1 of team "a" makes a context of more than 10 million characters'),
    });
    expect(events.length).toBeLessThan(200);
  });
});

function quick(orchestration: JsonObject) {
  const frozen = freezeTeams(orchestration);
  const agent = [...frozen.agents.values()][0]!;
  return { runTask: async () => (await import('../support/teams.js')).plainResult(agent, {}) };
}

describe('limits', () => {
  const loop = (limits: JsonObject, team: JsonObject = {}): JsonObject => ({
    ...limits,
    teams: { a: { tasks: [{ name: 'x' }], routing: { default: 'a' }, ...team } },
  });

  test('max_total_teams counts every team execution; what was done is kept', async () => {
    const { result } = await collectRun(teamRun(loop({ max_total_teams: 3, max_recursion_depth: 100 })));
    expect(result.error).toMatchObject({ code: 'recursion-limit', message: expect.stringContaining('been through 3 teams') });
    expect((result.output as { teams: unknown[] }).teams).toHaveLength(3);
  });

  test('max_recursion_depth counts a team, and a team may have its own', async () => {
    const all = await collectRun(teamRun(loop({ max_recursion_depth: 2 })));
    expect(all.result.error?.message).toBe(
      'Team "a" has run 2 times, as often as max_recursion_depth allows, and would be next again. Raise the limit, or add a rule that ends the repetition.',
    );
    const own = await collectRun(teamRun(loop({ max_recursion_depth: 5 }, { max_recursion_depth: 1 })));
    expect(own.result.error?.message).toContain('Team "a" has run 1 time, as often as its own max_recursion_depth allows');
  });
});

describe('the result', () => {
  test('sums usage, cost and documents of the tasks', async () => {
    const { result } = await collectRun(teamRun(one([{ name: 'x' }, { name: 'y' }])));
    const { metadata, reasoning } = result;
    expect(metadata).toMatchObject({
      agent_name: 'work',
      agent_version: null,
      provider: null,
      model_name: null,
      iterations: 2,
      token_usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, cached_tokens: 0 },
      simulated: false,
    });
    expect(metadata.estimated_cost_usd).toBeGreaterThan(0);
    expect(reasoning.decision).toBe('Ran 1 team (a) with 2 tasks.');
    expect(reasoning.confidence).toBe(1);
  });
});
