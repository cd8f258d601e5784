import { LlmError } from '../errors.js';
import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { makeAnswer } from '../llm/providers/offline/makeAnswer.js';
import { payloadOf } from '../llm/providers/offline/payload.js';
import type { EffectiveAgent } from '../snapshot/effective.js';
import type { FrozenOrchestration } from '../snapshot/snapshotValue.js';

/**
 * A valid input of the agent: its keys, with values that its `input_schema` allows, preferably its `examples`. Undefined if no such value is
 * found.
 */
export function sampleInput({
  input_keys = [],
  input_schema,
}: Pick<EffectiveAgent, 'input_keys' | 'input_schema'>): JsonObject | undefined {
  const sample = input_schema === undefined ? {} : valueFor(input_schema);
  if (!isObject(sample)) return undefined;
  const missing = input_keys.filter((key) => !Object.hasOwn(sample, key));
  return Object.fromEntries([...missing.map((key) => [key, `Write the ${key} here.`] as const), ...Object.entries(sample)]);
}

/** The same for an orchestration, whose context has the defaults. */
export function sampleContext({ context, ...limits }: Pick<FrozenOrchestration, 'input_keys' | 'input_schema' | 'context'>): JsonObject {
  const keys = limits.input_keys?.filter((key) => !Object.hasOwn(context, key)) ?? [];
  return { ...sampleInput({ ...limits, input_keys: keys }), ...context };
}

function valueFor(schema: JsonObject): Json | undefined {
  try {
    return makeAnswer(schema, payloadOf(['Write the real text here.'], examplesIn(schema)));
  } catch (error) {
    if (error instanceof LlmError) return undefined;
    throw error;
  }
}

/** The first example of each key. */
function examplesIn({ properties }: JsonObject): readonly (readonly [string, Json])[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([key, schema]) => {
    const [example] = isObject(schema) ? listOf(schema.examples) : [];
    return example === undefined ? [] : [[key, example] as const];
  });
}
