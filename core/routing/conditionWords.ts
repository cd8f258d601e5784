import { isObject, type Json } from '../json.js';
import { inEnglish, type Translate } from '../translate.js';

/** Conditions nested deeper are cut off, before they exhaust the stack. */
const deepest = 100;

/** A condition in words, malformed ones included: `labels.priority in high, critical and not (labels.confidence equals low)`. */
export function conditionWords(condition: Json, t: Translate = inEnglish, depth = 0): string {
  if (depth > deepest) return '…';
  if (Array.isArray(condition)) return condition.map((part: Json) => conditionWords(part, t, depth + 1)).join(` ${t('and')} `);
  if (!isObject(condition)) return '…';
  const { any, not, task, step, status, output_field: output, context_field: context, operator, value } = condition;
  if (Array.isArray(any)) return `(${any.map((part: Json) => conditionWords(part, t, depth + 1)).join(` ${t('or')} `)})`;
  if (not !== undefined) return t('not ({0})', conditionWords(not, t, depth + 1));
  const who = task ?? step;
  if (status !== undefined) return `${words(who)}: ${words(status)}`;
  const field = output === undefined ? `context.${words(context)}` : `${words(who)}.${words(output)}`;
  return [field, words(operator), value === undefined ? '' : words(value)].filter(Boolean).join(' ');
}

function words(value: Json | undefined): string {
  if (value === undefined) return '…';
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map((item: Json) => words(item)).join(', ') : JSON.stringify(value);
}
