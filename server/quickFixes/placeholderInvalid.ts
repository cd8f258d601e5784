import type { PlacedFinding } from '../../core/finding.js';
import { valueAt } from '../../core/json.js';
import { closedPath } from '../../core/prompt/brokenPaths.js';
import { closedPlaceholder } from '../../core/snapshot/brokenPlaceholders.js';
import type { QuickFix } from './quickFix.js';
import { addInput, editFix, shownValue, textIn, textsIn } from './support.js';

/** Repairs text that is nearly a placeholder or a path. */
export const placeholderInvalid: QuickFix = {
  code: 'placeholder-invalid',
  fixes(finding, context) {
    const { pointer, data } = finding;
    const text = valueAt(context.file.value, pointer);
    const { start, end } = data ?? {};
    if (typeof text !== 'string' || typeof start !== 'number' || typeof end !== 'number') return [];
    const replacement = textIn(finding, 'replacement');
    if (replacement !== undefined)
      return [
        editFix(
          context,
          `Write ${shownValue(replacement)}`,
          (edit) => edit.replaceWithin(pointer, 'value', { start, end }, replacement),
          true,
        ),
      ];
    const repairs = repairsOf(text.slice(start, end), text.slice(0, start), finding).map(({ title, text: repaired }) =>
      editFix(context, `${title}${repaired}`, (edit) => edit.replaceWithin(pointer, 'value', { start, end }, repaired)),
    );
    const input = textIn(finding, 'input');
    if (input === undefined) return repairs;
    return [...repairs, editFix(context, `Add the input ${shownValue(input)}`, (edit) => addInput(edit, context, input))];
  },
};

interface Repair {
  readonly title: string;
  readonly text: string;
}

function repairsOf(written: string, before: string, finding: PlacedFinding): readonly Repair[] {
  const nearest = textsIn(finding, 'nearest').map((input) => ({ title: 'Change to ', text: `\${input:${input}}` }));
  switch (textIn(finding, 'kind')) {
    case 'unclosed': {
      const isPath = /^\{\{\s*[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)*\s*\}?$/u.test(written);
      // After a $, either form may be meant.
      if (isPath && before.endsWith('$')) return [];
      const closed = isPath ? closedPath(written) : closedPlaceholder(written);
      return closed === undefined ? [] : [{ title: 'Close it: ', text: closed }];
    }
    case 'single':
      return [{ title: 'Write ', text: `{${written}}` }];
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
