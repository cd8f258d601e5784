import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';
import { didYouMean, nearestAmong } from '../../names.js';
import { quoted } from '../../words.js';
import { agentOf, oncePerInventory } from '../facts.js';
import type { ImportSource } from '../importSource.js';
import type { OwnFile, ReadToolFile, ToolFile, ToolRule } from '../toolFiles.js';
import { textField } from '../values.js';
import { currentTools, misspeltTool, namesIn, toolParts } from './names.js';

const source = { address: 'https://code.claude.com/docs/en/sub-agents', date: '2026-11-26' };

const agentWords = ['Claude Code agent', 'Claude Code agents'] as const;

/** Tools that only the main conversation has. */
const mainTools: ReadonlySet<string> = new Set(['AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode', 'ScheduleWakeup', 'WaitForMcpServers']);

const agentTools = { kind: 'tool', read: toolParts, offers: currentTools.filter((name) => !mainTools.has(name)) } as const;

/** Subagents, in any folder below. */
export const agentFile: OwnFile = {
  place: '.claude/agents/**/*.md',
  words: agentWords,
  // Documents lie beside agents: Claude Code takes only what has front matter.
  facts: (source) => (isObject(source.value) ? agentOf(source) : { agents: [] }),
  names: [
    ...['/tools', '/tools/#', '/disallowedTools', '/disallowedTools/#'].map((at) => ({ at, ...agentTools })),
    { at: '/model', kind: 'model', offers: ['sonnet', 'opus', 'haiku', 'inherit'] },
    { at: '/mcpServers/#', kind: 'server' },
    { at: '/mcpServers/#/*', kind: 'server', target: 'key', defines: true },
    { at: '/mcpServers/*', kind: 'server', target: 'key', defines: true },
  ],
};

/** Agents of a plug-in, whose manifest is beside their folder or names them. */
export const pluginAgentFile: OwnFile = {
  place: 'agents/**/*.md',
  words: agentWords,
  isPlugin: true,
  isOwn({ path, folder }, fileAt) {
    const start = folder === '' ? '' : `${folder}/`;
    const manifest = fileAt(`${start}.claude-plugin/plugin.json`)?.source?.value;
    if (!isObject(manifest)) return false;
    const places = manifest.agents === undefined ? ['./agents'] : [manifest.agents].flat();
    return places.some((place) => typeof place === 'string' && isWithin(path.slice(start.length), place.replace(/^\.\/|\/+$/g, '')));
  },
  // The servers that it has depend on where the plug-in is used.
  facts: (source) => (isDocument(source) ? { agents: [] } : agentOf(source)),
};

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** README.md, CLAUDE.md and the like. */
function isDocument({ path }: Pick<ImportSource, 'path'>): boolean {
  return /(?:^|\/)(?!AGENT\.)[A-Z_]+\.md$/.test(path);
}

/** Where a name of a list is, or the text that holds all of them. */
function pointerTo({ value }: Pick<ImportSource, 'value'>, key: string, name: string): string {
  const list = isObject(value) ? value[key] : undefined;
  const index = Array.isArray(list) ? list.findIndex((item) => typeof item === 'string' && item.trim() === name) : -1;
  return index < 0 ? `/${key}` : `/${key}/${index}`;
}

function agentIn(file: ToolFile): JsonObject | undefined {
  return (file.kind === agentFile || isOfPlugin(file)) && isObject(file.source?.value) ? file.source.value : undefined;
}

function isOfPlugin({ kind }: Pick<ToolFile, 'kind'>): boolean {
  return kind === pluginAgentFile;
}

