import * as vscode from 'vscode';
import type { Client } from '../../client.js';
import type { PreviewSet } from './previewSet.js';

/** Holds the previews of the window once somebody has asked for one: until then nothing of them is loaded. */
export class PreviewLoader implements vscode.Disposable {
  readonly #documentsChanged = new vscode.EventEmitter<vscode.Uri>();
  /** The text of a prompt document is different. */
  readonly onDidChangeDocument = this.#documentsChanged.event;
  #set: Promise<PreviewSet> | undefined;

  load(client: Client): Promise<PreviewSet> {
    this.#set ??= import('./previewSet.js').then(({ PreviewSet }) => new PreviewSet(client, (uri) => this.#documentsChanged.fire(uri)));
    return this.#set;
  }

  dispose(): void {
    this.#documentsChanged.dispose();
    void this.#set?.then((set) => set.dispose());
  }
}
