import * as vscode from 'vscode';
import { type KeyPlace, whyNoKey } from '../../core/llm/providers/apiKey.js';
import { done } from '../done.js';
import type { KeyState, NeededKey } from '../ports/neededKeys.js';
import { removeKey, storedNames, storeKey } from '../ports/storedKeys.js';
import { profileKey, stateOf, workspaceKeys } from '../ports/workspaceKeys.js';
import { Refusal } from '../refusal.js';
import type { Services } from '../services.js';
import type { FileNode } from '../views/agents/nodes.js';

/** The argument of a caller that asks for a single key, such as a run without it. */
export interface WantedKey {
  readonly provider: string;
  /** Of the secret (`secret://NAME` without the scheme) or of the environment variable. */
  readonly name: string;
}

/**
 * Asks for a key and stores it in VS Code's secret storage: the wanted one, that of an llm profile of the agents view, or one chosen from what
 * the workspace needs.
 *
 * @returns whether a key was stored
 */
export async function setApiKey(services: Services, target?: unknown): Promise<boolean> {
  const key = await chooseKey(services, target);
  return key !== undefined && (await askForKey(services, key));
}

async function chooseKey(services: Services, target: unknown): Promise<WantedKey | undefined> {
  if (isWanted(target)) return target;
  if (!isProfile(target)) return pickKey(services);
  const key = await profileKey(target.folder, target.name);
  if (key === undefined) void vscode.window.showInformationMessage(vscode.l10n.t('The LLM profile {0} needs no key.', target.name));
  return key;
}

async function pickKey(services: Services): Promise<WantedKey | undefined> {
  type Item = vscode.QuickPickItem & { readonly key?: NeededKey };
  const items = async (): Promise<Item[]> => {
    const keys = await workspaceKeys(services);
    const needed = await Promise.all(keys.map(async (key): Promise<Item> => ({ ...describeKey(key, await stateOf(services, key)), key })));
    return [...needed, { label: vscode.l10n.t('Another key...'), iconPath: new vscode.ThemeIcon('add'), alwaysShow: true }];
  };
  const chosen = await vscode.window.showQuickPick<Item>(items(), {
    title: vscode.l10n.t('Set API Key'),
    placeHolder: vscode.l10n.t('Which key?'),
    matchOnDescription: true,
  });
  if (chosen === undefined || chosen.key !== undefined) return chosen?.key;
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Set API Key'),
    prompt: vscode.l10n.t('Name of the secret: what follows secret:// in an LLM profile, or an environment variable'),
    validateInput: (value) => (/^[\w.-]+$/.test(value) ? undefined : vscode.l10n.t('Use letters, digits, ".", "_" and "-".')),
  });
  return name === undefined ? undefined : { provider: '', name };
}

/** A key in a list: what it is for, and where it is now. */
export function describeKey(key: NeededKey, state: KeyState): vscode.QuickPickItem {
  const { t } = vscode.l10n;
  const states: Record<KeyState, string> = {
    stored: t('Stored in VS Code'),
    environment: t('From the environment'),
    missing: t('Missing'),
  };
  const users = key.profiles.length === 0 ? key.provider : t('{0} · used by {1}', key.provider, key.profiles.join(', '));
  const icon = state === 'missing' ? 'warning' : 'pass';
  return { label: key.name, description: users, detail: states[state], iconPath: new vscode.ThemeIcon(icon) };
}

async function askForKey({ extension }: Services, { provider, name }: WantedKey): Promise<boolean> {
  const { t } = vscode.l10n;
  const entered = await vscode.window.showInputBox({
    title: provider === '' ? t('API Key {0}', name) : t('API Key {0} for {1}', name, provider),
    prompt: t('The key goes to the secret storage of VS Code, never into a file.'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => {
      if (value.trim() === '') return t('Enter the key.');
      return whyNoKey(value.trim()) && t('A key has no spaces, no line breaks and no special characters.');
    },
  });
  if (entered === undefined) return false;
  await storeKey(extension, name, entered.trim());
  done('key');
  void vscode.window.setStatusBarMessage(t('$(key) The key {0} is stored.', name), 5_000);
  const place: KeyPlace = { kind: 'variable', name };
  if ((await stateOf({ extension }, place)) === 'environment') {
    const message = t('The environment variable {0} is set too. Where an LLM profile names the variable, it counts first.', name);
    void vscode.window.showInformationMessage(message);
  }
  return true;
}

function isWanted(target: unknown): target is WantedKey {
  if (typeof target !== 'object' || target === null || !('name' in target) || !('provider' in target)) return false;
  return typeof target.name === 'string' && target.name !== '' && typeof target.provider === 'string';
}

function isProfile(target: unknown): target is FileNode {
  return typeof target === 'object' && target !== null && 'kind' in target && target.kind === 'llm';
}

/** Takes stored keys away; those of the environment are not ours. @param name the one to remove, without asking */
export async function removeApiKey({ extension }: Services, name?: unknown): Promise<void> {
  const names = storedNames(extension);
  if (typeof name === 'string') {
    await removeKey(extension, name);
    return;
  }
  if (names.length === 0)
    throw new Refusal(vscode.l10n.t('No API key is stored in VS Code.'), [
      { title: vscode.l10n.t('Set API Key...'), run: () => vscode.commands.executeCommand('agentStack.setApiKey') },
    ]);
  const chosen = await vscode.window.showQuickPick(
    names.map((label) => ({ label, iconPath: new vscode.ThemeIcon('key') })),
    {
      title: vscode.l10n.t('Remove API Key'),
      placeHolder: vscode.l10n.t('Which keys should be removed from the secret storage?'),
      canPickMany: true,
    },
  );
  if (chosen === undefined || chosen.length === 0) return;
  for (const { label } of chosen) await removeKey(extension, label);
  const removed = chosen.map(({ label }) => label).join(', ');
  void vscode.window.setStatusBarMessage(vscode.l10n.t('$(key) Removed: {0}', removed), 5_000);
}
