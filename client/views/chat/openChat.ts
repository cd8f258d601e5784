import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { withFields } from '../../../core/config/fileText.js';
import { identifyFile } from '../../../core/config/paths.js';
import { readProjectSettings } from '../../../core/config/readProjectSettings.js';
import { isObject } from '../../../core/json.js';
import { chatFields, readChatInput } from '../../panels/chat/chatInput.js';
import { type ChatAgent, ChatPanel, chatPanelType } from '../../panels/chat/chatPanel.js';
import type { ChatTarget, WithChats } from '../../panels/chat/chats.js';
import { besideActive } from '../../panels/columns.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import { agentFile } from '../../panels/preview/agentArgument.js';
import type { WithPreviews } from '../../panels/preview/previewLoader.js';
import type { RestorePanel } from '../../panels/restorePanels.js';
import type { WithRuns } from '../../panels/run/runs.js';
import { createEditorFiles } from '../../ports/editorFiles.js';
import { replaceText } from '../../ports/replaceText.js';
import { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import { reportFailure } from '../../reportFailure.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { checkedAgent } from '../run/checkedRun.js';
import { prepareRun } from '../run/startRun.js';
import { readTurns } from './chatTurns.js';

type Needs = Services & WithRuns & WithGraphs & WithPreviews & WithChats;

/**
 * Chat with Agent: a conversation with an agent that remembers. From the palette, a lens, a menu (with a Uri), a tree (with an item that has a
 * `uri`), or another part of the extension (with a ChatTarget, whose conversation continues).
 *
 * @throws Refusal for an agent that keeps no conversation
 */
export async function openChat(services: Needs, argument?: unknown): Promise<void> {
  requireTrust();
  const target = isTarget(argument) ? argument : await newConversation(services, argument);
  if (target !== undefined) await openConversation(services, target, besideActive());
}

/** Shows the panel of a conversation where there is one, else a new one in this column. @throws Refusal for an agent that keeps no conversation */
export async function openConversation(services: Needs, target: ChatTarget, viewColumn: vscode.ViewColumn): Promise<void> {
  const open = services.chats.find(target.folder, target.session);
  if (open !== undefined) open.reveal();
  else await showChat(services, target, () => vscode.window.createWebviewPanel(chatPanelType, '', { viewColumn }));
}

/** @param panel makes the panel, once it is known that there is something to show in it */
export async function showChat(services: Needs, target: ChatTarget, panel: () => vscode.WebviewPanel): Promise<void> {
  const { agent, uri } = await checkedAgent(services, target);
  const { config } = agent.resolved;
  if (!config.include_history) {
    const open = { title: vscode.l10n.t('Open File'), run: () => vscode.window.showTextDocument(uri) };
    const switchOn = {
      title: vscode.l10n.t('Switch It On and Chat'),
      run: async () => {
        if (await rememberConversations(uri)) await showChat(services, target, panel);
        else await vscode.window.showTextDocument(uri);
      },
    };
    throw new Refusal(vscode.l10n.t('{0} keeps no conversation: include_history is not set.', target.agent_name), [switchOn, open]);
  }
  const conversation: ChatAgent = {
    fields: chatFields(config),
    readInput: (typed) => readChatInput(config, typed),
    prepare: (choice) => prepareRun(services, choice),
  };
  new ChatPanel(services, panel(), target, conversation, await readTurns(target));
}

/** Sets `include_history` in an agent's file and saves it. False for a file that cannot be edited so. */
async function rememberConversations(uri: vscode.Uri): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(uri);
  const text = withFields(uri.path, document.getText(), { include_history: true });
  if (text === undefined) return false;
  await replaceText(uri, text);
  return document.isDirty ? document.save() : true;
}

async function newConversation(services: Needs, argument: unknown): Promise<ChatTarget | undefined> {
  const uri = await agentFile(services, argument);
  const agent = uri && (await findAgentFile(services, uri));
  return agent && { ...agent, llm: undefined, session: randomUUID() };
}

function isTarget(value: unknown): value is ChatTarget {
  return (
    typeof value === 'object' &&
    value !== null &&
    'folder' in value &&
    value.folder instanceof ProjectFolder &&
    'session' in value &&
    typeof value.session === 'string'
  );
}

/** Shows a conversation with the content of its session. Only projects of this workspace are read. */
export const restoreChat: RestorePanel = async (client, panel, state) => {
  if (!isObject(state) || !vscode.workspace.isTrusted) return false;
  const { root, agent, version, profile, session } = state;
  if (typeof agent !== 'string' || typeof version !== 'string' || typeof session !== 'string') return false;
  const folder = (await client.projects.list()).find((project) => project.root === root);
  if (folder === undefined) return false;
  const llm = typeof profile === 'string' ? profile : undefined;
  try {
    await showChat(client, { folder, agent_name: agent, version, llm, session }, () => panel);
    return true;
  } catch (error) {
    void reportFailure(client, 'agentStack.openChat', error);
    return false;
  }
};

/** A version of an agent in its project. */
interface AgentFile {
  readonly folder: ProjectFolder;
  readonly agent_name: string;
  readonly version: string;
}

/** The agent that a file is; undefined for any other file. */
async function findAgentFile({ projects }: Pick<Services, 'projects'>, uri: vscode.Uri): Promise<AgentFile | undefined> {
  const folder = projects.of(uri);
  const path = folder?.pathOf(uri);
  if (folder === undefined || path === undefined) return undefined;
  const identity = identifyFile(path, await readProjectSettings(createEditorFiles(folder)));
  if (identity?.kind !== 'agent' || identity.version === undefined) return undefined;
  return { folder, agent_name: identity.name, version: identity.version };
}
