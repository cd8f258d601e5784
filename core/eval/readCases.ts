import { isObject, type Json, type JsonObject } from '../json.js';

/** One input of an agent or orchestration, with what is expected of the answer. */
export interface EvalCase {
  /** The file's name, or in a data set `{file}/{name}`. */
  readonly name: string;
  /** Where it stands in its file: empty, or `/cases/3`. */
  readonly pointer: string;
  /** `input` of an agent's payload, `context` of an orchestration's. */
  readonly input: JsonObject;
  /** The expectations, each with its place in the file. A case without any is not a test. */
  readonly expect: readonly { readonly pointer: string; readonly entry: Json }[];
  /** An example answer. */
  readonly expected: Json | undefined;
  /** How often it runs, at least 1. */
  readonly repeats: number;
  /** The share of repeats that has to pass, from 0 to 1. */
  readonly pass_rate: number;
  readonly tags: readonly string[];
}

/**
 * The cases of a payload file: one, or those of a data set, for all of which holds what stands at the top. A case adds to `expect` and `tags` of
 * the top, and replaces the rest. What the schema refuses is passed over: files are read while they are written.
 *
 * @param file the file's name without its ending
 */
export function readCases(file: string, value: Json): readonly EvalCase[] {
  if (!isObject(value)) return [];
  if (!Array.isArray(value.cases)) {
    const input = inputOf(value);
    return input === undefined ? [] : [{ name: file, pointer: '', input, ...settingsOf([{ value, pointer: '' }]) }];
  }
  return value.cases.flatMap((entry, index): EvalCase[] => {
    const input = isObject(entry) ? inputOf(entry) : undefined;
    if (!isObject(entry) || input === undefined) return [];
    const pointer = `/cases/${index}`;
    const name = typeof entry.name === 'string' && entry.name !== '' ? entry.name : String(index + 1);
    const layers = [
      { value, pointer: '' },
      { value: entry, pointer },
    ];
    return [{ name: `${file}/${name}`, pointer, input, ...settingsOf(layers) }];
  });
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
function settingsOf(layers: readonly Layer[]): Omit<EvalCase, 'name' | 'pointer' | 'input'> {
  const last = <Value extends Json>(key: string, isRight: (value: Json) => value is Value): Value | undefined =>
    layers.map(({ value }) => value[key]).findLast((value): value is Value => value !== undefined && isRight(value));
  return {
    expect: layers.flatMap(({ value, pointer }) => entriesOf(value.expect, `${pointer}/expect`)),
    expected: last('expected', (value): value is Json => value !== undefined),
    repeats: last('repeats', isRepeats) ?? 1,
    pass_rate: last('pass_rate', isShare) ?? 1,
    tags: [
      ...new Set(layers.flatMap(({ value }) => (Array.isArray(value.tags) ? value.tags.filter((tag) => typeof tag === 'string') : []))),
    ],
  };
}

function entriesOf(expect: Json | undefined, pointer: string): EvalCase['expect'] {
  return Array.isArray(expect) ? expect.map((entry: Json, index) => ({ pointer: `${pointer}/${index}`, entry })) : [];
}

/** A number of repeats as the schemas allow it: each is a call, and a place in a list. */
export function isRepeats(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 9999;
}

function isShare(value: Json): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
