import { valueAt } from '../../core/json.js';
import { RawJson } from '../../core/jsonText/jsonStyle.js';
import type { QuickFix } from './quickFix.js';
import { editFix, textIn } from './support.js';

/** A default that its schema refuses becomes the nearest legal one, or goes. */
export const defaultFitsSchema: QuickFix = {
  code: 'default-fits-schema',
  fixes(finding, context) {
    const { pointer } = finding;
    // A finding on a reference is about a default in a file below.
    const isOwn = /^\/defaults\/|\/default(?:\/|$)/.test(pointer);
    if (!isOwn || valueAt(context.file.value, pointer) === undefined) return [];
    const text = textIn(finding, 'text');
    const whole = pointer.startsWith('/defaults/')
      ? `/${pointer.split('/').slice(1, 3).join('/')}`
      : pointer.replace(/(\/default)(?:\/.*)?$/, '$1');
    const remove = editFix(context, 'Remove the default', (edit) => edit.remove(whole));
    if (text === undefined) return [remove];
    return [editFix(context, `Change to ${text}`, (edit) => edit.replace(pointer, new RawJson(text)), true), remove];
  },
};
