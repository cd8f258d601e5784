import * as vscode from 'vscode';
import { segmentsOf } from '../../../core/json.js';
import { Refusal } from '../../commands/refusal.js';
import { OurFiles } from '../../language/ourFiles.js';
import type { Services } from '../../services.js';
import { type JsonText, longTextAt, longTexts } from './longTexts.js';
import { openDocument } from './sourceText.js';
import { showLiteral, shownOffset } from './textLiteral.js';
import { textScheme, toTextUri } from './textUri.js';

/**
 * Opens a long text of a JSON file beside it, as a document with real line breaks: the one at `pointer`, else the one the caret is in, else
 * the only one there is, else the one that is picked. The caret goes to the same character.
 */
export async function editAsMarkdown({ projects }: Services, ...[resource, pointer]: readonly unknown[]): Promise<void> {
  const document = await documentOf(resource);
  const json = document.getText();
  const editor = vscode.window.visibleTextEditors.find((candidate) => candidate.document === document);
  const caret = editor === undefined ? undefined : document.offsetAt(editor.selection.active);
  const text = typeof pointer === 'string' ? { pointer } : await chooseText(document, json, caret);
  if (text === undefined) return;
  const file = await new OurFiles(projects).find(document.uri);
  const opened = await vscode.workspace.openTextDocument(toTextUri({ file: document.uri, pointer: text.pointer }, file?.identity));
  const shown = await vscode.window.showTextDocument(opened, { viewColumn: vscode.ViewColumn.Beside, preview: false });
  const place = longTexts(json).find((candidate) => candidate.pointer === text.pointer);
  const literal = place && showLiteral(json.slice(place.start, place.end));
  if (place === undefined || literal === undefined || caret === undefined || caret < place.start || place.end < caret) return;
  const at = opened.positionAt(shownOffset(literal, caret - place.start));
  shown.selection = new vscode.Selection(at, at);
  shown.revealRange(shown.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function documentOf(resource: unknown): Promise<vscode.TextDocument> {
  const uri = resource instanceof vscode.Uri ? resource : vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme === textScheme) throw new Refusal(vscode.l10n.t('This already is the text, as Markdown.'));
  if (uri?.scheme !== 'file' || !uri.path.endsWith('.json')) throw new Refusal(vscode.l10n.t('Open an agent file first.'));
  return openDocument(uri) ?? (await vscode.workspace.openTextDocument(uri));
}

async function chooseText(document: vscode.TextDocument, json: string, caret: number | undefined): Promise<JsonText | undefined> {
  const here = caret === undefined ? undefined : longTextAt(json, caret);
  if (here !== undefined) return here;
  const texts = longTexts(json);
  if (texts.length === 0) throw new Refusal(vscode.l10n.t('This file has no long text.'));
  if (texts.length === 1) return texts[0];
  const items = texts.map((text) => {
    const start = showLiteral(json.slice(text.start, text.end))?.text.replaceAll(/\s+/g, ' ').slice(0, 200) ?? '';
    const line = document.positionAt(text.start).line + 1;
    return { label: segmentsOf(text.pointer).join(' › '), description: vscode.l10n.t('line {0}', line), detail: start, text };
  });
  const title = vscode.l10n.t('Edit as Markdown');
  const placeHolder = vscode.l10n.t('Which text?');
  return (await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDetail: true }))?.text;
}
