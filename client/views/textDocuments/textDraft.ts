import * as vscode from 'vscode';
import type { DraftAnswer } from '../../../core/draftAnswer.js';
import type { LanguageServer } from '../../language/languageServer.js';
import { findSourceText } from './sourceText.js';
import { applied, changeLiteral, type ShownText, showLiteral, shownOffset } from './textLiteral.js';
import { type TextPlace, toTextPlace } from './textUri.js';

/** A text as it is being edited, in the JSON file that it would make. */
export interface TextDraft {
  readonly place: TextPlace;
  /** The whole JSON file. */
  readonly json: string;
  /** Where the string is in it, with its quotes. */
  readonly start: number;
  readonly end: number;
  readonly shown: ShownText;
}

/** Undefined where the string is gone, or nothing can be made of it. */
export async function draftOf(document: vscode.TextDocument): Promise<TextDraft | undefined> {
  const place = toTextPlace(document.uri);
  const source = place && (await findSourceText(place).catch(() => undefined));
  if (place === undefined || source === undefined) return undefined;
  const { start, literal, shown } = source;
  const edited = applied(literal, changeLiteral(literal, shown, document.getText()));
  const now = showLiteral(edited);
  if (now === undefined) return undefined;
  const json = source.document.getText();
  const draft = json.slice(0, start) + edited + json.slice(start + literal.length);
  return { place, json: draft, start, end: start + edited.length, shown: now };
}

/** What the language server says of a draft; undefined without a server, and for a file that is none of ours. */
export async function askOf(
  server: LanguageServer,
  { place, json }: TextDraft,
  ask: Readonly<Record<string, string | number>> = {},
): Promise<DraftAnswer | undefined> {
  const argument = { uri: place.file.toString(), text: json, ...ask };
  // A file that is in no project is refused: nothing is known of it.
  return server.execute<DraftAnswer>('agentStack.server.draft', argument).catch(() => undefined);
}

/** Where a position of the document is in the JSON file. */
export function toJsonOffset({ start, shown }: TextDraft, document: vscode.TextDocument, position: vscode.Position): number {
  const before = document.getText().slice(0, document.offsetAt(position));
  // Each line break counts as one unit, also where the document ends its lines with CRLF.
  const at = before.replaceAll('\r\n', '\n').length;
  return start + (shown.starts[Math.min(at, shown.starts.length - 1)] ?? 1);
}

/** The stretch of the document that shows one of the JSON file; undefined for one that is elsewhere in it. */
export function toShownStretch({ start, end, shown }: TextDraft, found: { readonly start: number; readonly end: number }) {
  if (found.start < start || end < found.end) return undefined;
  // A finding about the whole string is shown on its first line.
  const isWhole = found.start === start && found.end === end;
  if (isWhole) return { start: 0, end: shown.text.includes('\n') ? shown.text.indexOf('\n') : shown.text.length };
  return { start: shownOffset(shown, found.start - start), end: shownOffset(shown, found.end - start) };
}

/** A stretch of the shown text as a range of the document, which may end its lines otherwise. */
export function toRange(stretch: { readonly start: number; readonly end: number }, { shown }: TextDraft): vscode.Range {
  const positionOf = (offset: number) => {
    const before = shown.text.slice(0, offset);
    const line = before.split('\n').length - 1;
    return new vscode.Position(line, offset - (before.lastIndexOf('\n') + 1));
  };
  return new vscode.Range(positionOf(stretch.start), positionOf(stretch.end));
}
