import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareRoutes } from '../../core/diff/routes.js';
import type { RouteChange } from '../../core/diff/types.js';
import type { TeamRouting } from '../../core/generated/types.js';
import type { Json, JsonObject } from '../../core/json.js';
import { chooseRoute } from '../../core/routing/chooseRoute.js';
import type { TaskOutcome } from '../../core/routing/evaluateCondition.js';
import { loadPatterns } from '../../core/routing/patterns.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { type Files, sidesOf } from './sides.js';

const tools = { schemas: await loadSchemaCompiler(), patterns: await loadPatterns() };

const schemaOf = (properties: JsonObject): JsonObject => ({
  system_text: 'Sort it.',
  model_name: 'gpt-5.4-mini',
  output_schema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
});
const sorter = schemaOf({ label: { enum: ['bug', 'idea', 'spam'] }, score: { type: 'integer', minimum: 0, maximum: 10 } });
const is = (value: Json, output_field = 'label', operator = 'equals', task = 'sort') => ({ task, output_field, operator, value });
const to = (next_team: string | null, condition: Json) => ({ condition, next_team });
type Routing = { readonly rules?: readonly Json[]; readonly default?: Json };
const team = (name: string, routing: Routing, task = 'sort'): JsonObject => ({
  name,
  tasks: [{ name: task, agent: 'A@v1' }],
  routing: routing as JsonObject,
});
/** The team `in` and those that end the run. */
const flow = (routing: Routing, more: JsonObject = {}, entry_team = 'in'): Files => ({
  'orchestrations/flow': {
    entry_team,
    context: {},
    teams: { in: team('In', routing), fix: team('Fix', { default: null }, 'mend'), talk: team('Talk', { default: null }, 'say'), ...more },
  },
});
const files = { 'agents/A/v1': sorter };
const usual: Routing = { rules: [to('fix', is('bug')), to('talk', is('idea'))], default: null };

async function changesOf(before: Files, after: Files, name = 'flow'): Promise<readonly RouteChange[]> {
  return compareRoutes(...(await sidesOf({ ...files, ...before }, after, name)), tools);
}
const lineOf = ({ change, from, to: next, no_route, example }: RouteChange) =>
  [
    `${change} ${from ?? 'start'} -> ${no_route ? 'no route' : next === undefined ? '?' : (next ?? 'end')}`,
    ...(example === null ? [] : [JSON.stringify(example)]),
  ].join(' ');
const linesOf = async (...args: Parameters<typeof changesOf>) => (await changesOf(...args)).map(lineOf).sort();
const output = (label: string, score = 0, task = 'sort') => JSON.stringify({ outputs: { [task]: { label, score } } });

