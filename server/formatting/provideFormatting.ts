import type {
  DocumentFormattingParams,
  DocumentOnTypeFormattingParams,
  DocumentRangeFormattingParams,
  FormattingOptions,
  TextEdit,
} from 'vscode-languageserver';
import type { Document } from '../document.js';
import type { FeatureContext } from '../feature.js';
import { readTokens } from '../jsonTokens.js';
import { ourDocument } from '../ours.js';
import { Brackets } from './brackets.js';
import { type Layout, layOut, type SpaceEdit } from './layOut.js';

export function formatDocument({ textDocument, options }: DocumentFormattingParams, context: FeatureContext): readonly TextEdit[] | null {
  const document = ourDocument(textDocument, context)?.document;
  return document === undefined ? null : toEdits(document, layOut(document.text, layoutOf(options)));
}

/** As the whole document would be formatted, but only where that is in the range. */
export function formatRange(params: DocumentRangeFormattingParams, context: FeatureContext): readonly TextEdit[] | null {
  const { textDocument, range, options } = params;
  const document = ourDocument(textDocument, context)?.document;
  if (document === undefined) return null;
  const { start, end } = document.stretchOf(range);
  const edits = layOut(document.text, { unit: layoutOf(options).unit });
  return toEdits(document, inside(edits, Math.min(start, end), Math.max(start, end)));
}

/** A closing bracket formats what it closes; a line break the line it ends, and indents the one it begins. */
export function formatOnType(params: DocumentOnTypeFormattingParams, context: FeatureContext): readonly TextEdit[] | null {
  const { textDocument, position, ch, options } = params;
  const document = ourDocument(textDocument, context)?.document;
  if (document === undefined) return null;
  const { text } = document;
  const { unit } = layoutOf(options);
  const offset = document.offsetAt(position);
  if (ch === '\n') return toEdits(document, afterLineBreak(document, position.line, unit));
  const { closedAt } = nestingAt(text, offset);
  return closedAt === undefined ? [] : toEdits(document, inside(layOut(text, { unit }), closedAt, offset));
}

function afterLineBreak(document: Document, line: number, unit: string): readonly SpaceEdit[] {
  if (line === 0) return [];
  const { text } = document;
  const lineStart = document.offsetAt({ line, character: 0 });
  const previous = document.stretchOf({
    start: { line: line - 1, character: 0 },
    end: { line: line - 1, character: Number.MAX_SAFE_INTEGER },
  });
  // Blanks at the end of the line before belong to the line break that has just been typed: they would take it away again.
  const written = text.slice(previous.start, previous.end).trimEnd().length;
  const edits = inside(layOut(text, { unit }), previous.start, previous.start + written).filter(({ newText }) => !/[\r\n]/.test(newText));
  const blanks = /^[ \t]*/.exec(text.slice(lineStart, lineStart + 10_000))?.[0] ?? '';
  const level = nestingAt(text, lineStart).level - (/[}\]]/.test(text[lineStart + blanks.length] ?? '') ? 1 : 0);
  const wanted = unit.repeat(Math.max(0, Math.min(level, 100)));
  return blanks === wanted ? edits : [...edits, { start: lineStart, end: lineStart + blanks.length, newText: wanted }];
}

/** How many objects and lists are open at an offset, and where what has been closed right before it begins. */
function nestingAt(text: string, offset: number): { readonly level: number; readonly closedAt: number | undefined } {
  const brackets = new Brackets<number>();
  const token = readTokens(text);
  let closedAt: number | undefined;
  for (token.read(0); token.type !== 'end' && token.end <= offset; token.read(token.end)) {
    closedAt = undefined;
    if (token.type === '{' || token.type === '[') brackets.push(token.type, token.start);
    else if (token.type === '}' || token.type === ']')
      closedAt = token.end === offset ? brackets.close(token.type) : void brackets.close(token.type);
  }
  return { level: brackets.level, closedAt };
}

function inside(edits: readonly SpaceEdit[], start: number, end: number): readonly SpaceEdit[] {
  return edits.filter((edit) => start <= edit.start && edit.end <= end);
}

function layoutOf({ tabSize, insertSpaces, insertFinalNewline, trimFinalNewlines }: FormattingOptions): Layout {
  const size = Number.isInteger(tabSize) && 0 < tabSize && tabSize <= 16 ? tabSize : 2;
  const finalNewline = insertFinalNewline === true ? true : trimFinalNewlines === true && insertFinalNewline === false ? false : undefined;
  return { unit: insertSpaces === false ? '\t' : ' '.repeat(size), finalNewline };
}

function toEdits(document: Document, edits: readonly SpaceEdit[]): readonly TextEdit[] {
  return edits.map(({ start, end, newText }) => ({ range: document.rangeOf({ start, end }), newText }));
}
