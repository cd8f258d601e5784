import * as vscode from 'vscode';
import type { CaseReport } from '../../../core/generated/types.js';
import { isObject } from '../../../core/json.js';
import type { Client } from '../../client.js';
import { pickProject } from '../../pickProject.js';
import { Refusal } from '../../refusal.js';
import { requireTrust } from '../../trust.js';
import { findCase } from './findCase.js';
import { runChosen } from './runChosen.js';

/**
 * Runs one case of a payload file in the Test Explorer, as its lens does.
 *
 * @returns its outcome; undefined when it did not run
 */
export async function runCase(client: Client, uri?: unknown, name?: unknown): Promise<CaseReport | undefined> {
  requireTrust();
  const { controller } = client.tests;
  const chosenCase = await findCase(client, uri, name);
  if (controller === undefined || chosenCase === undefined)
    throw new Refusal(vscode.l10n.t('There is no such case, or it expects nothing.'));
  const request = new vscode.TestRunRequest([chosenCase.item]);
  let report: CaseReport | undefined;
  await runChosen(client, { controller, request, mode: 'run' }, [chosenCase], {
    onCase: (_planned, caseReport) => {
      report = caseReport;
    },
  });
  return client.cover.apply(report);
}

/** Compares all cases of a project with its baselines, asks those that changed, and shows the eval. A program gives `{root}`. */
export async function compareBaseline(client: Client, argument?: unknown): Promise<void> {
  requireTrust();
  const { controller, loadTree } = client.tests;
  const root = isObject(argument) && typeof argument.root === 'string' ? argument.root : (await pickProject(client, argument))?.root;
  if (controller === undefined || loadTree === undefined || root === undefined) return;
  const tree = await loadTree();
  await tree.ready();
  const cases = tree.cases(undefined).filter(({ place: { folder } }) => folder.root === root);
  if (cases.length === 0)
    throw new Refusal(vscode.l10n.t('No payload file has "expect", so there is nothing to compare.'), [
      { title: vscode.l10n.t('Create Payload'), run: () => vscode.commands.executeCommand('agentStack.createPayload') },
    ]);
  const request = new vscode.TestRunRequest(cases.map(({ item }) => item));
  await runChosen(client, { controller, request, mode: 'compare' }, cases);
}
