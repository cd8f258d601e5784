import { valueAt } from '../../core/json.js';

import type { QuickFix } from './quickFix.js';
import { changeToFix, replaceFixes, textIn, textsIn } from './support.js';

/** Changes an illegal value of a keyword to the nearest legal one, and a dangling `$ref` to a similar definition. */
export const outputSchemaInvalid: QuickFix = {
  code: 'output-schema-invalid',
  fixes(finding, context) {
    const { pointer } = finding;
    if (valueAt(context.file.value, pointer) === undefined) return [];
    const text = textIn(finding, 'text');
    if (text !== undefined && finding.target !== 'key') return [changeToFix(context, pointer, text)];
    return pointer.endsWith('/$ref') ? replaceFixes(context, pointer, textsIn(finding, 'nearest')) : [];
  },
};
