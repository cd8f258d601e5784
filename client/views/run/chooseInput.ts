import * as vscode from 'vscode';
import type { Agent } from '../../../core/agent/types.js';
import type { JsonObject } from '../../../core/json.js';
import { shorten } from '../../../core/words.js';
import type { LastChoice } from './lastChoice.js';
import { type Choice, pickOne } from './steps.js';
import { typeInput } from './typeInput.js';

interface Question {
  readonly agent: Agent;
  /** Names of the agent's payload files. */
  readonly cases: readonly string[];
  readonly last: LastChoice | undefined;
  /** Ids of the llm profiles there are. */
  readonly profiles: readonly string[];
  readonly canGoBack: boolean;
  /** What was typed into the preview of the agent. */
  readonly previewed: JsonObject | undefined;
}

/** The input; with `llm` (null is the agent's own profile) nothing more is asked. */
type Answer = ({ readonly case: string } | { readonly payload: JsonObject }) & { readonly llm?: string | null };

/** Asks for the input of a run. The agent's last input comes first, so that Enter runs it again. */
export async function chooseInput(question: Question): Promise<Answer | 'back' | undefined> {
  const { agent, canGoBack } = question;
  const title = vscode.l10n.t('Run {0}', `${agent.prompt.agent_name}@${agent.prompt.version}`);
  if (takesMessage(question)) {
    const payload = await typeInput(agent, title, question.last?.typed ?? {});
    // Where nothing was asked before, there is no step back.
    if (payload === 'back') return canGoBack ? 'back' : undefined;
    return payload && { payload };
  }
  for (;;) {
    const chosen = await pickOne<Answer | 'type'>({
      title,
      placeholder: vscode.l10n.t('With which input?'),
      items: itemsOf(question),
      canGoBack,
    });
    if (chosen !== 'type') return chosen;
    const payload = await typeInput(agent, title, question.last?.typed ?? {});
    // Back from the first box leads to the list.
    if (payload !== 'back') return payload && { payload };
  }
}

/** With nothing to choose from and nothing to fill in, one free text is requested. */
function takesMessage({ agent, cases }: Question): boolean {
  const { input_keys = [], input_schema } = agent.resolved.config;
  return cases.length === 0 && input_keys.length === 0 && input_schema === undefined;
}

function itemsOf({ agent, cases, last, profiles, previewed }: Question): readonly Choice<Answer | 'type'>[] {
  const items: Choice<Answer | 'type'>[] = [];
  const isProfileThere = last !== undefined && (last.llm === null || profiles.includes(last.llm));
  const lastInput =
    last?.case != null ? (cases.includes(last.case) ? { case: last.case } : undefined) : last?.typed && { payload: last.typed };
  if (last && lastInput && isProfileThere) {
    const profile = last.llm ?? ownProfile(agent);
    items.push({
      label: `$(debug-rerun) ${vscode.l10n.t('As last time')}`,
      description: `${last.case ?? excerpt(last.typed ?? {})} · ${profile}`,
      value: { ...lastInput, llm: last.llm },
    });
  }
  if (cases.length > 0) items.push({ label: vscode.l10n.t('Cases'), kind: vscode.QuickPickItemKind.Separator });
  for (const name of cases) items.push({ label: `$(json) ${name}`, value: { case: name } });
  items.push({ label: vscode.l10n.t('Other'), kind: vscode.QuickPickItemKind.Separator });
  if (previewed) {
    const label = `$(open-preview) ${vscode.l10n.t('From the preview')}`;
    items.push({ label, description: excerpt(previewed), value: { payload: previewed } });
  }
  if (last?.typed)
    items.push({ label: `$(history) ${vscode.l10n.t('Last typed')}`, description: excerpt(last.typed), value: { payload: last.typed } });
  items.push({ label: `$(edit) ${vscode.l10n.t('Type it in...')}`, value: 'type' });
  if (agent.prompt.checkPayload({}).length === 0)
    items.push({ label: `$(circle-slash) ${vscode.l10n.t('No input')}`, value: { payload: {} } });
  return items;
}

/** The name of a profile in lists. */
export function ownProfile({ resolved: { llm } }: Agent): string {
  return llm.llm_id ?? llm.provider;
}

function excerpt(payload: JsonObject): string {
  const text = Object.values(payload)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' · ')
    .replaceAll(/\s+/g, ' ');
  return shorten(text, 60);
}
