import * as vscode from 'vscode';
import { costsOf } from '../../../core/prompt/describePrompt.js';
import { promptPage } from '../../../core/prompt/promptPage.js';
import { singleFlight } from '../../../core/singleFlight.js';
import type { Services } from '../../services.js';
import { agentOf } from '../promptUri.js';
import type { AgentPreview } from './agentPreview.js';
import type { Previews } from './previews.js';
import { TokenCache } from './promptTokens.js';

/** Prompts as plain text documents, whole and live: the text `agent-stack compose` prints. */
export class PromptDocuments implements vscode.Disposable {
  readonly #previews: Previews;
  readonly #open = new Map<string, OpenDocument>();
  readonly #disposables: vscode.Disposable[];

  constructor(services: Services, previews: Previews, tellChanged: (uri: vscode.Uri) => void) {
    this.#previews = previews;
    const report = (error: unknown) => services.log.error('A prompt document failed', error instanceof Error ? error : String(error));
    const update = singleFlight(async () => {
      for (const document of this.#open.values()) {
        const before = document.text;
        if ((await document.compose()) !== before) tellChanged(document.uri);
      }
    }, report);
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
    if (existing?.text !== undefined) return existing.text;
    const preview = this.#previews.open(agentOf(uri));
    if (preview === undefined) return vscode.l10n.t('There is no agent file {0} in a project.', agentOf(uri).fsPath);
    const document = new OpenDocument(uri, preview);
    this.#open.set(uri.toString(), document);
    return document.compose();
  }
}

class OpenDocument {
  readonly uri: vscode.Uri;
  text: string | undefined;
  readonly #preview: AgentPreview;
  readonly #tokens = new TokenCache();

  constructor(uri: vscode.Uri, preview: AgentPreview) {
    this.uri = uri;
    this.#preview = preview;
  }

  async compose(): Promise<string> {
    this.text = await this.#compose();
    return this.text;
  }

  async #compose(): Promise<string> {
    const state = await this.#preview.compose();
    if (state === undefined) return vscode.l10n.t('{0} is not an agent file.', this.#preview.uri.fsPath);
    const { composition, stale } = state;
    const [first] = stale === undefined ? [] : await state.errors();
    const where = first === undefined ? '' : `${first.file}:${first.line}:${first.column}: `;
    const reason = `${where}${stale ?? ''}`;
    if (composition === undefined) return vscode.l10n.t('No prompt yet. {0}', reason);
    const { messages, response_format, tools, source_map, draft } = composition;
    const { resolved, model, price } = draft;
    const { model_name } = draft.prompt;
    const tokens = await this.#tokens.count(model_name, composition, () => false);
    const page = promptPage(
      {
        messages,
        response_format,
        tools,
        source_map,
        model_name,
        tokens: tokens ?? { messages: [], total: 0, estimated: true },
        snapshot_hash: draft.snapshot?.hash ?? '-',
        unlisted_servers: resolved.unlisted,
        ...(tokens && costsOf({ ...resolved, model, price }, composition, tokens)),
      },
      resolved.llm.provider,
    );
    const note = stale === undefined ? '' : `${vscode.l10n.t('Last good state. {0}', reason)}\n\n`;
    return `${note}${page}\n`;
  }
}
