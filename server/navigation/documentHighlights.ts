import { type DocumentHighlight, DocumentHighlightKind, type DocumentHighlightParams } from 'vscode-languageserver';
import type { FeatureContext } from '../feature.js';
import { entityKey } from '../names/entity.js';
import { occurrencesAt, occurrencesIn } from '../occurrences.js';
import { ourDocument } from '../ours.js';

/** A place that creates the entity or sets its value is a write. */
export function provideDocumentHighlights(
  { textDocument, position }: DocumentHighlightParams,
  context: FeatureContext,
): readonly DocumentHighlight[] | null {
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const { document, project } = ours;
  const occurrences = occurrencesAt(document, document.offsetAt(position), project);
  const [first] = occurrences;
  if (first === undefined) return null;
  const keys = new Set(occurrences.map(({ entity }) => entityKey(entity)));
  const wanted = { kinds: new Set([first.entity.kind]), name: first.entity.name };
  const byStart = new Map<number, DocumentHighlight>();
  for (const { entity, range, isWrite, isImplied } of occurrencesIn(document, project, wanted)) {
    if (isImplied || !keys.has(entityKey(entity))) continue;
    const kind = isWrite ? DocumentHighlightKind.Write : DocumentHighlightKind.Read;
    byStart.set(range.start, { range: document.rangeOf(range), kind });
  }
  return [...byStart.values()];
}
