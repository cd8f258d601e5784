import * as vscode from 'vscode';
import { AgentStackError } from '../../../core/errors.js';
import { FileProblem } from '../../../core/ports.js';
import type { Client } from '../../client.js';
import { Refusal } from '../../refusal.js';
import { reportFailure } from '../../reportFailure.js';
import { byFolder } from './caseItems.js';
import { runEvalOf } from './runEvalOf.js';
import type { TestsRequest } from './tests.js';
import type { CaseItem, EvalOf } from './types.js';

interface ChosenOptions extends Pick<EvalOf, 'onCase'> {
  /** Stops the run, as the Test Explorer does. */
  readonly token?: vscode.CancellationToken;
  readonly replay?: string | undefined;
  readonly isAgreed?: boolean;
}

/** One test run of all chosen cases. What prevents it is reported with a way out, and leaves the cases unknown. */
export async function runChosen(
  client: Client,
  { controller, request, mode }: Pick<TestsRequest, 'controller' | 'request' | 'mode'>,
  cases: readonly CaseItem[],
  { token, replay, isAgreed = false, onCase }: ChosenOptions = {},
): Promise<void> {
  const run = controller.createTestRun(request);
  for (const { item } of cases) run.enqueued(item);
  const stop = new vscode.CancellationTokenSource();
  const listeners = [run.token, ...(token ? [token] : [])].map((cancelToken) => cancelToken.onCancellationRequested(() => stop.cancel()));
  try {
    for (const [folder, own] of byFolder(cases)) {
      try {
        await runEvalOf(client, { folder, run, cases: own, token: stop.token, replay, mode, isAgreed, ...(onCase && { onCase }) });
      } catch (error) {
        if (error instanceof vscode.CancellationError) {
          for (const { item } of own) run.skipped(item);
          continue;
        }
        const isExpected = error instanceof Refusal || error instanceof AgentStackError || error instanceof FileProblem;
        const message = new vscode.TestMessage(client.cover.apply(error instanceof Error ? error.message : String(error)));
        for (const { item } of own) run.errored(item, message);
        // Its buttons are answered whenever the user likes.
        void reportFailure(client, 'Test Explorer', error);
        if (!isExpected) throw error;
      }
    }
  } finally {
    for (const listener of listeners) listener.dispose();
    stop.dispose();
    run.end();
  }
}
