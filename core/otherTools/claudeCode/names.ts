import { type Json, listOf } from '../../json.js';
import { didYouMean, nearestAmong } from '../../names.js';
import { oncePerInventory } from '../facts.js';
import type { Inventory, ToolFile } from '../toolFiles.js';

/** Tools under the names that rules and agents use, with those of earlier versions, which many files still name. */
const toolNames: readonly string[] = [
  ...['Agent', 'Artifact', 'AskUserQuestion', 'Bash', 'CronCreate', 'CronDelete', 'CronList', 'Edit', 'EndConversation', 'EnterPlanMode'],
  ...['EnterWorktree', 'ExitPlanMode', 'ExitWorktree', 'Glob', 'Grep', 'ListMcpResourcesTool', 'LSP', 'Monitor', 'NotebookEdit'],
  ...['PowerShell', 'PushNotification', 'Read', 'ReadMcpResourceTool', 'RemoteTrigger', 'ReportFindings', 'ScheduleWakeup', 'SendFeedback'],
  ...['SendMessage', 'SendUserFile', 'ShareOnboardingGuide', 'Skill', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskOutput', 'TaskStop'],
  ...['TaskUpdate', 'TodoWrite', 'ToolSearch', 'WaitForMcpServers', 'WebFetch', 'WebSearch', 'Workflow', 'Write'],
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
  const isHere = names.map(asInTools).some((name) => rest === name || rest.startsWith(`${name}__`));
  const server = rest.split('__', 1)[0] ?? rest;
  return isHere ? undefined : { server, list, suggestion: didYouMean(nearestAmong(names)(server, 1)) };
}

/** A server's name as part of the names of its tools. */
function asInTools(name: string): string {
  return name.replace(/[^\w-]/g, '_');
}
