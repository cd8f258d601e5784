import * as vscode from 'vscode';
import { isObject } from '../../../core/json.js';
import type { Services } from '../../services.js';
import { besideActive } from '../columns.js';
import { type GraphFile, orchestrationFile } from './graphFile.js';
import { GraphPanel } from './graphPanel.js';
import { type FollowedRun, isRunOf, livePath, type ShownPath, type WithLiveRuns } from './shownPath.js';

/** The one panel with a graph in it. */
export class GraphSet implements vscode.Disposable {
  readonly #services: Services & WithLiveRuns;
  #panel: GraphPanel | undefined;

  constructor(services: Services & WithLiveRuns) {
    this.#services = services;
  }

  dispose(): void {
    this.#panel?.page.dispose();
  }

  /** Where the graph is on the screen; undefined when it is not visible. */
  get column(): vscode.ViewColumn | undefined {
    return this.#panel?.page.isVisible === true ? this.#panel.page.column : undefined;
  }

  /** Shows an orchestration, in a panel that is opened beside the active editor if needed. */
  show(file: GraphFile): void {
    if (this.#panel === undefined) {
      const place = { viewColumn: besideActive(), preserveFocus: true };
      this.#take(vscode.window.createWebviewPanel('agentStack.graph', vscode.l10n.t('Graph {0}', file.name), place)).show(file);
      return;
    }
    this.#panel.show(file);
    this.#panel.page.reveal('keep focus');
  }

  /** Shows the graph with the path of a run in it. */
  showPath(file: GraphFile, run: ShownPath): void {
    this.show(file);
    this.#panel?.showPath(run);
  }

  /** Shows where a run is in the graph of its orchestration, if that is visible. */
  follow(run: FollowedRun): void {
    const file = this.#panel?.file;
    if (file !== undefined && isRunOf(run, file)) this.#panel?.showPath(livePath(run));
  }

  /** Takes over a panel of the last session, if it shows an orchestration and there is no other panel. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<boolean> {
    const uri = isObject(state) && typeof state.uri === 'string' ? vscode.Uri.parse(state.uri) : undefined;
    const file = uri && (await orchestrationFile(this.#services, uri));
    if (this.#panel !== undefined || file === undefined) return false;
    this.#take(panel).show(file);
    return true;
  }

  #take(panel: vscode.WebviewPanel): GraphPanel {
    const graph = new GraphPanel(this.#services, panel);
    this.#panel = graph;
    graph.page.onDidClose(() => {
      if (this.#panel === graph) this.#panel = undefined;
    });
    return graph;
  }
}
