import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import { nearestNames } from '../names.js';
import { type ConditionPart, comparisonsIn } from './orchestrationParts.js';

/** A case as written: a whole payload file, or an entry of its `cases`. */
export interface CasePart {
  readonly value: JsonObject;
  readonly pointer: string;
  /** For a case in a data set: its name, or its number if it has no name. Empty for a whole file. */
  readonly name: string;
}

/** The cases of a payload, in file order. Any JSON is accepted: files are checked while they are being written. */
export function casesIn(payload: Json | undefined): readonly CasePart[] {
  if (!isObject(payload)) return [];
  if (!Array.isArray(payload.cases)) return [{ value: payload, pointer: '', name: '' }];
  return payload.cases.flatMap((value: Json, index): CasePart[] => {
    if (!isObject(value)) return [];
    const name = typeof value.name === 'string' && value.name !== '' ? value.name : String(index + 1);
    return [{ value, pointer: `/cases/${index}`, name }];
  });
}

/** The names of a payload's cases, as verdicts write them: `labels` of one case, `labels/login` in a data set. @param file its name without ending */
export function caseNamesOf(file: string, payload: JsonObject): ReadonlySet<string> {
  return new Set(casesIn(payload).map(({ name }) => (name === '' ? file : `${file}/${name}`)));
}

/** What asks and expects by itself: the turns of a case that is a conversation, else the case. */
export function turnsIn(part: CasePart): readonly CasePart[] {
  const { turns } = part.value;
  if (!Array.isArray(turns)) return [part];
  return turns.flatMap((value: Json, index) => (isObject(value) ? [{ ...part, value, pointer: `${part.pointer}/turns/${index}` }] : []));
}

/** One entry of `expect`, as written. */
export interface ExpectEntry {
  readonly value: Json;
  readonly pointer: string;
}

/** The entries of `expect` in a case or turn, or at the top of a data set. */
export function entriesIn({ value, pointer }: Pick<CasePart, 'value' | 'pointer'>): readonly ExpectEntry[] {
  if (!Array.isArray(value.expect)) return [];
  return value.expect.map((entry: Json, index) => ({ value: entry, pointer: `${pointer}/expect/${index}` }));
}

/** The empty lists `expect` of cases that nothing is expected of, in any turn or by their data set: neither right nor wrong, so no test. */
export function emptyExpects(payload: Json | undefined): readonly string[] {
  if (!isObject(payload) || (Array.isArray(payload.cases) && entriesIn({ value: payload, pointer: '' }).length > 0)) return [];
  return casesIn(payload).flatMap((part) => {
    const parts = [...new Map([part, ...turnsIn(part)].map((each) => [each.pointer, each])).values()];
    if (parts.some((each) => entriesIn(each).length > 0)) return [];
    return parts.filter(({ value }) => Array.isArray(value.expect)).map(({ pointer }) => `${pointer}/expect`);
  });
}

/** The keys beside `expect`, in the file, its cases and their turns, that look like it: nothing reads what they expect. */
export function misspeltExpects(payload: JsonObject): readonly string[] {
  const parts = casesIn(payload).flatMap((part) => [part, ...turnsIn(part)]);
  const pointers = [{ value: payload, pointer: '' }, ...parts].flatMap(({ value, pointer }) =>
    Object.keys(value).flatMap((key) => (isMisspeltExpect(key) ? [pointer + pointerOf(key)] : [])),
  );
  return [...new Set(pointers)];
}

function isMisspeltExpect(key: string): boolean {
  return key.length <= longestKey && !['expect', 'expected'].includes(key) && nearestNames(key, ['expect']).length > 0;
}

/** No longer key looks like `expect`. */
const longestKey = 20;

const known = new WeakMap<JsonObject, readonly ConditionPart[]>();

/** Every single expectation of a payload, including those in lists, `any` and `not`; those at the top first. Computed once: many rules need it. */
export function expectationsIn(payload: Json | undefined): readonly ConditionPart[] {
  if (!isObject(payload)) return [];
  let parts = known.get(payload);
  if (parts === undefined) {
    parts = readExpectations(payload);
    known.set(payload, parts);
  }
  return parts;
}

function readExpectations(payload: JsonObject): readonly ConditionPart[] {
  const shared = Array.isArray(payload.cases) ? entriesIn({ value: payload, pointer: '' }) : [];
  const entries = [...shared];
  for (const part of casesIn(payload).flatMap(turnsIn)) for (const entry of entriesIn(part)) entries.push(entry);
  return entries.flatMap(({ value, pointer }) => comparisonsIn(value, pointer));
}

/** The comparisons of arguments in an expectation about a tool. */
export function argumentsIn({ value, pointer }: Pick<ConditionPart, 'value' | 'pointer'>): readonly ConditionPart[] {
  return Array.isArray(value.arguments) ? comparisonsIn(value.arguments, `${pointer}/arguments`) : [];
}

/** The tool whose arguments a comparison tests; undefined for one that is not in `arguments`. */
export function toolOfCall(payload: Json | undefined, pointer: string): Json | undefined {
  const at = pointer.lastIndexOf('/arguments/');
  const expectation = at < 0 ? undefined : valueAt(payload, pointer.slice(0, at));
  return isObject(expectation) ? expectation.tool : undefined;
}

/** The subject of an expectation: the first of these keys that it has, as in its evaluation. */
export const subjectKeys = [
  'judge',
  'tool',
  'tools_in_order',
  'measure',
  'route',
  'text',
  'status',
  'context_field',
  'output_field',
] as const;
export type SubjectKey = (typeof subjectKeys)[number];

export function subjectKeyOf(expectation: JsonObject): SubjectKey | undefined {
  return subjectKeys.find((key) => expectation[key] !== undefined);
}
