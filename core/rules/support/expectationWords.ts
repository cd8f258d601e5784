import { subjectKeyOf } from '../../config/caseParts.js';
import type { JsonObject } from '../../json.js';
import { shown } from './words.js';

/** What an expectation looks at, as a message names it: `"tone" of Shaper@v1`, `The number of calls of "search_files"`. */
export function subjectWords(expectation: JsonObject, title: string): string {
  const { judge, tool, measure, task, output_field: field, context_field: context } = expectation;
  switch (subjectKeyOf(expectation)) {
    case 'judge':
      return `${shown(field)} of the judge ${shown(judge)}`;
    case 'tool':
      return `The number of calls of ${shown(tool)}`;
    case 'measure':
      return shown(measure);
    case 'route':
      return `The route of ${title}`;
    case 'text':
      return `The text of ${title}`;
    case 'status':
      return task === undefined ? `The status of ${title}` : `The status of the task ${shown(task)}`;
    case 'context_field':
      return `${shown(context)} of the context`;
    default:
      return task === undefined ? `${shown(field)} of ${title}` : `${shown(field)} of the task ${shown(task)}`;
  }
}
