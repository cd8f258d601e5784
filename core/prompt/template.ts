import { InputInvalidError } from '../errors.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';

/** One `{{path}}` in a text. */
export interface TemplatePath {
  /** As written, without braces and spaces: `input.task`. */
  readonly path: string;
  readonly segments: readonly string[];
  /** UTF-16 units of the text, braces included. */
  readonly start: number;
  readonly end: number;
}

/** A parsed template. `parts` joined together are the original text. */
export interface Template {
  readonly source: string;
  readonly parts: readonly (string | TemplatePath)[];
}

/** Letters and digits of any script, `_`, `$` and `-`, dotted. Anything between other braces is ordinary text. */
const anyPlaceholder = /\{\{[ \t]*([\p{L}\p{M}\p{N}_$-]+(?:\.[\p{L}\p{M}\p{N}_$-]+)*)[ \t]*\}\}/uy;

/** The same in ASCII: V8 takes one or two milliseconds to compile Unicode classes, and most texts do not need them. */
const asciiPlaceholder = /\{\{[ \t]*([\w$-]+(?:\.[\w$-]+)*)[ \t]*\}\}/y;
const notAscii = /[\u0080-\uffff]/;

/** The one template form of every config: `{{dotted.path}}`, and nothing else is special. Linear in the length of the text. */
export function parseTemplate(source: string): Template {
  const parts: (string | TemplatePath)[] = [];
  let placeholder: RegExp | undefined;
  let from = 0;
  for (let at = source.indexOf('{{'); at >= 0; ) {
    placeholder ??= notAscii.test(source) ? anyPlaceholder : asciiPlaceholder;
    placeholder.lastIndex = at;
    const path = placeholder.exec(source)?.[1];
    if (path === undefined) {
      at = source.indexOf('{{', at + 1);
      continue;
    }
    const end = placeholder.lastIndex;
    if (at > from) parts.push(source.slice(from, at));
    parts.push({ path, segments: path.split('.'), start: at, end });
    from = end;
    at = source.indexOf('{{', end);
  }
  if (from < source.length) parts.push(source.slice(from));
  return { source, parts };
}

/** The paths of a text, in order. */
export function findTemplatePaths(source: string): readonly TemplatePath[] {
  return parseTemplate(source).parts.filter((part) => typeof part !== 'string');
}

/**
 * A text that is exactly one `{{path}}` yields the value itself, any other its text. Inserted text is never searched for
 * paths again.
 * @throws InputInvalidError (keyword `template`) naming an unknown path and the nearest known ones
 */
export function evaluateTemplate(template: Template, scope: JsonObject): Json {
  const [only] = template.parts;
  if (template.parts.length === 1 && only !== undefined && typeof only !== 'string') return resolvePath(only, scope);
  let text = '';
  for (const part of template.parts) text += typeof part === 'string' ? part : toTemplateText(resolvePath(part, scope));
  return text;
}

/** Every string inside `value` evaluated, keys left alone. @throws as `evaluateTemplate` */
export function evaluateTemplates(value: Json, scope: JsonObject): Json {
  if (typeof value === 'string') return evaluateTemplate(parseTemplate(value), scope);
  if (Array.isArray(value)) return value.map((item) => evaluateTemplates(item, scope));
  if (!isObject(value)) return value;
  // fromEntries defines properties, so a key named __proto__ stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, evaluateTemplates(item, scope)]));
}

/** The value a path names. @throws as `evaluateTemplate` */
export function resolvePath({ path, segments }: TemplatePath, scope: JsonObject): Json {
  let value: Json | undefined = scope;
  for (const segment of segments) value = memberOf(value, segment);
  if (value !== undefined) return value;

  const nearest = nearestNames(path, knownPaths(scope));
  const message = `Nothing provides {{${path}}}.${didYouMean(nearest)}`;
  const place = segments[0] === 'input' ? pointerOf(...segments.slice(1)) : '';
  throw new InputInvalidError(message, [{ path: place, keyword: 'template', message }]);
}

/** How a value reads inside a text: strings as they are, everything else as JSON. */
export function toTemplateText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function memberOf(value: Json | undefined, segment: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(segment) ? value[Number(segment)] : undefined;
  return isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}

/** Paths to suggest: only the outer levels, and a limited number in a large payload. */
function knownPaths(scope: JsonObject): string[] {
  const paths: string[] = [];
  const collect = (value: Json | undefined, path: string, level: number) => {
    if (paths.length >= 1000) return;
    if (path !== '') paths.push(path);
    if (level === 0 || !isObject(value)) return;
    for (const key of Object.keys(value)) collect(value[key], path === '' ? key : `${path}.${key}`, level - 1);
  };
  collect(scope, '', 4);
  return paths;
}

/** A template path in single braces, such as `{input.task}`. `start` and `end` count UTF-16 units, braces included. */
interface SinglePath {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Only text that begins like a template path: other braces are for JSON, code and other tools. */
const singlePath = /(?<![{$])\{[ \t]*((?:input|context|tasks|steps)(?:\.[\p{L}\p{N}_$-]+)+)[ \t]*\}(?!\})/gu;

/** The paths of a template that are not filled in because they lack a second brace, in order. */
export function findSinglePaths(text: string): readonly SinglePath[] {
  return [...text.matchAll(singlePath)].map(({ 0: written, 1: path = '', index }) => ({ path, start: index, end: index + written.length }));
}
