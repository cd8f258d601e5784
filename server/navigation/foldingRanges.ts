import type { FoldingRange, FoldingRangeParams } from 'vscode-languageserver';
import { isPromptText } from '../../core/jsonText/promptText.js';
import type { FeatureContext } from '../feature.js';
import { jsonService, treeOf } from '../jsonTree.js';
import { ourDocument } from '../ours.js';

/** More would be useless in an editor. The outer ones come first. */
const mostRanges = 5_000;

/** Objects and lists of more than one line, up to the line before the closing bracket, or to the end of the content if it is missing. */
export function provideFoldingRanges({ textDocument }: FoldingRangeParams, context: FeatureContext): readonly FoldingRange[] | null {
  const ours = ourDocument(textDocument, context);
  // Editors fold Markdown themselves.
  if (ours === undefined || isPromptText(ours.document.path ?? '')) return null;
  const rangeLimit = Math.min(mostRanges, context.client.textDocument?.foldingRange?.rangeLimit ?? mostRanges);
  return jsonService
    .getFoldingRanges(treeOf(ours.document).completed, { rangeLimit })
    .map(({ startLine, endLine }) => ({ startLine, endLine }))
    .sort((left, right) => left.startLine - right.startLine || right.endLine - left.endLine);
}
