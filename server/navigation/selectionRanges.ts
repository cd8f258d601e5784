import type { SelectionRange, SelectionRangeParams } from 'vscode-languageserver';
import type { TextRange } from '../../core/finding.js';
import type { Document } from '../document.js';
import type { FeatureContext } from '../feature.js';
import { type Outline, type OutlineNode, outlineOf } from '../jsonOutline.js';
import { ourDocument } from '../ours.js';

export function provideSelectionRanges(
  { textDocument, positions }: SelectionRangeParams,
  context: FeatureContext,
): readonly SelectionRange[] | null {
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const { document } = ours;
  const outline = outlineOf(document.text);
  return positions.map((position) => {
    let selection: SelectionRange = { range: document.rangeOf({ start: 0, end: document.text.length }) };
    let around: TextRange = { start: 0, end: document.text.length };
    for (const range of stretchesAt(document, outline, document.offsetAt(position))) {
      if (range.start < around.start || around.end < range.end) continue;
      if (range.start === around.start && range.end === around.end) continue;
      around = range;
      selection = { range: document.rangeOf(range), parent: selection };
    }
    return selection;
  });
}

/** What lies around an offset, the widest first. */
function* stretchesAt({ text }: Document, { root }: Outline, offset: number): Generator<TextRange, void, undefined> {
  const isAround = ({ start, end }: TextRange) => start <= offset && offset <= end;
  let node: OutlineNode | undefined = root;
  while (node !== undefined && (isAround(node) || (node.key !== undefined && isAround(node.key)))) {
    const { key, start, end } = node;
    if (key !== undefined) yield { start: key.start, end };
    if (key !== undefined && isAround(key)) {
      yield* stringStretches(text, key, offset);
      return;
    }
    yield { start, end };
    if (node.type === 'string') yield* stringStretches(text, node, offset);
    else if (node.type !== 'word') yield { start: start + 1, end: Math.max(start + 1, node.isClosed ? end - 1 : end) };
    node = node.children.findLast((child) => (child.key?.start ?? child.start) <= offset);
    if (node !== undefined && node.end < offset) return;
  }
}

/** A string, its inside, and in it a `{{path}}` or `${VAR}`, and a word. */
function* stringStretches(text: string, { start, end }: TextRange, offset: number): Generator<TextRange, void, undefined> {
  yield { start, end };
  const first = text[start] === '"' ? start + 1 : start;
  const last = text[end - 1] === '"' && end - 1 > start ? end - 1 : end;
  if (offset < first || last < offset) return;
  yield { start: first, end: last };
  const from = Math.max(first, offset - longest);
  const near = text.slice(from, Math.min(last, offset + longest));
  for (const pattern of [/\{\{[^{}"]*\}\}|\$\{[^{}"]*\}/g, /[\p{L}\p{N}_]+/gu]) {
    for (const { 0: match, index } of near.matchAll(pattern)) {
      const at = from + index;
      if (at <= offset && offset <= at + match.length) yield { start: at, end: at + match.length };
    }
  }
}

/** How far around the cursor a placeholder or a word is looked for. */
const longest = 500;
