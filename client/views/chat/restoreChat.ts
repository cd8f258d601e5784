import * as vscode from 'vscode';
import { isObject } from '../../../core/json.js';
import type { RestorePanel } from '../../panels/restorePanels.js';
import { tellFailure } from '../../tellFailure.js';
import { showChat } from './openChat.js';

/** Shows a conversation with what its session holds. Only projects of this workspace are read. */
export const restoreChat: RestorePanel = async (client, panel, state) => {
  if (!isObject(state) || !vscode.workspace.isTrusted) return false;
  const { root, agent, version, profile, session } = state;
  if (typeof agent !== 'string' || typeof version !== 'string' || typeof session !== 'string') return false;
  const folder = (await client.projects.list()).find((one) => one.root === root);
  if (folder === undefined) return false;
  const llm = typeof profile === 'string' ? profile : undefined;
  try {
    await showChat(client, { folder, agent_name: agent, version, llm, session }, () => panel);
    return true;
  } catch (error) {
    void tellFailure(client, 'agentStack.openChat', error);
    return false;
  }
};
