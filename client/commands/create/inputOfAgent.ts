import * as vscode from 'vscode';
import { parseConfigFile } from '../../../core/config/parseConfigFile.js';
import { pathOf } from '../../../core/config/paths.js';
import { isObject, type JsonObject } from '../../../core/json.js';
import { findText } from '../../../core/jsonText/findText.js';
import { createNodeEnvironment } from '../../../core/node/nodePorts.js';
import { sampleInput } from '../../../core/scaffold/sampleInput.js';
import { resolveAgent } from '../../../core/snapshot/resolveAgent.js';
import type { NewPlace } from '../../newPlace.js';

/** An example of what the newest version of an agent takes; empty where none is found. */
export async function inputOfAgent({ folder, files, index }: NewPlace, agent_name: string): Promise<JsonObject> {
  const version = index.versions(agent_name).at(-1) ?? '';
  const id = `${agent_name}@${version}`;
  const path = pathOf('agent', id, index.settings);
  const text = await findText(files, path);
  const value = text === undefined ? undefined : parseConfigFile(path, text, { kind: 'agent', name: agent_name, version, id }).value;
  if (!isObject(value)) return {};
  const environment_name = vscode.workspace.getConfiguration('agentStack', folder.uri).get<string>('environment', '');
  const { config } = resolveAgent({
    agent_name,
    version,
    file: { path, value },
    project: index,
    variables: createNodeEnvironment(),
    ...(environment_name !== '' && { environment_name }),
  });
  return sampleInput(config) ?? {};
}
