import type { SelectionRange, SelectionRangeParams } from 'vscode-languageserver';
import type { TextRange } from '../../core/finding.js';
import type { FeatureContext } from '../feature.js';
import { insideOf, type JsonTree, rangeOf, treeOf } from '../jsonTree.js';
import { ourDocument } from '../ours.js';

/** From a word, a `{{path}}` or `${VAR}` in a string to the string, its member, the object around it, and so on to the file. */
export function provideSelectionRanges(
  { textDocument, positions }: SelectionRangeParams,
  context: FeatureContext,
): readonly SelectionRange[] | null {
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const { document } = ours;
  const whole: SelectionRange = { range: document.rangeOf({ start: 0, end: document.text.length }) };
  return positions.map((position) => {
    let selection = whole;
    let around: TextRange = { start: 0, end: document.text.length };
    for (const range of stretchesAt(treeOf(document), document.offsetAt(position))) {
      const isInside = around.start <= range.start && range.end <= around.end && range.end - range.start < around.end - around.start;
      if (!isInside) continue;
      around = range;
      selection = { range: document.rangeOf(range), parent: selection };
    }
    return selection;
  });
}

/** The ranges around an offset, the widest first. */
function stretchesAt(tree: JsonTree, offset: number): readonly TextRange[] {
  const innermost = tree.parsed.getNodeFromOffset(offset, true);
  const stretches: TextRange[] = [];
  for (let node = innermost; node !== undefined; node = node.parent) {
    const inside = insideOf(node, tree);
    if (inside.start <= offset && offset <= inside.end) stretches.push(inside);
    stretches.push(rangeOf(node));
  }
  return [...stretches.reverse(), ...(innermost?.type === 'string' ? wordsAt(tree.text, offset, insideOf(innermost, tree)) : [])];
}

/** The `{{path}}` or `${VAR}` and the word around an offset of a string. */
function wordsAt(text: string, offset: number, { start, end }: TextRange): readonly TextRange[] {
  const from = Math.max(start, offset - longest);
  const near = text.slice(from, Math.min(end, offset + longest));
  return [/\{\{[^{}"]*\}\}|\$\{[^{}"]*\}/g, /[\p{L}\p{N}_]+/gu].flatMap((pattern) =>
    Array.from(near.matchAll(pattern), ({ 0: match, index }) => ({ start: from + index, end: from + index + match.length })).filter(
      (stretch) => stretch.start <= offset && offset <= stretch.end,
    ),
  );
}

/** How far the search for a placeholder or a word goes in both directions. */
const longest = 500;
