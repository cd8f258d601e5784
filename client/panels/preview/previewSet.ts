import * as vscode from 'vscode';
import { isObject } from '../../../core/json.js';
import type { Services } from '../../services.js';
import type { LiveDocuments } from './liveDocuments.js';
import { PreviewPanel } from './previewPanel.js';
import { Previews } from './previews.js';
import { type PromptContent, promptDocuments } from './promptDocuments.js';

/** The panel, the documents, and what they share. */
export class PreviewSet implements vscode.Disposable {
  readonly documents: LiveDocuments<PromptContent>;
  readonly previews: Previews;
  readonly #services: Services;
  #panel: PreviewPanel | undefined;

  constructor(services: Services, changed: (uri: vscode.Uri) => void) {
    this.#services = services;
    this.previews = new Previews(services);
    this.documents = promptDocuments(services, this.previews, changed);
  }

  dispose(): void {
    this.#panel?.page.dispose();
    this.documents.dispose();
    this.previews.dispose();
  }

  /** Shows an agent file in the one panel, which is opened beside the active editor if needed. */
  show(uri: vscode.Uri): void {
    if (this.#panel === undefined) {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.#take(vscode.window.createWebviewPanel('agentStack.preview', vscode.l10n.t('Preview Prompt'), column)).show(uri, 'following');
      return;
    }
    this.#panel.show(uri);
    this.#panel.page.reveal('keep focus');
  }

  /** Takes over a panel of the last session, unless there is one already. */
  restore(panel: vscode.WebviewPanel, state: unknown): boolean {
    if (this.#panel !== undefined) return false;
    const preview = this.#take(panel);
    if (isObject(state) && typeof state.uri === 'string')
      preview.show(vscode.Uri.parse(state.uri), state.isLocked === true ? 'locked' : 'following');
    return true;
  }

  #take(panel: vscode.WebviewPanel): PreviewPanel {
    const preview = new PreviewPanel(this.#services, this.previews, panel);
    this.#panel = preview;
    preview.page.onDidClose(() => {
      if (this.#panel === preview) this.#panel = undefined;
    });
    return preview;
  }
}
