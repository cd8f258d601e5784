import { valueAt } from '../../core/json.js';
import { RawJson } from '../../core/jsonText/jsonStyle.js';
import type { QuickFix } from './quickFix.js';
import { editFix, replaceFixes, textIn, textsIn } from './support.js';

/** Changes an illegal value of a keyword to the nearest legal one, and a dangling `$ref` to a similar definition. */
export const outputSchemaInvalid: QuickFix = {
  code: 'output-schema-invalid',
  fixes(finding, context) {
    const { pointer } = finding;
    if (valueAt(context.file.value, pointer) === undefined) return [];
    const text = textIn(finding, 'text');
    if (text !== undefined && finding.target !== 'key')
      return [
        editFix(
          context,
          `Change to ${text.length > 60 ? `${text.slice(0, 57)}...` : text}`,
          (edit) => edit.replace(pointer, new RawJson(text)),
          true,
        ),
      ];
    return pointer.endsWith('/$ref') ? replaceFixes(context, pointer, textsIn(finding, 'nearest')) : [];
  },
};
