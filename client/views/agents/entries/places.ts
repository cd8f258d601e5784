import * as vscode from 'vscode';
import type { Entry } from './entry.js';

/**
 * The files and folders that belong to an entry alone, the most important first: of an agent the folders of its versions and its payloads,
 * of an orchestration its file and the folder of its payloads, of a prompt the folder of its versions. None for a server, which is part of mcp.json.
 */
export function foldersOf(entry: Entry): readonly vscode.Uri[] {
  switch (entry.kind) {
    case 'agent': {
      const versions = vscode.Uri.joinPath(entry.uri, '..');
      return entry.payloadCount > 0 ? [versions, vscode.Uri.joinPath(versions, '../../payloads', entry.agent_name)] : [versions];
    }
    case 'orchestration':
      return entry.payloadCount > 0 ? [entry.uri, vscode.Uri.joinPath(entry.uri, '../../payloads', entry.name)] : [entry.uri];
    case 'prompt':
      return [vscode.Uri.joinPath(entry.uri, '..')];
    case 'orphan':
      return [entry.uri];
    case 'mcpServer':
      return [];
    default:
      return [entry.uri];
  }
}

/** Where a file or folder of an entry goes when the entry is renamed. */
export function movedTo(entry: Entry, place: vscode.Uri, name: string): vscode.Uri {
  const isPayloads = entry.kind === 'orchestration' && place.path !== entry.uri.path;
  const isFolder = isPayloads || entry.kind === 'agent' || entry.kind === 'prompt' || entry.kind === 'orphan';
  return vscode.Uri.joinPath(place, '..', isFolder ? name : `${name}${place.path.slice(place.path.lastIndexOf('.'))}`);
}
