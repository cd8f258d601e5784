import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { WithChats } from '../../panels/chat/chats.js';
import { besideActive } from '../../panels/columns.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import type { WithPreviews } from '../../panels/preview/previewLoader.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunChoice, TeamChoice } from '../../panels/run/types.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { readReference } from '../runs/reference.js';
import { choiceOf } from '../runs/runAgain.js';
import { openConversation } from './openChat.js';

type Needs = Services & WithRuns & WithGraphs & WithPreviews & WithChats;

/** Opens the conversation of a run in the chat panel, where the panel of the run is. @throws Refusal for a run without a conversation */
export async function continueConversation(services: Needs, argument?: unknown): Promise<void> {
  requireTrust();
  const panel = services.runs.panels.find((candidate) => candidate === argument || (argument === undefined && candidate.isActive));
  const shownChoice = panel !== undefined && 'choice' in panel.run ? (panel.run.choice as RunChoice | TeamChoice) : undefined;
  const choice = shownChoice !== undefined && 'agent_name' in shownChoice ? shownChoice : await storedChoice(services, argument);
  if (choice === undefined) return;
  const { folder, agent_name, version, llm, session } = choice;
  if (session === undefined) {
    const target = { folder, agent_name, version, llm, session: randomUUID() };
    throw new Refusal(vscode.l10n.t('This run of {0} is in no conversation.', agent_name), [
      { title: vscode.l10n.t('Chat with Agent'), run: () => vscode.commands.executeCommand('agentStack.openChat', target) },
    ]);
  }
  await openConversation(services, { folder, agent_name, version, llm, session }, panel?.column ?? besideActive());
}

async function storedChoice(services: Needs, argument: unknown): Promise<RunChoice | undefined> {
  const reference = readReference(services, argument);
  return reference && choiceOf(reference);
}
