import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { identifyFile } from '../../../core/config/paths.js';
import { readProjectSettings } from '../../../core/config/readProjectSettings.js';
import { readRecordHeader } from '../../../core/node/recordFiles.js';
import { uriIn } from '../../panels/promptUri.js';
import { createEditorFiles } from '../../ports/editorFiles.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { pickOne } from './steps.js';

/** A record and the project that its run belongs to. */
export interface ChosenRecording {
  readonly folder: ProjectFolder;
  /** Absolute. */
  readonly path: string;
}

interface ListedRecording extends ChosenRecording {
  /** Of the agent or the orchestration: `A2@v1`. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly changed: number;
}

/** JSON Lines that are no records. */
const others = '{**/node_modules/**,**/.agentstack/runs/**,**/.agentstack/sessions/**,**/.agentstack/journal/**}';
/** The most files that are searched. */
const mostFiles = 500;

/** The record that a command is called for, or one that the user picks; undefined when the user cancelled. @throws Refusal without a record */
export async function chooseRecording(services: Services, argument: unknown): Promise<ChosenRecording | undefined> {
  const argumentUri = uriIn(argument);
  if (argumentUri?.path.endsWith('.jsonl')) {
    const folder = services.projects.of(argumentUri);
    if (folder === undefined) throw new Refusal(vscode.l10n.t('{0} is in no project.', vscode.workspace.asRelativePath(argumentUri)));
    return { folder, path: argumentUri.fsPath };
  }
  const agentName = argumentUri && (await nameOf(services, argumentUri));
  const recordings = (await listRecordings(services)).filter(({ name }) => agentName === undefined || name.split('@')[0] === agentName);
  if (recordings.length === 0) {
    const message =
      agentName === undefined ? vscode.l10n.t('There is no record yet.') : vscode.l10n.t('There is no record of {0} yet.', agentName);
    throw new Refusal(message, [
      { title: vscode.l10n.t('Run and Record'), run: () => vscode.commands.executeCommand('agentStack.runAndRecord', argumentUri) },
    ]);
  }
  const chosen = await pickOne({
    title: vscode.l10n.t('Replay Recording'),
    placeholder: vscode.l10n.t('Which record?'),
    items: recordings.map((value) => ({
      label: value.name,
      description: new Date(value.changed).toLocaleString(vscode.env.language),
      detail: vscode.workspace.asRelativePath(value.path),
      value,
    })),
    canGoBack: false,
  });
  return chosen === 'back' ? undefined : chosen;
}

/** The agent or orchestration that a file belongs to. */
async function nameOf({ projects }: Services, uri: vscode.Uri): Promise<string | undefined> {
  const folder = projects.of(uri);
  const path = folder?.pathOf(uri);
  if (folder === undefined || path === undefined) return undefined;
  const identity = identifyFile(path, await readProjectSettings(createEditorFiles(folder)));
  if (identity?.kind === 'payload') return identity.agent;
  return identity?.kind === 'agent' || identity?.kind === 'orchestration' ? identity.name : undefined;
}

/** The records of all projects of the workspace, newest first. */
export async function listRecordings({ projects }: Services): Promise<readonly ListedRecording[]> {
  const listed: ListedRecording[] = [];
  for (const folder of await projects.list()) {
    for (const uri of await vscode.workspace.findFiles(new vscode.RelativePattern(folder.uri, '**/*.jsonl'), others, mostFiles)) {
      const header = readRecordHeader(uri.fsPath);
      // A project inside of this one has its own.
      if (header === undefined || projects.of(uri) !== folder) continue;
      const name = header.format === 2 ? header.name : header.agent_name;
      const { mtimeMs: changed } = await stat(uri.fsPath);
      listed.push({ folder, path: uri.fsPath, name: header.version === null ? name : `${name}@${header.version}`, changed });
    }
  }
  return listed.sort((left, right) => right.changed - left.changed);
}
