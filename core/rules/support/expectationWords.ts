import { subjectKeyOf } from '../../config/caseParts.js';
import type { JsonObject } from '../../json.js';
import { quoted } from '../../words.js';

/** What an expectation looks at, as a message names it: `"tone" of Shaper@v1`, `The number of calls of "search_files"`. */
export function subjectWords(expectation: JsonObject, title: string): string {
  const { judge, tool, measure, task, output_field: field, context_field: context } = expectation;
  switch (subjectKeyOf(expectation)) {
    case 'judge':
      return `${quoted(field)} of the judge ${quoted(judge)}`;
    case 'tool':
      return `The number of calls of ${quoted(tool)}`;
    case 'measure':
      return quoted(measure);
    case 'route':
      return `The route of ${title}`;
    case 'text':
      return `The text of ${title}`;
    case 'status':
      return task === undefined ? `The status of ${title}` : `The status of the task ${quoted(task)}`;
    case 'context_field':
      return `${quoted(context)} of the context`;
    default:
      return task === undefined ? `${quoted(field)} of ${title}` : `${quoted(field)} of the task ${quoted(task)}`;
  }
}
