import * as vscode from 'vscode';
import { locate } from '../../../core/jsonText/locate.js';
import { type ShownText, showLiteral } from '../../../core/markdown/textLiteral.js';
import type { TextPlace } from './textUri.js';

/** A string where it is written now. */
export interface SourceText {
  readonly document: vscode.TextDocument;
  /** Offset of its first quote. */
  readonly start: number;
  /** With its quotes. */
  readonly literal: string;
  readonly shownText: ShownText;
}

/** Why there is no text. The message is for the user. */
export class NoSourceText extends Error {
  override readonly name = 'NoSourceText';
}

/**
 * The string a document is of, as the JSON file has it in the editor, saved or not.
 * @throws NoSourceText when file or string is gone, or what is written there is not a JSON string
 */
export async function findSourceText({ file, pointer }: TextPlace): Promise<SourceText> {
  const document = await openSource(file);
  const text = document.getText();
  const place = locate(text, [pointer]).get(pointer)?.value;
  const name = vscode.workspace.asRelativePath(file);
  if (place === undefined)
    throw new NoSourceText(
      vscode.l10n.t('{0} has no text at {1}: it was removed or renamed, or the file is not valid JSON up to there.', name, pointer),
    );
  const literal = text.slice(place.start, place.end);
  const shownLiteral = showLiteral(literal);
  if (shownLiteral === undefined)
    throw new NoSourceText(vscode.l10n.t('The value of {0} at {1} is not a valid JSON string.', name, pointer));
  return { document, start: place.start, literal, shownText: shownLiteral };
}

/** Reads the open documents, so that a file being edited is never read from the disk. */
export function openDocument(file: vscode.Uri): vscode.TextDocument | undefined {
  const fileUri = file.toString();
  return vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.toString() === fileUri);
}

/** @throws NoSourceText when it cannot be opened */
export async function openSource(file: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return openDocument(file) ?? (await vscode.workspace.openTextDocument(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NoSourceText(vscode.l10n.t('{0} cannot be opened: {1}', vscode.workspace.asRelativePath(file), reason));
  }
}
