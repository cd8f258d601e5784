import { pointerOf } from '../../core/json.js';
import type { QuickFix } from './quickFix.js';
import { editFix } from './support.js';

/** Removes the declaration: the code says the same, and counts. */
export const skillDiffers: QuickFix = {
  code: 'skill-differs',
  fixes(finding, context) {
    const name = String(finding.data?.name);
    return [editFix(context, `Remove the declaration of ${JSON.stringify(name)}`, (edit) => edit.remove(pointerOf('skills', name)))];
  },
};
