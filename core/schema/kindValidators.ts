import * as validators from '../generated/validators.js';
import type { Json, JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import { shownErrors } from './ajvErrors.js';
import { messageOf, type Params } from './ajvMessages.js';
import type { SchemaError } from './types.js';

const byKind: Readonly<Record<Kind, validators.Validator>> = {
  settings: validators.agentstack,
  agent: validators.agent,
  llm: validators.llm,
  persona: validators.persona,
  prompt: validators.prompt,
  mcp: validators.mcp,
  lock: validators.lock,
  rootMcp: validators.rootMcp,
  vscodeMcp: validators.vscodeMcp,
  orchestration: validators.orchestration,
  system: validators.system,
  payload: validators.payload,
  baseline: validators.baseline,
};

const noErrors: readonly SchemaError[] = [];

/** Validators end their loops after a hundred errors, except the loop over an object's unknown fields. */
const mostErrors = 1_000;

/**
 * The violations of the kind's schema in a file's value; a shared empty array without any. `params.type` and
 * `params.allowedValues` leave out null, which every layered field may be but which is never the intended value.
 */
export function validateKind(kind: Kind, value: Json): readonly SchemaError[] {
  const errors = errorsOf(byKind[kind], value);
  return errors.length === 0 ? noErrors : errors.map(withoutNull);
}

/** The violations of a user's schema against its own dialect. Whether its `pattern`s and `$ref`s work is decided by compiling it. */
export function metaSchemaErrors(schema: JsonObject | boolean, dialect: 'draft-07' | '2020-12'): readonly SchemaError[] {
  return errorsOf(dialect === 'draft-07' ? validators.draft07 : validators.draft2020, schema);
}

function errorsOf(validate: validators.Validator, value: Json): readonly SchemaError[] {
  try {
    if (validate(value)) return noErrors;
  } catch (error) {
    // Conditions and schemas nest, and ten thousand levels of them exhaust the stack.
    if (error instanceof RangeError) return [{ pointer: '', keyword: 'depth', params: {}, message: 'is nested too deeply to be checked' }];
    throw error;
  }
  return shownErrors((validate.errors ?? []).slice(0, mostErrors), validators.patternMessages);
}

function withoutNull(error: SchemaError): SchemaError {
  const params = { ...error.params };
  if (Array.isArray(params.type)) params.type = oneOrMore(params.type.filter((type) => type !== 'null'));
  else if (Array.isArray(params.allowedValues)) params.allowedValues = params.allowedValues.filter((value) => value !== null);
  else return error;
  return { ...error, params, message: messageOf(error.keyword, params as Params) };
}

function oneOrMore(types: readonly unknown[]): unknown {
  return types.length === 1 ? types[0] : types;
}
