import * as vscode from 'vscode';
import type { Services } from '../../services.js';
import { promptScheme } from '../promptUri.js';
import type { PreviewSet } from './previewSet.js';

/** For what shows a preview or the effective config. */
export interface WithPreviews {
  readonly previews: PreviewLoader;
}

/** The previews of the window. Their code is loaded with the first one. */
export class PreviewLoader implements vscode.Disposable {
  readonly #documentsChanged = new vscode.EventEmitter<vscode.Uri>();
  /** The text of a prompt document is different. */
  readonly onDidChangeDocument = this.#documentsChanged.event;
  readonly #services: Services;
  #set: Promise<PreviewSet> | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  load(): Promise<PreviewSet> {
    this.#set ??= import('./previewSet.js').then(
      ({ PreviewSet }) => new PreviewSet(this.#services, (uri) => this.#documentsChanged.fire(uri)),
    );
    return this.#set;
  }

  dispose(): void {
    this.#documentsChanged.dispose();
    void this.#set?.then((set) => set.dispose());
  }
}

/** Prompts can be opened as documents; the preview is loaded with the first one. */
export function promptDocuments({ previews }: WithPreviews): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(promptScheme, {
    onDidChange: previews.onDidChangeDocument,
    provideTextDocumentContent: async (uri) => (await previews.load()).documents.provide(uri),
  });
}
