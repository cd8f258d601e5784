import { isObject, type Json, type JsonObject, setAt, valueAt } from '../json.js';
import { subjectOf } from './subjects.js';

/** An expectation that the run meets. */
export interface SuggestedExpectation {
  readonly entry: JsonObject;
  /** Whether a user probably wants it: a choice or a tool, rather than a text or a number that differs from run to run. */
  readonly isLikely: boolean;
}

/** The longest text that counts as a choice, in UTF-16 units. */
const longestChoice = 40;

/**
 * Suggests expectations from a good run: the scalar fields of its answer, the tools it called, the route it took.
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
    // A dot in a name would be read as a path.
    if (name.includes('.') || value === null || typeof value === 'object') return [];
    const isLikely = typeof value === 'boolean' || (typeof value === 'string' && value.length <= longestChoice && !/\s/.test(value));
    return [{ entry: { output_field: name, operator: 'equals', value }, isLikely }];
  });
  return [...fields, ...called];
}

/** An edit that makes an expectation hold for an actual value. */
export interface Acceptance {
  /** JSON pointer in the file of the case. */
  readonly pointer: string;
  readonly value: Json;
}

/** Whether one value can make an expectation hold: that of `equals` or `in`, not that of `less_than`, `not` and `any`. */
export function canAccept(entry: Json | undefined, actual: Json): entry is JsonObject {
  if (!isObject(entry) || entry.any !== undefined || entry.not !== undefined) return false;
  const key = subjectOf(entry)?.key;
  if (key === undefined) return false;
  if (key === 'status') return true;
  if (key === 'tools_in_order') return Array.isArray(actual) && actual.length > 0;
  const { operator = 'equals', value } = entry;
  return operator === 'in' ? Array.isArray(value) : operator === 'equals' || operator === 'similar';
}

/**
 * The edit that makes an expectation hold for a value: it replaces the `value` of `equals` and `similar`, adds to the list of `in`, or, if the
 * expectation compares with the example answer, sets that field of `expected`.
 *
 * @param file the whole payload file
 * @param casePointer pointer of the case, or of its turn
 * @param pointer of the expectation, which may be shared by all cases of the file
 * @returns undefined where it cannot
 */
export function acceptActual(file: Json, casePointer: string, pointer: string, actual: Json): Acceptance | undefined {
  const entry = valueAt(file, pointer);
  if (!canAccept(entry, actual)) return undefined;
  const subject = subjectOf(entry);
  if (subject === undefined) return undefined;
  if (subject.key === 'status' || subject.key === 'tools_in_order') return { pointer: `${pointer}/${subject.key}`, value: actual };
  const { operator, value } = entry;
  if (operator === 'in') return { pointer: `${pointer}/value`, value: [...(value as readonly Json[]), actual] };
  if (value !== undefined || subject.example === undefined) return { pointer: `${pointer}/value`, value: actual };
  if (subject.key === 'text') return { pointer: `${casePointer}/expected`, value: actual };
  const expected = valueAt(file, `${casePointer}/expected`) ?? valueAt(file, '/expected');
  const path = typeof entry.output_field === 'string' && entry.task === undefined ? entry.output_field.split('.') : undefined;
  if (path === undefined || (expected !== undefined && !isObject(expected))) return { pointer: `${pointer}/value`, value: actual };
  return { pointer: `${casePointer}/expected`, value: setAt(expected ?? {}, path, actual) };
}
