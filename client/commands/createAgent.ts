import * as vscode from 'vscode';
import { findTakenName } from '../../core/scaffold/findTakenName.js';
import { type AgentForm, newAgentFiles } from '../../core/scaffold/newAgentFiles.js';
import { askName } from '../askName.js';
import { done } from '../done.js';
import { givenName, newPlace, writeNew } from '../newPlace.js';
import type { Services } from '../services.js';

/** Makes a new agent that is valid and can run at once, as `agent-stack new agent` does, and opens it. */
export async function createAgent(services: Services, target?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const place = await newPlace(services, target);
  const { index } = place;
  const taken = (name: string) => {
    const other = findTakenName(index, 'agent', name);
    return other && t('The agent {0} already exists.', other.name);
  };
  const title = t('Create Agent (1 of 2)');
  const name = await askName({ title, prompt: t('Name of the agent'), placeHolder: 'TicketRouter', taken }, givenName(target));
  if (name === undefined) return undefined;
  const form = givenForm(target) ?? (await askForForm());
  if (form === undefined) return undefined;
  const uri = await writeNew(place, newAgentFiles(index, name, form));
  done('create');
  void offerNext(uri, name);
  return uri;
}

/** Offers the next steps for a new agent: its prompt and its run are one key away. */
async function offerNext(uri: vscode.Uri, name: string): Promise<void> {
  const { t } = vscode.l10n;
  const key = process.platform === 'darwin' ? 'Cmd' : 'Ctrl';
  const [preview, run] = [t('Preview Prompt'), t('Run')];
  const message = t('{0} is ready. {1} shows its prompt, {2} runs it.', name, `${key}+K V`, `${key}+Alt+R`);
  const chosen = await vscode.window.showInformationMessage(message, preview, run);
  if (chosen === preview) await vscode.commands.executeCommand('agentStack.previewPrompt', uri);
  if (chosen === run) await vscode.commands.executeCommand('agentStack.runAgent', uri);
}

async function askForForm(): Promise<AgentForm | undefined> {
  const { t } = vscode.l10n;
  const item = (label: string, icon: string, detail: string, form: AgentForm) => ({
    label,
    detail,
    iconPath: new vscode.ThemeIcon(icon),
    form,
  });
  const items = [
    item('Chooser', 'list-selection', t('Chooses one of the allowed values for each field.'), { mode: 'Chooser' }),
    item('Writer', 'edit', t('Writes a text for each field.'), { mode: 'Writer' }),
    item('Extractor', 'search', t('Finds facts in the input, and leaves empty what it does not say.'), { mode: 'Extractor' }),
    item('react', 'tools', t('Uses tools, one after the other, until it knows the answer.'), { type: 'react' }),
    item('orchestrating', 'list-ordered', t('Runs the steps of a plan: prompts, tools and other agents.'), { type: 'orchestrating' }),
  ];
  const options = { title: t('Create Agent (2 of 2)'), placeHolder: t('What does the agent do?') };
  return (await vscode.window.showQuickPick(items, options))?.form;
}

/** What a program passes instead of answering questions. */
function givenForm(target: unknown): AgentForm | undefined {
  if (typeof target !== 'object' || target === null) return undefined;
  const { mode, type } = target as AgentForm;
  if (type === 'react' || type === 'orchestrating') return { type };
  return mode === 'Chooser' || mode === 'Writer' || mode === 'Extractor' ? { mode } : undefined;
}
