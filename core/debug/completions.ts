import type { DebugProtocol } from '@vscode/debugprotocol';
import { operators } from '../generated/operators.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { fieldAt } from '../routing/fieldAt.js';
import { conditionKeys } from './stopCondition.js';
import { typeName } from './variables.js';

/** Most items of a list that are offered one by one. */
const mostItems = 50;

interface Choice {
  readonly label: string;
  readonly detail: string;
  readonly type: DebugProtocol.CompletionItemType;
}

/**
 * What can be written at the end of a text: members of a path, or the keys, operators and paths of a condition.
 *
 * @returns with `start` as an offset in the text, from 0
 */
export function completionsAt(text: string, values: JsonObject): DebugProtocol.CompletionItem[] {
  const template = /\{\{\s*([^{}\s]*)$/.exec(text);
  const [start, partial, choices] = template
    ? pathAt(text, template[1] ?? '', values)
    : /^\s*[[{]/.test(text)
      ? inCondition(text, values)
      : pathAt(text, /[^\s{}"']*$/.exec(text)?.[0] ?? '', values);
  const wanted = partial.toLowerCase();
  return choices
    .filter(({ label }) => label.toLowerCase().startsWith(wanted))
    .map(({ label, detail, type }) => ({ label, text: label, detail, type, start, length: partial.length }));
}

type Completions = readonly [start: number, partial: string, choices: readonly Choice[]];

function pathAt(text: string, path: string, values: JsonObject): Completions {
  const dot = path.lastIndexOf('.');
  const partial = path.slice(dot + 1);
  const parent = dot < 0 ? values : fieldAt({ payload: values.input ?? {}, ...values }, path.slice(0, dot).split('.'));
  return [text.length - partial.length, partial, membersOf(parent)];
}

function membersOf(value: Json | undefined): Choice[] {
  if (Array.isArray(value))
    return value.slice(0, mostItems).map((item: Json, index) => ({ label: String(index), detail: typeName(item), type: 'property' }));
  if (!isObject(value)) return [];
  const names = Object.keys(value).filter((name) => /^[^.\s{}"]+$/.test(name));
  return names.map((name) => ({ label: name, detail: typeName(value[name] ?? null), type: 'property' }));
}

function inCondition(text: string, values: JsonObject): Completions {
  const inValue = /"(\w+)"\s*:\s*"([^"\\]*)$/.exec(text);
  if (!inValue) {
    const [, key] = /[{,]\s*"?(\w*)$/.exec(text) ?? [];
    if (key === undefined) return [text.length, '', []];
    return [text.length - key.length, key, conditionKeys.map((label) => ({ label, detail: 'of a condition', type: 'keyword' }))];
  }
  const [, key, partial = ''] = inValue;
  const choose = (labels: readonly string[], detail: string, type: Choice['type']): Completions => [
    text.length - partial.length,
    partial,
    labels.map((label) => ({ label, detail, type })),
  ];
  switch (key) {
    case 'operator':
      return choose(
        operators.map(({ name }) => name),
        'operator',
        'keyword',
      );
    case 'status':
      return choose(['success', 'failure'], 'status', 'value');
    case 'task':
      return choose(namesOf(values.outcomes), 'task', 'reference');
    case 'step':
      return choose(namesOf(values.steps), 'step', 'reference');
    case 'field':
      return pathAt(text, partial, values);
    case 'context_field':
      return pathAt(text, partial, objectAt(values.context ?? values.input));
    case 'output_field': {
      const [, task] = /"(?:task|step)"\s*:\s*"([^"]*)"[^{}]*$/.exec(text) ?? [];
      return pathAt(
        text,
        partial,
        objectAt(fieldAt(values, task === undefined ? ['answer', 'output'] : [values.outcomes ? 'outcomes' : 'steps', task, 'output'])),
      );
    }
    default:
      return [text.length, '', []];
  }
}

function namesOf(value: Json | undefined): readonly string[] {
  return Object.keys(objectAt(value));
}

function objectAt(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
