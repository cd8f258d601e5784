import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { escapeMarkup } from '../../core/escape.js';
import { reportFailure } from '../reportFailure.js';
import type { Services } from '../services.js';
import { dispatch, type Handlers, isMessage, type Message, type MessageOf, type Shapes } from './messages.js';

interface PageOptions<Received extends Shapes> {
  /** Its folder in client/panels. */
  readonly name: string;
  /** Of the panel; default: the one it has. */
  readonly title?: string;
  /** The command that shows the panel: failures are reported in its name. */
  readonly command: `agentStack.${string}`;
  /** What the page may send, except `ready`. */
  readonly messages: Received;
  readonly on: Handlers<MessageOf<Received>>;
  /** The page is loaded and empty: it is new, or was hidden. */
  readonly onReady: () => unknown;
  /** The panel was shown, hidden, moved or closed. */
  readonly onViewChange?: () => void;
}

/**
 * The page in a panel, from the panel's side: when it is loaded, what it sends and what it has. VS Code discards the page of a hidden panel;
 * shown again, the page is new and asks for everything.
 */
export class PanelPage<Sent extends Message, Received extends Shapes> implements vscode.Disposable {
  readonly #services: Pick<Services, 'extension' | 'log' | 'cover'>;
  readonly #panel: vscode.WebviewPanel;
  readonly #options: PageOptions<Received>;
  readonly #disposables: vscode.Disposable[] = [];
  readonly #closed = new vscode.EventEmitter<void>();
  /** By type: what the page was sent last. */
  readonly #sent = new Map<string, string>();
  readonly onDidClose = this.#closed.event;
  #isReady = false;
  #isClosed = false;

  constructor(services: Pick<Services, 'extension' | 'log' | 'cover'>, panel: vscode.WebviewPanel, options: PageOptions<Received>) {
    this.#services = services;
    this.#panel = panel;
    this.#options = options;
    panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.#isReady = false;
      options.onViewChange?.();
    });
    panel.onDidDispose(() => this.dispose());
    if (options.title !== undefined) panel.title = options.title;
    showPage(services.extension, panel, options.name);
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get isVisible(): boolean {
    return !this.#isClosed && this.#panel.visible;
  }

  get isActive(): boolean {
    return !this.#isClosed && this.#panel.active;
  }

  get column(): vscode.ViewColumn | undefined {
    return this.#isClosed ? undefined : this.#panel.viewColumn;
  }

  /** Of the panel, and of its page: screen readers announce that one. */
  set title(title: string) {
    if (this.#isClosed || title === this.#panel.title) return;
    this.#panel.title = title;
    this.#sendTitle();
  }

  /** @param column default: where the panel is */
  reveal(focus: 'take focus' | 'keep focus', column?: vscode.ViewColumn): void {
    this.#panel.reveal(column, focus === 'keep focus');
  }

  /** Sends a message, without secrets. A page that is not loaded gets none. */
  send(message: Sent): void {
    if (!this.#isReady) return;
    this.#sent.delete(message.type);
    void this.#panel.webview.postMessage(this.#services.cover.apply(message));
  }

  /** Sends a message unless the last one of its type was the same. */
  update(message: Sent): void {
    const text = JSON.stringify(message);
    if (!this.#isReady || this.#sent.get(message.type) === text) return;
    this.send(message);
    this.#sent.set(message.type, text);
  }

  /** The page is about something else now: the next message of every type is sent. */
  forget(): void {
    this.#sent.clear();
  }

  /** Disposes of these with the panel. */
  own(...disposables: readonly vscode.Disposable[]): void {
    this.#disposables.push(...disposables);
  }

  /** Reports why something failed that the page or the panel began. */
  report = (error: unknown): void => {
    void reportFailure(this.#services, this.#options.command, error);
  };

  dispose(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isReady = false;
    this.#closed.fire();
    for (const disposable of [...this.#disposables.splice(0), this.#closed]) disposable.dispose();
    this.#options.onViewChange?.();
    this.#panel.dispose();
  }

  #sendTitle(): void {
    if (this.#isReady) void this.#panel.webview.postMessage({ type: 'title', title: this.#panel.title });
  }

  async #receive(message: unknown): Promise<void> {
    const { name, messages, on, onReady } = this.#options;
    try {
      if (isMessage({ ready: {} }, message)) {
        this.#isReady = true;
        this.#sent.clear();
        this.#sendTitle();
        await onReady();
      } else if (isMessage(messages, message)) await dispatch(on, message);
      else this.#services.log.warn(`The page "${name}" sent something that is not one of its messages.`);
    } catch (error) {
      this.report(error);
    }
  }
}

/**
 * Shows a page in a panel, under the panel's title. Nothing can be loaded but the scripts and styles of our pages.
 *
 * @param name of its files in dist/webviews: `preview` has preview.js and preview.css
 */
function showPage({ extensionUri }: vscode.ExtensionContext, panel: vscode.WebviewPanel, name: string): void {
  const media = (name: string) => vscode.Uri.joinPath(extensionUri, 'client', 'media', name);
  const root = vscode.Uri.joinPath(extensionUri, 'dist', 'webviews');
  panel.iconPath = { light: media('file-light.svg'), dark: media('file-dark.svg') };
  panel.webview.options = { enableScripts: true, localResourceRoots: [root] };
  panel.webview.html = createPage(root, panel, name);
}

/**
 * The HTML of a page: one style sheet, one script, no content. Its policy lets nothing else run or load: no inline script, no
 * inline style, no image from elsewhere, no connection.
 */
function createPage(root: vscode.Uri, { title, webview }: vscode.WebviewPanel, name: string): string {
  const nonce = randomBytes(16).toString('base64');
  const file = (ending: string) => webview.asWebviewUri(vscode.Uri.joinPath(root, `${name}.${ending}`)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'; font-src ${webview.cspSource};`;
  return `<!DOCTYPE html>
<html lang="${escapeMarkup(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<link rel="stylesheet" href="${escapeMarkup(file('css'))}">
</head>
<body data-translations="${escapeMarkup(JSON.stringify(vscode.l10n.bundle ?? {}))}">
<script type="module" nonce="${nonce}" src="${escapeMarkup(file('js'))}"></script>
</body>
</html>`;
}
