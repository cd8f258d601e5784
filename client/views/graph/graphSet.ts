import * as vscode from 'vscode';
import { besideActive } from '../../panels/besideActive.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunInProgress } from '../../panels/run/types.js';
import type { Services } from '../../services.js';
import { type GraphFile, orchestrationFile } from './graphFile.js';
import { GraphPanel } from './graphPanel.js';
import { isPanelState } from './messages.js';
import { isRunOf, livePath, type ShownPath } from './shownPath.js';

const viewType = 'agentStack.graph';

/** The one panel with a graph in it. */
export class GraphSet implements vscode.Disposable {
  readonly #services: Services & WithRuns;
  #panel: GraphPanel | undefined;

  constructor(services: Services & WithRuns) {
    this.#services = services;
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  /** Where the graph is on the screen. */
  get column(): vscode.ViewColumn | undefined {
    return this.#panel?.column;
  }

  /** Shows an orchestration, in a panel made beside the active editor when there is none. */
  show(file: GraphFile): void {
    if (this.#panel === undefined) {
      const place = { viewColumn: besideActive(), preserveFocus: true };
      this.#take(vscode.window.createWebviewPanel(viewType, vscode.l10n.t('Graph {0}', file.name), place)).show(file);
      return;
    }
    this.#panel.show(file);
    this.#panel.reveal();
  }

  /** Shows the graph with the way of a run in it. */
  showPath(file: GraphFile, run: ShownPath): void {
    this.show(file);
    this.#panel?.showPath(run);
  }

  /** Shows where a run is in the graph of its orchestration, where that is on the screen. */
  follow(run: RunInProgress): void {
    const file = this.#panel?.file;
    if (file !== undefined && isRunOf(run, file)) this.#panel?.showPath(livePath(run));
  }

  /** Takes over a panel of the last session. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const file = isPanelState(state) ? await orchestrationFile(this.#services, vscode.Uri.parse(state.uri)) : undefined;
    if (this.#panel !== undefined || file === undefined) {
      panel.dispose();
      return;
    }
    this.#take(panel).show(file);
  }

  #take(panel: vscode.WebviewPanel): GraphPanel {
    const taken = new GraphPanel(this.#services, panel);
    this.#panel = taken;
    taken.onDidDispose(() => {
      if (this.#panel === taken) this.#panel = undefined;
    });
    return taken;
  }
}
