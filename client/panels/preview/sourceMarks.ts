import * as vscode from 'vscode';
import type { PlacedFinding } from '../../../core/finding.js';
import type { Environment } from '../../../core/ports.js';
import { createSourcePlaces, type SourcePlace, type Stretch } from '../../../core/prompt/sourcePlaces.js';
import type { ProjectFolder } from '../../projects.js';
import { showBeside } from '../columns.js';
import type { Composition } from './agentPreview.js';

/** A prompt, and where the files it came from are. */
export interface Scene {
  readonly folder: ProjectFolder;
  readonly composition: Composition;
  readonly environment: Environment;
}

/** Places of the shown stretches of one file in one version of its document. */
interface FilePlaces {
  readonly composition: Composition;
  readonly version: number;
  readonly find: (stretch: Stretch) => SourcePlace | undefined;
}

/** Links between a prompt and the documents it came from. */
export class SourceMarks implements vscode.Disposable {
  readonly #decoration = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.findMatchHighlightBackground'),
    borderRadius: '2px',
    outline: '1px solid',
    outlineColor: new vscode.ThemeColor('contrastActiveBorder'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.findMatchForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
  readonly #places = new Map<string, FilePlaces>();

  dispose(): void {
    this.#decoration.dispose();
  }

  /** Marks the JSON a stretch came from wherever it can be seen; undefined takes the mark away. */
  mark({ folder, composition, environment }: Scene, stretch: Stretch | undefined): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const isSource = stretch?.file != null && editor.document.uri.toString() === folder.uriOf(stretch.file).toString();
      const place = isSource ? this.#find(editor.document, composition, environment)(stretch) : undefined;
      editor.setDecorations(this.#decoration, place === undefined ? [] : [toRange(editor.document, place)]);
    }
  }

  clear(): void {
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.#decoration, []);
  }

  /** Opens the source of a stretch beside the preview, with it selected. */
  async reveal({ folder, composition, environment }: Scene, stretch: Stretch, beside: vscode.ViewColumn | undefined): Promise<void> {
    if (stretch.file === null) return;
    const document = await vscode.workspace.openTextDocument(folder.uriOf(stretch.file));
    const place = this.#find(document, composition, environment)(stretch);
    await showBeside(document, place && toRange(document, place), beside);
  }

  /** Which of `stretches` the selection of an editor touches, by index: those it is in, or else those of the smallest value around it. */
  touched({ folder, composition, environment }: Scene, editor: vscode.TextEditor, stretches: readonly Stretch[]): readonly number[] {
    const { document, selection } = editor;
    const path = folder.pathOf(document.uri);
    const start = document.offsetAt(selection.start);
    const end = document.offsetAt(selection.end);
    const find = this.#find(document, composition, environment);
    const exact: number[] = [];
    let around: number[] = [];
    let smallest = Number.POSITIVE_INFINITY;
    stretches.forEach((stretch, index) => {
      if (stretch.file !== path) return;
      const place = find(stretch);
      if (place === undefined) return;
      const { range, member } = place;
      // At the border of two lines the caret is in the second.
      if (start === end ? range.start <= start && (start < range.end || start === member.end - 1) : range.start < end && start < range.end)
        exact.push(index);
      const size = member.end - member.start;
      if (member.start > start || end > member.end || size > smallest) return;
      if (size < smallest) around = [];
      smallest = size;
      around.push(index);
    });
    return exact.length > 0 ? exact : around;
  }

  #find(document: vscode.TextDocument, composition: Composition, environment: Environment): (stretch: Stretch) => SourcePlace | undefined {
    const key = document.uri.toString();
    const cached = this.#places.get(key);
    if (cached?.composition === composition && cached.version === document.version) return cached.find;
    const pointers = new Set(composition.stretches.flatMap(({ file, pointer }) => (file === null ? [] : [pointer])));
    const places = createSourcePlaces(document.uri.path, document.getText(), pointers, environment, composition.draft.resolved.config);
    const find = (stretch: Stretch) =>
      places(stretch, composition.messages[stretch.message]?.content.slice(stretch.start, stretch.end) ?? '');
    this.#places.set(key, { composition, version: document.version, find });
    return find;
  }
}

function toRange(document: vscode.TextDocument, { range }: SourcePlace): vscode.Range {
  return new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
}

/** Opens the value of the effective config at `pointer` in the file that gave it, selected. */
export async function revealValue(
  { folder, composition, environment }: Scene,
  pointer: string,
  preview: vscode.ViewColumn | undefined,
): Promise<void> {
  const entry = [...composition.draft.resolved.origins].find(([leaf]) => leaf === pointer || leaf.startsWith(`${pointer}/`));
  if (entry === undefined) return;
  const [leaf, origin] = entry;
  if (origin.file === null) return;
  // An object is where its first leaf is, upwards.
  const at = origin.pointer.slice(0, origin.pointer.length - (leaf.length - pointer.length));
  await revealPlace({ folder, environment }, { file: origin.file, pointer: at }, preview);
}

/** Opens a value of a file, selected. */
export async function revealPlace(
  { folder, environment }: Pick<Scene, 'folder' | 'environment'>,
  { file, pointer }: { readonly file: string; readonly pointer: string },
  preview: vscode.ViewColumn | undefined,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(folder.uriOf(file));
  const place = createSourcePlaces(file, document.getText(), [pointer], environment)({ pointer, offset: 0 }, '');
  await showBeside(document, place && toRange(document, place), preview);
}

/** Opens the place of a finding, selected. */
export async function revealFinding(folder: ProjectFolder, finding: PlacedFinding, preview: vscode.ViewColumn | undefined): Promise<void> {
  const document = await vscode.workspace.openTextDocument(folder.uriOf(finding.file));
  const start = new vscode.Position(finding.line - 1, finding.column - 1);
  const end = new vscode.Position(finding.end_line - 1, finding.end_column - 1);
  await showBeside(document, new vscode.Range(start, end), preview);
}
