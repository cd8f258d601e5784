import { type Json, listOf } from '../../json.js';
import { didYouMean, nearestAmong } from '../../names.js';
import { oncePerInventory } from '../facts.js';
import type { Inventory, NamePart, ToolFile } from '../toolFiles.js';
import { serverOfTool } from '../toolNames.js';
import type { Naming } from '../types.js';

/** How Claude Code names the tools of a server. */
export const naming: Naming = {
  title: 'Claude Code',
  before: 'mcp__',
  between: '__',
  all: '',
  isCleaned: true,
  models: { anthropic: '' },
};

/** Tools under the names that rules and agents use. */
export const currentTools: readonly string[] = [
  ...['Agent', 'Artifact', 'AskUserQuestion', 'Bash', 'CronCreate', 'CronDelete', 'CronList', 'Edit', 'EndConversation', 'EnterPlanMode'],
  ...['EnterWorktree', 'ExitPlanMode', 'ExitWorktree', 'Glob', 'Grep', 'ListMcpResourcesTool', 'LSP', 'Monitor', 'NotebookEdit'],
  ...['PowerShell', 'PushNotification', 'Read', 'ReadMcpResourceTool', 'RemoteTrigger', 'ReportFindings', 'ScheduleWakeup', 'SendFeedback'],
  ...['SendMessage', 'SendUserFile', 'ShareOnboardingGuide', 'Skill', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskOutput', 'TaskStop'],
  ...['TaskUpdate', 'TodoWrite', 'ToolSearch', 'WaitForMcpServers', 'WebFetch', 'WebSearch', 'Workflow', 'Write'],
];

/** With those of earlier versions, which many files still name. */
const toolNames: readonly string[] = [
  ...currentTools,
  ...['AgentOutputTool', 'BashOutput', 'KillBash', 'KillShell', 'LS', 'MultiEdit', 'NotebookRead', 'SlashCommand', 'Task', 'TeamCreate'],
  ...['TeamDelete', 'TodoRead'],
];

const knownTools: ReadonlySet<string> = new Set(toolNames);

const nearestTools = nearestAmong(toolNames);

/** ` Did you mean "Bash"?` for a name close to that of a tool; undefined for a tool, and for a name that a newer version may have. */
export function misspeltTool(name: string): string | undefined {
  if (knownTools.has(name) || /[_*]/.test(name)) return undefined;
  const near = nearestTools(name, 1);
  return near.length === 0 ? undefined : didYouMean(near);
}

/** A list, or a text with commas in between, but not inside of `Task(a, b)`. */
export function namesIn(tools: Json | undefined): readonly string[] {
  const texts = typeof tools === 'string' ? tools.split(/,(?![^(]*\))/) : listOf(tools);
  return texts.flatMap((name) => (typeof name === 'string' && name.trim() !== '' ? [name.trim()] : []));
}

/** `Read, Bash(git:*), Agent(reviewer)`: the tools, and the agents in parentheses. */
export function toolParts(text: string): readonly NamePart[] {
  return piecesOf(text, 0, /,(?![^(]*\))/).flatMap(({ text: rule, start }) => {
    const [, name = '', inner] = /^([^\s(]*)(?:\(([^)]*))?/.exec(rule) ?? [];
    const agents = inner !== undefined && /^(?:Agent|Task)$/.test(name) ? piecesOf(inner, start + name.length + 1, /,/) : [];
    return [{ kind: 'tool', name, start }, ...agents.map((piece) => ({ kind: 'agent', name: piece.text, start: piece.start }) as const)];
  });
}

/** The parts of a text without the space around them, and where they begin. */
function piecesOf(text: string, offset: number, separator: RegExp): readonly { readonly text: string; readonly start: number }[] {
  let end = offset;
  return text.split(separator).map((piece) => {
    const start = end + piece.length - piece.trimStart().length;
    end += piece.length + 1;
    return { text: piece.trim(), start };
  });
}

export function mcpTool(name: string): { readonly server: string; readonly name: string } | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, name: tool };
}

/** Servers of plug-ins, of claude.ai and of editors, which no list in a repository holds. */
const elsewhere = /^(?:plugin_|claude_ai|claude-in-chrome|ide(?:_|$))/i;

/** The files of Claude Code that may define servers. */
const listsIn = oncePerInventory(({ files }) => files.filter(({ tool, path }) => tool === 'claude-code' && path.endsWith('.json')));

/**
 * The server that a tool name `mcp__server` or `mcp__server__tool` means and that no list which Claude Code reads in this folder has, with a phrase
 * for the one that may be meant. Undefined where a list has it, and where nothing is known: no list was read, or the server comes from elsewhere.
 */
export function missingServer(
  tool: string,
  file: ToolFile,
  inventory: Inventory,
): { readonly server: string; readonly suggestion: string; readonly list: ToolFile } | undefined {
  const [, rest] = /^mcp__([^*()]+)/.exec(tool) ?? [];
  if (rest === undefined || elsewhere.test(rest)) return undefined;
  const around = listsIn(inventory).filter(({ folder }) => folder === '' || `${file.folder}/`.startsWith(`${folder}/`));
  const list = around.find(({ path, source }) => path.endsWith('.mcp.json') && source !== undefined);
  if (list === undefined || around.some(({ problem }) => problem !== undefined)) return undefined;
  const names = around.flatMap(({ facts }) => (facts.servers ?? []).map(({ name }) => name));
  if (serverOfTool(naming, `mcp__${rest}`, names) !== undefined) return undefined;
  const server = rest.split('__', 1)[0] ?? rest;
  return { server, list, suggestion: didYouMean(nearestAmong(names)(server, 1)) };
}
