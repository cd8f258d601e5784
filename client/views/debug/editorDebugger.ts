import * as vscode from 'vscode';
import { AgentDebugSession } from '../../../core/debug/debugSession.js';
import type { DebugHost } from '../../../core/debug/launch.js';
import { readRecordFile } from '../../../core/node/recordFiles.js';
import { recordedSubject } from '../../../core/run/readRecording.js';
import { openEditorProject } from '../../editorProject.js';
import type { Services } from '../../services.js';
import { askInDialog } from '../run/askInDialog.js';
import { projectFor } from './launches.js';

/** The debugger in this process, with the keys, the questions and the servers of a run. What it shows has no secrets. */
export function editorDebugger(services: Services): vscode.DebugAdapterInlineImplementation {
  const host: DebugHost = {
    async open(root) {
      const folder = await projectFor(services, root);
      const project = await openEditorProject(services, folder, 'disk');
      return {
        project,
        toProjectPath: (path) => folder.pathOf(vscode.Uri.file(path)),
        toPath: (file) => folder.uriOf(file).fsPath,
        approve: askInDialog(services, project, folder),
      };
    },
    recordedCall(file) {
      const { header } = readRecordFile(file);
      const { input, overrides: { llm } = {} } = header;
      return { ...recordedSubject(header), ...(input && { input }), ...(llm !== undefined && { llm }) };
    },
  };
  const session = new AgentDebugSession(host);
  return new vscode.DebugAdapterInlineImplementation({
    onDidSendMessage: (listener) => session.onDidSendMessage((message) => listener(services.cover.apply(message))),
    handleMessage: (message) => session.handleMessage(message as Parameters<typeof session.handleMessage>[0]),
    dispose: () => session.dispose(),
  });
}
