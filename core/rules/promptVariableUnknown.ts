import type { ConfigFile } from '../config/configFile.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { findTemplatePaths, type TemplatePath } from '../prompt/template.js';
import type { Report, Rule, RuleContext } from './rule.js';
import { findGiven, layersOf, placeOf } from './support/layers.js';
import { findUsedPrompt } from './support/usedPrompt.js';

/**
 * A `{{path}}` of a prompt template that nothing provides: one that the prompt's `variables` do not declare, one that begins with neither
 * `input` nor `context`, and, for an agent that uses the template, a key its input does not have. Only templates are rendered: braces
 * in system_text and purpose_text are plain text.
 */
export const promptVariableUnknown: Rule = {
  code: 'prompt-variable-unknown',
  severity: 'error',
  kinds: ['prompt', 'agent'],
  on: 'value',
  check(file, context, report) {
    if (file.identity.kind === 'prompt') checkPrompt(file, report);
    else checkAgent(file, context, report);
  },
};

function checkPrompt({ value }: ConfigFile, report: Report): void {
  if (!isObject(value) || typeof value.template !== 'string' || !value.template.includes('{{')) return;
  const declared = stringsIn(value.variables);
  for (const { path, segments, start, end } of findTemplatePaths(value.template)) {
    const rooted = roots.includes(segments[0] ?? '');
    if (rooted && (declared === undefined || declared.some((name) => covers(name, path)))) continue;
    const nearest = rooted ? nearestNames(path, declared ?? []) : withRoot(segments, declared ?? []);
    const reason = rooted ? `"variables" does not declare it.` : 'A path begins with input (the payload) or context.';
    report({
      pointer: '/template',
      within: { start, end },
      message: `Nothing provides {{${path}}}: ${reason}${didYouMean(nearest)}`,
      data: { path, nearest, start, end },
    });
  }
}

function checkAgent(file: ConfigFile, context: RuleContext, report: Report): void {
  if (context.project.ids('prompt').size === 0) return;
  const stack = layersOf(file, context);
  const used = stack && findUsedPrompt(file, stack, context);
  if (stack === undefined || used === undefined) return;
  const keys = inputKeys(findGiven(stack, 'input_keys')?.value, findGiven(stack, 'input_schema')?.value);
  if (keys === undefined) return;
  const missing = new Map<string, TemplatePath>();
  for (const path of findTemplatePaths(used.template)) {
    const [root, key] = path.segments;
    if (root === 'input' && key !== undefined && !keys.has(key) && !missing.has(path.path)) missing.set(path.path, path);
  }
  for (const { path, segments, start, end } of missing.values()) {
    const nearest = nearestNames(segments[1] ?? '', keys).map((key) => `input.${key}`);
    const { pointer, related = [] } = placeOf(file, used.reference, 'The prompt is named here.');
    report({
      pointer,
      related: [...related, { file: used.path, pointer: '/template', message: `{{${path}}} is used here.` }],
      message: `The prompt ${JSON.stringify(used.id)} uses {{${path}}}, but the input of this agent has no ${JSON.stringify(segments[1])}.${didYouMean(nearest)}`,
      data: { path, nearest, prompt: used.id, file: used.path, start, end },
    });
  }
}

/** What an input has for certain, or may have; undefined when an agent says nothing about its input, or allows what it does not name. */
function inputKeys(listed: Json | undefined, schema: Json | undefined): ReadonlySet<string> | undefined {
  const keys = stringsIn(listed);
  const properties = isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : undefined;
  if (keys === undefined && properties === undefined) return undefined;
  if (isObject(schema) && mayAddKeys(schema)) return undefined;
  return new Set([...(keys ?? []), ...(properties ?? [])]);
}

/** Keywords that name keys in ways that are not worth following here. */
function mayAddKeys(schema: JsonObject): boolean {
  return ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'dependentSchemas'].some((keyword) =>
    Object.hasOwn(schema, keyword),
  );
}

/** A declared `input` or `input.user` covers everything below it. */
function covers(declared: string, path: string): boolean {
  return path === declared || path.startsWith(`${declared}.`);
}

/** What a path without a root was probably meant to be: a declared one, the same below a misspelt root, or a key of the input. */
function withRoot(segments: readonly string[], declared: readonly string[]): readonly string[] {
  const path = segments.join('.');
  const ending = declared.filter((name) => name.endsWith(`.${path}`));
  if (ending.length > 0) return ending;
  const [root = '', ...rest] = segments;
  const meant = rest.length > 0 ? nearestNames(root, roots) : [];
  return meant.length > 0 ? meant.map((name) => [name, ...rest].join('.')) : [`input.${path}`];
}

function stringsIn(value: Json | undefined): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

const roots: readonly string[] = ['input', 'context'];
