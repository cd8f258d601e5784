import type { FoldingRange, FoldingRangeParams } from 'vscode-languageserver';
import type { FeatureContext } from '../feature.js';
import { readTokens } from '../jsonTokens.js';
import { ourDocument } from '../ours.js';

/** Editors show no more anyway; the outer ones count first. */
const mostRanges = 5_000;

/** Every object and list of more than one line, up to the line before its closing bracket. In broken JSON as far as brackets match. */
export function provideFoldingRanges({ textDocument }: FoldingRangeParams, context: FeatureContext): readonly FoldingRange[] | null {
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const { document } = ours;
  const found: { startLine: number; endLine: number; depth: number }[] = [];
  const open: { readonly type: '{' | '['; readonly start: number }[] = [];
  const close = (end: number, isClosed: boolean) => {
    const bracket = open.pop();
    if (bracket === undefined) return;
    const startLine = document.positionAt(bracket.start).line;
    const endLine = document.positionAt(end).line - (isClosed ? 1 : 0);
    if (startLine < endLine) found.push({ startLine, endLine, depth: open.length });
  };
  const token = readTokens(document.text);
  let last = 0;
  for (token.read(0); token.type !== 'end'; token.read(token.end)) {
    if (token.type === '{' || token.type === '[') open.push({ type: token.type, start: token.start });
    else if (token.type === '}' || token.type === ']') {
      const wanted = token.type === '}' ? '{' : '[';
      const at = open.findLastIndex(({ type }) => type === wanted);
      if (at < 0) continue;
      while (open.length > at + 1) close(last, false);
      close(token.start, true);
    }
    last = token.end;
  }
  while (open.length > 0) close(last, false);
  const limit = Math.min(mostRanges, context.client.textDocument?.foldingRange?.rangeLimit ?? mostRanges);
  if (found.length > limit) found.sort((left, right) => left.depth - right.depth || left.startLine - right.startLine).splice(limit);
  const ranges = found.map(({ startLine, endLine }) => ({ startLine, endLine }));
  return ranges.sort((left, right) => left.startLine - right.startLine || right.endLine - left.endLine);
}
