import * as vscode from 'vscode';
import type { WithRuns } from '../../panels/run/runs.js';
import type { Services } from '../../services.js';
import type { GraphSet } from './graphSet.js';

/** For what shows a graph. */
export interface WithGraphs {
  readonly graphs: GraphLoader;
}

/** The graph panel of the window. Its code is loaded when a graph is first shown. */
export class GraphLoader implements vscode.Disposable {
  readonly #services: Services & WithRuns;
  #set: Promise<GraphSet> | undefined;
  #loaded: GraphSet | undefined;

  constructor(services: Services & WithRuns) {
    this.#services = services;
  }

  load(): Promise<GraphSet> {
    this.#set ??= import('./graphSet.js').then(({ GraphSet }) => {
      this.#loaded = new GraphSet(this.#services);
      return this.#loaded;
    });
    return this.#set;
  }

  /** Undefined until a graph has been shown. */
  get loaded(): GraphSet | undefined {
    return this.#loaded;
  }

  dispose(): void {
    this.#loaded?.dispose();
  }
}

/** Brings the panel back after a reload. */
export function registerGraph({ graphs }: WithGraphs): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer('agentStack.graph', {
    async deserializeWebviewPanel(panel, state: unknown) {
      await (await graphs.load()).restore(panel, state);
    },
  });
}
