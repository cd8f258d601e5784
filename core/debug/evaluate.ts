import type { Stop } from '../agent/gate.js';
import { InputInvalidError } from '../errors.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { parseJson } from '../jsonText/parseJson.js';
import { didYouMean, nearestNames } from '../names.js';
import { evaluateTemplate, evaluateTemplates, parseTemplate } from '../prompt/template.js';
import { fieldAt } from '../routing/fieldAt.js';
import { readStopCondition } from './stopCondition.js';
import { lazily } from './stopValues.js';
import { shortText } from './variables.js';

/** What is evaluated against. */
export interface Frame {
  readonly stop: Stop;
  /** Without secrets. */
  readonly values: JsonObject;
  /** What conditions compare. They answer no value. */
  readonly compared: () => JsonObject;
}

export interface Evaluated {
  readonly value: Json;
  /** Where the value is, if it was found at a path. */
  readonly path: readonly string[];
}

/**
 * A path (`messages.1.content`, `"field"`, `{{path}}`), a template (`Hello {{input.name}}`) or a condition of routing rules as JSON.
 *
 * @throws Error that says what there is instead
 */
export async function evaluate(expression: string, frame: Frame): Promise<Evaluated> {
  const text = expression.trim();
  if (text === '') throw new Error('Nothing to evaluate: write a path, a template with {{paths}}, or a condition as JSON.');
  if (/^[[{]/.test(text) && !text.startsWith('{{')) return { value: await evaluateJson(text, frame), path: [] };
  const template = parseTemplate(text);
  const [only] = template.parts;
  if (template.parts.every((part) => typeof part === 'string')) return valueAt(text, frame);
  if (template.parts.length === 1 && only !== undefined && typeof only !== 'string') return valueAt(only.path, frame);
  return { value: withScope(frame, (scope) => evaluateTemplate(template, scope)), path: [] };
}

async function evaluateJson(text: string, frame: Frame): Promise<Json> {
  const { value } = parseJson(text);
  const json = value as Json | undefined;
  if (isObject(json) && holdsTemplate(json) && !['operator', 'status', 'any', 'not'].some((key) => Object.hasOwn(json, key)))
    return withScope(frame, (scope) => evaluateTemplates(json, scope));
  // A whole rule, or a step of a plan.
  const inner = isObject(json) ? (json.condition ?? json.when) : undefined;
  const condition = await readStopCondition(inner === undefined ? text : JSON.stringify(inner));
  if ('reason' in condition) throw new Error(condition.reason);
  const { truth, notes } = condition.judge(frame.stop, frame.compared());
  const compared = condition.tests.flatMap((test) => {
    if (test.type !== 'field') return [];
    const value = fieldAt(fieldRoot(test.task, frame), test.segments);
    return value === undefined ? [] : [`${test.task === undefined ? '' : `${test.task}.`}${test.path} is ${shortText(value)}.`];
  });
  return [truth === undefined ? 'not known' : String(truth), ...new Set([...compared, ...notes])].join('\n');
}

function fieldRoot(task: string | undefined, { values }: Frame): Json | undefined {
  if (task === undefined) return { context: values.input ?? {}, ...values };
  return fieldAt(values.outcomes ?? values.steps, [task, 'output']);
}

/** Where a field is looked up that is no path from a root. */
const fieldPlaces = [['input'], ['answer', 'output'], ['arguments'], ['context']];

/** A path from a root, or a field. In quotes it is a field of a file, which may have the name of a root. */
function valueAt(written: string, { values }: Frame): Evaluated {
  const [, , quoted] = /^(["'])(.*)\1$/s.exec(written) ?? [];
  const path = (quoted ?? written).replace(/\[(?:(\d+)|"([^"\]]*)"|'([^'\]]*)')\]/g, '.$1$2$3').split('.');
  const isField = quoted !== undefined && path.length === 1;
  const roots = path[0] === 'payload' && !isField ? [['input', ...path.slice(1)]] : isField ? [] : [path];
  const places = [...roots, ...fieldPlaces.map((place) => [...place, ...path])];
  for (const place of places) {
    const value = fieldAt(values, place);
    if (value !== undefined) return { value, path: place };
  }
  throw new Error(`There is no ${written} here.${whatThereIs(roots[0] ?? path, values)}`);
}

function whatThereIs(path: readonly string[], values: JsonObject): string {
  let depth = 0;
  while (depth < path.length && fieldAt(values, path.slice(0, depth + 1)) !== undefined) depth += 1;
  const value = depth === 0 ? values : fieldAt(values, path.slice(0, depth));
  const where = depth === 0 ? 'There are' : `${path.slice(0, depth).join('.')} has`;
  if (Array.isArray(value)) return ` ${where} ${value.length} items, from 0.`;
  if (!isObject(value)) return ` ${path.slice(0, depth).join('.')} has no members.`;
  const names = Object.keys(value);
  return `${didYouMean(nearestNames(path[depth] ?? '', names))} ${where}: ${names.slice(0, 20).join(', ') || 'nothing'}.`;
}

/** The product's own templates say `input`, `context`, `tasks` and `steps`. */
function withScope({ values }: Frame, compose: (scope: JsonObject) => Json): Json {
  const scope: Record<string, () => Json> = {};
  for (const name of Object.keys(values)) scope[name] = () => values[name] ?? null;
  if (Object.hasOwn(values, 'input')) scope.payload = () => values.input ?? null;
  if (isObject(values.outcomes)) scope.tasks = () => values.outcomes ?? null;
  try {
    return compose(lazily(scope));
  } catch (error) {
    if (!(error instanceof InputInvalidError)) throw error;
    throw new Error(`${error.message} There are: ${Object.keys(scope).join(', ')}.`);
  }
}

function holdsTemplate(value: Json): boolean {
  if (typeof value === 'string') return parseTemplate(value).parts.some((part) => typeof part !== 'string');
  return typeof value === 'object' && value !== null && Object.values(value).some((item: Json) => holdsTemplate(item));
}
