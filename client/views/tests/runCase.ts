import * as vscode from 'vscode';
import type { CaseReport } from '../../../core/generated/types.js';
import type { Client } from '../../client.js';
import { Refusal } from '../../refusal.js';
import { requireTrust } from '../../trust.js';
import { findCase } from './findCase.js';
import { runChosen } from './runChosen.js';

/**
 * Runs one case of a payload file in the Test Explorer, as its lens does.
 *
 * @returns what became of it; undefined when it was not asked
 */
export async function runCase(client: Client, uri?: unknown, name?: unknown): Promise<CaseReport | undefined> {
  requireTrust();
  const { controller } = client.tests;
  const found = await findCase(client, uri, name);
  if (controller === undefined || found === undefined) throw new Refusal(vscode.l10n.t('There is no such case, or it expects nothing.'));
  const request = new vscode.TestRunRequest([found.item]);
  let report: CaseReport | undefined;
  await runChosen(client, { controller, request, mode: 'run' }, [found], {
    onCase: (_planned, one) => {
      report = one;
    },
  });
  return client.cover.apply(report);
}
