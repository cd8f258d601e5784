import * as vscode from 'vscode';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import type { FileSystem } from '../../core/ports.js';
import type { ProjectFolder } from '../projects.js';

/** The disk with the open documents over it: what is typed counts before it is saved. Writes go to the disk. */
export function createEditorFiles(folder: ProjectFolder): FileSystem {
  const disk = createNodeFiles(folder.root);
  return {
    ...disk,
    readText(path) {
      const uri = folder.uriOf(path).toString();
      const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri && !document.isClosed);
      return open?.isDirty ? open.getText() : disk.readText(path);
    },
  };
}
