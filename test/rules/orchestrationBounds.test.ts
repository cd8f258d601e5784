import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type WorstCase, worstCase } from '../../core/llm/worstCase.js';
import { createTeamGraph } from '../../core/routing/teamGraph.js';
import { boundsWords, boundTasks, type TaskBound, teamBoundWords } from '../../core/rules/facts/orchestrationBounds.js';

interface Case {
  /** Who leads to whom; the first is the entry. */
  readonly routes: { readonly [team: string]: readonly string[] };
  readonly most: number;
  readonly depth: number;
  /** The tasks of each team. */
  readonly tasks: { readonly [team: string]: readonly WorstCase[] };
}

function boundsOf({ routes, most, depth, tasks }: Case) {
  const teams = Object.fromEntries(
    Object.entries(routes).map(([name, to]) => [name, { routing: { rules: to.map((next_team) => ({ next_team })), default: null } }]),
  );
  const all = Object.entries(tasks).flatMap(([team, worst]) =>
    worst.map((one, index): TaskBound => ({ team, task: `t${index}`, model_name: 'm', worst: one })),
  );
  const graph = createTeamGraph({ entry_team: Object.keys(routes)[0] ?? '', teams });
  return boundTasks(all, graph, { max_total_teams: most, depthOf: () => depth });
}

/** What every run there can be uses, by trying them all. */
function everyRun({ routes, most, depth, tasks }: Case): readonly (readonly WorstCase[])[] {
  const runs: WorstCase[][] = [];
  const visit = (team: string, way: readonly string[], used: readonly WorstCase[]) => {
    if (way.length >= most || way.filter((one) => one === team).length >= depth || !Object.hasOwn(routes, team)) return;
    const now = [...used, ...(tasks[team] ?? [])];
    runs.push(now);
    for (const to of routes[team] ?? []) visit(to, [...way, team], now);
  };
  visit(Object.keys(routes)[0] ?? '', [], []);
  return runs;
}

const names = ['a', 'b', 'c', 'd'] as const;
const perTeam = <Value>(value: fc.Arbitrary<Value>) => fc.record(Object.fromEntries(names.map((name) => [name, value])));

const anyWorst = fc
  .record({
    calls: fc.integer({ min: 1, max: 4 }),
    tokens: fc.integer({ min: 0, max: 500 }),
    output: fc.option(fc.integer({ min: 1, max: 100 }), { freq: 8 }),
    price: fc.option(fc.constant({ input: 1_000_000, output: 2_000_000 }), { freq: 8 }),
    max_cost: fc.option(fc.integer({ min: 1, max: 1000 })),
  })
  .map(({ calls, tokens, output, price, max_cost }) =>
    worstCase({
      calls,
      prompt_tokens: tokens,
      max_output_tokens: output ?? undefined,
      model: undefined,
      price: price ?? undefined,
      max_cost: max_cost ?? undefined,
    }),
  );

const anyCase: fc.Arbitrary<Case> = fc.record({
  routes: perTeam(fc.subarray([...names, 'nowhere'], { maxLength: 3 })),
  most: fc.integer({ min: 1, max: 6 }),
  depth: fc.integer({ min: 1, max: 3 }),
  tasks: perTeam(fc.array(anyWorst, { minLength: 1, maxLength: 2 })),
});

describe('the worst case of an orchestration', () => {
  test('is never below what a run uses, and knows what is known of every run', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const { run, unknown } = boundsOf(one);
        const runs = everyRun(one);
        for (const metric of ['calls', 'prompt_tokens', 'completion_tokens', 'cost', 'limit'] as const) {
          const bound = run[metric];
          for (const used of runs) {
            if (bound === null) continue;
            // Nothing that a run may use is unknown where the bound is not.
            const sum = used.reduce((total, worst) => total + (worst[metric] ?? Number.POSITIVE_INFINITY), 0);
            expect(bound).toBeGreaterThanOrEqual(sum - 1e-6);
          }
          // And what is unknown is so because of a run, but for teams that only the limits keep away.
          if (bound === null)
            expect(
              Object.values(one.tasks)
                .flat()
                .some((worst) => worst[metric] === null),
            ).toBe(true);
        }
        if (run.cost === null) expect(unknown.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  test('names the tasks whose cost nobody knows, where a run gets to them', () => {
    const known = worstCase({ calls: 1, prompt_tokens: 10, max_output_tokens: 10, model: undefined, price: { input: 1, output: 1 } });
    const unpriced = { ...known, cost: null, unknown: 'price', limit: null } as const;
    const routes = { a: ['b'], b: [], c: [] };
    const bounds = boundsOf({ routes, most: 30, depth: 5, tasks: { a: [known], b: [unpriced, known], c: [unpriced] } });
    expect(bounds.unknown.map(({ team, task }) => `${team}/${task}`)).toEqual(['b/t0']);
    expect(bounds.run).toMatchObject({ calls: 3, cost: null, unknown: 'price', limit: null });
    expect(boundsWords(bounds)).toBe('at most 2 teams, 3 calls, price of the model unknown');
    expect(bounds.teams.map((team) => teamBoundWords(team).replace(/, .*/, ''))).toEqual([
      'at most once',
      'at most once',
      'no run gets here',
    ]);
  });

  test('of a thousand teams is told at once', () => {
    const all = Array.from({ length: 1000 }, (_, index) => `t${index}`);
    const routes = Object.fromEntries(
      all.map((name, index) => [name, [all[(index + 1) % 1000] as string, all[(index * 7) % 1000] as string]]),
    );
    const one = worstCase({ calls: 2, prompt_tokens: 10, max_output_tokens: 10, model: undefined, price: { input: 1, output: 1 } });
    const started = performance.now();
    const bounds = boundsOf({ routes, most: 1000, depth: 10, tasks: Object.fromEntries(all.map((name) => [name, [one]])) });
    expect(bounds.run.calls).toBe(2000);
    // Many times what it takes.
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
