import * as validators from '../generated/validators.js';
import type { Json, JsonObject } from '../json.js';
import type { SchemaError } from './configFile.js';
import type { Kind } from './kinds.js';

/** The kinds that have a schema; files of the others are not checked yet. */
const byKind: Readonly<Partial<Record<Kind, validators.Validator>>> = {
  settings: validators.agentstack,
  agent: validators.agent,
  llm: validators.llm,
  persona: validators.persona,
  prompt: validators.prompt,
  system: validators.system,
  payload: validators.payload,
};

const none: readonly SchemaError[] = [];

/** Every way in which a file's value breaks its kind's schema; one shared empty array when it does not. */
export function validateKind(kind: Kind, value: Json): readonly SchemaError[] {
  const validate = byKind[kind];
  return validate === undefined ? none : errorsOf(validate, value);
}

/** How a user's schema breaks the rules of its own dialect. `pattern`s and `$ref`s are not looked into: compiling does that. */
export function metaSchemaErrors(schema: JsonObject | boolean, dialect: 'draft-07' | '2020-12'): readonly SchemaError[] {
  return errorsOf(dialect === 'draft-07' ? validators.draft07 : validators.draft2020, schema);
}

function errorsOf(validate: validators.Validator, value: Json): readonly SchemaError[] {
  if (validate(value)) return none;
  return (validate.errors ?? []).map(({ instancePath, keyword, params, message = 'is not valid' }) => ({
    pointer: instancePath,
    keyword,
    params,
    message,
  }));
}
