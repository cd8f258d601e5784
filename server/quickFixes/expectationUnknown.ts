import { parentPointer } from '../../core/jsonText/locate.js';
import { expectationRemoval } from './expectationRemoval.js';
import type { QuickFix } from './quickFix.js';
import { editFix, replaceFixes, textsIn } from './support.js';
import { unknownProperty } from './unknownProperty.js';

/** Puts a name that is there in the place of one that is not; asks an agent without fields for its text; removes what only an orchestration has. */
export const expectationUnknown: QuickFix = {
  code: 'expectation-unknown',
  fixes(finding, context) {
    const { pointer, data = {} } = finding;
    if (data.text === true && pointer.endsWith('/output_field'))
      return [
        editFix(context, 'Expect it of "text": true', (edit) => edit.rename(pointer, 'text').replace(pointer, true), true),
        ...expectationRemoval(context, parentPointer(pointer) ?? ''),
      ];
    if (/^(?:\/cases\/\d+)?\/expected\//.test(pointer)) return unknownProperty.fixes(finding, context);
    const fixes = replaceFixes(context, pointer, textsIn(finding, 'nearest'));
    return fixes.length > 0 ? fixes : expectationRemoval(context, pointer);
  },
};
