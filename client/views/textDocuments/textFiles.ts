import * as vscode from 'vscode';
import { changeLiteral } from '../../../core/markdown/textLiteral.js';
import { findSourceText, NoSourceText, openDocument, openSource } from './sourceText.js';
import { type TextPlace, toTextPlace } from './textUri.js';
import { changesOfWhole, findWholeFile } from './wholeFiles.js';

/** What is known about a text that is or was open. */
interface Known {
  readonly uri: vscode.Uri;
  readonly place: TextPlace;
  text: string;
  /** Time of the last change that was noticed, in ms. Rises with every one. */
  changed: number;
  watcher: vscode.Disposable | undefined;
}

/** Typing in the JSON file shows in the text after this pause, in ms. */
const pause = 100;

/**
 * Strings of JSON files as files: read with real line breaks, written back escaped. VS Code itself notices when a text that is being
 * edited has changed in the JSON file too, and asks which of the two counts: it compares time and size, so both say when a text changes.
 */
export class TextFiles implements vscode.Disposable {
  private readonly changes: vscode.EventEmitter<vscode.FileChangeEvent[]>;
  private readonly filesByUri = new Map<string, Known>();
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly disposables: readonly vscode.Disposable[];

  constructor(changes: vscode.EventEmitter<vscode.FileChangeEvent[]>) {
    this.changes = changes;
    this.disposables = [
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.touched(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
    ];
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const place = toTextPlace(uri);
    if (place === undefined) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    const { text, changed } = await this.look(uri, place);
    return { type: vscode.FileType.File, ctime: 0, mtime: changed, size: sizeOf(text) };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const place = toTextPlace(uri);
    if (place === undefined) throw vscode.FileSystemError.FileIsADirectory(uri);
    const file = await this.look(uri, place);
    file.watcher ??= this.watch(place.file);
    return Buffer.from((isReadAsUtf8(uri) ? '' : byteOrderMark) + file.text);
  }

  /** The JSON file is saved too, unless it already had other changes: those are not this document's to save. */
  async writeFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
    const place = toTextPlace(uri);
    if (place === undefined) throw vscode.FileSystemError.FileIsADirectory(uri);
    const wasDirty = openDocument(place.file)?.isDirty ?? false;
    const { document, changes } = await changesOf(uri, place, decode(bytes)).catch(refuse);
    const edit = new vscode.WorkspaceEdit();
    for (const { start, end, text } of changes)
      edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
    const name = vscode.workspace.asRelativePath(place.file);
    if (edit.size > 0 && !(await vscode.workspace.applyEdit(edit)))
      throw vscode.FileSystemError.Unavailable(vscode.l10n.t('{0} could not be changed. Nothing is lost: save again.', name));
    this.remember(uri, place, await shownText(place).catch(refuse));
    if (!wasDirty && document.isDirty && !(await document.save()))
      throw vscode.FileSystemError.Unavailable(vscode.l10n.t('The text is in {0}, but that file could not be saved.', name));
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
    for (const { uri } of [...this.filesByUri.values()]) this.forget(uri);
  }

  private async look(uri: vscode.Uri, place: TextPlace): Promise<Known> {
    try {
      return this.remember(uri, place, await shownText(place));
    } catch (error) {
      if (error instanceof NoSourceText) throw vscode.FileSystemError.FileNotFound(error.message);
      throw error;
    }
  }

  private remember(uri: vscode.Uri, place: TextPlace, text: string): Known {
    const key = uri.toString();
    let file = this.filesByUri.get(key);
    if (file === undefined) {
      file = { uri, place, text, changed: Date.now(), watcher: undefined };
      this.filesByUri.set(key, file);
    } else if (file.text !== text) {
      file.text = text;
      file.changed = Math.max(Date.now(), file.changed + 1);
    }
    return file;
  }

  private forget(uri: vscode.Uri): void {
    const key = uri.toString();
    this.filesByUri.get(key)?.watcher?.dispose();
    this.filesByUri.delete(key);
  }

  /** Changes on the disk of a file that no editor has open. */
  private watch(file: vscode.Uri): vscode.Disposable {
    const folder = vscode.Uri.joinPath(file, '..');
    const name = file.path.slice(file.path.lastIndexOf('/') + 1).replaceAll(/[*?[\]{}]/g, '?');
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name));
    const touched = () => this.touched(file);
    return vscode.Disposable.from(watcher, watcher.onDidChange(touched), watcher.onDidCreate(touched));
  }

  private touched(file: vscode.Uri): void {
    const key = file.toString();
    if (![...this.filesByUri.values()].some(({ place }) => place.file.toString() === key)) return;
    clearTimeout(this.waiting.get(key));
    this.waiting.set(
      key,
      setTimeout(() => void this.refresh(key), pause),
    );
  }

  /** A text that was removed stays in its editor: it may come back with the next key, and saving it says what is wrong. */
  private async refresh(key: string): Promise<void> {
    this.waiting.delete(key);
    for (const { uri, place, text } of [...this.filesByUri.values()]) {
      if (place.file.toString() !== key) continue;
      const latest = await shownText(place).catch(() => undefined);
      if (latest === undefined || latest === text || !this.filesByUri.has(uri.toString())) continue;
      this.remember(uri, place, latest);
      this.changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    }
  }
}

/** The content of the document of a place. @throws NoSourceText */
async function shownText(place: TextPlace): Promise<string> {
  return place.pointer === '' ? (await findWholeFile(place)).text : (await findSourceText(place)).shownText.text;
}

/** What a text changes in its JSON file. @throws NoSourceText */
async function changesOf(uri: vscode.Uri, place: TextPlace, text: string) {
  if (place.pointer === '') {
    const document = await openSource(place.file);
    return { document, changes: await changesOfWhole(document, text) };
  }
  const { document, start, literal, shownText: shown } = await findSourceText(place);
  const within = changeLiteral(literal, shown, withoutAddedLineBreak(uri, text, shown.text));
  return { document, changes: within.map((change) => ({ ...change, start: start + change.start, end: start + change.end })) };
}

const byteOrderMark = '\ufeff';

/** VS Code reads files as UTF-8 without a byte order mark unless it is configured otherwise. */
function isReadAsUtf8(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', uri);
  return files.get('encoding', 'utf8') === 'utf8' && !files.get('autoGuessEncoding', false);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Saved with another encoding: its bytes would become other characters.
    throw vscode.FileSystemError.Unavailable(vscode.l10n.t('Texts of agent files are UTF-8. Choose that encoding and save again.'));
  }
}

/** A setting that ends every file with a line break means files, not prompts. */
function withoutAddedLineBreak(uri: vscode.Uri, text: string, before: string): string {
  const isAdded =
    /\r?\n$/.test(text) && !before.endsWith('\n') && vscode.workspace.getConfiguration('files', uri).get('insertFinalNewline', false);
  return isAdded ? text.replace(/\r?\n$/, '') : text;
}

/** Its bytes, and a little more that differs with the text, since a change that keeps the size is a change. */
function sizeOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return Buffer.byteLength(text) + (Math.abs(hash) % 4093);
}

function refuse(error: unknown): never {
  if (error instanceof NoSourceText) throw vscode.FileSystemError.Unavailable(error.message);
  throw error;
}
