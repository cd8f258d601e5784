import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import { quoted } from '../../words.js';
import { serversAt, textsAt } from '../facts.js';
import type { ImportSource } from '../importSource.js';
import type { OwnFile } from '../toolFiles.js';
import type { At, Draft, NamedTools, OtherTool } from '../types.js';
import { stemOf, within } from '../values.js';
import { agentPermitRules } from './agentPermitRules.js';
import { agentFile, agentRules, pluginAgentFile } from './agentRules.js';
import { looseRules } from './looseRules.js';
import { currentTools, mcpTool, namesIn, naming, toolParts } from './names.js';
import { permissionRules } from './permissionRules.js';
import { rootedFolders, ruleParts } from './permissions.js';
import { permits } from './permits.js';
import { pluginFile, pluginRules } from './plugin.js';

/** Subagents of Claude Code: Markdown with front matter, the prompt below it. */
export const claudeCode: OtherTool = {
  id: 'claude-code',
  folders: ['.claude'],
  files: [
    { place: '.mcp.json', facts: (source) => ({ servers: serversAt(source, '/mcpServers') }) },
    agentFile,
    settingsFile('.claude/settings.json'),
    settingsFile('.claude/settings.local.json'),
    pluginFile,
    pluginAgentFile,
  ],
  rules: [...agentRules, ...agentPermitRules, ...permissionRules, ...looseRules, ...pluginRules],
  permits,
  naming,
  mcp: {
    kind: 'rootMcp',
    path: '.mcp.json',
    key: 'mcpServers',
    reader: 'Claude Code',
    variables: 'plain',
    forms: '${NAME} and ${NAME:-fallback}',
    variable: (name) => `\${${name}}`,
    secret: '${NAME}',
    folders: {},
    addressNeedsType: true,
  },
  names: { disallowedTools: 'exclude_components', maxTurns: 'max_iterations' },
  importer: {
    what: 'a Claude Code subagent',
    shape: '.claude/agents/*.md: front matter with name, description, tools, model',
    example: { folder: '.claude/agents' },
    recognise({ path, format, value }) {
      if (format !== 'markdown' || !isObject(value)) return undefined;
      if (/(?:^|\/)\.claude\/agents\//.test(path)) return 'sure';
      const isOther = ['mode', 'permission', 'temperature'].some((key) => Object.hasOwn(value, key));
      return typeof value.name === 'string' && typeof value.description === 'string' && !isOther ? 'maybe' : undefined;
    },
    needs: () => [serverFile],
    read(source, draft) {
      const { value, body, fault } = source;
      if (!isObject(value)) return;
      const at: At = { source, pointer: '' };
      if (fault !== undefined) draft.note(at, `The front matter is not YAML and was read line by line, as Claude Code does. ${fault}`);
      const { name, description, tools, disallowedTools, model, maxTurns } = value;
      if (body === '') draft.note(at, 'The file has no prompt below its front matter. Write the system_text of the agent.');
      draft.noteLost(value, at, { kept: keptKeys, advice: advices });
      const own = serversOf(value.mcpServers, draft, at);
      if (tools === undefined || tools === null)
        draft.note(
          at,
          'Without "tools", a subagent has every tool of Claude Code. Here it has those that client_ids and enabled_tools name.',
        );
      const turns = Number(maxTurns);
      const named = toolsOf(namesIn(tools), own);
      draft.serversOf(source, serverFile, [...named.servers, ...named.tools.map(({ server }) => server)]);
      draft.agent(
        typeof name === 'string' ? name : stemOf(source),
        {
          ...(typeof description === 'string' && { description }),
          ...(body !== '' && { system_text: body }),
          ...modelOf(model, draft, within(at, 'model')),
          ...draft.toolFields(named, within(at, 'tools')),
          ...(disallowedTools !== undefined && { exclude_components: namesIn(disallowedTools).map((tool) => mcpTool(tool)?.name ?? tool) }),
          ...(Number.isInteger(turns) && turns > 0 && { max_iterations: turns }),
        },
        at,
        { description: '/description', max_iterations: '/maxTurns', exclude_components: '/disallowedTools' },
      );
    },
  },
};

function settingsFile(place: string): OwnFile {
  return {
    place,
    facts({ value }: ImportSource, folder) {
      const permissions = ['allow', 'ask', 'deny'].flatMap((effect) => textsAt(value, `/permissions/${effect}`));
      return { permissions, files: permissions.flatMap(({ name }) => rootedFolders(ruleParts(name), folder)) };
    },
    names: [
      ...['allow', 'ask', 'deny'].map(
        (effect) => ({ at: `/permissions/${effect}/#`, kind: 'tool', read: toolParts, offers: currentTools }) as const,
      ),
      { at: '/enabledMcpjsonServers/#', kind: 'server' },
      { at: '/disabledMcpjsonServers/#', kind: 'server' },
      { at: '/model', kind: 'model', offers: ['sonnet', 'opus', 'haiku', 'opusplan', 'default'] },
      { at: '/agent', kind: 'agent' },
    ],
  };
}

/** From the folder of the agents. */
const serverFile = '../../.mcp.json';

const keptKeys = new Set(['name', 'description', 'tools', 'disallowedTools', 'model', 'maxTurns', 'mcpServers', 'color']);

const advices: Readonly<Record<string, string>> = {
  permissionMode: 'Which tools run unasked is decided where the agent runs: --allow-tools, or the permissions of the editor.',
  skills: 'Put what the agent must know into its system_text.',
  hooks: 'An agent starts no commands of its own: run them before, and pass what they print in the input.',
  memory: 'Give "include_history": true, and run with a session, to keep a conversation.',
  background: 'Start the run in the background yourself.',
  isolation: 'Run it in a work tree of your own.',
  effort: 'Give the effort in "options" of its llm profile.',
  initialPrompt: 'Give it as the input of the run.',
};

/** `sonnet` means the newest model of that family; `inherit` means the model of the main conversation. */
function modelOf(model: Json | undefined, draft: Draft, at: At): JsonObject {
  if (model === 'inherit') {
    const usual = draft.models.newestClaude('sonnet');
    if (usual === undefined) return {};
    draft.note(at, `The model is that of the conversation to Claude Code; here an agent has its own: ${quoted(usual)} is written.`);
    return { provider: 'anthropic', model_name: usual };
  }
  if (typeof model !== 'string' || model.trim() === '') return {};
  if (!/^[a-z]+$/.test(model)) return draft.modelFields(model, at);
  const newest = draft.models.newestClaude(model);
  if (newest === undefined) {
    draft.note(at, `The model ${quoted(model)} is left out: no such family is known. Give provider and model_name.`);
    return {};
  }
  draft.note(at, `${quoted(model)} is the newest model of its family to Claude Code; ${quoted(newest)} is written here and stays.`);
  return { provider: 'anthropic', model_name: newest };
}

function toolsOf(names: readonly string[], own: readonly string[]): NamedTools {
  const isServer = (name: string) => /^mcp__/.test(name);
  const mcpTools = names.filter(isServer).map((name) => mcpTool(name) ?? { server: name.slice('mcp__'.length), name: '*' });
  return {
    builtIn: names.filter((name) => !isServer(name)).map((name) => name.replace(/\(.*$/, '')),
    servers: [...new Set([...own, ...mcpTools.filter(({ name }) => name === '*').map(({ server }) => server)])],
    tools: mcpTools.filter(({ name }) => name !== '*'),
  };
}

/** Servers by name, or defined in place. */
function serversOf(servers: Json | undefined, draft: Draft, at: At): readonly string[] {
  const entries = isObject(servers) ? [servers] : listOf(servers);
  return entries.flatMap((entry, index) => {
    if (typeof entry === 'string') return [entry];
    if (!isObject(entry)) return [];
    const place = isObject(servers) ? within(at, 'mcpServers') : within(at, 'mcpServers', index);
    return Object.entries(entry).flatMap(([id, server]) => (draft.server(id, server, within(place, id)) === undefined ? [] : [id]));
  });
}
