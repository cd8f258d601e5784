import * as vscode from 'vscode';
import { isObject } from '../../../core/json.js';
import type { Client } from '../../client.js';
import { pickProject } from '../../pickProject.js';
import { Refusal } from '../../refusal.js';
import { requireTrust } from '../../trust.js';
import { runChosen } from './runChosen.js';

/** Compares all cases of a project with its baselines, asks those that changed, and shows the eval. A program gives `{root}`. */
export async function compareBaseline(client: Client, argument?: unknown): Promise<void> {
  requireTrust();
  const { controller, loadTree } = client.tests;
  const root = isObject(argument) && typeof argument.root === 'string' ? argument.root : (await pickProject(client, argument))?.root;
  if (controller === undefined || loadTree === undefined || root === undefined) return;
  const tree = await loadTree();
  await tree.ready();
  const cases = tree.cases(undefined).filter(({ place: { folder } }) => folder.root === root);
  if (cases.length === 0) throw new Refusal(vscode.l10n.t('No payload file has "expect", so there is nothing to compare.'));
  const request = new vscode.TestRunRequest(cases.map(({ item }) => item));
  await runChosen(client, { controller, request, mode: 'compare' }, cases);
}
