import type { TextRange } from '../../core/finding.js';
import type { TextReplacement } from '../edits/jsonEdit.js';
import { type JsonNode, type JsonPart, partsOf, rootOf } from '../edits/jsonNodes.js';
import type { QuickFix } from './quickFix.js';
import { textFix } from './support.js';

/** One of two members with the same key goes: the first, which readers never see, or the other, so that the first counts. */
export const duplicateKey: QuickFix = {
  code: 'duplicate-key',
  fixes({ range, related = [] }, context) {
    const { text, config } = context.document;
    const first = related[0]?.range;
    if (config?.value === undefined || first === undefined) return [];
    const isSame = () => sameValue(text, first, range);
    return [
      textFix(context, 'Remove the first one, which nothing reads', () => removal(text, first), isSame()),
      textFix(context, 'Remove this one, so that the first counts', () => removal(text, range)),
    ];
  },
};

/** The object in which both keys stand: of several with one name the one around the key. */
function partsAround(text: string, key: TextRange): readonly JsonPart[] {
  let node: JsonNode = rootOf(text);
  for (;;) {
    const parts = partsOf(text, node);
    if (parts.some((part) => part.key?.start === key.start)) return parts;
    const inner = parts.find(({ start, end }) => start <= key.start && key.start < end);
    if (inner === undefined) return [];
    node = inner.value;
  }
}

function sameValue(text: string, first: TextRange, second: TextRange): boolean {
  const parts = partsAround(text, second);
  const [one, other] = [first, second].map(({ start }) => parts.find((part) => part.key?.start === start));
  return (
    one !== undefined &&
    other !== undefined &&
    text.slice(one.value.start, one.value.end) === text.slice(other.value.start, other.value.end)
  );
}

function removal(text: string, key: TextRange): readonly TextReplacement[] {
  const parts = partsAround(text, key);
  const at = parts.findIndex((part) => part.key?.start === key.start);
  const part = parts[at];
  if (part === undefined) return [];
  const [before, behind] = [parts[at - 1], parts[at + 1]];
  if (before !== undefined) return [{ start: before.end, end: part.end, text: '' }];
  return [{ start: part.start, end: behind?.start ?? part.end, text: '' }];
}
