import * as vscode from 'vscode';
import type { Services } from '../../services.js';
import type { PanelState } from './messages.js';
import { PreviewPanel, viewType } from './previewPanel.js';
import { Previews } from './previews.js';
import { PromptDocuments } from './promptDocuments.js';

/** The panel, the documents, and what they share. */
export class PreviewSet implements vscode.Disposable {
  readonly documents: PromptDocuments;
  readonly previews: Previews;
  readonly #services: Services;
  #panel: PreviewPanel | undefined;

  constructor(services: Services, tellChanged: (uri: vscode.Uri) => void) {
    this.#services = services;
    this.previews = new Previews(services);
    this.documents = new PromptDocuments(services, this.previews, tellChanged);
  }

  dispose(): void {
    this.#panel?.dispose();
    this.documents.dispose();
    this.previews.dispose();
  }

  /** Shows an agent file in the one panel, made beside the active editor when there is none. */
  show(uri: vscode.Uri): void {
    if (this.#panel === undefined) {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.#take(vscode.window.createWebviewPanel(viewType, vscode.l10n.t('Preview Prompt'), column)).show(uri, 'following');
      return;
    }
    this.#panel.show(uri);
    this.#panel.reveal();
  }

  /** Takes over a panel of the last session. */
  restore(panel: vscode.WebviewPanel, state: PanelState | undefined): void {
    if (this.#panel !== undefined) {
      panel.dispose();
      return;
    }
    const taken = this.#take(panel);
    if (state !== undefined) taken.show(vscode.Uri.parse(state.uri), state.isLocked ? 'locked' : 'following');
  }

  #take(panel: vscode.WebviewPanel): PreviewPanel {
    const taken = new PreviewPanel(this.#services, this.previews, panel);
    this.#panel = taken;
    taken.onDidDispose(() => {
      if (this.#panel === taken) this.#panel = undefined;
    });
    return taken;
  }
}
