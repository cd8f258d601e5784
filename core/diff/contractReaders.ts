import { type ConditionPart, comparisonsIn, conditionsIn, rulesIn, tasksIn, teamsIn } from '../config/orchestrationParts.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../json.js';
import { findTemplatePaths } from '../prompt/template.js';
import type { ContractFieldChange } from '../rules/facts/contractChanges.js';
import { instanceOf } from '../snapshot/snapshotValue.js';
import { quoted } from '../words.js';
import type { ContractReader } from './types.js';

/** What reads the answer of an agent, gives it its input, or shows both to other programs. `pointer` is in the file or value it was found in. */
export interface FoundReader extends Pick<ContractReader, 'kind' | 'words'> {
  readonly pointer: string;
  /** The part of the answer that it reads. */
  readonly reads?: readonly string[];
  /** The values with which it compares that part. */
  readonly values?: readonly Json[];
  /** The input that it gives, as far as it is written; a template may stand for any value. */
  readonly gives?: JsonObject;
}

/** The readers in one orchestration, as written or frozen, by `{team}/{task}`. */
export function orchestrationReaders(orchestration: Json | undefined, of = ''): ReadonlyMap<string, readonly FoundReader[]> {
  const readers = new Map<string, FoundReader[]>();
  for (const team of teamsIn(orchestration)) {
    const tasks = tasksIn(team);
    const add = (task: string | undefined, reader: FoundReader) => {
      if (task === undefined || !tasks.some(({ name }) => name === task)) return;
      const key = instanceOf(team.id, task);
      readers.set(key, [...(readers.get(key) ?? []), reader]);
    };
    for (const part of conditionsIn(team)) {
      const rule = Number(/\/rules\/(\d+)\//.exec(part.pointer)?.[1] ?? 0) + 1;
      addComparison(part, { kind: 'route', words: `rule ${rule} of the team ${quoted(team.id)}${of}` }, add);
    }
    rulesIn(team).forEach(({ value, pointer }, index) => {
      const words = `the context updates of rule ${index + 1} of the team ${quoted(team.id)}${of}`;
      addTemplates(value.context_updates, `${pointer}/context_updates`, 'tasks', { kind: 'template', words }, add);
    });
    for (const { name = '', value, pointer } of tasks) {
      const words = `the input of the task ${quoted(name)} of the team ${quoted(team.id)}${of}`;
      addTemplates(value.input, `${pointer}/input`, 'tasks', { kind: 'template', words }, add);
      if (isObject(value.input)) add(name, { kind: 'task', words, pointer: `${pointer}/input`, gives: value.input });
    }
  }
  return readers;
}

/** The readers in a plan, by the agent that a step names. */
export function planReaders(config: Json | undefined, who: string): ReadonlyMap<string, readonly FoundReader[]> {
  const plan = isObject(config) ? config.execution_plan : undefined;
  const steps = (isObject(plan) ? listOf(plan.steps) : []).filter(isObject);
  const agents = new Map(
    steps.flatMap(({ name, agent }) => (typeof name === 'string' && typeof agent === 'string' ? [[name, agent]] : [])),
  );
  const readers = new Map<string, FoundReader[]>();
  const add = (step: string | undefined, reader: FoundReader) => {
    const agent = agents.get(step ?? '');
    if (agent !== undefined) readers.set(agent, [...(readers.get(agent) ?? []), reader]);
  };
  (isObject(plan) ? listOf(plan.steps) : []).forEach((step, index) => {
    if (!isObject(step)) return;
    const { name, when, repeat, input, llm } = step;
    const pointer = pointerOf('execution_plan', 'steps', index);
    const reader = { kind: 'plan', words: `the step ${quoted(name)} of the plan of ${who}` } as const;
    for (const part of comparisonsIn(when, `${pointer}/when`)) addComparison(part, reader, add);
    if (isObject(repeat)) for (const part of comparisonsIn(repeat.until, `${pointer}/repeat/until`)) addComparison(part, reader, add);
    addTemplates(input, `${pointer}/input`, 'steps', reader, add);
    addTemplates(llm, `${pointer}/llm`, 'steps', reader, add);
    if (typeof name === 'string' && isObject(input)) add(name, { ...reader, pointer: `${pointer}/input`, gives: input });
  });
  return readers;
}

type Words = Pick<FoundReader, 'kind' | 'words'>;

function addComparison(
  { value, pointer, task }: ConditionPart,
  words: Words,
  add: (name: string | undefined, reader: FoundReader) => void,
) {
  const { output_field: field } = value;
  if (typeof field === 'string') add(task?.name, { ...words, pointer, reads: field.split('.'), values: comparedValues(value) });
}

/** The values of which a comparison holds for one. */
export function comparedValues({ operator, value }: JsonObject): readonly Json[] {
  if (operator === 'in') return listOf(value);
  return operator === 'equals' && value !== undefined ? [value] : [];
}

function addTemplates(
  value: Json | undefined,
  pointer: string,
  root: 'tasks' | 'steps',
  words: Words,
  add: (name: string | undefined, reader: FoundReader) => void,
): void {
  if (typeof value === 'string') {
    for (const { segments } of findTemplatePaths(value)) {
      const [first, name, part, ...reads] = segments;
      if (first === root && part === 'output') add(name, { ...words, pointer, reads });
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) addTemplates(item, `${pointer}/${index}`, root, words, add);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) addTemplates(value[key], pointer + pointerOf(key), root, words, add);
  }
}

/** Whether a reader breaks by a change that is breaking. */
export function breaks({ kind, reads, values = [], gives }: FoundReader, change: ContractFieldChange): boolean {
  if (kind === 'exposed') return true;
  const { side, field, data } = change;
  const gone = listOf(data?.values);
  if (side === 'input') {
    if (gives === undefined || field.includes('.')) return false;
    const value = Object.hasOwn(gives, field) ? gives[field] : undefined;
    switch (change.change) {
      case 'field-required':
      case 'input-key-added':
        return value === undefined;
      case 'field-removed':
        return value !== undefined;
      default:
        return change.change === 'values-removed' && value !== undefined && gone.includes(value);
    }
  }
  if (reads === undefined || !isWithin(reads, field)) return false;
  switch (change.change) {
    case 'field-removed':
    case 'field-optional':
    case 'default-removed':
    case 'type':
    case 'alternatives':
    case 'schema-added':
    case 'schema-removed':
      return true;
    default:
      return change.change === 'values-removed' && values.some((value) => gone.includes(value));
  }
}

/** Whether a path is that of a field, or below it. */
function isWithin(path: readonly string[], field: string): boolean {
  const segments =
    field === '' ? [] : field.split('.').flatMap((name) => name.split('[]').map((part, index) => (index === 0 ? part : undefined)));
  return segments.every((segment, index) => index < path.length && (segment === undefined || segment === path[index]));
}
