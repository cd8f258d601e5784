import * as vscode from 'vscode';
import type { DraftAnswer } from '../../../core/draftAnswer.js';
import { locate } from '../../../core/jsonText/locate.js';
import { applied, changeLiteral, type ShownText, showLiteral, shownOffset } from '../../../core/markdown/textLiteral.js';
import { draftOfMarkdown, fromMarkdown, type MarkdownFault } from '../../../core/markdown/wholeFile.js';
import type { LanguageServer } from '../../language/languageServer.js';
import { findSourceText, openSource } from './sourceText.js';
import { type TextPlace, toTextPlace } from './textUri.js';

/** A text, or a whole file, that is being edited, and the JSON file that it would make. */
export interface TextDraft {
  readonly place: TextPlace;
  /** The whole JSON file. */
  readonly json: string;
  /** The strings of it that the document shows, in its order. */
  readonly parts: readonly TextPart[];
}

/** A string where the document shows it. */
export interface TextPart {
  readonly pointer: string;
  /** Where the string is in the JSON file, with its quotes. */
  readonly start: number;
  readonly end: number;
  readonly shownText: ShownText;
  /** The line of the document on which it starts, and the one after its last. */
  readonly line: number;
  readonly endLine: number;
  /** Lines of the document with a backslash that is not in the string. */
  readonly escaped: ReadonlySet<number>;
}

/** Undefined where the string is gone, or nothing can be made of it. */
export async function draftOf(document: vscode.TextDocument): Promise<TextDraft | undefined> {
  const place = toTextPlace(document.uri);
  if (place === undefined) return undefined;
  if (place.pointer === '') return draftOfWhole(document, place);
  const source = await findSourceText(place).catch(() => undefined);
  if (source === undefined) return undefined;
  const { start, literal, shownText: shown } = source;
  const edited = applied(literal, changeLiteral(literal, shown, document.getText()));
  const now = showLiteral(edited);
  if (now === undefined) return undefined;
  const json = source.document.getText();
  const draft = json.slice(0, start) + edited + json.slice(start + literal.length);
  const part = {
    pointer: place.pointer,
    start,
    end: start + edited.length,
    shownText: now,
    line: 0,
    endLine: document.lineCount,
    escaped: noLines,
  };
  return { place, json: draft, parts: [part] };
}

const noLines: ReadonlySet<number> = new Set();

async function draftOfWhole(document: vscode.TextDocument, place: TextPlace): Promise<TextDraft | undefined> {
  const source = await openSource(place.file).catch(() => undefined);
  const draft = source && (await draftOfMarkdown(document.getText(), source.getText()));
  if (draft === undefined) return undefined;
  const places = locate(
    draft.json,
    draft.sections.map(({ pointer }) => pointer),
  );
  const parts = draft.sections.flatMap(({ pointer, line, end: endLine, escaped }): TextPart[] => {
    const value = places.get(pointer)?.value;
    const shownLiteral = value && showLiteral(draft.json.slice(value.start, value.end));
    return value === undefined || shownLiteral === undefined
      ? []
      : [{ pointer, start: value.start, end: value.end, shownText: shownLiteral, line, endLine, escaped }];
  });
  return { place, json: draft.json, parts };
}

/** What keeps a document from being written back; undefined for the document of one text, and where nothing does. */
export async function faultOf(document: vscode.TextDocument): Promise<MarkdownFault | undefined> {
  const place = toTextPlace(document.uri);
  if (place?.pointer !== '') return undefined;
  const source = await openSource(place.file).catch(() => undefined);
  const convertedText = source && (await fromMarkdown(document.getText(), source.getText()));
  return convertedText?.type === 'fault' ? convertedText.fault : undefined;
}

/** The language server's answer about a draft; undefined without a server, and for a file that is not ours. */
export async function askOf(
  server: LanguageServer,
  { place, json }: TextDraft,
  ask: Readonly<Record<string, string | number>> = {},
): Promise<DraftAnswer | undefined> {
  const argument = { uri: place.file.toString(), text: json, ...ask };
  // A file outside of all projects is refused, since nothing is known about it.
  return server.execute<DraftAnswer>('agentStack.server.draft', argument).catch(() => undefined);
}

/** The string that the document shows at a position, and where that is in the JSON file. */
export function findPart({ parts }: TextDraft, document: vscode.TextDocument, { line, character }: vscode.Position) {
  const part = parts.find((candidate) => candidate.line <= line && line < candidate.endLine);
  if (part === undefined) return undefined;
  // Each line break counts as one unit, also where the document ends its lines with CRLF.
  const above = document.getText(new vscode.Range(part.line, 0, line, 0)).replaceAll('\r\n', '\n').length;
  const backslashes = [...part.escaped].filter((escaped) => escaped <= line).length;
  const at = Math.max(0, above + character - backslashes);
  const { starts } = part.shownText;
  return { part, offset: part.start + (starts[Math.min(at, starts.length - 1)] ?? 1) };
}

/** The stretch of a part that shows one of the JSON file; undefined for one that is elsewhere in it. */
export function toShownStretch({ start, end, shownText: shown }: TextPart, range: { readonly start: number; readonly end: number }) {
  if (range.start < start || end < range.end) return undefined;
  // A finding about the whole string is shown on its first line.
  const isWhole = range.start === start && range.end === end;
  if (isWhole) return { start: 0, end: shown.text.includes('\n') ? shown.text.indexOf('\n') : shown.text.length };
  return { start: shownOffset(shown, range.start - start), end: shownOffset(shown, range.end - start) };
}

/** A stretch of the shown text as a range of the document, which may end its lines otherwise. */
export function toRange(stretch: { readonly start: number; readonly end: number }, part: TextPart): vscode.Range {
  const positionOf = (offset: number) => {
    const before = part.shownText.text.slice(0, offset);
    const line = part.line + before.split('\n').length - 1;
    return new vscode.Position(line, offset - (before.lastIndexOf('\n') + 1) + (part.escaped.has(line) ? 1 : 0));
  };
  return new vscode.Range(positionOf(stretch.start), positionOf(stretch.end));
}
