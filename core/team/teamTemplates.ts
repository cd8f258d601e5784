import { InputInvalidError } from '../errors.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { evaluateTemplates, findTemplatePaths } from '../prompt/template.js';

/** What templates of a team may read. */
export interface TeamScope {
  /** The context at the start of the run. */
  readonly input: JsonObject;
  /** The current context. */
  readonly context: JsonObject;
  /** Outputs of the completed tasks, by name. */
  readonly outputs: ReadonlyMap<string, Json>;
}

/**
 * A value with its templates evaluated.
 *
 * @param place where the templates are, as the start of a sentence: `The input of task "draft" of team "writing"`
 * @param becauseOf why a task has no output here, for a message
 * @throws InputInvalidError naming the place and the unknown path
 */
export function evaluateInTeam(
  value: Json,
  { input, context, outputs }: TeamScope,
  place: string,
  becauseOf: (task: string) => string | undefined,
): Json {
  const tasks = Object.fromEntries([...outputs].map(([name, output]) => [name, { output }]));
  try {
    return evaluateTemplates(value, { input, context, tasks });
  } catch (error) {
    if (!(error instanceof InputInvalidError)) throw error;
    const namedTasks = tasksNamedIn(value).filter((name) => name !== null);
    const reasons = new Set(namedTasks.flatMap((name) => (outputs.has(name) ? [] : (becauseOf(name) ?? []))));
    throw new InputInvalidError([`${place} cannot be made: ${error.message}`, ...reasons].join(' '), error.issues);
  }
}

/** Tasks that the templates in a value name, in order; null for `{{tasks}}`, which means them all. */
export function tasksNamedIn(value: Json): readonly (string | null)[] {
  if (typeof value === 'string')
    return findTemplatePaths(value).flatMap(({ segments: [root, name = null] }) => (root === 'tasks' ? [name] : []));
  if (Array.isArray(value)) return value.flatMap(tasksNamedIn);
  return isObject(value) ? Object.values(value).flatMap(tasksNamedIn) : [];
}