describe('routes between teams', () => {
  test.each<[string, Files, Files, readonly string[]]>([
    ['nothing', flow(usual), flow(usual), []],
    ['a rule that moved without effect', flow(usual), flow({ rules: [to('talk', is('idea')), to('fix', is('bug'))], default: null }), []],
    [
      'equal conditions in other words',
      flow(usual),
      flow({
        rules: [to('fix', [{ task: 'sort', status: 'success' }, { not: is(['idea', 'spam'], 'label', 'in') }]), to('talk', is('idea'))],
        default: null,
      }),
      [],
    ],
    ['a rule more', flow({ rules: [to('fix', is('bug'))], default: null }), flow(usual), [`opened in -> talk ${output('idea')}`]],
    ['a rule less', flow(usual), flow({ rules: [to('fix', is('bug'))], default: null }), [`closed in -> talk ${output('idea')}`]],
    ['a rule that never matches', flow(usual), flow({ ...usual, rules: [...(usual.rules ?? []), to('in', [is('bug'), is('idea')])] }), []],
    ['a rule behind one that takes all', flow(usual), flow({ ...usual, rules: [...(usual.rules ?? []), to('in', is('bug'))] }), []],
    [
      'a rule that takes what another took',
      flow(usual),
      flow({ rules: [to('talk', is(['bug', 'idea'], 'label', 'in')), to('fix', is('bug'))], default: null }),
      [`closed in -> fix ${output('bug')}`],
    ],
    [
      'a threshold',
      flow({ rules: [to('fix', is(3, 'score', 'greater_than'))], default: 'talk' }),
      flow({ rules: [to('fix', is(5, 'score', 'greater_than'))], default: 'talk' }),
      [`redirected in -> talk ${output('bug', 5)}`],
    ],
    [
      'a default that is gone',
      flow(usual),
      flow({ rules: usual.rules as Json[] }),
      [`closed in -> end ${output('spam')}`, `opened in -> no route ${output('spam')}`],
    ],
    [
      'a default behind rules that take all',
      flow({ rules: [to('fix', is('bug')), to('talk', { not: is('bug') })], default: null }),
      flow({ rules: [to('fix', is('bug')), to('talk', { not: is('bug') })] }),
      [],
    ],
    [
      'a condition that failed tasks meet as well',
      flow(usual),
      flow({ rules: [to('fix', { not: is(['idea', 'spam'], 'label', 'in') }), to('talk', is('idea'))], default: null }),
      ['redirected in -> fix {"outputs":{},"failed":["sort"]}'],
    ],
    ['another entry', flow(usual), flow(usual, {}, 'talk'), ['closed start -> in', 'opened start -> talk']],
    [
      'a team more, that a rule leads to',
      flow(usual),
      flow({ ...usual, default: 'new' }, { new: team('New', { default: 'fix' }) }),
      [`closed in -> end ${output('spam')}`, `opened in -> new ${output('spam')}`, 'opened new -> fix {"outputs":{}}'],
    ],
    ['a team more, that nothing leads to', flow(usual), flow(usual, { new: team('New', { default: 'fix' }) }), []],
    [
      'a team with another name',
      flow(usual),
      { 'orchestrations/flow': JSON.parse(JSON.stringify(flow(usual)['orchestrations/flow']).replaceAll('"fix"', '"mend"')) as Json },
      [],
    ],
    [
      'a task with another name',
      flow(usual),
      { 'orchestrations/flow': JSON.parse(JSON.stringify(flow(usual)['orchestrations/flow']).replaceAll('"sort"', '"label"')) as Json },
      [],
    ],
    [
      'a loop without a way out',
      flow(usual, { talk: team('Talk', { rules: [to('in', is('idea'))], default: null }) }),
      flow({ rules: [to('talk', is(['bug', 'idea'], 'label', 'in'))], default: 'talk' }, { talk: team('Talk', { default: 'in' }) }),
      [
        `closed in -> end ${output('spam')}`,
        `closed in -> fix ${output('bug')}`,
        `closed talk -> end ${output('bug')}`,
        'endless in -> talk',
      ],
    ],
  ])('%s', async (_name, before, after, lines) => {
    expect(await linesOf(before, after)).toEqual(lines);
  });

  test('a value more in the schema opens and redirects nothing that a rule did not say', async () => {
    const wish = { 'agents/A/v1': schemaOf({ label: { enum: ['bug', 'idea', 'spam', 'wish'] }, score: { type: 'integer' } }) };
    expect(await linesOf(flow({ rules: [to('fix', is('bug'))], default: null }), wish)).toEqual([]);
    const ruled = { ...wish, ...flow({ rules: [to('fix', is('bug')), to('talk', is('wish'))], default: null }) };
    expect(await linesOf(flow({ rules: [to('fix', is('bug'))], default: null }), ruled)).toEqual([`opened in -> talk ${output('wish')}`]);
    const both = flow({ rules: [to('fix', is(['bug', 'wish'], 'label', 'in')), to('talk', is('idea'))], default: null });
    expect(await linesOf(flow(usual), { ...wish, ...both })).toEqual([]);
  });

  test('a value less closes its route', async () => {
    expect(
      await linesOf(flow(usual), { 'agents/A/v1': schemaOf({ label: { enum: ['bug', 'spam'] }, score: { type: 'integer' } }) }),
    ).toEqual([`closed in -> talk ${output('idea')}`]);
  });

  test('what the prover cannot decide is unknown', async () => {
    const text = { 'agents/A/v1': schemaOf({ label: { type: 'string' }, score: { type: 'integer' } }) };
    const rule = (pattern: string) => flow({ rules: [to('fix', is(pattern, 'label', 'matches'))], default: null });
    const lines = await linesOf({ ...text, ...rule('^a(b|c)+$') }, rule('^(ab|ac)+$'));
    expect(lines.every((line) => line.startsWith('unknown') || line.startsWith('redirected'))).toBe(true);
    expect(lines).not.toEqual([]);
    expect(await linesOf({ ...text, ...rule('^a') }, rule('^a'))).toEqual([]);
  });

  test('places lead to the rule, in the old file for what is gone', async () => {
    const [opened] = await changesOf(flow({ default: null }), flow(usual));
    expect(opened).toMatchObject({
      from: 'in',
      message: 'The team "in" may now lead to "fix".',
      place: { file: 'config/orchestrations/flow.json', pointer: '/teams/in/routing/rules/0/next_team', side: 'after' },
    });
    const [closed] = await changesOf(flow(usual), flow({ default: null }));
    expect(closed).toMatchObject({ place: { pointer: '/teams/in/routing/rules/0/next_team', side: 'before' } });
  });

  const condition: fc.Arbitrary<Json> = fc.oneof(
    fc.constantFrom('bug', 'idea', 'spam').map((value) => is(value)),
    fc.integer({ min: 0, max: 10 }).map((value) => is(value, 'score', 'greater_than')),
    fc.constantFrom<Json>({ task: 'sort', status: 'success' }),
  );
  const conditions = fc.oneof(
    condition,
    fc.tuple(condition, condition).map(([a, b]): Json => ({ any: [a, { not: b }] })),
  );
  const routing = fc.record(
    {
      rules: fc.array(
        fc.tuple(fc.constantFrom('fix', 'talk', null), conditions).map(([next, when]) => to(next, when)),
        { maxLength: 4 },
      ),
      default: fc.constantFrom('fix', 'talk', null),
    },
    { requiredKeys: ['rules'] },
  );

  /** Every outcome of the task that conditions can tell apart. */
  const outcomes: readonly TaskOutcome[] = [
    { status: 'failed' },
    ...['bug', 'idea', 'spam'].flatMap((label) =>
      Array.from({ length: 11 }, (_, score) => ({ status: 'completed', output: { label, score } })),
    ),
  ];
  const destination = (of: Routing, outcome: TaskOutcome) => {
    const route = chooseRoute(of as unknown as TeamRouting, { outcomes: new Map([['sort', outcome]]), context: {} });
    return route.type === 'no-route' ? 'no route' : (route.next_team ?? 'end');
  };

  test('change as the destinations of all outputs do, one by one', async () => {
    await fc.assert(
      fc.asyncProperty(routing, routing, async (one, other) => {
        const taken = outcomes.map((outcome) => [destination(one, outcome), destination(other, outcome)] as const);
        const [was, is] = [new Set(taken.map(([from]) => from)), new Set(taken.map(([, to]) => to))];
        const onBoth = (name: string) => was.has(name) && is.has(name);
        const expected = [
          ...[...is].filter((name) => !was.has(name)).map((name) => `opened ${name}`),
          ...[...was].filter((name) => !is.has(name)).map((name) => `closed ${name}`),
          ...taken.filter(([from, to]) => from !== to && onBoth(from) && onBoth(to)).map(([from, to]) => `redirected ${from} ${to}`),
        ];
        const changes = (await changesOf(flow(one), flow(other))).map(({ change, to: next, no_route, example }) => {
          const [output] = Object.values(example?.outputs ?? {});
          const outcome = output === undefined ? { status: 'failed' } : { status: 'completed', output };
          const to = no_route ? 'no route' : (next ?? 'end');
          expect(destination(change === 'closed' ? one : other, outcome)).toBe(to);
          return change === 'redirected' ? `redirected ${destination(one, outcome)} ${to}` : `${change} ${to}`;
        });
        expect(changes.sort()).toEqual([...new Set(expected)].sort());
        expect(await linesOf(flow(one), flow(one))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('steps of plans', () => {
  const plan = (...steps: JsonObject[]): Files => ({
    'agents/P/v1': { agent_type: 'orchestrating', system_text: 'x', execution_plan: { steps } },
  });
  const one = { name: 'one', agent: 'A' };
  const text = { name: 'text', agent: 'T', on_error: 'continue' };
  const two = { name: 'two', skill: 'read_file', input: { path: 'x' } };
  const when = (value: string) => ({ step: 'one', output_field: 'label', operator: 'equals', value });

  test.each<[string, Files, Files, readonly string[]]>([
    ['nothing', plan(one, two), plan(one, two), []],
    ['a step more', plan(one), plan(one, two), ['The step "two" is new.']],
    ['a step less', plan(one, two), plan(one), ['The step "two" is gone.']],
    [
      'a condition',
      plan(one, two),
      plan(one, { ...two, when: when('bug') }),
      [`The step "two" may be skipped now. ${output('idea', 0, 'one')}`],
    ],
    [
      'a condition less',
      plan(one, { ...two, when: when('bug') }),
      plan(one, two),
      [`The step "two" is never skipped now. ${output('idea', 0, 'one')}`],
    ],
    ['the same in other words', plan(one, { ...two, when: when('bug') }), plan(one, { ...two, when: [when('bug')] }), []],
    [
      'another condition',
      plan(one, { ...two, when: when('bug') }),
      plan(one, { ...two, when: when('idea') }),
      [
        `The step "two" is skipped in cases in which it ran before. ${output('bug', 0, 'one')}`,
        `The step "two" runs in cases in which it was skipped before. ${output('idea', 0, 'one')}`,
      ],
    ],
    [
      'a condition about a step that answers with a text',
      { ...plan(text, two), 'agents/T/v1': { system_text: 'x', model_name: 'gpt-5.4-mini' } },
      plan(text, { ...two, when: { step: 'text', status: 'success' } }),
      ['The step "two" may be skipped now. {"outputs":{},"failed":["text"]}'],
    ],
    ['another order', plan(one, two), plan(two, one), ['The step "two" runs in another order: "two" and "one".']],
    [
      'other work',
      plan(one, two),
      plan(one, { name: 'two', agent: 'A' }),
      ['The step "two" runs the agent "A" now, not the tool "read_file".'],
    ],
  ])('%s', async (_name, before, after, lines) => {
    const changes = await changesOf(before, after, 'P');
    expect(
      changes.map(({ message, example }) => [message, ...(example === null ? [] : [JSON.stringify(example)])].join(' ')).sort(),
    ).toEqual(lines);
  });
});
