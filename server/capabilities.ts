import {
  type ClientCapabilities,
  type FileOperationRegistrationOptions,
  type InitializeResult,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { isObject } from '../core/json.js';
import type { AnyFeature } from './feature.js';

/** Without `matches`: after a deletion, a client no longer knows whether it was a file or a folder. */
const anyFile: FileOperationRegistrationOptions = { filters: [{ scheme: 'file', pattern: { glob: '**' } }] };

/** The reply to `initialize`: what the features can do, in one list. */
export function describeServer(features: readonly AnyFeature[], client: ClientCapabilities): InitializeResult {
  const base: ServerCapabilities = {
    // The encoding that every client supports.
    positionEncoding: 'utf-16',
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
    workspace: {
      workspaceFolders: { supported: true, changeNotifications: true },
      fileOperations: { didCreate: anyFile, didDelete: anyFile, didRename: anyFile },
    },
  };
  const capabilities = features.reduce<unknown>((merged, feature) => merge(merged, feature.capability(client)), base);
  return {
    // Merging capabilities member by member yields capabilities.
    capabilities: capabilities as ServerCapabilities,
    serverInfo: { name: 'agentstack', version: process.env.AGENT_STACK_VERSION ?? 'unknown' },
  };
}

function merge(left: unknown, right: unknown): unknown {
  if (Array.isArray(left) && Array.isArray(right)) return [...new Set([...left, ...right])];
  if (!isObject(left) || !isObject(right)) return right;
  const merged: Record<string, unknown> = { ...left };
  for (const [key, value] of Object.entries(right)) merged[key] = key in merged ? merge(merged[key], value) : value;
  return merged;
}

/** Whether a client has one of our commands, which it states in `experimental.commands.commands`: the protocol has no field for them. */
export function hasCommand({ experimental }: ClientCapabilities, command: string): boolean {
  const said: unknown = experimental;
  const commands = isObject(said) && isObject(said.commands) ? said.commands.commands : undefined;
  return Array.isArray(commands) && commands.includes(command);
}

/**
 * Whether a client wants the diagnostics of all files sent (`experimental.projectDiagnostics`). VS Code's client library asks for those of closed
 * files only every two seconds, and drops the diagnostics of a file that was open when it was deleted.
 */
export function takesProjectDiagnostics({ experimental }: ClientCapabilities): boolean {
  const said: unknown = experimental;
  return isObject(said) && said.projectDiagnostics === true;
}

/** Whether a client asks for diagnostics. The others are sent them. */
export function asksForDiagnostics(client: ClientCapabilities): boolean {
  return client.textDocument?.diagnostic !== undefined && !takesProjectDiagnostics(client);
}
