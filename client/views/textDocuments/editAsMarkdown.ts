import * as vscode from 'vscode';
import { segmentsOf } from '../../../core/json.js';
import { type JsonText, longTextAt, longTexts } from '../../../core/markdown/longTexts.js';
import { showLiteral, shownOffset } from '../../../core/markdown/textLiteral.js';
import { OurFiles } from '../../language/ourFiles.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { NoSourceText, openDocument } from './sourceText.js';
import { textScheme, toTextUri } from './textUri.js';
import { findWholeFile } from './wholeFiles.js';

/** Opens a whole JSON file as Markdown beside it: its settings as front matter, each long text as a section. */
export async function editWholeAsMarkdown(services: Services, ...[resource]: readonly unknown[]): Promise<void> {
  await editAsMarkdown(services, resource, '');
}

/**
 * Opens a long text of a JSON file beside it, as a document with real line breaks: the one at `pointer`, else the one the caret is in, else
 * the user's choice, which may be the whole file. The caret goes to the same character.
 */
export async function editAsMarkdown({ projects }: Services, ...[resource, pointer]: readonly unknown[]): Promise<void> {
  const document = await documentOf(resource);
  const json = document.getText();
  const editor = vscode.window.visibleTextEditors.find((candidate) => candidate.document === document);
  const caret = editor === undefined ? undefined : document.offsetAt(editor.selection.active);
  const file = await new OurFiles(projects).find(document.uri);
  const isAgent = file?.identity.kind === 'agent';
  const text = typeof pointer === 'string' ? { pointer } : await chooseText(document, json, caret, isAgent);
  if (text === undefined) return;
  if (text.pointer === '') await refuseUnfit(document);
  const opened = await vscode.workspace.openTextDocument(toTextUri({ file: document.uri, pointer: text.pointer }, file?.identity));
  const shownEditor = await vscode.window.showTextDocument(opened, { viewColumn: vscode.ViewColumn.Beside, preview: false });
  const place = longTexts(json).find((candidate) => candidate.pointer === text.pointer);
  const literal = place && showLiteral(json.slice(place.start, place.end));
  if (place === undefined || literal === undefined || caret === undefined || caret < place.start || place.end < caret) return;
  const at = opened.positionAt(shownOffset(literal, caret - place.start));
  shownEditor.selection = new vscode.Selection(at, at);
  shownEditor.revealRange(shownEditor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function documentOf(resource: unknown): Promise<vscode.TextDocument> {
  const uri = resource instanceof vscode.Uri ? resource : vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme === textScheme) throw new Refusal(vscode.l10n.t('This already is the text, as Markdown.'));
  if (uri?.scheme !== 'file' || !uri.path.endsWith('.json')) throw new Refusal(vscode.l10n.t('Open an agent file first.'));
  return openDocument(uri) ?? (await vscode.workspace.openTextDocument(uri));
}

/** Refused here, so that no empty editor opens. */
async function refuseUnfit(document: vscode.TextDocument): Promise<void> {
  await findWholeFile({ file: document.uri, pointer: '' }).catch((error) => {
    throw error instanceof NoSourceText ? new Refusal(error.message) : error;
  });
}

async function chooseText(
  document: vscode.TextDocument,
  json: string,
  caret: number | undefined,
  isAgent: boolean,
): Promise<Pick<JsonText, 'pointer'> | undefined> {
  const here = caret === undefined ? undefined : longTextAt(json, caret);
  if (here !== undefined) return here;
  const texts = longTexts(json);
  const wholeFile = { pointer: '' };
  if (texts.length === 0) return wholeFile;
  const items = texts.map((text) => {
    const start = showLiteral(json.slice(text.start, text.end))?.text.replaceAll(/\s+/g, ' ').slice(0, 200) ?? '';
    const line = document.positionAt(text.start).line + 1;
    return { label: segmentsOf(text.pointer).join(' › '), description: vscode.l10n.t('line {0}', line), detail: start, text };
  });
  const fullRange = {
    label: isAgent ? vscode.l10n.t('Whole agent') : vscode.l10n.t('Whole file'),
    description: vscode.l10n.t('settings and texts'),
    text: wholeFile,
  };
  const title = vscode.l10n.t('Edit as Markdown');
  const placeHolder = vscode.l10n.t('Which text?');
  return (await vscode.window.showQuickPick([fullRange, ...items], { title, placeHolder, matchOnDetail: true }))?.text;
}
