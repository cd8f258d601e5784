import type { ProjectIndex } from '../config/projectIndex.js';
import { InputInvalidError } from '../errors.js';
import { isObject, type Json, type JsonObject, listOf, setAt } from '../json.js';
import { compareNatural, didYouMean, nearestNames } from '../names.js';
import { evaluateTemplate, findTemplatePaths, parseTemplate, toTemplateText } from '../prompt/template.js';

/** A prompt of the project, as an MCP client lists it. */
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
      arguments: variables.map((path) => ({ name: argumentOf(path), description: `Takes the place of {{${path}}}.`, required: true })),
    };
  });
}

/**
 * The messages of a prompt: its template with the arguments in it, then its examples as turns.
 *
 * @returns undefined where there is no such prompt
 * @throws InputInvalidError naming the argument that is missing or unknown
 */
export function fillPrompt(
  index: ProjectIndex,
  wanted: string,
  given: Readonly<Record<string, string>>,
): readonly PromptMessage[] | undefined {
  const prompt = namedPrompts(index).find(({ name, id }) => name === wanted || id === wanted);
  if (prompt === undefined) return undefined;
  const { value } = prompt;
  const variables = variablesOf(value);
  checkArguments(prompt.name, variables.map(argumentOf), Object.keys(given));
  let scope: JsonObject = {};
  for (const path of variables) scope = setAt(scope, path.split('.'), given[argumentOf(path)] ?? '');
  const text = toTemplateText(evaluateTemplate(parseTemplate(templateOf(value)), scope));
  const turns = listOf(value.few_shot_examples).flatMap((example) =>
    isObject(example) ? [message('user', example.input), message('assistant', example.output)] : [],
  );
  return [message('user', text), ...turns];
}

/** Why there is no such prompt. */
export function unknownPrompt(index: ProjectIndex, wanted: string): string {
  const names = namedPrompts(index).map(({ name }) => name);
  return `There is no prompt ${JSON.stringify(wanted.slice(0, 100))}.${didYouMean(nearestNames(wanted, names))}`;
}

interface NamedPrompt {
  readonly name: string;
  readonly id: string;
  readonly value: JsonObject;
}

function namedPrompts(index: ProjectIndex): readonly NamedPrompt[] {
  const ids = [...index.ids('prompt').keys()];
  // In natural order of the id, so the last of a name is the newest.
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

/** The paths of the template. `variables` may list more, which nothing would be done with. */
function variablesOf(value: JsonObject): readonly string[] {
  return [...new Set(findTemplatePaths(templateOf(value)).map(({ path }) => path))];
}

/** `input.language` is asked for as `language`. */
function argumentOf(path: string): string {
  return path.startsWith('input.') ? path.slice('input.'.length) : path;
}

function checkArguments(prompt: string, known: readonly string[], given: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name));
  const missing = known.find((name) => !given.includes(name));
  const what =
    missing !== undefined
      ? `The argument ${JSON.stringify(missing)} is missing.`
      : unknown !== undefined
        ? `There is no argument ${JSON.stringify(unknown)}.${didYouMean(nearestNames(unknown, known))}`
        : undefined;
  if (what === undefined) return;
  const list = known.length === 0 ? 'It takes none.' : `It takes ${known.join(', ')}.`;
  throw new InputInvalidError(`The prompt ${JSON.stringify(prompt)}: ${what} ${list}`, [
    { path: '', keyword: missing !== undefined ? 'required' : 'additionalProperties', message: what },
  ]);
}

function message(role: PromptMessage['role'], value: Json | undefined): PromptMessage {
  return { role, content: { type: 'text', text: toTemplateText(value ?? null) } };
}
