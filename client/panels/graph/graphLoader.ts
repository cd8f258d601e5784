import type * as vscode from 'vscode';
import type { Services } from '../../services.js';
import type { GraphSet } from './graphSet.js';
import type { WithLiveRuns } from './shownPath.js';

/** For what shows a graph. */
export interface WithGraphs {
  readonly graphs: GraphLoader;
}

/** The graph panel of the window. Its code is loaded when a graph is first shown. */
export class GraphLoader implements vscode.Disposable {
  readonly #services: Services & WithLiveRuns;
  #set: Promise<GraphSet> | undefined;
  #loaded: GraphSet | undefined;

  constructor(services: Services & WithLiveRuns) {
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
