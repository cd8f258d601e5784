import * as vscode from 'vscode';
import type { Client } from '../../client.js';
import { reportFailure } from '../../reportFailure.js';
import { requireTrust } from '../../trust.js';
import { followSaves } from './followSaves.js';
import { runChosen } from './runChosen.js';
import type { TestsRequest } from './tests.js';

/** Runs what was chosen in the Test Explorer: an eval for each project. A continuous run waits for files to be saved. */
export async function runTests(client: Client, testsRequest: TestsRequest): Promise<void> {
  const { tree, request, token, mode } = testsRequest;
  try {
    requireTrust();
    await tree.ready();
    if (request.continuous) {
      await followSaves(client, testsRequest);
      return;
    }
    const replay = mode === 'replay' ? await chooseFolder() : undefined;
    if (mode === 'replay' && replay === undefined) return;
    await runChosen(client, testsRequest, tree.cases(request.include, request.exclude), { token, replay });
  } catch (error) {
    await reportFailure(client, 'Test Explorer', error);
  }
}

/** The folder with the recordings of an eval. */
async function chooseFolder(): Promise<string | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    title: vscode.l10n.t('Choose the folder that an eval was recorded in'),
    openLabel: vscode.l10n.t('Replay'),
  });
  return chosen?.[0]?.fsPath;
}
