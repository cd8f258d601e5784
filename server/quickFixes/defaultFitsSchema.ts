import { type Json, valueAt } from '../../core/json.js';

import type { QuickFix } from './quickFix.js';
import { changeToFix, editFix, replaceFixes, textIn } from './support.js';

/** Changes a default that its schema refuses to the nearest legal value, or removes it. */
export const defaultFitsSchema: QuickFix = {
  code: 'default-fits-schema',
  fixes(finding, context) {
    const { pointer } = finding;
    // A finding on a reference concerns a default in a lower layer.
    const isOwn = /^\/defaults\/|\/default(?:\/|$)/.test(pointer);
    if (!isOwn || valueAt(context.file.value, pointer) === undefined) return [];
    const text = textIn(finding, 'text');
    const whole = pointer.startsWith('/defaults/')
      ? `/${pointer.split('/').slice(1, 3).join('/')}`
      : pointer.replace(/(\/default)(?:\/.*)?$/, '$1');
    const remove = editFix(context, 'Remove the default', (edit) => edit.remove(whole));
    const fitting = Array.isArray(finding.data?.fitting) ? (finding.data.fitting as readonly Json[]) : [];
    if (text === undefined) return [...replaceFixes(context, pointer, fitting), remove];
    return [changeToFix(context, pointer, text), remove];
  },
};
