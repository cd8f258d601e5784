import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';
import { didYouMean, nearestNames } from '../../names.js';
import { quoted } from '../../words.js';
import { agentOf, oncePerInventory, textsAt } from '../facts.js';
import type { ImportSource } from '../importSource.js';
import type { NamedFact, ToolFacts, ToolFile, ToolRule } from '../toolFiles.js';
import { textField } from '../values.js';
import { allowsNothing, readAgent } from './permissions.js';

const reference = { address: 'https://kiro.dev/docs/cli/custom-agents/configuration-reference', date: '2026-11-26' };

export function agentFacts(source: ImportSource, folder: string): ToolFacts {
  const named = [{ name: textField(source.value, 'prompt') ?? '', pointer: '/prompt' }, ...textsAt(source.value, '/resources')];
  const paths = named.flatMap(({ name, pointer }) => {
    const leads = promptPaths(name, source.path, folder);
    return leads === undefined ? [] : [{ ...leads, pointer }];
  });
  return {
    ...agentOf(source),
    files: paths.flatMap(({ beside, inProject }) => [beside, inProject]),
    links: paths.map(({ written, beside, pointer }) => ({ name: written, pointer, path: beside })),
  };
}

/** Where `file://` leads from the folder of the agent, as it is documented, and from that of the project; undefined for what is not judged. */
function promptPaths(
  prompt: string | undefined,
  agent: string,
  folder: string,
): { readonly written: string; readonly beside: string; readonly inProject: string } | undefined {
  const path = /^file:\/\/([^/~$%{}*?[][^$%{}*?[]*)$/.exec(prompt?.trim() ?? '')?.[1];
  if (path === undefined) return undefined;
  const beside = joined(agent.split('/').slice(0, -1), path);
  const inProject = joined(folder === '' ? [] : folder.split('/'), path) ?? beside;
  return beside === undefined || inProject === undefined ? undefined : { written: path, beside, inProject };
}

/** Undefined for what is outside of the project. */
function joined(folder: readonly string[], path: string): string | undefined {
  const segments = [...folder];
  for (const segment of path.split('/')) {
    if (segment === '..' && segments.pop() === undefined) return undefined;
    if (!['', '.', '..'].includes(segment)) segments.push(segment);
  }
  return segments.length === 0 ? undefined : segments.join('/');
}

/** What an agent in JSON holds; those in Markdown are read by newer versions, of which less is known. */
function agentIn({ path, kind, source }: ToolFile): JsonObject | undefined {
  return kind.facts === agentFacts && path.endsWith('.json') && isObject(source?.value) ? source.value : undefined;
}

const noTools: ToolRule = {
  code: 'kiro/no-tools',
  tool: 'kiro',
  severity: 'warning',
  source: { address: 'https://github.com/kirodotdev/Kiro/issues/7839', date: '2026-11-26' },
  check(file, _inventory, report) {
    const agent = agentIn(file);
    if (agent === undefined || agent.tools !== undefined) return;
    const [key, problem] =
      agent.allowedTools === undefined
        ? ['', 'This agent has no "tools", so it gets none, and may make up what they would return.']
        : ['/allowedTools', 'This agent has no "tools", so it gets none: "allowedTools" only says which of them run unasked.'];
    report({ pointer: key, target: 'key', message: `${problem} Write "tools": ["*"] for all, or name them.` });
  },
};

const promptMissing: ToolRule = {
  code: 'kiro/prompt-missing',
  tool: 'kiro',
  severity: 'error',
  source: reference,
  check(file, inventory, report) {
    const agent = agentIn(file);
    const paths = promptPaths(textField(agent, 'prompt'), file.path, file.folder);
    if (paths === undefined || inventory.exists(paths.beside) !== false) return;
    const isInProject = inventory.exists(paths.inProject) === true;
    if (!isInProject && inventory.exists(paths.inProject) !== false) return;
    report({
      pointer: '/prompt',
      ...(isInProject && { severity: 'warning' as const }),
      message: isInProject
        ? `Kiro looks for ${quoted(agent?.prompt)} from the folder of the agent, where it is not: ${paths.beside} does not exist, but ${paths.inProject} does.`
        : `The prompt of this agent, ${paths.beside}, does not exist. Correct the path, which starts at the folder of the agent, or add the file.`,
    });
  },
};

const resourceMissing: ToolRule = {
  code: 'kiro/resource-missing',
  tool: 'kiro',
  severity: 'info',
  source: reference,
  check(file, inventory, report) {
    for (const { name, pointer } of textsAt(agentIn(file), '/resources')) {
      const paths = promptPaths(name, file.path, file.folder);
      if (paths === undefined || [paths.beside, paths.inProject].some((path) => inventory.exists(path) !== false)) continue;
      report({
        pointer,
        message: `${paths.inProject} does not exist, so the agent starts without it. Correct the path, or add the file.`,
      });
    }
  },
};

/** The server of `@server` or `@server/tool`; undefined for every other name, and for patterns. */
function serverOf(tool: string): string | undefined {
  const name = /^@([^/*?]+)(?:\/[^*?]*)?$/.exec(tool)?.[1];
  return name === 'builtin' || name === 'mcp' ? undefined : name;
}

const allowedWithoutTool: ToolRule = {
  code: 'kiro/allowed-without-tool',
  permits: 'dead',
  tool: 'kiro',
  severity: 'warning',
  source: reference,
  check(file, _inventory, report) {
    const agent = agentIn(file);
    const tools = textsAt(agent, '/tools').map(({ name }) => name);
    const entries = agent && readAgent(agent);
    for (const { name, pointer } of textsAt(agent, '/allowedTools')) {
      if (name === '*') {
        report({ pointer, message: 'Kiro allows nothing for "*" here: it counts in "tools" only. Name the tools, or write "@builtin".' });
        continue;
      }
      const server = serverOf(name);
      // Built-in tools have several names, and tags that stand for more of them.
      const mayBeNamed = tools.some(
        (tool) => tool === '*' || tool === '@mcp' || /^@.*[*?]/.test(tool) || tool === `@${server}` || tool === name,
      );
      const isPart = tools.some((tool) => name === `@${server}` && tool.startsWith(`${name}/`));
      const builtIn = entries?.allowed.find((entry) => entry.pointer === pointer);
      if (entries?.tools !== undefined && builtIn !== undefined && allowsNothing(entries, builtIn)) {
        report({ pointer, message: `The agent does not have ${quoted(name)}, so allowing it has no effect. Add it to "tools".` });
        continue;
      }
      if (server === undefined || tools.length === 0 || mayBeNamed || isPart) continue;
      report({ pointer, message: `The agent does not have ${quoted(name)}, so allowing it has no effect. Add it to "tools".` });
    }
  },
};

/** The lists of servers that Kiro reads, by the folder that it is started in. */
const listsIn = oncePerInventory(
  ({ files }) => new Map(files.filter(({ path }) => path.endsWith('.kiro/settings/mcp.json')).map((file) => [file.folder, file])),
);

/** Whether an agent has the servers of lists, or may have others that are not in its file. */
export function takesLists(agent: Json): boolean {
  const keys = ['includeMcpJson', 'useLegacyMcpJson', 'includePowers'];
  return isObject(agent) && keys.some((key) => agent[key] !== undefined && agent[key] !== false);
}

const unknownServer: ToolRule = {
  code: 'kiro/unknown-server',
  tool: 'kiro',
  severity: 'warning',
  source: reference,
  check(file, inventory, report) {
    const agent = agentIn(file);
    if (agent === undefined) return;
    const own = isObject(agent.mcpServers) ? Object.keys(agent.mcpServers) : [];
    const isOpen = takesLists(agent);
    const list = listsIn(inventory).get(file.folder);
    const listed = list?.facts.servers?.map(({ name }) => name) ?? [];
    const told = new Set<string>();
    for (const { name, pointer } of textsAt(agent, '/tools')) {
      const server = serverOf(name);
      if (server === undefined || own.includes(server) || told.has(server)) continue;
      told.add(server);
      const inList = listed.includes(server);
      const near = nearestNames(server, isOpen ? [...own, ...listed] : own, 1);
      // With the lists of the user, every name may be known.
      if (isOpen && (inList || near.length === 0 || list?.source === undefined)) continue;
      const advice = inList ? ' Write "includeMcpJson": true for those of .kiro/settings/mcp.json.' : didYouMean(near);
      report({
        pointer,
        message: `This agent has no server ${quoted(server)}${isOpen ? `, nor has ${list?.path}` : ' and does not include those of mcp.json'}.${advice}`,
      });
    }
  },
};

const serverTwice: ToolRule = {
  code: 'kiro/server-twice',
  tool: 'kiro',
  severity: 'info',
  source: { address: 'https://kiro.dev/docs/cli/mcp/configuration', date: '2026-11-26' },
  check(file, inventory, report) {
    const agent = agentIn(file);
    const list = listsIn(inventory).get(file.folder);
    if (!isObject(agent?.mcpServers) || list === undefined) return;
    for (const [name, server] of Object.entries(agent.mcpServers)) {
      const twin: NamedFact | undefined = list.facts.servers?.find(
        (other) => other.name === name && JSON.stringify(other.value) !== JSON.stringify(server),
      );
      if (twin === undefined) continue;
      report({
        pointer: pointerOf('mcpServers', name),
        target: 'key',
        message: `This agent uses its own ${quoted(name)}, and not that of ${list.path}: nothing of the two is merged. Remove one of them, unless that is meant.`,
        related: [{ file: list, pointer: twin.pointer, message: 'The definition that does not count is here.' }],
      });
    }
  },
};

export const rules: readonly ToolRule[] = [noTools, promptMissing, resourceMissing, allowedWithoutTool, unknownServer, serverTwice];
