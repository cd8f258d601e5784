import { isObject, type Json, type JsonObject, pointerOf, segmentsOf, setAt } from '../../../core/json.js';
import { parseJson } from '../../../core/jsonText/parseJson.js';
import { templatesOf } from '../../../core/prompt/agentTemplates.js';
import { findTemplatePaths } from '../../../core/prompt/template.js';
import type { EffectiveAgent } from '../../../core/snapshot/effective.js';
import type { FieldView } from './messages.js';

/** One key of an input as typed. */
export interface FieldValue {
  /** `json`: the text is JSON, and an empty one leaves the key out. */
  readonly kind: 'text' | 'json';
  readonly text: string;
}

/** By key, in the order of the input. */
export type InputValues = ReadonlyMap<string, FieldValue>;

export interface WantedField {
  readonly key: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** The value before the user has typed. */
  readonly initial: FieldValue;
}

/** The keys an agent takes: those of `input_keys`, of its input schema, and those its templates name. */
export function wantedFields(config: EffectiveAgent): readonly WantedField[] {
  const { input_keys = [], input_schema } = config;
  const properties = isObject(input_schema?.properties) ? input_schema.properties : {};
  const required = new Set<Json>(Array.isArray(input_schema?.required) ? input_schema.required : []);
  const paths = templatesOf(config)
    .flatMap(({ text }) => findTemplatePaths(text))
    .flatMap(({ segments: [root, ...rest] }) => (root === 'input' ? [rest] : []));
  const inTemplate = new Map<string, Json>();
  for (const [key, ...rest] of paths) {
    if (key === undefined) continue;
    const before = inTemplate.get(key);
    inTemplate.set(key, rest.length === 0 ? (before ?? '') : setAt(isObject(before) ? before : {}, rest, ''));
  }
  const keys = new Set([...input_keys, ...Object.keys(properties), ...inTemplate.keys()]);
  return [...keys].map((key) => {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const description = isObject(schema) && typeof schema.description === 'string' ? schema.description : '';
    const sample = inTemplate.get(key);
    const initial: FieldValue = isObject(sample) ? toField(sample) : { kind: takesText(schema) ? 'text' : 'json', text: '' };
    return { key, description, isRequired: input_keys.includes(key) || required.has(key) || sample !== undefined, initial };
  });
}

function takesText(schema: Json | undefined): boolean {
  if (!isObject(schema) || schema.type === undefined) return true;
  return schema.type === 'string' || (Array.isArray(schema.type) && schema.type.includes('string'));
}

export function toField(value: Json): FieldValue {
  return typeof value === 'string' ? { kind: 'text', text: value } : { kind: 'json', text: JSON.stringify(value, null, 2) };
}

export function toValues(payload: JsonObject): InputValues {
  return new Map(Object.entries(payload).map(([key, value]) => [key, toField(value)]));
}

/** The typed input, and what prevents a field from being part of it. */
export interface TypedInput {
  readonly payload: JsonObject;
  readonly issues: readonly { readonly key: string; readonly message: string }[];
}

/** Typed keys come first, in their own order, then the other keys the agent needs, as empty texts. */
export function readInput(values: InputValues, inputFields: readonly WantedField[]): TypedInput {
  const entries: [string, Json][] = [];
  const issues: { key: string; message: string }[] = [];
  for (const [key, { kind, text }] of values) {
    if (kind === 'text') entries.push([key, text]);
    else if (text.trim() !== '') {
      const { value, syntax } = parseJson(text);
      const [fault] = syntax;
      if (value !== undefined && fault === undefined) entries.push([key, value]);
      else issues.push({ key, message: fault?.message ?? 'Not JSON.' });
    }
  }
  for (const { key, isRequired, initial } of inputFields) {
    if (values.has(key) || !isRequired) continue;
    if (initial.kind === 'text') entries.push([key, '']);
    else if (initial.text !== '') entries.push([key, parseJson(initial.text).value ?? null]);
  }
  // fromEntries defines properties, so a key named __proto__ stays a key.
  return { payload: Object.fromEntries(entries), issues };
}

/** Longer values are not edited field by field, in UTF-16 units. */
const longestEdited = 20_000;

export function toFieldViews(values: InputValues, inputFields: readonly WantedField[]): readonly FieldView[] {
  const fieldsByKey = new Map(inputFields.map((field) => [field.key, field]));
  const keys = new Set([...values.keys(), ...fieldsByKey.keys()]);
  return [...keys].map((key) => {
    const field = fieldsByKey.get(key);
    const { kind, text } = values.get(key) ?? field?.initial ?? { kind: 'text', text: '' };
    const isLong = text.length > longestEdited;
    return {
      key,
      kind,
      text: isLong ? text.slice(0, 1000) : text,
      description: field?.description ?? '',
      isRequired: field?.isRequired ?? false,
      isExtra: field === undefined,
      units: isLong ? text.length : 0,
    };
  });
}

/** The key an issue of the input is about; empty for the input itself. */
export function keyOfIssue(path: string): { readonly key: string; readonly below: string } {
  const [key = '', ...rest] = segmentsOf(path);
  return { key, below: pointerOf(...rest) };
}
