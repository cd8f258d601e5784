import { isObject, type Json, type JsonObject } from '../json.js';

/** One input of an agent or orchestration, with the expectations of its answer. */
export interface EvalTurn {
  /** JSON pointer in the file: that of its case, or `/turns/2` below it. */
  readonly pointer: string;
  /** `input` of an agent's payload, `context` of an orchestration's. */
  readonly input: JsonObject;
  /** The expectations, each with its place in the file. */
  readonly expect: readonly { readonly pointer: string; readonly entry: Json }[];
  /** An example answer. */
  readonly expected: Json | undefined;
}

/** A test case of an agent or orchestration: one input, or a conversation. */
export interface EvalCase {
  /** The name of the file, or in a data set `{file}/{name}`. */
  readonly name: string;
  /** JSON pointer in the file: empty, or `/cases/3`. */
  readonly pointer: string;
  /** One turn, or those of a conversation: each runs with the earlier answers as its history. Without expectations, the case is not a test. */
  readonly turns: readonly EvalTurn[];
  /** How often it runs, at least 1. */
  readonly repeats: number;
  /** The required share of repeats that pass, from 0 to 1. */
  readonly pass_rate: number;
  readonly tags: readonly string[];
}

/** All expectations of a case, in the order of its turns. */
export function expectationsOf({ turns }: Pick<EvalCase, 'turns'>): readonly Json[] {
  return turns.flatMap(({ expect }) => expect.map(({ entry }) => entry));
}

/**
 * The cases of a payload file: one, or those of a data set. The keys beside `cases` apply to all of them: `expect` and `tags` are added to those of
 * a case (`expect` to those of each turn), the others are defaults. Anything that the schema refuses is skipped: files are read while they are
 * edited.
 *
 * @param file name of the file without its extension
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

/** Empty if the case has no input. @param layers the case last */
function caseOf(name: string, layers: readonly [Layer, ...Layer[]]): readonly EvalCase[] {
  const { value, pointer } = layers.at(-1) ?? layers[0];
  const input = inputOf(value);
  const turns = Array.isArray(value.turns)
    ? value.turns.flatMap((turn: Json, index): readonly EvalTurn[] => {
        if (!isObject(turn)) return [];
        const layer = { value: turn, pointer: `${pointer}/turns/${index}` };
        return [turnOf(layer, isObject(turn.input) ? turn.input : {}, layers.slice(0, -1))];
      })
    : input === undefined
      ? []
      : [turnOf({ value, pointer }, input, layers.slice(0, -1))];
  return turns.length === 0 ? [] : [{ name, pointer, turns, ...settingsOf(layers) }];
}

/** @param above the layer of the data set, if there is one */
function turnOf(own: Layer, input: JsonObject, above: readonly Layer[]): EvalTurn {
  const layers = [...above, own];
  return {
    pointer: own.pointer,
    input,
    expect: layers.flatMap(({ value, pointer }) => entriesOf(value.expect, `${pointer}/expect`)),
    expected: layers.map(({ value }) => value.expected).findLast((value) => value !== undefined),
  };
}

/** An orchestration has its own context, so its case may have `expect` only. For an agent, `input-invalid` reports that. */
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

/** Whether the schemas allow this number of repeats: each one is a call, and an entry of a list. */
export function isRepeats(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 9999;
}

function isShare(value: Json): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
