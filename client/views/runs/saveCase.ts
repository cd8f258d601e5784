import * as vscode from 'vscode';
import { type SuggestedExpectation, suggestExpect } from '../../../core/eval/suggestExpect.js';
import { isObject, type JsonObject } from '../../../core/json.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { readRun } from '../../../core/run/readRuns.js';
import { readEnd } from '../../../core/run/story/readEnd.js';
import { objectsAt, ownAt, textAt } from '../../../core/run/untrusted.js';
import { newCaseFile } from '../../../core/scaffold/newFile.js';
import { askName } from '../../askName.js';
import { done } from '../../done.js';
import { givenName, placeIn, takenBy, writeNew } from '../../newPlace.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunReference } from '../../panels/run/types.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { readReference } from './reference.js';
import { choiceOf, teamChoiceOf } from './runAgain.js';

/**
 * Save as Case: from the history, a run or a turn of a conversation. Makes a payload file with the input of the run, with what the user expects again of
 * its answer, and with the answer as `expected`, and opens it. A program gives `{root, run_id, name}`, and with `expect: true` takes what is likely.
 *
 * @returns the file; undefined when the user cancelled
 */
export async function saveCase(services: Services & WithRuns, argument?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const reference = readReference(services, argument);
  if (reference === undefined) throw new Refusal(t('This run is not kept, so its input is not known.'));
  const { owner, value, suggested } = await caseOf(reference);
  const place = await placeIn(reference.folder);
  const taken = (name: string) => takenBy(place, 'payload', `${owner}/${name}`);
  const name = await askName({ title: t('Save as Case of {0}', owner), prompt: t('Its name'), taken }, givenName(argument));
  if (name === undefined) return undefined;
  const expect = await chooseExpect(suggested, argument);
  if (expect === undefined) return undefined;
  const fullCase = expect.length === 0 ? value : { ...value, expect };
  const created = await writeNew(place, [newCaseFile(place.index, owner, name, fullCase)]);
  done('payload');
  return created;
}

interface SavedCase {
  readonly owner: string;
  readonly value: JsonObject;
  /** What the run satisfies. */
  readonly suggested: readonly SuggestedExpectation[];
}

/** Which of the expectations that the run meets the case has. Undefined when the user cancelled. */
async function chooseExpect(suggested: readonly SuggestedExpectation[], argument: unknown): Promise<readonly JsonObject[] | undefined> {
  if (givenName(argument) !== undefined) {
    const takesLikely = isObject(argument) && argument.expect === true;
    return suggested.filter(({ isLikely }) => takesLikely && isLikely).map(({ entry }) => entry);
  }
  if (suggested.length === 0) return [];
  const { t } = vscode.l10n;
  const items = suggested.map(({ entry, isLikely }) => ({
    label: labelOf(entry),
    description: expectationText(entry),
    picked: isLikely,
    entry,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('What is expected again'),
    placeHolder: t('Choose what every answer has to have. Nothing chosen makes a case that is not a test yet.'),
    canPickMany: true,
    matchOnDescription: true,
  });
  return chosen?.map(({ entry }) => entry);
}

function labelOf({ output_field, tool, route }: JsonObject): string {
  if (typeof output_field === 'string') return output_field;
  return route === true ? vscode.l10n.t('Route') : vscode.l10n.t('Calls of {0}', String(tool));
}

/** The expected value; for a number of calls also that there may be more. */
function expectationText({ operator, value }: JsonObject): string {
  const text = JSON.stringify(value) ?? '';
  return operator === 'greater_than' ? `> ${text}` : text;
}

/** @throws Refusal when the run does not say what ran with which input */
async function caseOf(reference: RunReference): Promise<SavedCase> {
  const team = await teamChoiceOf(reference);
  const { result } = await readRun(createNodeFiles(reference.folder.root), reference.run_id);
  // What a person changed at a stop is not the answer of the agent.
  const isSuccess = result !== null && ownAt(result, 'success') === true && readEnd(result).edits === 0;
  const output = isSuccess ? ownAt(result, 'output') : undefined;
  const tools = isSuccess ? objectsAt(result, 'tool_calls').flatMap((call) => textAt(call, 'name') ?? []) : [];
  if (team !== undefined)
    return { owner: team.orchestration, value: { context: team.input }, suggested: suggestExpect(output, tools, 'orchestration') };
  const { agent_name, payload } = await choiceOf(reference);
  const expected = isSuccess ? (output ?? ownAt(result, 'text') ?? null) : null;
  const value = { input: payload, ...(expected !== null && { expected }) };
  return { owner: agent_name, value, suggested: suggestExpect(output, tools, 'agent') };
}
