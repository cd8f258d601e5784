import type * as vscode from 'vscode';
import type { ProjectFolder } from '../../projects.js';

/** The headings of a project in the view, from top to bottom. */
export const groups = ['agents', 'llms', 'personas', 'prompts', 'mcp', 'orchestrations', 'environments'] as const;
export type Group = (typeof groups)[number];

interface OfProject {
  readonly folder: ProjectFolder;
}

interface OfFile extends OfProject {
  readonly uri: vscode.Uri;
  /** Project path of the same file. */
  readonly path: string;
}

/** A version of an agent: the newest one for the agent itself. Commands of the view get it as their first argument. */
export interface AgentNode extends OfFile {
  readonly kind: 'agent';
  readonly agent_name: string;
  readonly version: string;
  readonly versionCount: number;
  readonly payloadCount: number;
}

export interface AgentVersionNode extends OfFile {
  readonly kind: 'agentVersion';
  readonly agent_name: string;
  readonly version: string;
  /** The one that runs where no version is named. */
  readonly isCurrent: boolean;
}

export interface PayloadNode extends OfFile {
  readonly kind: 'payload';
  readonly agent_name: string;
  /** The case. */
  readonly name: string;
}

export interface OrchestrationPayloadNode extends OfFile {
  readonly kind: 'orchestrationPayload';
  readonly orchestration: string;
  /** The case. */
  readonly name: string;
}

export interface PromptNode extends OfFile {
  readonly kind: 'prompt';
  readonly name: string;
  readonly version: string;
  readonly versionCount: number;
}

export interface PromptVersionNode extends OfFile {
  readonly kind: 'promptVersion';
  readonly name: string;
  readonly version: string;
  readonly isCurrent: boolean;
}

/** A file that is one thing. */
export interface FileNode extends OfFile {
  /** Of an LLM profile whose provider takes no key. */
  readonly isKeyless?: boolean;
  readonly kind: 'llm' | 'persona' | 'system';
  readonly name: string;
  /** The description after the name; undefined for nothing. */
  readonly detail: string | undefined;
}

export interface OrchestrationNode extends OfFile {
  readonly kind: 'orchestration';
  readonly name: string;
  readonly payloadCount: number;
}

export interface EnvironmentNode extends OfFile {
  readonly kind: 'environment';
  readonly name: string;
  /** Whether it is the one that applies now. */
  readonly isActive: boolean;
}

export interface McpServerNode extends OfFile {
  readonly kind: 'mcpServer';
  readonly name: string;
  readonly detail: string | undefined;
  /** Its index in mcp.json, from 0. */
  readonly line: number;
}

export interface GroupNode extends OfProject {
  readonly kind: 'group';
  readonly group: Group;
  readonly count: number;
  /** The folder of the files, or the file that contains them. */
  readonly uri: vscode.Uri;
}

export interface ProjectNode extends OfProject {
  readonly kind: 'project';
  readonly agentCount: number;
}

/** An agent without a file, of which only payloads exist. */
export interface OrphanNode extends OfProject {
  readonly kind: 'orphan';
  /** The folder of the payloads. */
  readonly uri: vscode.Uri;
  readonly agent_name: string;
  readonly payloadCount: number;
}

export type AgentsNode =
  | ProjectNode
  | GroupNode
  | AgentNode
  | AgentVersionNode
  | PayloadNode
  | OrchestrationPayloadNode
  | OrphanNode
  | PromptNode
  | PromptVersionNode
  | FileNode
  | OrchestrationNode
  | EnvironmentNode
  | McpServerNode;
