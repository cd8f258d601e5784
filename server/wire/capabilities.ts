import type { ClientCapabilities, InitializeResult, ServerCapabilities } from 'vscode-languageserver';
import { isObject } from '../../core/json.js';
import type { AnyFeature } from '../feature.js';

/** What a client can do, and what that leads to. */
export interface Negotiated {
  readonly client: ClientCapabilities;
  /** Diagnostics are asked for; otherwise they are sent. */
  readonly pullsDiagnostics: boolean;
}

export function negotiate(client: ClientCapabilities): Negotiated {
  return { client, pullsDiagnostics: client.textDocument?.diagnostic !== undefined };
}

export function describeServer(features: readonly AnyFeature[], { client }: Negotiated): InitializeResult {
  const base: ServerCapabilities = {
    // The one that every client must take.
    positionEncoding: 'utf-16',
    textDocumentSync: { openClose: true, change: 2 },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  };
  const capabilities = features.reduce<unknown>((merged, feature) => merge(merged, feature.capability(client)), base);
  // A merge of capabilities is one.
  return {
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
