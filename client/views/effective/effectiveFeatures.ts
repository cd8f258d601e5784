import * as vscode from 'vscode';
import { escapeMarkdown } from '../../../core/escape.js';
import type { TextRange } from '../../../core/finding.js';
import { type Json, segmentsOf } from '../../../core/json.js';
import { locate } from '../../../core/jsonText/locate.js';
import { coverValue } from '../../../core/secrets/coverValue.js';
import { coverField } from '../../../core/secrets/secretPatterns.js';
import type { Origin } from '../../../core/snapshot/effective.js';
import type { PageLine } from '../../../core/snapshot/effectivePage.js';
import { originMark, originWords } from '../../../core/snapshot/effectiveView.js';
import { shorten } from '../../../core/words.js';
import type { ProjectFolder } from '../../projects.js';
import type { EffectiveState } from './effectiveState.js';
import { effectiveSymbols } from './effectiveSymbols.js';
import { effectiveSubject } from './effectiveUri.js';

/** Above this, in UTF-16 units, the end of a line is out of sight. */
const longestLine = 90;

/** The origin of each line that another file or layer gives: after the line, or before a long text. */
function originHints({ lines }: EffectiveState, range: vscode.Range): vscode.InlayHint[] {
  const hints: vscode.InlayHint[] = [];
  for (let number = range.start.line; number <= Math.min(range.end.line, lines.length - 1); number += 1) {
    const line = lines[number];
    if (line?.mark === undefined) continue;
    const label = new vscode.InlayHintLabelPart(originMark(line.mark, vscode.l10n.t));
    label.tooltip = originWords(line.mark, vscode.l10n.t);
    const isLong = line.text.length > longestLine;
    const column = isLong ? startOfValue(line.text) : line.text.length;
    const hint = new vscode.InlayHint(new vscode.Position(number, column), [label]);
    hint.paddingLeft = !isLong;
    hint.paddingRight = isLong;
    hints.push(hint);
  }
  return hints;
}

/** After the key and its colon, if there is one. */
function startOfValue(line: string): number {
  return /^\s*(?:"(?:[^"\\]|\\.)*": )?/.exec(line)?.[0].length ?? 0;
}

/** The place of a line's value in the file that sets it. */
async function originPlace({ folder, lines }: EffectiveState, number: number): Promise<vscode.LocationLink | undefined> {
  const line = lines[number];
  if (folder === undefined || line === undefined) return undefined;
  const place = await placeOf(line, folder);
  if (place === undefined) return undefined;
  const start = line.text.length - line.text.trimStart().length;
  return {
    originSelectionRange: new vscode.Range(number, start, number, line.text.length),
    targetUri: place.uri,
    targetRange: place.range,
    targetSelectionRange: place.range,
  };
}

async function placeOf({ config, error }: PageLine, folder: ProjectFolder): Promise<vscode.Location | undefined> {
  if (error !== undefined) {
    const { line, column, end_line, end_column } = error;
    return new vscode.Location(folder.uriOf(error.file), new vscode.Range(line - 1, column - 1, end_line - 1, end_column - 1));
  }
  const origin = config?.origin ?? config?.whole;
  if (origin == null || origin.file === null) return undefined;
  const document = await vscode.workspace.openTextDocument(folder.uriOf(origin.file));
  const range = rangeOf(document.getText(), origin.pointer);
  return new vscode.Location(document.uri, new vscode.Range(document.positionAt(range.start), document.positionAt(range.end)));
}

/** Of the value, or of the nearest one that still exists. */
function rangeOf(text: string, pointer: string): TextRange {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const member = locate(text, [at]).get(at);
    if (member !== undefined) return { start: member.key?.start ?? member.value.start, end: member.value.end };
  }
  return { start: 0, end: 0 };
}

/** The hover of a line: its pointer, the layer, file and place it comes from, and the values of the other layers. */
function originHover({ lines, explain }: EffectiveState, number: number): vscode.Hover | undefined {
  const config = lines[number]?.config;
  if (config === undefined) return undefined;
  const { t } = vscode.l10n;
  const words = new vscode.MarkdownString();
  words.appendMarkdown(`**${escapeMarkdown(config.pointer === '' ? t('The whole snapshot') : config.pointer)}**\n\n`);
  const origin = config.origin ?? config.whole;
  words.appendMarkdown(escapeMarkdown(origin === null ? t('From several layers: see its lines.') : sentence(origin)));
  const [leaf, ...others] = config.origin === null ? [] : explain(config.pointer);
  const layerWords = leaf === undefined || others.length > 0 ? [] : leaf.layers.filter((word) => !isSamePlace(word, config.origin));
  if (layerWords.length > 0) words.appendMarkdown(`\n\n${escapeMarkdown(t('What other layers say, lowest first:'))}\n`);
  for (const { layer, file, value } of layerWords) {
    const text = value === null ? t('removes it') : valueText(value, config.pointer);
    words.appendMarkdown(`\n- ${escapeMarkdown(`${originWords({ file, layer, pointer: '' }, t)}: ${text}`)}`);
  }
  return new vscode.Hover(words);
}

function isSamePlace(word: Origin, origin: Origin | null): boolean {
  return word.file === origin?.file && word.pointer === origin.pointer && word.layer === origin.layer;
}

const longestValue = 200;

function valueText(value: Json, pointer: string): string {
  const key = segmentsOf(pointer).at(-1) ?? '';
  const text = JSON.stringify(typeof value === 'string' ? coverField(value, key) : coverValue(value));
  return shorten(text, longestValue);
}

function sentence(origin: Origin): string {
  const { t } = vscode.l10n;
  const { file, pointer, layer } = origin;
  if (file === null) return layer === 'call' ? t('Given with the call.') : t('A built-in default: no file gives it.');
  return t('Layer {0}: {1} at {2}', layer, file, pointer === '' ? t('its root') : pointer);
}

/** Links from the errors in the head to where they are. */
function errorLinks({ folder, lines }: EffectiveState): vscode.DocumentLink[] {
  return lines.flatMap(({ text, error }, number) => {
    if (error === undefined || folder === undefined) return [];
    const place = `${error.file}:${error.line}:${error.column}`;
    const start = text.indexOf(place);
    if (start < 0) return [];
    const target = folder.uriOf(error.file).with({ fragment: `L${error.line},${error.column}` });
    return [new vscode.DocumentLink(new vscode.Range(number, start, number, start + place.length), target)];
  });
}

/** The actions on the document, above its first line. */
function actionLenses(uri: vscode.Uri, { environment }: EffectiveState): vscode.CodeLens[] {
  const { t } = vscode.l10n;
  const subject = effectiveSubject(uri);
  if (subject === undefined || environment === undefined) return [];
  const top = new vscode.Range(0, 0, 0, 0);
  const lens = (title: string, command: string, ...args: readonly vscode.Uri[]) =>
    new vscode.CodeLens(top, { title, command, arguments: [...args] });
  const compare = lens(`$(diff) ${t('Compare...')}`, 'agentStack.compareEffectiveConfigs', uri);
  const find = lens(`$(search) ${t('Find Field...')}`, 'workbench.action.gotoSymbol');
  if (!('file' in subject)) return [compare, find];
  return [
    lens(`$(globe) ${t('Environment: {0}', environment)}`, 'agentStack.switchEffectiveEnvironment', uri),
    compare,
    find,
    lens(`$(go-to-file) ${t('Open File')}`, 'vscode.open', subject.file),
  ];
}

/** The language features for the lines of an effective config. */
export const effectiveFeatures = { effectiveSymbols, originHints, originPlace, originHover, errorLinks, actionLenses };