/** Front matter that is not YAML. */
const frontMatter: ToolRule = {
  code: 'claude-code/front-matter',
  tool: 'claude-code',
  severity: 'warning',
  source: { address: 'https://github.com/anthropics/claude-code/issues/91871', date: '2026-11-26' },
  check(file, _inventory, report) {
    const { fault, faultRange } = file.source;
    if (fault === undefined || agentIn(file) === undefined) return;
    const cause = fault.replace(/^Not YAML: /, '');
    const [matter = ''] = file.source.text.split(/^---[ \t]*$/m).slice(1);
    const looseEffect = isOfPlugin(file)
      ? 'loads the agent under the name of the file, without a description or any other field'
      : 'does not load the agent, without a word';
    const loose = matter.split(/\r?\n/).some((line) => /^\S/.test(line) && !/^(?:[A-Za-z][\w-]*:|#)/.test(line));
    report({
      pointer: '',
      ...(faultRange !== undefined && { range: faultRange }),
      ...(loose && { severity: 'error' as const }),
      message: loose
        ? `The front matter is not YAML (${cause}), and Claude Code ${looseEffect}. Write "description: |" and indent the lines below it.`
        : `The front matter is not YAML (${cause}). Claude Code may drop its fields, and the agent with them. Put the value into quotation marks.`,
    });
  },
};

/** An agent without a name, or without a description. */
const agentIncomplete: ToolRule = {
  code: 'claude-code/agent-incomplete',
  tool: 'claude-code',
  severity: 'error',
  source,
  check(file, _inventory, report) {
    const agent = agentIn(file);
    if (isOfPlugin(file)) {
      const isDescribed = isDocument(file) || file.source.fault !== undefined || !isBlank(agent?.description);
      if (!isDescribed)
        report({
          pointer: '',
          severity: 'warning',
          message:
            'Claude Code describes this agent by the name of the plug-in alone, since it has no description: no model knows when to use it. Add front matter with a description.',
        });
      return;
    }
    if (agent === undefined || file.source.fault !== undefined) return;
    const isMissing = (key: string) => isBlank(agent[key]);
    const isAgent = ['name', 'description', 'tools', 'model'].filter((key) => !isMissing(key)).length > 0;
    const missing = ['name', 'description'].filter(isMissing);
    if (!isAgent || missing.length === 0) return;
    report({
      pointer: '',
      message: `Claude Code leaves this agent out, without a word: it has no ${missing.join(' and no ')}. ${missing.includes('name') ? 'The name of the file does not stand for the name.' : 'The description says when to use the agent.'}`,
    });
  },
};

function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** Two agents of one name, of which one is loaded. */
const agentTwice: ToolRule = {
  code: 'claude-code/agent-twice',
  tool: 'claude-code',
  severity: 'error',
  source,
  check(file, inventory, report) {
    const name = loadedName(file);
    const twin = name === undefined ? undefined : firstByName(inventory).get(`${scopeOf(file)}\0${name}`);
    if (name === undefined || twin === undefined || twin.path === file.path) return;
    report({
      pointer: '/name',
      message: `Claude Code loads only one of the two agents called ${quoted(name)}; the other is in ${twin.path}. Give one of them another name.`,
      related: [{ file: twin, pointer: '/name', message: 'The other agent is here.' }],
    });
  },
};

/** The first agent of each name in each folder. */
const firstByName = oncePerInventory(({ files }) => {
  const agents = new Map<string, ToolFile>();
  for (const file of files) {
    const name = loadedName(file);
    const key = `${scopeOf(file)}\0${name}`;
    if (name !== undefined && !agents.has(key)) agents.set(key, file);
  }
  return agents;
});

/** Where a name stands for one agent: in a plug-in, folders are part of it. */
function scopeOf(file: ToolFile): string {
  return isOfPlugin(file) ? file.path.slice(0, file.path.lastIndexOf('/')) : file.folder;
}

function loadedName(file: ToolFile): string | undefined {
  const agent = agentIn(file);
  return textField(agent, 'description') === undefined ? undefined : textField(agent, 'name');
}

/** What only agents outside of plug-ins have. */
const pluginAgentField: ToolRule = {
  code: 'claude-code/plugin-agent-field',
  tool: 'claude-code',
  severity: 'warning',
  source,
  check(file, _inventory, report) {
    const agent = isOfPlugin(file) ? agentIn(file) : undefined;
    for (const key of ['hooks', 'mcpServers', 'permissionMode'])
      if (!isBlank(agent?.[key]))
        report({
          pointer: pointerOf(key),
          target: 'key',
          message: `Claude Code ignores ${quoted(key)} in agents of plug-ins. ${pluginAdvices[key]}`,
        });
  },
};

const pluginAdvices: Readonly<Record<string, string>> = {
  hooks: 'Write the hooks into hooks/hooks.json of the plug-in.',
  mcpServers: 'Write the servers into .mcp.json of the plug-in.',
  permissionMode: 'Remove it: the user decides, or copies the agent to .claude/agents.',
};

/** A tool that there is only under a similar name. */
const agentTool: ToolRule = {
  code: 'claude-code/agent-tool',
  tool: 'claude-code',
  severity: 'warning',
  source: { address: 'https://code.claude.com/docs/en/tools-reference', date: '2026-11-26' },
  check(file, _inventory, report) {
    const agent = agentIn(file);
    for (const key of ['tools', 'disallowedTools'])
      for (const name of namesIn(agent?.[key])) {
        const near = misspeltTool(name.replace(/\([\s\S]*$/, ''));
        if (near === undefined) continue;
        report({
          pointer: pointerTo(file.source, key, name),
          message: `No tool of Claude Code is known as ${quoted(name)}, and names count as they are written: the agent ${key === 'tools' ? 'does not get it' : 'keeps the tool'}.${near}`,
        });
      }
  },
};

const agentToolUnavailable: ToolRule = {
  code: 'claude-code/agent-tool-unavailable',
  tool: 'claude-code',
  severity: 'info',
  source,
  check(file, _inventory, report) {
    const agent = agentIn(file);
    for (const name of namesIn(agent?.tools)) {
      if (!mainTools.has(name) || (name === 'ExitPlanMode' && agent?.permissionMode === 'plan')) continue;
      report({
        pointer: pointerTo(file.source, 'tools', name),
        message: `A subagent never gets ${quoted(name)}: only the main conversation has it. It counts only where the agent itself is the main conversation (claude --agent).`,
      });
    }
  },
};

const aliases: readonly string[] = ['sonnet', 'opus', 'haiku', 'fable', 'inherit', 'opusplan', 'default', 'best'];

const nearestAlias = nearestAmong(aliases);

/** A model that there is only under a similar name. */
const agentModel: ToolRule = {
  code: 'claude-code/agent-model',
  tool: 'claude-code',
  severity: 'warning',
  source,
  check(file: ReadToolFile, _inventory, report) {
    const model = textField(agentIn(file), 'model')?.trim().toLowerCase();
    if (model === undefined || !/^[a-z]+$/.test(model) || aliases.includes(model)) return;
    const near = nearestAlias(model, 1);
    if (near.length === 0) return;
    report({ pointer: '/model', message: `No model of Claude Code is known as ${quoted(model)}.${didYouMean(near)}` });
  },
};

export const agentRules: readonly ToolRule[] = [
  frontMatter,
  agentIncomplete,
  agentTwice,
  pluginAgentField,
  agentTool,
  agentToolUnavailable,
  agentModel,
];
