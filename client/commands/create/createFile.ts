import * as vscode from 'vscode';
import { newEnvironmentFile, newPersonaFile, newPromptFile } from '../../../core/scaffold/newFile.js';
import { askName } from '../../askName.js';
import { givenName, newPlace, takenBy, writeNew } from '../../newPlace.js';
import type { Services } from '../../services.js';

/** Kinds whose new files need only a name. */
export type PlainKind = 'persona' | 'prompt' | 'environment';

const makers = { persona: newPersonaFile, prompt: newPromptFile, environment: newEnvironmentFile };

/** Makes a persona, a prompt or an environment that has no faults, and opens it. */
export async function createFile(services: Services, kind: PlainKind, target?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const place = await newPlace(services, target);
  const titles = { persona: t('Create Persona'), prompt: t('Create Prompt'), environment: t('Create Environment') };
  const examples = { persona: 'technical_editor', prompt: 'issue_triage', environment: 'staging' };
  const taken = (name: string) => takenBy(place, kind === 'environment' ? 'system' : kind, name);
  const name = await askName({ title: titles[kind], prompt: t('Its name'), placeHolder: examples[kind], taken }, givenName(target));
  return name === undefined ? undefined : writeNew(place, [makers[kind](place.index, name)]);
}
