import * as vscode from 'vscode';
import { knownProviders } from '../../../core/config/providers.js';
import { newLlmFile } from '../../../core/scaffold/newLlmFile.js';
import { askName } from '../../askName.js';
import { givenName, newPlace, takenBy, writeNew } from '../../newPlace.js';
import type { Services } from '../../services.js';

/** Makes an llm profile of a provider, and opens it. A program gives `{name, provider}`. */
export async function createLlm(services: Services, target?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const place = await newPlace(services, target);
  const title = t('Create LLM Profile');
  const items = knownProviders(place.index).map((label) => ({ label, ...(words()[label] && { description: words()[label] }) }));
  const provider = givenProvider(target) ?? (await vscode.window.showQuickPick(items, { title, placeHolder: t('Which provider?') }))?.label;
  if (provider === undefined) return undefined;
  const taken = (name: string) => takenBy(place, 'llm', name);
  const value = taken(provider) === undefined ? provider : '';
  const name = await askName({ title, prompt: t('Its id, by which agents name it'), value, taken }, givenName(target));
  return name === undefined ? undefined : writeNew(place, [newLlmFile(place.index, name, { provider })]);
}

function words(): Readonly<Record<string, string>> {
  const { t } = vscode.l10n;
  return {
    openai_compatible: t('Ollama, LM Studio, llama.cpp, vLLM, OpenRouter'),
    vscode: t('a model that VS Code has'),
    offline: t('simulated, needs no key'),
  };
}

function givenProvider(target: unknown): string | undefined {
  if (typeof target !== 'object' || target === null || !('provider' in target)) return undefined;
  return typeof target.provider === 'string' ? target.provider : undefined;
}
