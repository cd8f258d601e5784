import { InputInvalidError, type Issue } from '../errors.js';
import { isObject } from '../json.js';
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
