import * as vscode from 'vscode';
import type { JsonObject } from '../../../core/json.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { readRun } from '../../../core/run/readRuns.js';
import { ownAt } from '../../../core/run/untrusted.js';
import { newCaseFile } from '../../../core/scaffold/newCaseFile.js';
import { askName } from '../../commands/askName.js';
import { givenName, placeIn, takenBy, writeNew } from '../../commands/create/newPlace.js';
import { Refusal } from '../../commands/refusal.js';
import type { Services } from '../../services.js';
import { done } from '../done.js';
import type { WithRuns } from '../run/runs.js';
import type { RunReference } from '../run/types.js';
import { readReference } from './reference.js';
import { choiceOf, teamChoiceOf } from './runAgain.js';

/**
 * Save as Case: from the history, a run or a turn of a conversation. Makes a payload file with the input of the run and, where there is one, its answer
 * as `expected`, and opens it, so that `expect` can be written beside it. A program gives `{root, run_id, name}`.
 *
 * @returns the file; undefined when the user cancelled
 */
export async function saveCase(services: Services & WithRuns, argument?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const reference = readReference(services, argument);
  if (reference === undefined) throw new Refusal(t('This run is not kept, so its input is not known.'));
  const { owner, value } = await caseOf(reference);
  const place = await placeIn(reference.folder);
  const taken = (name: string) => takenBy(place, 'payload', `${owner}/${name}`);
  const name = await askName({ title: t('Save as Case of {0}', owner), prompt: t('Its name'), taken }, givenName(argument));
  if (name === undefined) return undefined;
  const created = await writeNew(place, [newCaseFile(place.index, owner, name, value)]);
  done('payload');
  return created;
}

/** @throws Refusal when the run does not say what ran with which input */
async function caseOf(reference: RunReference): Promise<{ readonly owner: string; readonly value: JsonObject }> {
  const team = await teamChoiceOf(reference);
  if (team !== undefined) return { owner: team.orchestration, value: { context: team.input } };
  const { agent_name, payload } = await choiceOf(reference);
  const { result } = await readRun(createNodeFiles(reference.folder.root), reference.run_id);
  const isSuccess = result !== null && ownAt(result, 'success') === true;
  const expected = isSuccess ? (ownAt(result, 'output') ?? ownAt(result, 'text') ?? null) : null;
  return { owner: agent_name, value: { input: payload, ...(expected !== null && { expected }) } };
}
