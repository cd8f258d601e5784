import { isObject, type Json, type JsonObject } from '../json.js';

/** An expectation that a run meets. */
export interface SuggestedExpectation {
  readonly entry: JsonObject;
  /** Likely to be meant: a choice or a tool, rather than a text or a number that differs from run to run. */
  readonly isLikely: boolean;
}

/** Longer texts are hardly a choice, in UTF-16 units. */
const longestChoice = 40;

/**
 * What can be expected of a run that did what it should: the plain fields of its answer, the tools it called, the way it took.
 *
 * @param tools names of the tools that were called
 */
export function suggestExpect(
  output: Json | undefined,
  tools: readonly string[],
  kind: 'agent' | 'orchestration',
): readonly SuggestedExpectation[] {
  const called = [...new Set(tools)].map((tool) => ({ entry: { tool, operator: 'greater_than', value: 0 }, isLikely: true }));
  if (!isObject(output)) return called;
  if (kind === 'orchestration') {
    const teams = Array.isArray(output.teams) ? output.teams : [];
    const route = teams.flatMap((team: Json) => (isObject(team) && typeof team.team === 'string' ? [team.team] : []));
    return route.length === 0 ? called : [{ entry: { route: true, operator: 'equals', value: route }, isLikely: true }, ...called];
  }
  const fields = Object.entries(output).flatMap(([name, value]): readonly SuggestedExpectation[] => {
    // A dot in a name would be taken for a path.
    if (name.includes('.') || value === null || typeof value === 'object') return [];
    const isLikely = typeof value === 'boolean' || (typeof value === 'string' && value.length <= longestChoice && !/\s/.test(value));
    return [{ entry: { output_field: name, operator: 'equals', value }, isLikely }];
  });
  return [...fields, ...called];
}
