import type { QuickFix } from './quickFix.js';
import { editFix, replaceFixes, textsIn } from './support.js';

/** Replaces a field of the context with one that is set. */
export const contextFieldUnknown: QuickFix = {
  code: 'context-field-unknown',
  fixes(finding, context) {
    const { pointer, within } = finding;
    const nearest = textsIn(finding, 'nearest');
    if (within === undefined) return replaceFixes(context, pointer, nearest);
    return nearest.map((path) => {
      const text = `{{context.${path}}}`;
      const change = (edit: Parameters<Parameters<typeof editFix>[2]>[0]) => edit.replaceWithin(pointer, 'value', within, text);
      return editFix(context, `Change to ${text}`, change, nearest.length === 1);
    });
  },
};
