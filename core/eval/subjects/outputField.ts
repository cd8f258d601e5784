import { isObject, type Json, type JsonObject } from '../../json.js';
import { fieldAt } from '../../routing/fieldAt.js';
import type { Subject } from '../types.js';
import { textOf } from './textOf.js';

/** A field of the answer; with `task`, of the answer of that task in its last execution. */
export const outputField: Subject = {
  key: 'output_field',
  actual(entry, { result }) {
    if (entry.task === undefined) return { value: fieldAt(result.status === 'completed' ? result.output : undefined, segmentsOf(entry)) };
    const task = taskOf(result.output, textOf(entry, 'task'));
    return { value: fieldAt(task?.status === 'completed' ? task.output : undefined, segmentsOf(entry)) };
  },
  example: (entry, expected) => fieldAt(expected, segmentsOf(entry)),
  words: (entry) =>
    entry.task === undefined ? textOf(entry, 'output_field') : `${textOf(entry, 'task')}.${textOf(entry, 'output_field')}`,
};

function segmentsOf(entry: JsonObject): readonly string[] {
  return textOf(entry, 'output_field').split('.');
}

/** What became of a task when it was last run, from the output of an orchestration. */
export function taskOf(output: Json, name: string): JsonObject | undefined {
  const teams = isObject(output) && Array.isArray(output.teams) ? output.teams : [];
  for (const team of teams.toReversed()) {
    const task = isObject(team) && isObject(team.tasks) && Object.hasOwn(team.tasks, name) ? team.tasks[name] : undefined;
    if (isObject(task)) return task;
  }
  return undefined;
}
