import * as vscode from 'vscode';
import { ProjectFolder } from '../../../projects.js';
import type { AgentsNode, GroupNode, ProjectNode } from '../nodes.js';

/** An entry of the view: everything but the headings. */
export type Entry = Exclude<AgentsNode, ProjectNode | GroupNode>;

export function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('folder' in value)) return false;
  return value.folder instanceof ProjectFolder && value.kind !== 'group' && value.kind !== 'project';
}

/** The entries that a command of the view is called for: the selection, when the one that was clicked is part of it. */
export function entriesToChange(clicked: unknown, selected: unknown, selection: readonly AgentsNode[]): readonly Entry[] {
  if (Array.isArray(selected) && selected.length > 1) return selected.filter(isEntry);
  if (isEntry(clicked)) return [clicked];
  return selection.filter(isEntry);
}

/** What can be renamed: a single version, else the whole entry. */
export function nameOf(entry: Entry): string {
  switch (entry.kind) {
    case 'agent':
    case 'orphan':
      return entry.agent_name;
    case 'agentVersion':
    case 'promptVersion':
      return entry.version;
    default:
      return entry.name;
  }
}

/** Its name in a question: `agent A2`, `payload parser of A2`. */
export function spokenName(entry: Entry): string {
  const { t } = vscode.l10n;
  switch (entry.kind) {
    case 'agent':
      return t('agent {0}', entry.agent_name);
    case 'agentVersion':
      return t('version {0} of agent {1}', entry.version, entry.agent_name);
    case 'payload':
      return t('payload {0} of agent {1}', entry.name, entry.agent_name);
    case 'orchestrationPayload':
      return t('payload {0} of orchestration {1}', entry.name, entry.orchestration);
    case 'orphan':
      return t('payloads of {0}', entry.agent_name);
    case 'prompt':
      return t('prompt {0}', entry.name);
    case 'promptVersion':
      return t('version {0} of prompt {1}', entry.version, entry.name);
    case 'llm':
      return t('LLM profile {0}', entry.name);
    case 'persona':
      return t('persona {0}', entry.name);
    case 'orchestration':
      return t('orchestration {0}', entry.name);
    case 'environment':
      return t('environment {0}', entry.name);
    case 'mcpServer':
      return t('MCP server {0}', entry.name);
    case 'system':
      return entry.path;
  }
}
