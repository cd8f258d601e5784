import { fixAt, givenPlace } from './givenPlace.js';
import type { QuickFix } from './quickFix.js';
import { textIn } from './support.js';

/** Removes a parameter that the model does not support; requests leave it out anyway. */
export const temperatureUnsupported: QuickFix = {
  code: 'temperature-unsupported',
  fixes(finding, context) {
    const parameter = textIn(finding, 'parameter') ?? '';
    const place = givenPlace(finding, context, parameter);
    return place === undefined ? [] : [fixAt(context, place, `Remove ${parameter}`, (edit, pointer) => edit.remove(pointer))];
  },
};
