import { InputInvalidError, type Issue } from '../errors.js';
import { isObject, type JsonObject, pointerOf } from '../json.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import type { EffectiveAgent } from '../snapshot/effective.js';
import { type AgentSchemas, compileOnce } from './compileOnce.js';
import { findPayloadFaults } from './composePrompt.js';

type PayloadCheck = (payload: unknown) => readonly Issue[];

/**
 * The issues of a payload: not an object, not JSON, a key of `input_keys` missing, a violation of `input_schema`. Used by runs and rules alike.
 *
 * @throws ConfigInvalidError from the check, if the schema is invalid
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

/** An issue as a full sentence: messages of the schema's check lack the subject, the others do not. `whole` names the checked value. */
export function issueSentence({ path, message }: Issue, whole: string): string {
  const text = message.endsWith('.') ? message : `${message}.`;
  if (/^[a-z]/.test(text)) return `${path === '' ? whole : path} ${text}`;
  return path === '' ? text : `${path}: ${text}`;
}

/** Why an agent cannot be asked several turns, and what to do; undefined where it remembers a conversation. */
export function conversationFault(id: string, config: Partial<Pick<EffectiveAgent, 'agent_type' | 'include_history'>>): string | undefined {
  const advice = 'make each turn a case of its own, with "input" and "expect"';
  if (config.agent_type === 'orchestrating') return `${id} follows a plan and remembers no conversation. Instead of "turns", ${advice}.`;
  if (config.include_history === true) return undefined;
  return `${id} remembers no conversation, so it would answer each turn without the others. Give it "include_history": true, or ${advice}.`;
}

/** The same of an orchestration, which never does. */
export function teamConversationFault(name: string): string {
  return `${name} is an orchestration, and its runs remember no conversation. Instead of "turns", make each turn a case of its own, with "context" and "expect".`;
}

/** @throws InputInvalidError with every issue of the payload. */
export function checkPayload(
  prompt: { readonly agent_name: string; readonly version: string; checkPayload(payload: unknown): readonly Issue[] },
  payload: unknown,
): asserts payload is JsonObject {
  const issues = prompt.checkPayload(payload);
  if (issues.length === 0) return;
  const list = issues.map((issue) => issueSentence(issue, 'The input')).join(' ');
  throw new InputInvalidError(`The input of ${prompt.agent_name}@${prompt.version} is not valid: ${list}`, issues);
}
