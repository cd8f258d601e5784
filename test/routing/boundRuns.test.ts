import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundRuns } from '../../core/routing/boundRuns.js';
import { createTeamGraph } from '../../core/routing/teamGraph.js';

/** `{a: 'b c'}`: who leads to whom; the first is the entry. */
function graphOf(routes: { readonly [team: string]: string }) {
  const teams = Object.fromEntries(
    Object.entries(routes).map(([name, route]) => {
      const rules = route.split(' ').flatMap((to) => (to === '' ? [] : [{ next_team: to }]));
      return [name, { routing: { rules, default: null } }];
    }),
  );
  return createTeamGraph({ entry_team: Object.keys(routes)[0] ?? '', teams });
}

/** By trying every run there can be. */
function bruteForce(
  routes: { readonly [team: string]: string },
  most: number,
  depths: { readonly [team: string]: number },
  weights: { readonly [team: string]: number },
) {
  const executions = new Map<string, number>();
  let [heaviest, total] = [0, 0];
  const visit = (team: string, counts: ReadonlyMap<string, number>, length: number, weight: number) => {
    const count = (counts.get(team) ?? 0) + 1;
    if (length >= most || count > (depths[team] ?? 0) || !Object.hasOwn(routes, team)) return;
    const now = new Map(counts).set(team, count);
    const sum = weight + (weights[team] ?? 0);
    executions.set(team, Math.max(executions.get(team) ?? 0, count));
    heaviest = Math.max(heaviest, sum);
    total = Math.max(total, length + 1);
    for (const to of (routes[team] ?? '').split(' ')) visit(to, now, length + 1, sum);
  };
  visit(Object.keys(routes)[0] ?? '', new Map(), 0, 0);
  return { heaviest, total, executions };
}

const limits = (max_total_teams: number, depth: number | { readonly [team: string]: number }) => ({
  max_total_teams,
  depthOf: (team: string) => (typeof depth === 'number' ? depth : (depth[team] ?? 5)),
});

describe('boundRuns', () => {
  test('teams in a row are executed once each', () => {
    const { total, executions, heaviest } = boundRuns(graphOf({ a: 'b', b: 'c', c: '', d: 'a' }), limits(30, 5));
    expect(total).toBe(3);
    expect([...executions]).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ]);
    expect(heaviest((team) => ({ a: 1, b: 20, c: 300, d: 4000 })[team] ?? 0)).toBe(321);
  });

  test('of two ways the heavier one counts, not both', () => {
    const { heaviest } = boundRuns(graphOf({ a: 'b c', b: 'd', c: 'd', d: '' }), limits(30, 5));
    expect(heaviest((team) => ({ a: 1, b: 5, c: 7, d: 1 })[team] ?? 0)).toBe(9);
  });

  test('a circle is ended by the depth of a team, or by the number of teams', () => {
    const circle = graphOf({ write: 'review', review: 'write' });
    const weight = (team: string) => (team === 'write' ? 10 : 1);
    expect(boundRuns(circle, limits(30, 5)).heaviest(weight)).toBe(55);
    expect(boundRuns(circle, limits(6, 5)).heaviest(weight)).toBe(33);
    expect(boundRuns(circle, limits(6, 5)).executions.get('write')).toBe(3);
    expect(boundRuns(graphOf({ a: 'a' }), limits(30, 5)).total).toBe(5);
    expect(boundRuns(graphOf({ a: 'a' }), limits(3, 5)).total).toBe(3);
  });

  test('a team has its own depth', () => {
    const { heaviest, executions } = boundRuns(graphOf({ a: 'b c', b: 'a', c: 'a' }), limits(30, { a: 4, b: 1, c: 9 }));
    expect(executions.get('b')).toBe(1);
    expect(heaviest((team) => (team === 'b' ? 100 : 0))).toBe(100);
  });

  test('without a team to begin with there is nothing', () => {
    for (const value of [null, {}, { entry_team: 'a', teams: {} }, { entry_team: '${TEAM}', teams: { a: {} } }]) {
      const bound = boundRuns(createTeamGraph(value), limits(30, 5));
      expect([bound.total, bound.executions.size, bound.heaviest(() => 1)]).toEqual([0, 0, 0]);
    }
  });

  test('what cannot be weighed makes the whole so, where a run gets to it', () => {
    const { heaviest } = boundRuns(graphOf({ a: 'b', b: '', c: 'a' }), limits(30, 5));
    expect(heaviest((team) => (team === 'b' ? Number.POSITIVE_INFINITY : 1))).toBe(Number.POSITIVE_INFINITY);
    expect(heaviest((team) => (team === 'c' ? Number.POSITIVE_INFINITY : 1))).toBe(2);
  });

  test('hundreds of teams that all lead to each other take no time to speak of', () => {
    const names = Array.from({ length: 300 }, (_, index) => `t${index}`);
    const all = names.join(' ');
    const graph = graphOf(Object.fromEntries(names.map((name) => [name, all])));
    const { heaviest, total } = boundRuns(graph, limits(10_000, 1000));
    expect(total).toBe(10_000);
    expect(heaviest(() => 2)).toBe(20_000);
  });

  test('names from Object.prototype are teams like any other', () => {
    const routes = JSON.parse('{"__proto__":"constructor","constructor":"__proto__"}') as { readonly [team: string]: string };
    expect(boundRuns(graphOf(routes), limits(5, 2)).total).toBe(4);
  });

  test('is never below what some run does, and in a graph without circles exactly that', () => {
    const names = ['a', 'b', 'c', 'd', 'e'] as const;
    const perTeam = <Value>(value: fc.Arbitrary<Value>) => fc.record(Object.fromEntries(names.map((name) => [name, value])));
    const anyCase = fc.record({
      routes: perTeam(fc.subarray([...names, 'nowhere'], { maxLength: 3 }).map((to) => to.join(' '))),
      most: fc.integer({ min: 1, max: 7 }),
      depths: perTeam(fc.integer({ min: 1, max: 3 })),
      weights: perTeam(fc.integer({ min: 0, max: 100 })),
    });
    fc.assert(
      fc.property(anyCase, ({ routes, most, depths, weights }) => {
        const graph = graphOf(routes);
        const bound = boundRuns(graph, limits(most, depths));
        const truth = bruteForce(routes, most, depths, weights);
        const heaviest = bound.heaviest((team) => weights[team] ?? 0);
        expect(heaviest).toBeGreaterThanOrEqual(truth.heaviest);
        expect(bound.total).toBeGreaterThanOrEqual(truth.total);
        expect(bound.total).toBeLessThanOrEqual(most);
        for (const [team, count] of truth.executions) expect(bound.executions.get(team) ?? 0).toBeGreaterThanOrEqual(count);
        const forward = Object.entries(routes).every(([from, to]) => to.split(' ').every((name) => name === '' || name > from));
        if (forward) expect(heaviest).toBe(truth.heaviest);
      }),
      { numRuns: 1000 },
    );
  });
});
