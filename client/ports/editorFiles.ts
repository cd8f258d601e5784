import * as vscode from 'vscode';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import type { FileSystem } from '../../core/ports.js';
import type { ProjectFolder } from '../projects.js';

/** The disk with the open documents over it: what is typed counts before it is saved. Writes go to the disk. */
export function createEditorFiles(folder: ProjectFolder): FileSystem {
  const disk = createNodeFiles(folder.root);
  const typed = (path: string): string | undefined => {
    const uri = folder.uriOf(path).toString();
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri && !document.isClosed);
    return open?.isDirty ? open.getText() : undefined;
  };
  return {
    ...disk,
    readText: (path) => typed(path) ?? disk.readText(path),
    async readOpened(path) {
      const opened = await disk.readOpened(path);
      return { ...opened, text: typed(path) ?? typed(opened.path) ?? opened.text };
    },
  };
}
