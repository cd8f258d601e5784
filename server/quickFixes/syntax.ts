import { findNodeAtOffset, type Node } from 'jsonc-parser';
import { parseConfigObject } from '../../core/config/parseConfigFile.js';
import type { TextRange } from '../../core/finding.js';
import { applyReplacements, JsonEdit, type TextReplacement } from '../../core/jsonText/jsonEdit.js';
import { JsonTree, rangeOf } from '../../core/jsonText/jsonTree.js';
import { findSyntaxFaults } from '../../core/jsonText/syntaxFaults.js';
import type { SyntaxFault } from '../../core/jsonText/types.js';
import { fieldsAt } from '../../core/schema/kindFields.js';
import type { FixContext, QuickFix } from './quickFix.js';
import { textFix } from './support.js';
import { type SyntaxRepair, syntaxRepairs } from './syntaxRepairs.js';

/** Repairs a syntax fault. A repair is offered only if trying it removes the fault. */
export const jsonSyntax: QuickFix = {
  code: 'json-syntax',
  fixes({ range, message }, context) {
    const { text } = context.document;
    const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    const faults = context.file.syntax;
    const earlierFaults = faults.filter((fault) => fault.range.start < range.end).length;
    const heals = ({ replacements }: SyntaxRepair) => {
      const repaired = applyReplacements(text, replacements);
      const remaining = findSyntaxFaults(repaired, start);
      const end = shifted(range, replacements);
      return remaining.length === 0 || remaining.filter((fault) => fault.range.start < end).length < earlierFaults;
    };
    return syntaxRepairs({ text, range, message })
      .filter(heals)
      .slice(0, 2)
      .map(({ title, replacements, isPlain }) => textFix(context, title, () => replacements, isPlain));
  },
};

/**
 * The unambiguous repairs of all faults. They are tried together, so that a file with many faults is not parsed once for each; empty when the
 * first fault would remain.
 */
export function plainRepairs(text: string, faults: readonly SyntaxFault[]): readonly TextReplacement[] {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const applied: TextReplacement[] = [];
  for (const { code, range, message } of faults) {
    if (code !== 'json-syntax') continue;
    const [repair] = syntaxRepairs({ text, range, message });
    if (repair?.isPlain !== true) continue;
    const isFree = repair.replacements.every((edit) => applied.every((other) => edit.end < other.start || other.end < edit.start));
    if (isFree) applied.push(...repair.replacements);
  }
  if (applied.length === 0) return [];
  const [first] = findSyntaxFaults(applyReplacements(text, applied), start).filter(({ code }) => code === 'json-syntax');
  const last = faults.at(-1)?.range ?? { start: 0, end: 0 };
  return first === undefined || first.range.start > shifted(last, applied) ? applied.sort((left, right) => left.start - right.start) : [];
}

/** The end of a range after replacements. */
function shifted({ start, end }: TextRange, replacements: readonly TextReplacement[]): number {
  let moved = end;
  for (const edit of replacements) if (edit.start <= start) moved += edit.text.length - (edit.end - edit.start);
  return moved;
}

/** Moves the words of a comment to the description of the file; or removes the comment: with its line if it is alone on it, or with the space before it. */
export const jsonComment: QuickFix = {
  code: 'json-comment',
  fixes({ range }, context) {
    const { text } = context.document;
    const removal = () => ({ ...withSpace(text, range), text: '' });
    const words = commentWords(text.slice(range.start, range.end));
    if (words === '') return [textFix(context, 'Remove the comment', () => [removal()], true)];
    const remove = textFix(context, 'Remove the comment', () => [removal()]);
    const described = withDescription(words, context);
    if (described === undefined) return [remove];
    const replacements = () => [...described, removal()].sort((left, right) => left.start - right.start || left.end - right.end);
    return [textFix(context, 'Move the comment to "description"', replacements, true), remove];
  },
};

/** Without the signs of the comment, on one line; empty where it is only drawn. */
function commentWords(comment: string): string {
  const lines = comment.replace(/^\/\/+|^\/\*+|\*+\/$/g, '').split(/\r?\n/);
  const words = lines
    .map((line) => line.replace(/^\s*\*+(?=\s|$)/, '').trim())
    .join(' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(words) ? words : '';
}

/** Adds words to the description at the root. Undefined where the file has none, or can be read only once other faults are repaired. */
function withDescription(words: string, { document: { text }, file }: FixContext): readonly TextReplacement[] | undefined {
  const isReadable = file.syntax.every(({ code }) => code === 'json-comment');
  if (!isReadable || !fieldsAt(file.identity.kind, [])?.includes('description')) return undefined;
  // Comments as spaces: places stay the same.
  const blanks = file.syntax.map(({ range: { start, end } }) => ({ start, end, text: text.slice(start, end).replace(/[^\r\n]/g, ' ') }));
  const blanked = applyReplacements(text, blanks);
  const value = parseConfigObject(blanked);
  const before = value?.description ?? '';
  if (value === undefined || typeof before !== 'string') return undefined;
  const edit = new JsonEdit(blanked);
  edit.set('/description', before === '' ? words : `${before}\n${words}`, { after: ['version', 'agent_name', 'name', '$schema'] });
  return edit.replacements();
}

function withSpace(text: string, { start, end }: TextRange): TextRange {
  let before = start;
  while (text[before - 1] === ' ' || text[before - 1] === '\t') before -= 1;
  let behind = end;
  while (text[behind] === ' ' || text[behind] === '\t') behind += 1;
  const beginsLine = before === 0 || isLineEnd(text[before - 1]);
  const endsLine = behind >= text.length || isLineEnd(text[behind]);
  if (beginsLine && endsLine) {
    if (text.startsWith('\r\n', behind)) return { start: before, end: behind + 2 };
    return { start: before, end: Math.min(behind + 1, text.length) };
  }
  // Between two tokens, the space on one side stays.
  return endsLine ? { start: before, end: behind } : { start, end: behind };
}

function isLineEnd(unit: string | undefined): boolean {
  return unit === '\n' || unit === '\r';
}

/** Removes a comma before a closing bracket. */
export const trailingComma: QuickFix = {
  code: 'trailing-comma',
  fixes: ({ range }, context) => [textFix(context, 'Remove the comma', () => [{ ...range, text: '' }], true)],
};

/** Removes one of two members with the same key: the first, which has no effect, or the second, so that the first takes effect. */
export const duplicateKey: QuickFix = {
  code: 'duplicate-key',
  fixes({ range, related = [] }, context) {
    const { text, config } = context.document;
    const first = related[0]?.range;
    if (config?.value === undefined || first === undefined) return [];
    const isSame = () => sameValue(text, first, range);
    return [
      textFix(context, 'Remove the first one, which has no effect', () => removal(text, first), isSame()),
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
  const [before, other] = [first, second].map((key) => {
    const value = memberAt(text, key)?.children?.[1];
    return value && text.slice(value.offset, value.offset + value.length);
  });
  return before !== undefined && before === other;
}

function removal(text: string, key: TextRange): readonly TextReplacement[] {
  const member = memberAt(text, key);
  const members = member?.parent?.children ?? [];
  const at = member === undefined ? -1 : members.indexOf(member);
  const [before, self, behind] = [members[at - 1], members[at], members[at + 1]].map((node) => node && rangeOf(node));
  if (self === undefined) return [];
  return [
    before === undefined ? { start: self.start, end: behind?.start ?? self.end, text: '' } : { start: before.end, end: self.end, text: '' },
  ];
}
