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

const none: readonly SchemaError[] = [];

/** Loops of validators end after a hundred errors, but for that over an object's fields that are not allowed. */
const mostErrors = 1_000;

/**
 * How a file's value breaks its kind's schema; one shared empty array when it does not. `params.type` and
 * `params.allowedValues` leave out null, which every layered field may be but nobody who made a mistake meant.
 */
export function validateKind(kind: Kind, value: Json): readonly SchemaError[] {
  const errors = errorsOf(byKind[kind], value);
  return errors.length === 0 ? none : errors.map(withoutNull);
}

/** How a user's schema breaks the rules of its own dialect. Whether its `pattern`s and `$ref`s work, compiling it says. */
export function metaSchemaErrors(schema: JsonObject | boolean, dialect: 'draft-07' | '2020-12'): readonly SchemaError[] {
  return errorsOf(dialect === 'draft-07' ? validators.draft07 : validators.draft2020, schema);
}

function errorsOf(validate: validators.Validator, value: Json): readonly SchemaError[] {
  try {
    if (validate(value)) return none;
  } catch (error) {
    // A condition or a schema may hold others, so ten thousand levels of them exhaust the stack.
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
