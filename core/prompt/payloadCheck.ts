import type { Issue } from '../errors.js';
import { isObject, pointerOf } from '../json.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import type { EffectiveAgent } from '../snapshot/effective.js';
import { type AgentSchemas, compileOnce } from './compileOnce.js';
import { findPayloadFaults } from './composePrompt.js';

export type PayloadCheck = (payload: unknown) => readonly Issue[];

/**
 * What is wrong with a payload: no object, no JSON, a key of `input_keys` missing, not what `input_schema` wants. Runs and rules use the same.
 *
 * @throws ConfigInvalidError from the check, when the schema is no good
 */
export function createPayloadCheck(config: AgentSchemas & Pick<EffectiveAgent, 'input_keys'>, schemas: SchemaCompiler): PayloadCheck {
  const checkInput = compileOnce(schemas, config, 'input_schema');
  return (payload) => {
    const faults = findPayloadFaults(payload);
    if (faults.length > 0 || !isObject(payload)) return faults;
    const missing = (config.input_keys ?? []).filter((key) => !Object.hasOwn(payload, key));
    return [...missing.map(describeMissing), ...checkInput()(payload)];
  };
}

function describeMissing(key: string): Issue {
  return { path: pointerOf(key), keyword: 'input_keys', message: `The key ${JSON.stringify(key)} is missing.` };
}
