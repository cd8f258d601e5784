import { isObject, type Json, type JsonObject } from '../../core/json.js';

/** What ends a run of the explorer. */
export class Failure extends Error {}

const known = new Map<string, readonly string[]>();

/** The tools whose tokens are in a value, each once. */
export function tokensIn(value: Json): readonly string[] {
  if (typeof value === 'string') {
    let tokens = known.get(value);
    if (tokens === undefined) {
      tokens = [...new Set([...value.matchAll(/⟦([^⟧]*)⟧/g)].map(([, source = '']) => source))];
      if (known.size > 20_000) known.clear();
      known.set(value, tokens);
    }
    return tokens;
  }
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.values(value) as Json[];
  return parts.length === 1 ? tokensIn(parts[0] as Json) : [...new Set(parts.flatMap(tokensIn))];
}

export interface Outcome {
  readonly status: string;
  readonly output?: Json;
}

/** With a text wherever the projects look for one. */
export function answerWith(all: string): JsonObject {
  return { label: all, text: all, part: { label: all, text: all }, list: [all], more: all, 0: all };
}

export function text(tokens: Iterable<string>): string {
  // In one order, so that the same tokens are the same text.
  return [...tokens]
    .sort()
    .map((token) => `⟦${token}⟧`)
    .join('');
}

export function outputsOf(outcomes: ReadonlyMap<string, Outcome>): JsonObject {
  return Object.fromEntries([...outcomes].flatMap(([name, { output }]) => (output === undefined ? [] : [[name, { output }]])));
}

export function mapTexts(value: Json, change: (text: string) => Json): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, change));
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)])) : value;
}

export function evaluate(template: string, scope: JsonObject): Json {
  const whole = /^\{\{([\w.]+)\}\}$/.exec(template)?.[1];
  if (whole !== undefined) return resolvePath(whole, scope);
  return template.replaceAll(/\{\{([\w.]+)\}\}/g, (_, path: string) => {
    const value = resolvePath(path, scope);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function resolvePath(path: string, scope: JsonObject): Json {
  const value = memberAt(path.split('.'), scope);
  if (value === undefined) throw new Failure(path);
  return value;
}

function memberAt(path: readonly string[], start: Json): Json | undefined {
  let value: Json | undefined = start;
  for (const segment of path) {
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, segment) ? (value as JsonObject)[segment] : undefined;
  }
  return value;
}

export function merge(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: Record<string, Json> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = merge(merged[key], value);
  }
  return merged;
}

export function parse(value: Json): Json | undefined {
  try {
    const parsed: Json = JSON.parse(String(value));
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

export function holds(condition: Json, outcomes: ReadonlyMap<string, Outcome>, context: JsonObject): boolean {
  if (Array.isArray(condition)) return condition.every((part: Json) => holds(part, outcomes, context));
  const test = condition as JsonObject;
  if (Array.isArray(test.any)) return test.any.some((part: Json) => holds(part, outcomes, context));
  if (test.not !== undefined) return !holds(test.not, outcomes, context);
  const outcome = outcomes.get((test.task ?? test.step) as string);
  if (test.status !== undefined) return outcome !== undefined && (outcome.status === 'completed') === (test.status === 'success');
  const value =
    typeof test.context_field === 'string'
      ? memberAt(test.context_field.split('.'), context)
      : memberAt((test.output_field as string).split('.'), outcome?.output ?? null);
  if (test.operator === 'exists') return value !== undefined && value !== null;
  return value !== undefined && value === test.value;
}
