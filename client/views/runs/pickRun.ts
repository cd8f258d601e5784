import * as vscode from 'vscode';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunNode } from '../../panels/run/types.js';
import { Refusal, type RefusalAction } from '../../refusal.js';
import { pickOne } from '../run/steps.js';
import { factsOf, nameOf } from './runItem.js';

/** How many runs a list offers; older ones are found in the view. */
const offered = 200;

interface RunQuestion {
  readonly title: string;
  readonly placeholder: string;
  readonly isOffered: (node: RunNode) => boolean;
  /** How many have to be offered. Default: one. */
  readonly least?: number;
  /** Where there are runs, but too few to offer. */
  readonly none?: Refusal;
}

/** The way out where there are too few runs. */
export function runAgent(): RefusalAction {
  return { title: vscode.l10n.t('Run Agent'), run: () => vscode.commands.executeCommand('agentStack.runAgent') };
}

/** Asks for a run, newest first; undefined when the user cancelled. @throws Refusal without a run */
export async function pickRun(services: WithRuns, question: RunQuestion): Promise<RunNode | undefined> {
  const { title, placeholder } = question;
  const chosen = await pickOne({ title, placeholder, items: await itemsOf(services, question), canGoBack: false });
  return chosen === 'back' ? undefined : chosen;
}

/** The same for any number of runs. */
export async function pickRuns(services: WithRuns, question: RunQuestion): Promise<readonly RunNode[] | undefined> {
  const { title, placeholder } = question;
  const items = await itemsOf(services, question);
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder: placeholder, canPickMany: true, matchOnDescription: true });
  return chosen?.map(({ value }) => value);
}

async function itemsOf({ runs }: WithRuns, { isOffered, none, least = 1 }: RunQuestion) {
  const newest = (await runs.view?.newest(offered)) ?? [];
  const nodes = newest.filter(isOffered);
  if (nodes.length < least && newest.length > 0 && none !== undefined) throw none;
  if (nodes.length === 0) throw new Refusal(vscode.l10n.t('There are no runs yet.'), [runAgent()]);
  return nodes.map((node) => ({
    label: nameOf(node),
    description: [dayOf(node), ...factsOf(node)].join(' · '),
    ...(node.summary.error && { detail: node.summary.error.message }),
    value: node,
  }));
}

function dayOf({ summary: { started } }: RunNode): string {
  return started === null ? '' : new Date(started).toLocaleDateString(vscode.env.language);
}
