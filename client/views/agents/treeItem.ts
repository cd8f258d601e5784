import * as vscode from 'vscode';
import type { AgentsNode, Group } from './nodes.js';

/** How a node looks. Its tooltip is created on request. */
export function toTreeItem(node: AgentsNode): vscode.TreeItem {
  const { label, description, icon, state = leaf, spoken } = lookOf(node);
  const item = new vscode.TreeItem(label, state);
  item.id = idOf(node);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.contextValue = node.kind === 'group' ? `group.${node.group}` : node.kind;
  if (node.kind === 'llm' && node.isKeyless === true) item.contextValue = 'llm.keyless';
  if (description !== undefined) item.description = description;
  if (spoken !== undefined) item.accessibilityInformation = { label: spoken };
  // VS Code decorates every item that has the URI of a file with findings, or of a folder above it.
  if ('uri' in node) item.resourceUri = node.kind === 'agent' && node.versionCount > 1 ? vscode.Uri.joinPath(node.uri, '..') : node.uri;
  if (node.kind === 'project') item.resourceUri = node.folder.uri;
  if ('path' in node) {
    const selection = node.kind === 'mcpServer' ? new vscode.Range(node.line, 0, node.line, 0) : undefined;
    item.command = { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [node.uri, ...(selection ? [{ selection }] : [])] };
  }
  return item;
}

interface Look {
  readonly label: string;
  readonly description?: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly state?: vscode.TreeItemCollapsibleState;
  /** What a screen reader says, where label and description are ambiguous. */
  readonly spoken?: string;
}

const leaf = vscode.TreeItemCollapsibleState.None;
const closed = vscode.TreeItemCollapsibleState.Collapsed;
const open = vscode.TreeItemCollapsibleState.Expanded;

function lookOf(node: AgentsNode): Look {
  const { t } = vscode.l10n;
  switch (node.kind) {
    case 'project':
      return { label: node.folder.name, description: relativeFolder(node.folder.uri), icon: 'root-folder', state: open };
    case 'group': {
      const label = groupLabel(node.group);
      const spoken = `${label}, ${node.count}`;
      return { label, description: `${node.count}`, icon: groupIcons[node.group], state: node.group === 'agents' ? open : closed, spoken };
    }
    case 'agent': {
      const { agent_name: label, version, versionCount, payloadCount } = node;
      const description = versionCount > 1 ? t('{0} · {1} versions', version, versionCount) : version;
      const hasChildren = versionCount > 1 || payloadCount > 0;
      const spoken = t('Agent {0}, current version {1}', label, version);
      return { label, description, icon: 'robot', state: hasChildren ? closed : leaf, spoken };
    }
    case 'agentVersion':
      return {
        label: node.version,
        icon: node.isCurrent ? 'circle-filled' : 'circle-outline',
        ...(node.isCurrent && { description: t('current') }),
        spoken: node.isCurrent
          ? t('Version {0} of agent {1}, current', node.version, node.agent_name)
          : t('Version {0} of agent {1}', node.version, node.agent_name),
      };
    case 'payload':
      return {
        label: node.name,
        icon: 'beaker',
        description: t('payload'),
        spoken: t('Payload {0} for agent {1}', node.name, node.agent_name),
      };
    case 'orchestrationPayload':
      return {
        label: node.name,
        icon: 'beaker',
        description: t('payload'),
        spoken: t('Payload {0} for orchestration {1}', node.name, node.orchestration),
      };
    case 'orchestration':
      return { label: node.name, icon: 'type-hierarchy', state: node.payloadCount > 0 ? closed : leaf };
    case 'orphan':
      return { label: node.agent_name, description: t('payloads only'), icon: 'question', state: closed };
    case 'prompt': {
      const description = node.versionCount > 1 ? t('{0} · {1} versions', node.version, node.versionCount) : node.version;
      return { label: node.name, description, icon: 'comment', state: node.versionCount > 1 ? closed : leaf };
    }
    case 'promptVersion':
      return {
        label: node.version,
        icon: node.isCurrent ? 'circle-filled' : 'circle-outline',
        ...(node.isCurrent && { description: t('newest') }),
        spoken: t('Version {0} of prompt {1}', node.version, node.name),
      };
    case 'mcpServer':
    case 'llm':
    case 'persona':
    case 'system':
      return { label: node.name, icon: fileIcons[node.kind], ...(node.detail !== undefined && { description: node.detail }) };
    case 'environment':
      return { label: node.name, icon: 'layers', ...(node.isActive && { description: t('active') }) };
  }
}

const groupIcons: Record<Group, string> = {
  agents: 'hubot',
  llms: 'chip',
  personas: 'account',
  prompts: 'comment-discussion',
  mcp: 'plug',
  orchestrations: 'type-hierarchy',
  environments: 'settings-gear',
};
const fileIcons = {
  llm: 'chip',
  persona: 'account',
  system: 'settings-gear',
  mcpServer: 'server-process',
};

function groupLabel(group: Group): string {
  const { t } = vscode.l10n;
  const labels: Record<Group, string> = {
    agents: t('Agents'),
    llms: t('LLM Profiles'),
    personas: t('Personas'),
    prompts: t('Prompts'),
    mcp: t('MCP Servers'),
    orchestrations: t('Orchestrations'),
    environments: t('System and Environments'),
  };
  return labels[group];
}

/** Where a project is in the workspace; empty for one that is a folder of the workspace itself. */
function relativeFolder(uri: vscode.Uri): string {
  const path = vscode.workspace.asRelativePath(uri, (vscode.workspace.workspaceFolders?.length ?? 0) > 1);
  return path === uri.fsPath ? '' : path;
}

/** The same for the same thing after every change, so that what was open stays open. */
function idOf(node: AgentsNode): string {
  const ownItem = () => {
    switch (node.kind) {
      case 'project':
        return '';
      case 'group':
        return node.group;
      case 'agent':
      case 'orphan':
        return node.agent_name;
      case 'agentVersion':
        return `${node.agent_name}@${node.version}`;
      case 'payload':
        return `${node.agent_name}/${node.name}`;
      case 'orchestrationPayload':
        return `${node.orchestration}/${node.name}`;
      case 'promptVersion':
        return `${node.name}@${node.version}`;
      default:
        return node.name;
    }
  };
  return [node.folder.root, node.kind, ownItem()].join('\n');
}
