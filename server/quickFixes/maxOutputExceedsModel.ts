import { fixAt, givenPlace } from './givenPlace.js';
import type { QuickFix } from './quickFix.js';

/** Sets the number of output tokens to the model's maximum. */
export const maxOutputExceedsModel: QuickFix = {
  code: 'max-output-exceeds-model',
  fixes(finding, context) {
    const limit = finding.data?.limit;
    const place = givenPlace(finding, context, 'max_output_tokens');
    if (typeof limit !== 'number' || place === undefined) return [];
    return [fixAt(context, place, `Change to ${limit}`, (edit, pointer) => edit.replace(pointer, limit))];
  },
};
