import type { PlacedFinding } from '../../core/finding.js';
import { valueAt } from '../../core/json.js';
import type { QuickFix } from './quickFix.js';
import { editFix, textIn, textsIn } from './support.js';

/** Repairs text that is nearly a placeholder or a path. */
export const placeholderInvalid: QuickFix = {
  code: 'placeholder-invalid',
  fixes(finding, context) {
    const { pointer, data } = finding;
    const text = valueAt(context.file.value, pointer);
    const { start, end } = data ?? {};
    if (typeof text !== 'string' || typeof start !== 'number' || typeof end !== 'number') return [];
    return repairsOf(text.slice(start, end), finding).map(({ title, text: repaired }) =>
      editFix(context, `${title}${repaired}`, (edit) => edit.replaceWithin(pointer, 'value', { start, end }, repaired)),
    );
  },
};

interface Repair {
  readonly title: string;
  readonly text: string;
}

function repairsOf(written: string, finding: PlacedFinding): readonly Repair[] {
  const nearest = textsIn(finding, 'nearest').map((input) => ({ title: 'Change to ', text: `\${input:${input}}` }));
  switch (textIn(finding, 'kind')) {
    case 'unclosed':
      if (/^\$\{[A-Za-z_]\w*$/.test(written)) return [{ title: 'Close it: ', text: `${written}}` }];
      return /^\{\{\s*[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)*$/u.test(written) ? [{ title: 'Close it: ', text: `${written}}}` }] : [];
    case 'nested': {
      const outer = /^\$\{([A-Za-z_]\w*):-/.exec(written)?.[1];
      return outer === undefined ? [] : [{ title: 'Give it an empty fallback: ', text: `\${${outer}:-}` }];
    }
    case 'name': {
      const [, name, fallback] = /^\$\{\s*([A-Za-z_]\w*)\s*(?::([^{}:-][^{}]*))?\}$/.exec(written) ?? [];
      if (nearest.length > 0 || name === undefined) return nearest;
      return [{ title: 'Write ', text: fallback === undefined ? `\${${name}}` : `\${${name}:-${fallback}}` }];
    }
    default:
      return nearest;
  }
}
