import * as vscode from 'vscode';
import type { Client } from '../../client.js';
import type { GraphSet } from './graphSet.js';

/** Holds the graph panel of the window once somebody has asked for it: until then nothing of it is loaded. */
export class GraphLoader implements vscode.Disposable {
  #set: Promise<GraphSet> | undefined;
  #loaded: GraphSet | undefined;

  load(client: Client): Promise<GraphSet> {
    this.#set ??= import('./graphSet.js').then(({ GraphSet }) => {
      this.#loaded = new GraphSet(client);
      return this.#loaded;
    });
    return this.#set;
  }

  /** Undefined while nobody has asked for a graph. */
  get loaded(): GraphSet | undefined {
    return this.#loaded;
  }

  dispose(): void {
    this.#loaded?.dispose();
  }
}

/** Brings the panel back after a reload. */
export function registerGraph(client: Client): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer('agentStack.graph', {
    async deserializeWebviewPanel(panel, state: unknown) {
      await (await client.graphs.load(client)).restore(panel, state);
    },
  });
}
