import { builtInProviderNames } from '../../../core/builtInProviders.js';
import { parseConfigObject } from '../../../core/config/parseConfigFile.js';
import { configPrefix } from '../../../core/config/paths.js';
import { isObject, type JsonObject, pointerOf } from '../../../core/json.js';
import { findText } from '../../../core/jsonText/findText.js';
import { locate } from '../../../core/jsonText/locate.js';
import { positionsIn } from '../../../core/jsonText/textPositions.js';
import { keyPlaceFor } from '../../../core/llm/providers/apiKey.js';
import { compareNatural } from '../../../core/names.js';
import type { FileSystem } from '../../../core/ports.js';
import type { ProjectFolder } from '../../projects.js';
import { isSystem, type NamedPath, type ProjectListing, type Versioned } from './listing.js';
import { type AgentsNode, type FileNode, type Group, type GroupNode, groups } from './nodes.js';

/** A project as the view shows it: its files by name, and a way to read the few whose content is shown. */
export interface ListedProject {
  readonly folder: ProjectFolder;
  readonly listing: ProjectListing;
  readonly files: Pick<FileSystem, 'readText'>;
  /** The environment that applies now. */
  readonly environment: string;
}

/** The headings of a project that have something below them; none for a project without any file. */
export async function groupsOf(project: ListedProject): Promise<readonly GroupNode[]> {
  const { folder, listing } = project;
  const prefix = configPrefix(listing.settings);
  const nodes: GroupNode[] = [];
  for (const group of groups) {
    const count = group === 'mcp' ? (await mcpServers(project)).length : listing[group].length;
    if (count === 0) continue;
    const uri = folder.uriOf(group === 'mcp' ? `${prefix}mcp.json` : `${prefix}${group}`);
    nodes.push({ kind: 'group', group, count, folder, uri });
  }
  return nodes;
}

export async function childrenOf(node: AgentsNode, project: ListedProject): Promise<readonly AgentsNode[]> {
  const { folder, listing } = project;
  switch (node.kind) {
    case 'project':
      return groupsOf(project);
    case 'group':
      return membersOf(node.group, project);
    case 'agent':
    case 'orphan': {
      const agent = listing.agents.find(({ name }) => name === node.agent_name);
      return agent === undefined ? [] : [...versionsOf(agent, project), ...payloadsOf(agent, project)];
    }
    case 'orchestration': {
      const listed = listing.orchestrations.find(({ path }) => path === node.path);
      return (listed?.payloads ?? []).map(({ name, path }) => ({
        kind: 'orchestrationPayload',
        orchestration: node.name,
        name,
        ...place(folder, path),
      }));
    }
    case 'prompt': {
      const prompt = listing.prompts.find(({ name }) => name === node.name);
      return (prompt?.versions ?? []).map(({ name: version, path }, at) => ({
        kind: 'promptVersion',
        name: node.name,
        version,
        isCurrent: at === 0,
        ...place(folder, path),
      }));
    }
    default:
      return [];
  }
}

async function membersOf(group: Group, project: ListedProject): Promise<readonly AgentsNode[]> {
  const { folder, listing, environment } = project;
  const plain = (kind: FileNode['kind'], namedPaths: readonly NamedPath[]): FileNode[] =>
    namedPaths.map(({ name, path }) => ({ kind, name, detail: undefined, ...place(folder, path) }));
  switch (group) {
    case 'agents':
      return listing.agents.map((agent) => toAgent(agent, project));
    case 'prompts':
      return listing.prompts.flatMap(({ name, versions }) =>
        versions[0] === undefined
          ? []
          : [
              {
                kind: 'prompt',
                name,
                version: versions[0].name,
                versionCount: versions.length,
                ...place(folder, versions[0].path),
              } as const,
            ],
      );
    case 'llms':
      return Promise.all(
        plain('llm', listing.llms).map(async (node) => {
          const profile = await readObject(project.files, node.path);
          return { ...node, detail: describeLlm(profile), isKeyless: isKeyless(profile) };
        }),
      );
    case 'personas':
      return plain('persona', listing.personas);
    case 'orchestrations':
      return listing.orchestrations.map(({ name, path, payloads }) => ({
        kind: 'orchestration',
        name,
        payloadCount: payloads.length,
        ...place(folder, path),
      }));
    case 'environments':
      return listing.environments.map((environmentFile) => {
        const { name, path } = environmentFile;
        if (isSystem(environmentFile)) return { kind: 'system', name, detail: undefined, ...place(folder, path) };
        return { kind: 'environment', name, isActive: name === environment, ...place(folder, path) };
      });
    case 'mcp':
      return (await mcpServers(project)).map((server) => ({ kind: 'mcpServer', ...server, ...place(folder, listing.mcp ?? '') }));
  }
}

