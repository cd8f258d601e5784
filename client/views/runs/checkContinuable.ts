import * as vscode from 'vscode';
import { unlessRefused } from '../../../core/agent/load/refused.js';
import { AgentStackError } from '../../../core/errors.js';
import { openEditorProject } from '../../editorProject.js';
import type { ShownRun } from '../../panels/run/types.js';
import type { Services } from '../../services.js';

/** Withdraws the offer to continue where it would be refused: the workspace is not trusted, or today's agent is gone or keeps no conversation. */
export async function checkContinuable(services: Services, { folder, transcript }: ShownRun): Promise<void> {
  const { canContinue, agent: agent_name, version } = transcript.facts;
  if (!canContinue) return;
  transcript.set({ canContinue: vscode.workspace.isTrusted && (await keepsConversation()) });

  async function keepsConversation(): Promise<boolean> {
    try {
      const project = await openEditorProject(services, folder, 'disk');
      const { agent } = unlessRefused(await project.load({ agent_name, version }));
      return agent.resolved.config.include_history === true;
    } catch (error) {
      if (!(error instanceof AgentStackError)) throw error;
      return false;
    }
  }
}
