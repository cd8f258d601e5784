import { type JsonObject, parseObject } from '../../../core/json.js';
import type { EffectiveAgent } from '../../../core/snapshot/effective.js';
import { readInput, wantedFields } from '../preview/inputFields.js';
import type { ChatField } from './messages.js';

/** What each message to an agent consists of: a field for each key of its input, or one for a free text. */
export function chatFields(config: EffectiveAgent): readonly ChatField[] {
  const inputFields = wantedFields(config).map(({ key, description, isRequired, initial: { kind } }) => ({
    key,
    description,
    isRequired,
    kind,
  }));
  return inputFields.length === 0 ? [{ key: '', description: '', isRequired: true, kind: 'text' }] : inputFields;
}

/** The input of a run from what was typed by key, or a sentence that says which field is not JSON. */
export function readChatInput(config: EffectiveAgent, typed: Readonly<Record<string, string>>): JsonObject | { readonly wrong: string } {
  const fields = chatFields(config);
  if (fields.length === 1 && fields[0]?.key === '') return toPayload(typed[''] ?? '');
  const values = fields
    .filter(({ key, isRequired }) => isRequired || (typed[key] ?? '') !== '')
    .map(({ key, kind }) => [key, { kind, text: typed[key] ?? '' }] as const);
  const { payload, issues } = readInput(new Map(values), wantedFields(config));
  const [issue] = issues;
  return issue === undefined ? payload : { wrong: `${issue.key}: ${issue.message}` };
}

/** What was typed for an agent that names no keys: an object unchanged, anything else as a message. */
export function toPayload(text: string): JsonObject {
  const value = /^\s*\{/.test(text) ? parseObject(text) : undefined;
  if (value !== undefined) return value;
  return text.trim() === '' ? {} : { message: text };
}
