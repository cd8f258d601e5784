import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import type { FrozenOrchestration, FrozenTeam } from '../../core/snapshot/snapshotValue.js';
import { runOrchestration } from '../../core/team/runOrchestration.js';
import { collectRun } from '../agent/collectRun.js';
import { isTrue } from '../routing/oracle.js';
import { runs } from '../support/effort.js';
import { draw, handMade, instantTasks, prepareTeams } from '../support/teams.js';

/*
 * What a run does, foretold by an oracle that shares nothing with it: random small orchestrations, every task scripted, CONFIG.md's rules of
 * routing, context and limits read once more.
 */

const names = ['a', 'b', 'c'] as const;
const letters = ['p', 'q', '', 'pq'] as const;
const constant = fc.constantFrom<Json>(...letters, null, true, 0, 1, 2, ['p'], []);
const comparison = fc.oneof(
  { weight: 3, arbitrary: constant.map((value): JsonObject => ({ operator: 'equals', value })) },
  constant.map((value): JsonObject => ({ operator: 'not_equals', value })),
  fc.array(constant, { minLength: 1, maxLength: 3 }).map((value): JsonObject => ({ operator: 'in', value })),
  fc.constantFrom<JsonObject>({ operator: 'exists' }, { operator: 'is_empty' }),
  fc
    .tuple(fc.constantFrom('greater_than', 'less_than'), fc.constantFrom(0, 1))
    .map(([operator, value]): JsonObject => ({ operator, value })),
  fc
    .tuple(fc.constantFrom('contains', 'not_contains'), fc.constantFrom('p', 'q'))
    .map(([operator, value]): JsonObject => ({ operator, value })),
);
const task = fc.constantFrom('one', 'two');
const leaf = fc.oneof(
  fc.tuple(task, fc.constantFrom('x', 'x.y'), comparison).map(([name, path, rest]): Json => ({ task: name, output_field: path, ...rest })),
  fc.tuple(task, fc.constantFrom('success', 'failure')).map(([name, status]): Json => ({ task: name, status })),
  fc.tuple(fc.constantFrom('m', 'm.y'), comparison).map(([path, rest]): Json => ({ context_field: path, ...rest })),
);
const condition = fc.letrec<{ condition: Json }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    { weight: 5, arbitrary: leaf },
    fc.array(tie('condition'), { minLength: 1, maxLength: 2 }),
    fc.array(tie('condition'), { minLength: 1, maxLength: 2 }).map((any): Json => ({ any })),
    tie('condition').map((not): Json => ({ not })),
  ),
})).condition;
const next = fc.constantFrom(...names, null);
const updates = fc.option(
  fc.oneof(
    constant.map((m): JsonObject => ({ m })),
    fc.constantFrom<JsonObject>({ m: '{{tasks.one.output.x}}' }, { m: { y: '{{context.m}}' } }, { n: 'at {{input.m}}' }),
  ),
  { nil: undefined, freq: 2 },
);
const rule = fc
  .tuple(condition, next, updates)
  .map(([when, next_team, context_updates]) => ({ condition: when, next_team, ...(context_updates && { context_updates }) }));
const team = fc
  .tuple(
    fc.array(rule, { maxLength: 3 }),
    fc.option(next, { nil: undefined, freq: 4 }),
    fc.boolean(),
    fc.option(fc.integer({ min: 1, max: 3 })),
    fc.option(fc.boolean(), { nil: undefined }),
  )
  .map(([rules, otherwise, depends, own, required]) => ({
    name: 't',
    tasks: [
      { name: 'one', ...(required !== undefined && { required }) },
      { name: 'two', ...(depends && { depends_on: ['one'] }) },
    ],
    routing: { rules, ...(otherwise !== undefined && { default: otherwise }) },
    ...(own !== null && { max_recursion_depth: own }),
  }));
const orchestration = fc.record({
  entry_team: fc.constant('a'),
  max_total_teams: fc.integer({ min: 1, max: 6 }),
  max_recursion_depth: fc.integer({ min: 1, max: 4 }),
  context: fc.oneof(
    constant.map((m): JsonObject => ({ m })),
    fc.constant<JsonObject>({}),
  ),
  teams: fc.record({ a: team, b: team, c: team }),
}) as unknown as fc.Arbitrary<FrozenOrchestration>;

/** Output by turn of the whole run; undefined: the task fails. */
const output = fc.option(
  fc
    .oneof(
      constant,
      constant.map((y): Json => ({ y })),
    )
    .map((x): JsonObject => ({ x })),
  { nil: undefined, freq: 4 },
);
const script = fc.array(fc.record({ one: output, two: output }), { minLength: 8, maxLength: 8 });
type Script = readonly { readonly one?: JsonObject | undefined; readonly two?: JsonObject | undefined }[];

