import * as vscode from 'vscode';
import { openLink } from '../openLink.js';
import type { PageMessage } from './messages.js';
import { uriOfRecording } from './recordings.js';
import type { WithRuns } from './runs.js';
import type { OpenRunPanel } from './types.js';

/** Does what a button or a link of the page asks for. What may be refused goes through its command, which tells why. */
export async function actInPanel({ runs }: WithRuns, panel: OpenRunPanel, message: PageMessage): Promise<void> {
  const { folder, transcript } = panel.run;
  const { run_id, isPinned } = transcript.facts;
  const reference = run_id === null ? undefined : { folder, run_id };
  const execute = (command: string, ...args: readonly unknown[]) => vscode.commands.executeCommand(command, ...args);
  switch (message.type) {
    case 'ready':
      return;
    case 'cancel':
      panel.run.cancel();
      return;
    case 'copy':
      await vscode.env.clipboard.writeText(transcript.result);
      return;
    case 'pin':
      if (reference !== undefined) await runs.setPinned(reference, !isPinned);
      return;
    case 'runAgain':
      await execute('agentStack.runAgain', panel);
      return;
    case 'saveCase':
      await execute('agentStack.saveCase', reference);
      return;
    case 'openRaw':
      await execute('agentStack.openRawRun', reference);
      return;
    case 'openHistory':
      await execute('agentStack.showRunInHistory', reference);
      return;
    case 'openSnapshot':
      await execute('agentStack.showRunSnapshot', reference);
      return;
    case 'openRecording':
      if (transcript.facts.recording !== null) await execute('vscode.open', uriOfRecording(folder, transcript.facts.recording));
      return;
    case 'whole':
      panel.sendWhole(message.part);
      return;
    case 'openSource':
      await execute('agentStack.showRunSource', reference, message.id);
      return;
    case 'openLink':
      await openLink(message.address);
      return;
    case 'decide':
      panel.run.decide?.(message.id, message.decision);
      return;
    case 'resume':
      await execute('agentStack.resumeRun', reference);
      return;
    case 'showGraph':
      await execute('agentStack.showRunGraph', reference);
      return;
    case 'continue':
      await execute('agentStack.continueConversation', panel);
      return;
    case 'openIssue':
      await execute('agentStack.showRunIssue', reference, { path: message.path, keyword: message.keyword });
      return;
    case 'listTools':
      await execute('agentStack.listTools', { folder });
      return;
    case 'setKey':
      if ((await execute('agentStack.setApiKey')) === true) await execute('agentStack.runAgain', panel);
      return;
  }
}
