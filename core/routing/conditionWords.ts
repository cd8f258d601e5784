import { isObject, type Json } from '../json.js';
import { inEnglish, type Translate } from '../words.js';

/** Conditions nested deeper are cut off to protect the stack. */
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

/** An expectation in words, malformed ones included: `tone equals formal`, `calls of search_files greater_than 0`. */
export function expectationWords(entry: Json, t: Translate = inEnglish, depth = 0): string {
  if (depth > deepest) return '…';
  const inner = (part: Json) => expectationWords(part, t, depth + 1);
  if (Array.isArray(entry)) return entry.map(inner).join(` ${t('and')} `);
  if (!isObject(entry)) return '…';
  if (Array.isArray(entry.any)) return `(${entry.any.map(inner).join(` ${t('or')} `)})`;
  if (entry.not !== undefined) return t('not ({0})', inner(entry.not));
  const { judge, tool, measure, task, status, output_field: output, context_field: context, operator, value } = entry;
  if (status !== undefined) return `${task === undefined ? t('status') : words(task)}: ${words(status)}`;
  if (entry.tools_in_order !== undefined) return t('calls in order: {0}', words(entry.tools_in_order));
  const subject: string =
    judge !== undefined
      ? `${words(judge)}.${words(output)}`
      : tool !== undefined
        ? `${t('calls of {0}', words(tool))}${entry.arguments === undefined ? '' : ` (${inner(entry.arguments)})`}`
        : measure !== undefined
          ? words(measure)
          : context !== undefined
            ? `context.${words(context)}`
            : output !== undefined
              ? `${task === undefined ? '' : `${words(task)}.`}${words(output)}`
              : (['route', 'text'].find((key) => entry[key] !== undefined) ?? '…');
  const how = operator === undefined && entry.arguments !== undefined ? '' : words(operator);
  return [subject, how, value === undefined ? '' : words(value)].filter(Boolean).join(' ');
}

function words(value: Json | undefined): string {
  if (value === undefined) return '…';
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map((item: Json) => words(item)).join(', ') : JSON.stringify(value);
}
