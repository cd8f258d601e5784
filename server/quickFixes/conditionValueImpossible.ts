import type { Json } from '../../core/json.js';
import type { QuickFix } from './quickFix.js';
import { replaceFixes } from './support.js';

/** Replaces the value with one that the field may have: the similar ones, or else all of them. */
export const conditionValueImpossible: QuickFix = {
  code: 'condition-value-impossible',
  fixes({ pointer, data = {} }, context) {
    const nearest = Array.isArray(data.nearest) ? (data.nearest as readonly Json[]) : [];
    if (nearest.length > 0) return replaceFixes(context, pointer, nearest);
    const allowed = Array.isArray(data.allowed) ? (data.allowed as readonly Json[]) : [];
    return replaceFixes(context, pointer, allowed).map(({ preferred: _guess, ...fix }) => fix);
  },
};
