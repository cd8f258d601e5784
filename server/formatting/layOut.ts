import { type Edit, format, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { FormattingOptions } from 'vscode-languageserver';
import type { TextRange } from '../../core/finding.js';
import type { TextReplacement } from '../../core/jsonText/jsonEdit.js';
import { isTooDeep } from '../../core/jsonText/jsonShape.js';
import { rangeOf } from '../../core/jsonText/jsonTree.js';
import { lineIndexAt } from '../../core/jsonText/textPositions.js';
import { trimmedReplacement } from '../edits/trimmedReplacement.js';

/** One level of indentation. */
export function indentOf({ insertSpaces, tabSize }: FormattingOptions): string {
  return insertSpaces ? ' '.repeat(sizeOf(tabSize)) : '\t';
}

/**
 * The white space changes of jsonc-parser's formatter, except that objects and lists on one line stay on it: `["a", "b"]` is not spread
 * over four lines. Comments and trailing commas are kept; a text that is broken, or nested too deeply for a config, is left unchanged.
 */
export function layOut(text: string, { insertSpaces, tabSize, insertFinalNewline }: FormattingOptions): readonly TextReplacement[] {
  const errors: ParseError[] = [];
  const root = isTooDeep(text) ? undefined : parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0) return [];
  const options = { insertSpaces, tabSize: sizeOf(tabSize), insertFinalNewline: insertFinalNewline === true || /[\r\n]$/.test(text) };
  const isFlat = rangeFinder(flatRanges(text, root));
  const spread = format(text, undefined, options).filter((edit) => !isFlat(edit));
  const flat = format(text, undefined, { ...options, keepLines: true }).filter((edit) => isFlat(edit) && !padsBracket(text, edit));
  return [...spread, ...flat].flatMap((edit) => trimmed(text, edit)).sort((left, right) => left.start - right.start);
}

/** Non-empty objects and lists on one line, each inside others that are not on one line. */
function flatRanges(text: string, { children = [] }: Node): readonly TextRange[] {
  return children.flatMap((child) => {
    if (child.type === 'property') return flatRanges(text, child);
    if (child.children === undefined || child.children.length === 0) return [];
    const range = rangeOf(child);
    return /[\r\n]/.test(text.slice(range.start, range.end)) ? flatRanges(text, child) : [range];
  });
}

/** Whether an edit lies inside the brackets of one of the ranges, which are in the order of the text. */
function rangeFinder(ranges: readonly TextRange[]): (edit: Edit) => boolean {
  const starts = ranges.map(({ start }) => start);
  return ({ offset, length }) => {
    const range = ranges[lineIndexAt(starts, offset)];
    return range !== undefined && range.start < offset && offset + length < range.end;
  };
}

/** With `keepLines`, the formatter turns `[1]` into `[ 1 ]`. Brackets keep their inner space as it is. */
function padsBracket(text: string, { offset, length, content }: Edit): boolean {
  return content === ' ' && (/[{[]/.test(text[offset - 1] ?? '') || /[}\]]/.test(text[offset + length] ?? ''));
}

/** The changed part of the space between two tokens, all of which the formatter replaces. */
function trimmed(text: string, { offset, length, content }: Edit): readonly TextReplacement[] {
  const replacements = trimmedReplacement(text.slice(offset, offset + length), content);
  return replacements.map(({ start, end, text: put }) => ({ start: start + offset, end: end + offset, text: put }));
}

function sizeOf(tabSize: number): number {
  return Number.isInteger(tabSize) && 0 < tabSize && tabSize <= 16 ? tabSize : 2;
}
