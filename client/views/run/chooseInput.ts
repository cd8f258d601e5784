import * as vscode from 'vscode';
import type { Agent } from '../../../core/agent/agentFactory.js';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../../../core/json.js';
import type { LastChoice } from './lastChoice.js';
import { askText, type Choice, pickOne } from './steps.js';

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

/** Asks for the input of a run. What the agent ran with last comes first, so that Enter runs it again. */
export async function chooseInput(question: Question): Promise<Answer | 'back' | undefined> {
  const { agent, canGoBack } = question;
  const name = `${agent.prompt.agent_name}@${agent.prompt.version}`;
  for (;;) {
    const chosen = await pickOne<Answer | 'type'>({
      title: vscode.l10n.t('Run {0}', name),
      placeholder: vscode.l10n.t('With which input?'),
      items: itemsOf(question),
      canGoBack,
    });
    if (chosen !== 'type') return chosen;
    const payload = await typeInput(agent, name, question.last?.typed ?? {});
    // Back from the first box leads to the list.
    if (payload !== 'back') return payload && { payload };
  }
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
  if (cases.length > 0) items.push({ label: vscode.l10n.t('Saved inputs'), kind: vscode.QuickPickItemKind.Separator });
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

/** What a profile is called in lists. */
export function ownProfile({ resolved: { llm } }: Agent): string {
  return llm.llm_id ?? llm.provider;
}

function excerpt(payload: JsonObject): string {
  const text = Object.values(payload)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' · ')
    .replaceAll(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** A box for each key of the input; for an agent that names none, one for the whole as JSON. */
async function typeInput(agent: Agent, name: string, before: JsonObject): Promise<JsonObject | 'back' | undefined> {
  const { config } = agent.resolved;
  const keys = config.input_keys ?? [];
  const title = vscode.l10n.t('Run {0}', name);
  if (keys.length === 0) {
    const typed = await askText({
      title,
      prompt: vscode.l10n.t('The input, as a JSON object'),
      value: JSON.stringify(before),
      check: (text) => {
        const value = parse(text);
        return isObject(value) ? messageOf(agent, value, '') : vscode.l10n.t('This is no JSON object.');
      },
    });
    if (typed === undefined || typed === 'back') return typed;
    const value = parse(typed.text);
    return isObject(value) ? value : {};
  }
  const values = new Map<string, Json>();
  for (let at = 0; at < keys.length; ) {
    const key = keys[at] ?? '';
    const known = values.get(key) ?? (Object.hasOwn(before, key) ? before[key] : undefined) ?? '';
    const typed = await askText({
      title: keys.length === 1 ? title : `${title} (${at + 1}/${keys.length})`,
      prompt: promptOf(config.input_schema, key),
      value: typeof known === 'string' ? known : JSON.stringify(known),
      check: (text) => messageOf(agent, Object.fromEntries([[key, toValue(text, config.input_schema, key)]]), key),
    });
    if (typed === undefined) return undefined;
    if (typed === 'back') {
      if (at === 0) return 'back';
      at -= 1;
      continue;
    }
    values.set(key, toValue(typed.text, config.input_schema, key));
    at += 1;
  }
  return Object.fromEntries(values);
}

/** What is wrong with one key, or with the whole (an empty key); undefined when nothing is. */
function messageOf({ prompt }: Agent, payload: JsonObject, key: string): string | undefined {
  const own = key === '' ? '' : pointerOf(key);
  return prompt.checkPayload(payload).find(({ path }) => path === own || path.startsWith(`${own}/`))?.message;
}

function promptOf(schema: JsonObject | undefined, key: string): string {
  const description = valueAt(schema, pointerOf('properties', key, 'description'));
  return typeof description === 'string' ? `${key}: ${description}` : key;
}

/** Text, unless the schema asks for something else, or what was typed is plainly an object or a list. */
function toValue(text: string, schema: JsonObject | undefined, key: string): Json {
  const type = valueAt(schema, pointerOf('properties', key, 'type'));
  if (type === 'string') return text;
  const mayBeJson = typeof type === 'string' || /^\s*[[{]/.test(text);
  return (mayBeJson ? parse(text) : undefined) ?? text;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
