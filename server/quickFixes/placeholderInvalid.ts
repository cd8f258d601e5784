import type { PlacedFinding, TextRange } from '../../core/finding.js';
import { valueAt } from '../../core/json.js';
import { closedPath } from '../../core/prompt/brokenPaths.js';
import { closedPlaceholder } from '../../core/snapshot/brokenPlaceholders.js';
import { shorten } from '../../core/words.js';
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
    if (textIn(finding, 'kind') === 'nested')
      return unnested(text, start).map(({ title, range, text: repaired }) =>
        editFix(context, title, (edit) => edit.replaceWithin(pointer, 'value', range, repaired)),
      );
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

/** One of the variables of a nested placeholder, with the text around it in the fallback and the innermost fallback. Inner ones first. */
function unnested(text: string, start: number): readonly (Repair & { readonly range: TextRange })[] {
  const whole = parsePlaceholder(text, start);
  if (whole === undefined) return [];
  const { parts, last, end } = whole;
  return [...parts.slice(1), ...parts.slice(0, 1)].map(({ name, before, behind }) => {
    const kept = `${before}\${${name}${last}}${behind}`;
    return { title: `Keep ${name}: ${shorten(kept, 60, '...')}`, range: { start, end }, text: kept };
  });
}

interface Nested {
  /** From the outside in, each with the text of the fallbacks around it. */
  readonly parts: readonly { readonly name: string; readonly before: string; readonly behind: string }[];
  /** The innermost fallback, from its `:-`; empty without one. */
  readonly last: string;
  readonly end: number;
}

/** Undefined where it is not closed, or where a fallback holds two. */
function parsePlaceholder(text: string, start: number): Nested | undefined {
  const [opening, name = '', colon = ''] = /^\$\{([A-Za-z_]\w*)(:-)?/.exec(text.slice(start)) ?? [];
  if (opening === undefined) return undefined;
  const from = start + opening.length;
  const [, before = '', next] = /^([^${}]*)(\$\{|\})/.exec(text.slice(from)) ?? [];
  const outerPart = { name, before: '', behind: '' };
  if (next === '}') return { parts: [outerPart], last: colon + before, end: from + before.length + 1 };
  const inner = next === undefined || colon === '' ? undefined : parsePlaceholder(text, from + before.length);
  const [closing, behind = ''] = inner === undefined ? [] : (/^([^${}]*)\}/.exec(text.slice(inner.end)) ?? []);
  if (inner === undefined || closing === undefined) return undefined;
  const parts = inner.parts.map((part) => ({ name: part.name, before: before + part.before, behind: part.behind + behind }));
  // Only a text that is nothing but the inner one can fall back to what that one falls back to.
  const last = before + behind === '' || inner.last === '' ? inner.last : undefined;
  return last === undefined ? undefined : { parts: [outerPart, ...parts], last, end: inner.end + closing.length };
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
    case 'name': {
      const [, name, fallback] = /^\$\{\s*([A-Za-z_]\w*)\s*(?::([^{}:-][^{}]*))?\}$/.exec(written) ?? [];
      if (nearest.length > 0 || name === undefined) return nearest;
      return [{ title: 'Write ', text: fallback === undefined ? `\${${name}}` : `\${${name}:-${fallback}}` }];
    }
    default:
      return nearest;
  }
}
