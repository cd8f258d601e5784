import type { ProjectIndex } from '../config/projectIndex.js';
import { InputInvalidError } from '../errors.js';
import { isObject, type Json, type JsonObject, listOf, setAt } from '../json.js';
import { compareNatural, didYouMean, nearestNames } from '../names.js';
import { evaluateTemplate, findTemplatePaths, parseTemplate, toTemplateText } from '../prompt/template.js';

/** A prompt of the project for MCP clients. */
export interface ServedPrompt {
  /** `name` for the newest version, `name@version` for the others. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: true }[];
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: { readonly type: 'text'; readonly text: string };
}

/** Every readable prompt of `prompts/`, sorted by name. */
export function listPrompts(index: ProjectIndex): readonly ServedPrompt[] {
  return namedPrompts(index).map(({ name, id, value }) => {
    const variables = variablesOf(value);
    return {
      name,
      title: id,
      description: variables.length === 0 ? `The prompt ${id}.` : `The prompt ${id}, for ${variables.map(argumentOf).join(', ')}.`,
      arguments: variables.map((path) => ({ name: argumentOf(path), description: `Replaces {{${path}}}.`, required: true })),
    };
  });
}

/**
 * The messages of a prompt: its filled template, then its examples as turns.
 *
 * @returns undefined if there is no such prompt
 * @throws InputInvalidError naming the missing or unknown argument
 */
export function fillPrompt(
  index: ProjectIndex,
  query: string,
  values: Readonly<Record<string, string>>,
): readonly PromptMessage[] | undefined {
  const prompt = namedPrompts(index).find(({ name, id }) => name === query || id === query);
  if (prompt === undefined) return undefined;
  const { value } = prompt;
  const variables = variablesOf(value);
  checkArguments(prompt.name, variables.map(argumentOf), Object.keys(values));
  let scope: JsonObject = {};
  for (const path of variables) scope = setAt(scope, path.split('.'), values[argumentOf(path)] ?? '');
  const text = toTemplateText(evaluateTemplate(parseTemplate(templateOf(value)), scope));
  const turns = listOf(value.few_shot_examples).flatMap((example) =>
    isObject(example) ? [message('user', example.input), message('assistant', example.output)] : [],
  );
  return [message('user', text), ...turns];
}

/** The error for an unknown prompt. */
export function unknownPrompt(index: ProjectIndex, query: string): string {
  const names = namedPrompts(index).map(({ name }) => name);
  return `There is no prompt ${JSON.stringify(query.slice(0, 100))}.${didYouMean(nearestNames(query, names))}`;
}

interface NamedPrompt {
  readonly name: string;
  readonly id: string;
  readonly value: JsonObject;
}

function namedPrompts(index: ProjectIndex): readonly NamedPrompt[] {
  const ids = [...index.ids('prompt').keys()];
  // Ids are in natural order, so the last one of a name is the newest.
  const newest = new Map(ids.map((id) => [nameOf(id), id]));
  return ids
    .flatMap((id): NamedPrompt[] => {
      const value = index.value('prompt', id);
      return value === undefined || typeof value.template !== 'string'
        ? []
        : [{ name: newest.get(nameOf(id)) === id ? nameOf(id) : id, id, value }];
    })
    .sort((left, right) => compareNatural(left.name, right.name));
}

function nameOf(id: string): string {
  return id.slice(0, id.indexOf('@'));
}

function templateOf({ template }: JsonObject): string {
  return typeof template === 'string' ? template : '';
}

/** The paths in the template. `variables` may list more, which are unused. */
function variablesOf(value: JsonObject): readonly string[] {
  return [...new Set(findTemplatePaths(templateOf(value)).map(({ path }) => path))];
}

/** The argument for `input.language` is `language`. */
function argumentOf(path: string): string {
  return path.startsWith('input.') ? path.slice('input.'.length) : path;
}

function checkArguments(prompt: string, parameters: readonly string[], names: readonly string[]): void {
  const unknown = names.find((name) => !parameters.includes(name));
  const missing = parameters.find((name) => !names.includes(name));
  const fault =
    missing !== undefined
      ? `The argument ${JSON.stringify(missing)} is missing.`
      : unknown !== undefined
        ? `There is no argument ${JSON.stringify(unknown)}.${didYouMean(nearestNames(unknown, parameters))}`
        : undefined;
  if (fault === undefined) return;
  const list = parameters.length === 0 ? 'It takes none.' : `It takes ${parameters.join(', ')}.`;
  throw new InputInvalidError(`The prompt ${JSON.stringify(prompt)}: ${fault} ${list}`, [
    { path: '', keyword: missing !== undefined ? 'required' : 'additionalProperties', message: fault },
  ]);
}

function message(role: PromptMessage['role'], value: Json | undefined): PromptMessage {
  return { role, content: { type: 'text', text: toTemplateText(value ?? null) } };
}
