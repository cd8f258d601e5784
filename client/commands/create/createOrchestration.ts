import * as vscode from 'vscode';
import { agentNames } from '../../../core/names.js';
import { newOrchestrationFiles } from '../../../core/scaffold/newOrchestrationFiles.js';
import { askName } from '../../askName.js';
import { givenName, newPlace, takenBy, writeNew } from '../../newPlace.js';
import { noAgent } from '../../pickProject.js';
import type { Services } from '../../services.js';
import { inputOfAgent } from './inputOfAgent.js';

/** Makes an orchestration that begins with an agent, and opens it. A program gives `{name, agent}`. */
export async function createOrchestration(services: Services, target?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const place = await newPlace(services, target);
  const title = t('Create Orchestration');
  const names = [...agentNames(place.index)];
  if (names.length === 0) throw noAgent();
  const taken = (name: string) => takenBy(place, 'orchestration', name);
  const name = await askName({ title, prompt: t('Its name'), placeHolder: 'issue_intake', taken }, givenName(target));
  if (name === undefined) return undefined;
  const agent =
    givenAgent(target, names) ?? (await vscode.window.showQuickPick(names, { title, placeHolder: t('Which agent comes first?') }));
  if (agent === undefined) return undefined;
  const first = { agent_name: agent, version: place.index.versions(agent).at(-1) ?? '', input: await inputOfAgent(place, agent) };
  return writeNew(place, newOrchestrationFiles(place.index, name, [first]));
}

function givenAgent(target: unknown, names: readonly string[]): string | undefined {
  if (typeof target !== 'object' || target === null || !('agent' in target)) return undefined;
  return names.find((name) => name === target.agent);
}
