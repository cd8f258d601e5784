import { tasksIn, teamsIn } from '../../core/config/orchestrationParts.js';
import type { QuickFix } from './quickFix.js';
import { editFix, replaceFixes, textIn, textsIn } from './support.js';

/** Replaces an unknown task or step with the similar one, or with the only one. */
export const taskUnknown: QuickFix = {
  code: 'task-unknown',
  fixes(finding, context) {
    const { pointer, data = {} } = finding;
    const { start, end } = data;
    const nearest = textsIn(finding, 'nearest');
    if (typeof start === 'number' && typeof end === 'number')
      return nearest.map((path) =>
        editFix(
          context,
          `Change to {{${path}}}`,
          (edit) => edit.replaceWithin(pointer, 'value', { start, end }, `{{${path}}}`),
          nearest.length === 1,
        ),
      );
    if (nearest.length > 0 || textIn(finding, 'task') === undefined) return replaceFixes(context, pointer, nearest);
    // A condition or dependency sees its own team's tasks only, and a task does not depend on itself.
    const team = teamsIn(context.file.value).find((part) => pointer.startsWith(`${part.pointer}/`));
    const others = team === undefined ? [] : tasksIn(team).filter((task) => !pointer.startsWith(`${task.pointer}/`));
    return replaceFixes(
      context,
      pointer,
      others.flatMap(({ name }) => name ?? []),
    ).map(({ preferred: _guess, ...fix }) => fix);
  },
};
