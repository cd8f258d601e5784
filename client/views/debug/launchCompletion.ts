import { relative } from 'node:path';
import { getLocation, type ParseOptions, parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import { splitAgentReference } from '../../../core/config/agentReference.js';
import type { LaunchArguments } from '../../../core/debug/launch.js';
import { isObject } from '../../../core/json.js';
import { openEditorProject } from '../../editorProject.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { listRecordings } from '../run/chooseRecording.js';
import { factsOf, nameOf } from '../runs/runItem.js';
import { projectFor } from './launches.js';

type Needs = Services & WithRuns;
type Value = readonly [value: string, detail?: string];

const written: ParseOptions = { allowTrailingComma: true };

/** In a launch.json: the agents, orchestrations, cases, llm profiles, kept runs and recordings of the project, where one of them is named. */
export async function completeLaunchValue(
  services: Needs,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.CompletionItem[]> {
  const text = document.getText();
  const { isAtPropertyKey, path, previousNode } = getLocation(text, document.offsetAt(position));
  const [, index, field] = path;
  if (isAtPropertyKey || path[0] !== 'configurations' || typeof index !== 'number' || typeof field !== 'string') return [];
  const launch = (parse(text, [], written) as { configurations?: unknown[] } | undefined)?.configurations?.[index];
  if (!isObject(launch) || launch.type !== 'agent-stack') return [];
  const project = typeof launch.project === 'string' ? launch.project : undefined;
  const folder = await projectFor(services, project, vscode.workspace.getWorkspaceFolder(document.uri)).catch(() => undefined);
  if (folder === undefined) return [];
  const isInString = previousNode?.type === 'string' && previousNode.offset < document.offsetAt(position);
  const range = isInString
    ? new vscode.Range(document.positionAt(previousNode.offset), document.positionAt(previousNode.offset + previousNode.length))
    : new vscode.Range(position, position);
  return (await valuesOf(services, folder, field, launch)).map(([value, detail], at) => {
    const item = new vscode.CompletionItem(JSON.stringify(value), vscode.CompletionItemKind.Value);
    item.range = range;
    item.sortText = String(at).padStart(4, '0');
    if (detail !== undefined) item.detail = detail;
    return item;
  });
}

async function valuesOf(services: Needs, folder: ProjectFolder, field: string, launch: LaunchArguments): Promise<readonly Value[]> {
  const index = await (await openEditorProject(services, folder, 'disk')).index();
  const ids = (kind: 'agent' | 'orchestration' | 'llm' | 'payload') => [...index.ids(kind).keys()];
  const owner = launch.orchestration || splitAgentReference(launch.agent ?? '').name;
  switch (field) {
    case 'agent': {
      const references = ids('agent');
      return [...new Set(references.map((id) => splitAgentReference(id).name)), ...references].map((id) => [id]);
    }
    case 'orchestration':
    case 'llm':
      return ids(field).map((id) => [id]);
    case 'case':
      return ids('payload').flatMap((id) => (id.startsWith(`${owner}/`) ? [[id.slice(owner.length + 1)] as const] : []));
    case 'recording': {
      const recordings = (await listRecordings(services)).filter(({ folder: itsFolder }) => itsFolder === folder);
      const isOfOwner = ({ name }: (typeof recordings)[number]) => owner === '' || splitAgentReference(name).name === owner;
      return recordings.filter(isOfOwner).map(({ path, name }) => [relative(folder.root, path).replaceAll('\\', '/'), name]);
    }
    case 'run': {
      const runs = (await services.runs.view?.newest(100)) ?? [];
      return runs
        .filter((run) => run.folder === folder && !run.isLive)
        .map((run) => [run.run_id, [nameOf(run), ...factsOf(run)].join(' · ')]);
    }
    default:
      return [];
  }
}