/** The lines of a run that are decisions, and the context at its end. */
function foretell({ teams, entry_team, max_total_teams, max_recursion_depth, context }: FrozenOrchestration, turns: Script) {
  const path: string[] = [];
  const times: { [team: string]: number } = {};
  let now: JsonObject = context;
  /** Of the last execution of each team: the required tasks that failed, unless the team ended the run, which needs more. */
  const unmet: { [team: string]: readonly string[] } = {};
  let last: readonly string[] = [];
  const end = (how: string) => ({ path: [...path, how], context: now });
  for (let at: string | null = entry_team, turn = 0; at !== null; turn++) {
    const current: FrozenTeam = teams[at]!;
    const { tasks, routing, max_recursion_depth: own } = current;
    times[at] = (times[at] ?? 0) + 1;
    if (turn + 1 > max_total_teams || times[at]! > (own ?? max_recursion_depth)) return end('final failed recursion-limit');
    path.push(`team_start ${at} ${turn + 1}`);
    const outputs = { one: turns[turn]?.one, two: turns[turn]?.two };
    if (outputs.one === undefined && tasks[1]!.depends_on) outputs.two = undefined;
    const rules = routing.rules ?? [];
    const text = JSON.stringify(routing);
    const failed = tasks.filter(({ name }) => outputs[name as 'one'] === undefined && name in outputs);
    const isRead = (name: string) => text.includes(`"task":"${name}","output_field"`) || text.includes(`{{tasks.${name}.`);
    unmet[at] = failed.filter(({ name, required }) => required ?? isRead(name)).map(({ name }) => name);
    last = failed.filter(({ required }) => required !== false).map(({ name }) => name);
    const won = rules.findIndex((one) => isTrue(one.condition as unknown as Json, { outputs, context: now }));
    if (won < 0 && routing.default === undefined) return end('final failed no-route');
    const to: string | null = won < 0 ? routing.default! : rules[won]!.next_team;
    const patch = won < 0 ? undefined : rules[won]!.context_updates;
    if (patch) {
      const given: { readonly [text: string]: Json | undefined } = {
        '{{tasks.one.output.x}}': outputs.one?.x,
        '{{context.m}}': now.m,
        'at {{input.m}}':
          context.m === undefined ? undefined : `at ${typeof context.m === 'string' ? context.m : JSON.stringify(context.m)}`,
      };
      const evaluate = (value: Json): Json | undefined => {
        if (typeof value === 'string' && value.includes('{{')) return given[value];
        return isMap(value) ? inEach(value, evaluate) : value;
      };
      const evaluated = evaluate(patch);
      if (evaluated === undefined) return end('final failed input-invalid');
      now = patched(now, evaluated) as JsonObject;
    }
    path.push(`route ${at} ${won < 0 ? 'default' : won} -> ${to ?? 'end'}`);
    if (to === null) unmet[at] = last;
    at = to;
  }
  return end(Object.values(unmet).some((missing) => missing.length > 0) ? 'final partial llm' : 'final completed');
}

const isMap = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined when one of them is. */
function inEach(map: JsonObject, evaluate: (value: Json) => Json | undefined): JsonObject | undefined {
  const entries = Object.entries(map).map(([key, value]) => [key, evaluate(value)] as const);
  return entries.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(entries) as JsonObject);
}

/** RFC 7396, once more. */
function patched(target: Json | undefined, patch: Json): Json {
  if (!isMap(patch)) return patch;
  const merged: { [key: string]: Json } = isMap(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = patched(merged[key], value);
  }
  return merged;
}

describe('runs and an oracle', () => {
  test('take the same way through hundreds of orchestrations, and end alike', async () => {
    const ends = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(orchestration, script, async (frozen, turns) => {
        const made = handMade(frozen);
        const runTask = instantTasks(made, ({ execution, task: name }) => turns[execution - 1]?.[name as 'one']);
        const { request } = prepareTeams(made, { runTask });
        const { events, result } = await collectRun(runOrchestration(request));
        const foretold = foretell(frozen, turns);
        expect(draw(events).filter((line) => /^(team_start|route|final)/.test(line))).toEqual(foretold.path);
        expect((result.output as { context: JsonObject }).context).toEqual(foretold.context);
        const end = foretold.path.at(-1)!;
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }),
      { numRuns: runs(400, 2_000) },
    );
    // Every way to end was met, so none was foretold without being tried.
    expect([...ends.keys()].sort()).toEqual([
      'final completed',
      'final failed input-invalid',
      'final failed no-route',
      'final failed recursion-limit',
      'final partial llm',
    ]);
  }, 120_000);
});

interface Group {
  readonly operator: string;
  readonly cases: readonly { readonly field?: Json; readonly value?: Json; readonly matches: boolean }[];
}

const groups = JSON.parse(readFileSync(new URL('../fixtures/routing/operators.json', import.meta.url), 'utf8')) as readonly Group[];

describe('every operator decides where a run goes', () => {
  test.each(groups)('$operator, on outputs and on the context', async ({ operator, cases }) => {
    for (const { matches, ...one } of cases) {
      const value = 'value' in one ? { value: one.value as Json } : {};
      const f = 'field' in one ? { f: one.field as Json } : {};
      for (const where of [{ task: 'x', output_field: 'f' }, { context_field: 'f' }]) {
        const made = handMade({
          context: f,
          teams: {
            a: {
              name: 'A',
              tasks: [{ name: 'x' }],
              routing: { rules: [{ condition: { ...where, operator, ...value } as never, next_team: null }], default: 'b' },
            },
            b: { name: 'B', tasks: [{ name: 'y' }], routing: { default: null } },
          },
        });
        const { request } = prepareTeams(made, { runTask: instantTasks(made, () => f) });
        const { events } = await collectRun(runOrchestration(request));
        const route = events.find(({ type }) => type === 'route');
        expect([JSON.stringify({ ...where, ...one }), route]).toMatchObject([expect.anything(), { next_team: matches ? null : 'b' }]);
      }
    }
  });
});
