import { isObject, type Json, type JsonObject } from '../json.js';

/** One input of an agent or orchestration, with what is expected of the answer. */
export interface EvalTurn {
  /** Where it stands in its file: that of its case, or `/turns/2` below it. */
  readonly pointer: string;
  /** `input` of an agent's payload, `context` of an orchestration's. */
  readonly input: JsonObject;
  /** The expectations, each with its place in the file. */
  readonly expect: readonly { readonly pointer: string; readonly entry: Json }[];
  /** An example answer. */
  readonly expected: Json | undefined;
}

/** What an agent or orchestration is asked, once or in a conversation. */
export interface EvalCase {
  /** The file's name, or in a data set `{file}/{name}`. */
  readonly name: string;
  /** Where it stands in its file: empty, or `/cases/3`. */
  readonly pointer: string;
  /** One, or those of a conversation: each is asked with the answers of those before it. A case whose turns expect nothing is not a test. */
  readonly turns: readonly EvalTurn[];
  /** How often it runs, at least 1. */
  readonly repeats: number;
  /** The share of repeats that has to pass, from 0 to 1. */
  readonly pass_rate: number;
  readonly tags: readonly string[];
}

/** All that a case expects, in the order of its turns. */
export function expectationsOf({ turns }: Pick<EvalCase, 'turns'>): readonly Json[] {
  return turns.flatMap(({ expect }) => expect.map(({ entry }) => entry));
}

/**
 * The cases of a payload file: one, or those of a data set, for all of which holds what stands at the top. A case adds to `expect` and `tags` of
 * the top, and replaces the rest; of a conversation, each turn adds to that `expect`. What the schema refuses is passed over: files are read while
 * they are written.
 *
 * @param file the file's name without its ending
 */
export function readCases(file: string, value: Json): readonly EvalCase[] {
  if (!isObject(value)) return [];
  const top = { value, pointer: '' };
  if (!Array.isArray(value.cases)) return caseOf(file, [top]);
  return value.cases.flatMap((entry, index): readonly EvalCase[] => {
    if (!isObject(entry)) return [];
    const name = typeof entry.name === 'string' && entry.name !== '' ? entry.name : String(index + 1);
    return caseOf(`${file}/${name}`, [top, { value: entry, pointer: `/cases/${index}` }]);
  });
}

/** None where the case asks nothing. @param layers the case last */
function caseOf(name: string, layers: readonly [Layer, ...Layer[]]): readonly EvalCase[] {
  const { value, pointer } = layers.at(-1) ?? layers[0];
  const input = inputOf(value);
  const turns = Array.isArray(value.turns)
    ? value.turns.flatMap((turn: Json, index): readonly EvalTurn[] => {
        if (!isObject(turn)) return [];
        const own = { value: turn, pointer: `${pointer}/turns/${index}` };
        return [turnOf(own, isObject(turn.input) ? turn.input : {}, layers.slice(0, -1))];
      })
    : input === undefined
      ? []
      : [turnOf({ value, pointer }, input, layers.slice(0, -1))];
  return turns.length === 0 ? [] : [{ name, pointer, turns, ...settingsOf(layers) }];
}

/** @param above what holds for all cases of the file */
function turnOf(own: Layer, input: JsonObject, above: readonly Layer[]): EvalTurn {
  const layers = [...above, own];
  return {
    pointer: own.pointer,
    input,
    expect: layers.flatMap(({ value, pointer }) => entriesOf(value.expect, `${pointer}/expect`)),
    expected: layers.map(({ value }) => value.expected).findLast((value) => value !== undefined),
  };
}

/** An orchestration has a context of its own, so its case may be an expectation alone. Of an agent, `input-invalid` reports that. */
function inputOf({ input, context, expect }: JsonObject): JsonObject | undefined {
  if (input === undefined && context === undefined && Array.isArray(expect)) return {};
  if (isObject(input)) return input;
  return isObject(context) ? context : undefined;
}

interface Layer {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** @param layers the more specific ones last */
function settingsOf(layers: readonly Layer[]): Omit<EvalCase, 'name' | 'pointer' | 'turns'> {
  const last = <Value extends Json>(key: string, isRight: (value: Json) => value is Value): Value | undefined =>
    layers.map(({ value }) => value[key]).findLast((value): value is Value => value !== undefined && isRight(value));
  return {
    repeats: last('repeats', isRepeats) ?? 1,
    pass_rate: last('pass_rate', isShare) ?? 1,
    tags: [
      ...new Set(layers.flatMap(({ value }) => (Array.isArray(value.tags) ? value.tags.filter((tag) => typeof tag === 'string') : []))),
    ],
  };
}

function entriesOf(expect: Json | undefined, pointer: string): EvalTurn['expect'] {
  return Array.isArray(expect) ? expect.map((entry: Json, index) => ({ pointer: `${pointer}/${index}`, entry })) : [];
}

/** A number of repeats as the schemas allow it: each is a call, and a place in a list. */
export function isRepeats(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 9999;
}

function isShare(value: Json): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
