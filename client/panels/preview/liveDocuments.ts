import * as vscode from 'vscode';
import { singleFlight } from '../../../core/singleFlight.js';
import type { Services } from '../../services.js';
import type { Previews } from './previews.js';

export interface LiveDocumentsOptions<Content> {
  readonly log: Services['log'];
  readonly previews: Previews;
  /** The content of a document, or a text that says why it is empty. */
  readonly open: (uri: vscode.Uri) => Content | string;
  readonly onChanged: (uri: vscode.Uri) => void;
  /** How a failure to compose one is logged. */
  readonly failure: string;
}

interface OpenDocument<Content> {
  readonly uri: vscode.Uri;
  readonly content: Content;
  text: Promise<string>;
}

/** Read-only text documents that are composed from the editors' content, and again after each change of it. */
export class LiveDocuments<Content extends { compose(): Promise<string> }> implements vscode.Disposable {
  readonly #options: LiveDocumentsOptions<Content>;
  readonly #open = new Map<string, OpenDocument<Content>>();
  readonly #disposables: vscode.Disposable[];

  constructor(options: LiveDocumentsOptions<Content>) {
    const { log, previews, onChanged, failure } = options;
    this.#options = options;
    const update = singleFlight(
      async () => {
        for (const [key, document] of this.#open) {
          const before = await document.text.catch(() => undefined);
          document.text = document.content.compose();
          if ((await document.text) !== before && this.#open.has(key)) onChanged(document.uri);
        }
      },
      (error) => log.error(failure, error instanceof Error ? error : String(error)),
    );
    this.#disposables = [
      previews.onDidChange(update),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#open.delete(uri.toString())),
    ];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async provide(uri: vscode.Uri): Promise<string> {
    const existing = this.#open.get(uri.toString());
    if (existing !== undefined) return existing.text;
    const content = this.#options.open(uri);
    if (typeof content === 'string') return content;
    const document = { uri, content, text: content.compose() };
    this.#open.set(uri.toString(), document);
    return document.text;
  }

  /** The content of an open document. */
  contentOf(uri: vscode.Uri): Content | undefined {
    return this.#open.get(uri.toString())?.content;
  }
}
