import * as vscode from 'vscode';
import { parseConfigObject } from '../../../core/config/parseConfigFile.js';
import { identifyFile, pathOf } from '../../../core/config/paths.js';
import { isObject, type JsonObject, listOf } from '../../../core/json.js';
import { findText } from '../../../core/jsonText/findText.js';
import { agentNames } from '../../../core/names.js';
import { newCaseFile } from '../../../core/scaffold/newFile.js';
import { sampleContext } from '../../../core/scaffold/sampleInput.js';
import { askName } from '../../askName.js';
import { done } from '../../done.js';
import { givenName, type NewPlace, newPlace, placeIn, takenBy, writeNew } from '../../newPlace.js';
import { uriIn } from '../../panels/promptUri.js';
import { noAgent } from '../../pickProject.js';
import type { Services } from '../../services.js';
import { inputOfAgent } from './inputOfAgent.js';

/** An agent or orchestration that gets a payload. */
interface Owner {
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
}

/**
 * Makes a payload with every key that its agent takes, or with the context of its orchestration, and opens it. Its owner is that of the node or file the
 * command was called on, else of the active editor, else an agent that the user picks. A program gives `{uri, name}`.
 */
export async function createPayload(services: Services, target?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const uri = uriIn(target);
  const folder = uri && services.projects.of(uri);
  const place = folder === undefined ? await newPlace(services, target) : await placeIn(folder);
  const owner = chosenOwner(place, target, uri ?? vscode.window.activeTextEditor?.document.uri) ?? (await pickAgent(place));
  if (owner === undefined) return undefined;
  const taken = (name: string) => takenBy(place, 'payload', `${owner.name}/${name}`);
  const name = await askName({ title: t('New Payload for {0}', owner.name), prompt: t('Its name'), taken }, givenName(target));
  if (name === undefined) return undefined;
  const created = await writeNew(place, [newCaseFile(place.index, owner.name, name, await contentFor(place, owner))]);
  done('payload');
  return created;
}

async function contentFor(place: NewPlace, { kind, name }: Owner): Promise<JsonObject> {
  if (kind === 'agent') return { input: await inputOfAgent(place, name) };
  const text = await findText(place.files, pathOf('orchestration', name, place.index.settings));
  const { input_keys, input_schema, context } = (text === undefined ? undefined : parseConfigObject(text)) ?? {};
  return {
    context: sampleContext({
      input_keys: listOf(input_keys).filter((key) => typeof key === 'string'),
      ...(isObject(input_schema) && { input_schema }),
      context: isObject(context) ? context : {},
    }),
  };
}

function chosenOwner({ index, folder }: NewPlace, target: unknown, uri: vscode.Uri | undefined): Owner | undefined {
  if (typeof target === 'object' && target !== null && 'agent_name' in target && typeof target.agent_name === 'string')
    return { kind: 'agent', name: target.agent_name };
  const path = uri && folder.pathOf(uri);
  const { kind, name, agent } = (path === undefined ? undefined : identifyFile(path, index.settings)) ?? {};
  if (name !== undefined && (kind === 'agent' || kind === 'orchestration')) return { kind, name };
  if (kind !== 'payload' || agent === undefined) return undefined;
  const isTeams = index.versions(agent).length === 0 && index.ids('orchestration').has(agent);
  return { kind: isTeams ? 'orchestration' : 'agent', name: agent };
}

async function pickAgent(place: NewPlace): Promise<Owner | undefined> {
  const names = [...agentNames(place.index)];
  if (names.length === 0) throw noAgent();
  const name = await vscode.window.showQuickPick(names, { placeHolder: vscode.l10n.t('For which agent?') });
  return name === undefined ? undefined : { kind: 'agent', name };
}
