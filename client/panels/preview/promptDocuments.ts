import * as vscode from 'vscode';
import { costsOf } from '../../../core/prompt/describePrompt.js';
import { promptPage } from '../../../core/prompt/promptPage.js';
import type { Services } from '../../services.js';
import { agentOf } from '../promptUri.js';
import type { AgentPreview } from './agentPreview.js';
import { LiveDocuments } from './liveDocuments.js';
import type { Previews } from './previews.js';
import { TokenCache } from './promptTokens.js';

/** Prompts as plain text documents, whole and live: the text `agent-stack compose` prints. */
export function promptDocuments(
  services: Services,
  previews: Previews,
  onChanged: (uri: vscode.Uri) => void,
): LiveDocuments<PromptContent> {
  const open = (uri: vscode.Uri) => {
    const preview = previews.open(agentOf(uri));
    return preview ? new PromptContent(preview) : vscode.l10n.t('There is no agent file {0} in a project.', agentOf(uri).fsPath);
  };
  return new LiveDocuments({ log: services.log, previews, open, onChanged, failure: 'A prompt document failed' });
}

export class PromptContent {
  readonly #preview: AgentPreview;
  readonly #tokens = new TokenCache();

  constructor(preview: AgentPreview) {
    this.#preview = preview;
  }

  async compose(): Promise<string> {
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