function toAgent({ name, versions, payloads }: Versioned, { folder }: ListedProject): AgentsNode {
  const [newest] = versions;
  if (newest === undefined) {
    const uri = folder.uriOf((payloads[0]?.path ?? '').replace(/\/[^/]+$/, ''));
    return { kind: 'orphan', agent_name: name, payloadCount: payloads.length, folder, uri };
  }
  const counts = { versionCount: versions.length, payloadCount: payloads.length };
  return { kind: 'agent', agent_name: name, version: newest.name, ...counts, ...place(folder, newest.path) };
}

/** One version is the agent itself. */
function versionsOf({ name, versions }: Versioned, { folder }: ListedProject): readonly AgentsNode[] {
  if (versions.length < 2) return [];
  return versions.map(({ name: version, path }, at) => ({
    kind: 'agentVersion',
    agent_name: name,
    version,
    isCurrent: at === 0,
    ...place(folder, path),
  }));
}

function payloadsOf({ name: agent_name, payloads }: Versioned, { folder }: ListedProject): readonly AgentsNode[] {
  return payloads.map(({ name, path }) => ({ kind: 'payload', agent_name, name, ...place(folder, path) }));
}

function place(folder: ProjectFolder, path: string) {
  return { folder, path, uri: folder.uriOf(path) };
}

interface McpServer {
  readonly name: string;
  readonly detail: string | undefined;
  readonly line: number;
}

async function mcpServers({ listing, files }: ListedProject): Promise<readonly McpServer[]> {
  const text = listing.mcp === undefined ? undefined : await findText(files, listing.mcp);
  const servers = text === undefined ? undefined : parseConfigObject(text)?.servers;
  if (text === undefined || !isObject(servers)) return [];
  const names = Object.keys(servers);
  const places = locate(
    text,
    names.map((name) => pointerOf('servers', name)),
  );
  const positionAt = positionsIn(text);
  return Object.entries(servers)
    .map(([name, server]) => {
      const at = places.get(pointerOf('servers', name))?.key?.start ?? 0;
      return { name, detail: isObject(server) ? describeServer(server) : undefined, line: positionAt(at).line - 1 };
    })
    .sort((left, right) => compareNatural(left.name, right.name));
}

/** How the server is reached. Arguments, headers and address are left out, since they may contain secrets. */
function describeServer({ type, command, url }: JsonObject): string | undefined {
  if (typeof type === 'string') return type;
  return command !== undefined ? 'stdio' : url !== undefined ? 'http' : undefined;
}

function describeLlm(profile: JsonObject | undefined): string | undefined {
  const { provider, model_name } = profile ?? {};
  const parts = [provider, model_name].filter((part): part is string => typeof part === 'string' && part !== '');
  return parts.length === 0 ? undefined : [...new Set(parts)].join(' · ');
}

/** Only where the profile itself says so: its provider may be named by a layer below. */
function isKeyless({ provider, api_key, api_key_env }: JsonObject = {}): boolean {
  if (typeof provider !== 'string' || !builtInProviderNames.includes(provider)) return false;
  return api_key === undefined && api_key_env === undefined && keyPlaceFor({ provider }) === undefined;
}

/** Undefined for a file that is gone, unreadable or not a JSON object. */
export async function readObject(files: Pick<FileSystem, 'readText'>, path: string): Promise<JsonObject | undefined> {
  const text = await findText(files, path);
  return text === undefined ? undefined : parseConfigObject(text);
}
