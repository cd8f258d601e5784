import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import type { RunContext } from '../../../core/agent/events.js';
import type { JsonObject } from '../../../core/json.js';
import type { ProjectRunRequest } from '../../../core/project/types.js';
import { objectAt, textAt } from '../../../core/run/untrusted.js';
import type { ProjectFolder } from '../../projects.js';
import type { ViewRecording } from './messages.js';
import type { RecordingChoice, RunChoice, TeamChoice } from './types.js';

/** Where the editor writes records, as a project path. */
const recordingsFolder = '.agentstack/recordings';

/** A new record of what runs: its name says what and when. @param now milliseconds since 1970 */
export function newRecording(folder: ProjectFolder, name: string, now = Date.now()): RecordingChoice {
  const time = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
  return { type: 'record', path: join(folder.root, recordingsFolder, `${name}_${time}.jsonl`) };
}

export function isReplay(recording: RecordingChoice | undefined): boolean {
  return recording?.type === 'replay';
}

/** A replay costs nothing and calls nothing, so it is not part of the history. */
export function keptAs(recording: RecordingChoice | undefined): 'folder' | 'none' {
  return isReplay(recording) ? 'none' : 'folder';
}

export function toRecordOptions(recording: RecordingChoice | undefined): Pick<ProjectRunRequest, 'record' | 'replay'> {
  return recording === undefined ? {} : { [recording.type]: recording.path };
}

/** What the history stores of a record: the run has it as long as it exists. */
export function toRecordContext(choice: Pick<RunChoice | TeamChoice, 'folder' | 'recording'>): Pick<Partial<RunContext>, 'metadata'> {
  const recording = toViewRecording(choice);
  return recording?.type === 'record' ? { metadata: { record: recording.file } } : {};
}

/** The record of a run that was read back, from its `run.json`. */
export function storedRecording(folder: ProjectFolder, run: JsonObject): ViewRecording | null {
  const file = textAt(objectAt(objectAt(run, 'context'), 'metadata'), 'record');
  return file === null || folder.pathOf(folder.uriOf(file)) === undefined ? null : { type: 'record', file };
}

export function toViewRecording({ folder, recording }: Pick<RunChoice | TeamChoice, 'folder' | 'recording'>): ViewRecording | null {
  if (recording === undefined) return null;
  return { type: recording.type, file: folder.pathOf(vscode.Uri.file(recording.path)) ?? recording.path };
}

export function uriOfRecording(folder: ProjectFolder, { file }: ViewRecording): vscode.Uri {
  return isAbsolute(file) ? vscode.Uri.file(file) : folder.uriOf(file);
}

export function isRecordingChoice(value: unknown): value is RecordingChoice {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('path' in value)) return false;
  return (value.type === 'record' || value.type === 'replay') && typeof value.path === 'string';
}
