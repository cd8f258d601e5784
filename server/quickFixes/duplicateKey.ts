import { findNodeAtOffset, type Node } from 'jsonc-parser';
import type { TextRange } from '../../core/finding.js';
import type { TextReplacement } from '../../core/jsonText/jsonEdit.js';
import { JsonTree, rangeOf } from '../../core/jsonText/jsonTree.js';
import type { QuickFix } from './quickFix.js';
import { textFix } from './support.js';

/** Removes one of two members with the same key: the first, which has no effect, or the second, so that the first takes effect. */
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

/** The member with the key that begins at an offset. */
function memberAt(text: string, { start }: TextRange): Node | undefined {
  const { root } = new JsonTree(text);
  return root && findNodeAtOffset(root, start)?.parent;
}

function sameValue(text: string, first: TextRange, second: TextRange): boolean {
  const [one, other] = [first, second].map((key) => {
    const value = memberAt(text, key)?.children?.[1];
    return value && text.slice(value.offset, value.offset + value.length);
  });
  return one !== undefined && one === other;
}

function removal(text: string, key: TextRange): readonly TextReplacement[] {
  const member = memberAt(text, key);
  const members = member?.parent?.children ?? [];
  const at = member === undefined ? -1 : members.indexOf(member);
  const [before, own, behind] = [members[at - 1], members[at], members[at + 1]].map((node) => node && rangeOf(node));
  if (own === undefined) return [];
  return [
    before === undefined ? { start: own.start, end: behind?.start ?? own.end, text: '' } : { start: before.end, end: own.end, text: '' },
  ];
}
