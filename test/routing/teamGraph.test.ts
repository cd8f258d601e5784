import { describe, expect, test } from 'vitest';
import type { Json } from '../../core/json.js';
import { createTeamGraph, findCycles, findUnreachable } from '../../core/routing/teamGraph.js';

/** `a: 'b c null'`: where a team's rules lead; the last one is its default unless it is `-`. */
function orchestration(entry_team: string, routes: { readonly [team: string]: string }): Json {
  const teams = Object.entries(routes).map(([name, route]): [string, Json] => {
    const next = route.split(' ').map((to) => (to === 'null' ? null : to));
    const last = next.pop();
    const rules = next.map((next_team) => ({ condition: { context_field: 'a', operator: 'exists' }, next_team }));
    return [name, { routing: last === '-' ? { rules } : { rules, default: last as Json } }];
  });
  return { entry_team, teams: Object.fromEntries(teams) };
}

const cyclesOf = (value: Json) =>
  findCycles(createTeamGraph(value)).map(({ teams, endless }) => `${teams.join(' ')}${endless ? ' endless' : ''}`);

describe('findUnreachable', () => {
  test('names the teams no way leads to', () => {
    const value = orchestration('a', { a: 'b null', b: 'a', c: 'd', d: 'null' });
    expect(findUnreachable(createTeamGraph(value))).toEqual(['c', 'd']);
    expect(findUnreachable(createTeamGraph(value, (team, rule) => team === 'a' && rule === 0))).toEqual(['b', 'c', 'd']);
  });

  test('says nothing where the entry is unknown', () => {
    expect(findUnreachable(createTeamGraph(orchestration('x', { a: 'null' })))).toEqual([]);
    for (const wrong of [null, [], {}, { teams: 3 }, { entry_team: 3, teams: { a: null } }]) {
      expect(findUnreachable(createTeamGraph(wrong as Json))).toEqual([]);
      expect(findCycles(createTeamGraph(wrong as Json))).toEqual([]);
    }
  });
});

describe('findCycles', () => {
  test('tells a loop with a way out from one without', () => {
    expect(cyclesOf(orchestration('a', { a: 'b null', b: 'a' }))).toEqual(['a b']);
    expect(cyclesOf(orchestration('a', { a: 'b', b: 'a' }))).toEqual(['a b endless']);
    expect(cyclesOf(orchestration('a', { a: 'a' }))).toEqual(['a endless']);
    expect(cyclesOf(orchestration('a', { a: 'b', b: 'null' }))).toEqual([]);
  });

  test('a way out may lead over other teams, to a missing team, or to no route', () => {
    expect(cyclesOf(orchestration('a', { a: 'b', b: 'c a', c: 'null' }))).toEqual(['a b']);
    expect(cyclesOf(orchestration('a', { a: 'b', b: 'c a', c: 'c' }))).toEqual(['a b endless', 'c endless']);
    expect(cyclesOf(orchestration('a', { a: 'nowhere a' }))).toEqual(['a']);
    expect(cyclesOf(orchestration('a', { a: 'a -' }))).toEqual(['a']);
  });

  test('gives the ways of the cycle with their places', () => {
    const [cycle] = findCycles(createTeamGraph(orchestration('a', { a: 'null b', b: 'a c', c: 'null' })));
    expect(cycle?.edges).toEqual([
      { from: 'a', to: 'b', rule: undefined, pointer: '/teams/a/routing/default' },
      { from: 'b', to: 'a', rule: 0, pointer: '/teams/b/routing/rules/0/next_team' },
    ]);
  });

  test('ten thousand teams in a ring are one cycle', () => {
    const routes = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`t${index}`, `t${(index + 1) % 10_000}`]));
    expect(findCycles(createTeamGraph(orchestration('t0', routes))).map(({ teams, endless }) => [teams.length, endless])).toEqual([
      [10_000, true],
    ]);
  });

  test('names from Object.prototype are teams like any other', () => {
    const value = JSON.parse(
      '{"entry_team":"__proto__","teams":{"__proto__":{"routing":{"default":"constructor"}},"constructor":{"routing":{"default":"__proto__"}}}}',
    ) as Json;
    expect(cyclesOf(value)).toEqual(['__proto__ constructor endless']);
    expect(findUnreachable(createTeamGraph(value))).toEqual([]);
  });
});
