import { InputInvalidError, type Issue } from '../errors.js';
import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { createPayloadCheck, issueSentence } from '../prompt/payloadCheck.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import { mergePatch } from '../snapshot/mergePatch.js';
import type { FrozenOrchestration } from '../snapshot/snapshotValue.js';
import type { Orchestration } from './types.js';

type InputFields = Pick<FrozenOrchestration, 'input_keys' | 'input_schema' | 'context'>;

/**
 * The issues of an input of an orchestration, judged after it is merged over `context`, whose values are its defaults.
 *
 * @throws ConfigInvalidError from the check, if the schema is invalid
 */
export function createInputCheck(name: string, frozen: InputFields, schemas: SchemaCompiler): (input: unknown) => readonly Issue[] {
  const { input_keys, input_schema, context } = frozen;
  const limits = { ...(input_keys && { input_keys: [...input_keys] }), ...(input_schema && { input_schema }) };
  const check = createPayloadCheck({ agent_name: name, version: '', ...limits }, schemas);
  return (input = {}) => (isObject(input) ? check(mergePatch(context, input)) : check(input));
}

/** @throws InputInvalidError with every issue of the input */
export function checkOrchestrationInput({ checkInput, snapshot }: Orchestration, input: unknown): void {
  const issues = checkInput(input);
  if (issues.length === 0) return;
  const list = issues.map((issue) => issueSentence(issue, 'The input')).join(' ');
  throw new InputInvalidError(`The input of ${snapshot.value.name} is not valid: ${list}`, issues);
}

/** A key of the input of an orchestration. */
export interface InputKey {
  readonly name: string;
  /** Its schema, where one is written. */
  readonly schema: Json | undefined;
  /** Its value in `context`; undefined if it has none. */
  readonly fallback: Json | undefined;
  readonly isRequired: boolean;
}

/** The keys that an orchestration names: those of its schema, of `input_keys` and of its context, in this order. */
export function inputKeysOf({ input_keys = [], input_schema = {}, context }: InputFields): readonly InputKey[] {
  const properties = isObject(input_schema.properties) ? input_schema.properties : {};
  const needed = new Set<Json>([...input_keys, ...listOf(input_schema.required)]);
  const names = new Set([...Object.keys(properties), ...input_keys, ...Object.keys(context)]);
  const memberOf = (owner: JsonObject, name: string) => (Object.hasOwn(owner, name) ? owner[name] : undefined);
  return [...names].map((name) => {
    const fallback = memberOf(context, name);
    return { name, schema: memberOf(properties, name), fallback, isRequired: fallback === undefined && needed.has(name) };
  });
}
