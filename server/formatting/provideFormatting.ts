import type {
  DocumentFormattingParams,
  DocumentOnTypeFormattingParams,
  DocumentRangeFormattingParams,
  FormattingOptions,
  TextDocumentIdentifier,
  TextEdit,
} from 'vscode-languageserver';
import type { TextReplacement } from '../../core/jsonText/jsonEdit.js';
import { openBrackets } from '../../core/jsonText/jsonShape.js';
import { isPromptText } from '../../core/jsonText/promptText.js';
import type { Document } from '../document.js';
import type { FeatureContext } from '../feature.js';
import { ourDocument } from '../ours.js';
import { indentOf, layOut } from './layOut.js';

export function formatDocument({ textDocument, options }: DocumentFormattingParams, context: FeatureContext): readonly TextEdit[] | null {
  const document = jsonDocument(textDocument, context);
  return document === undefined ? null : toEdits(document, layOut(document.text, options));
}

/** Formats like the whole document, but only inside the range. */
export function formatRange(params: DocumentRangeFormattingParams, context: FeatureContext): readonly TextEdit[] | null {
  const { textDocument, range, options } = params;
  const document = jsonDocument(textDocument, context);
  if (document === undefined) return null;
  const { start, end } = document.stretchOf(range);
  return toEdits(document, inside(layOut(document.text, options), Math.min(start, end), Math.max(start, end)));
}

/** A closing bracket formats what it closes; a line break formats the line it ends, and indents the one it begins. */
export function formatOnType(params: DocumentOnTypeFormattingParams, context: FeatureContext): readonly TextEdit[] | null {
  const { textDocument, position, ch, options } = params;
  const document = jsonDocument(textDocument, context);
  if (document === undefined) return null;
  if (ch === '\n') return toEdits(document, afterLineBreak(document, position.line, options));
  const { text } = document;
  const offset = document.offsetAt(position);
  const before = openBrackets(text, offset - 1);
  const closed = openBrackets(text, offset).length < before.length ? before.at(-1) : undefined;
  return closed === undefined ? [] : toEdits(document, inside(layOut(text, options), closed, offset));
}

/** A prompt in Markdown is laid out by its author. */
function jsonDocument(textDocument: TextDocumentIdentifier, context: FeatureContext): Document | undefined {
  const document = ourDocument(textDocument, context)?.document;
  return isPromptText(document?.path ?? '') ? undefined : document;
}

function afterLineBreak(document: Document, line: number, options: FormattingOptions): readonly TextReplacement[] {
  if (line === 0) return [];
  const { text } = document;
  const lineStart = document.offsetAt({ line, character: 0 });
  const previous = document.offsetAt({ line: line - 1, character: 0 });
  // An edit of the blanks before the line break just typed would remove that line break again.
  const written = previous + text.slice(previous, lineStart).trimEnd().length;
  const edits = inside(layOut(text, options), previous, written).filter(({ text: put }) => !/[\r\n]/.test(put));
  const blanks = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
  const end = lineStart + blanks.length;
  const level = openBrackets(text, lineStart).length - (/[}\]]/.test(text[end] ?? '') ? 1 : 0);
  const indent = indentOf(options).repeat(Math.max(0, Math.min(level, 100)));
  return blanks === indent ? edits : [...edits, { start: lineStart, end, text: indent }];
}

function inside(edits: readonly TextReplacement[], start: number, end: number): readonly TextReplacement[] {
  return edits.filter((edit) => start <= edit.start && edit.end <= end);
}

function toEdits(document: Document, edits: readonly TextReplacement[]): readonly TextEdit[] {
  return edits.map(({ start, end, text }) => ({ range: document.rangeOf({ start, end }), newText: text }));
}
