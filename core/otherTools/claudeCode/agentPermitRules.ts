import { isObject, type Json, type JsonObject, valueAt } from '../../json.js';
import { quoted } from '../../words.js';
import type { Inventory, ToolFile, ToolRule } from '../toolFiles.js';
import { wildcardCovers } from '../wildcards.js';
import { namesIn } from './names.js';
import { ruleParts } from './permissions.js';
import { type LiveRule, liveRules, modeIn, settingsIn } from './settings.js';

const source = { address: 'https://code.claude.com/docs/en/sub-agents', date: '2026-11-27' };

/** What an entry of `tools` or `disallowedTools` means: a whole tool, or the tools of a server. Parentheses narrow neither. */
export function toolPattern(entry: string): string {
  const tool = ruleParts(entry)?.tool ?? entry;
  const name = tool === 'Task' ? 'Agent' : tool;
  return /^mcp__(?!.*__)[^*]+$/.test(name) ? `${name}__*` : name;
}

/** The rule of a folder that takes a tool from every agent: it denies the tool as a whole. */
export function removalOf(pattern: string, rules: readonly LiveRule[]): LiveRule | undefined {
  return rules.find(
    ({ effect, rule }) => effect === 'deny' && rule.specifier === undefined && wildcardCovers(toolPattern(rule.tool), pattern),
  );
}

/** An agent file in a folder of Claude Code; undefined for every other file, and for those of plug-ins. */
export function agentIn({ tool, path, source: read }: ToolFile): JsonObject | undefined {
  const isAgent = tool === 'claude-code' && /(?:^|\/)\.claude\/agents\/.*\.md$/.test(path);
  return isAgent && isObject(read?.value) ? read.value : undefined;
}

/** Where an entry of a list or of a text with commas is. */
export function entryPointer(agent: JsonObject, key: string, entry: string): string {
  const list: Json | undefined = agent[key];
  const index = Array.isArray(list) ? list.findIndex((item) => typeof item === 'string' && item.trim() === entry) : -1;
  return index < 0 ? `/${key}` : `/${key}/${index}`;
}

/** A tool that the agent lists and does not get. */
const agentToolRemoved: ToolRule = {
  code: 'claude-code/agent-tool-removed',
  permits: 'shadowed',
  tool: 'claude-code',
  severity: 'warning',
  source,
  check(file, inventory, report) {
    const agent = agentIn(file);
    if (agent === undefined) return;
    const removed = namesIn(agent.disallowedTools).map((entry) => ({ entry, pattern: toolPattern(entry) }));
    for (const entry of namesIn(agent.tools)) {
      const pattern = toolPattern(entry);
      const own = removed.find((other) => wildcardCovers(other.pattern, pattern));
      const rule = own === undefined ? removalOf(pattern, liveRules(inventory).get(file.folder) ?? []) : undefined;
      const cause = own === undefined ? rule?.name : own.entry;
      if (cause === undefined) continue;
      report({
        pointer: entryPointer(agent, 'tools', entry),
        message: `The agent does not get ${quoted(entry)}: ${quoted(cause)} in ${own === undefined ? 'permissions.deny' : 'disallowedTools'} takes it away first. Remove one of them.`,
        related: [
          own === undefined
            ? { file: rule?.file ?? file, pointer: rule?.pointer ?? '', message: 'The rule that takes it away is here.' }
            : { file, pointer: entryPointer(agent, 'disallowedTools', own.entry), message: 'The entry that takes it away is here.' },
        ],
      });
    }
  },
};

/** Parentheses in a list of tools, which narrow nothing. */
const agentToolSpecifier: ToolRule = {
  code: 'claude-code/agent-tool-specifier',
  permits: 'loose',
  tool: 'claude-code',
  severity: 'warning',
  source: { address: 'https://github.com/anthropics/claude-code/issues/95002', date: '2026-11-27' },
  check(file, _inventory, report) {
    const agent = agentIn(file);
    if (agent === undefined) return;
    for (const key of ['tools', 'disallowedTools'])
      for (const entry of namesIn(agent[key])) {
        const { tool, specifier } = ruleParts(entry) ?? {};
        if (tool === undefined || specifier === undefined) continue;
        const isAgents = /^(?:Agent|Task)$/.test(tool);
        if (isAgents && key === 'disallowedTools') continue;
        report({
          pointer: entryPointer(agent, key, entry),
          ...(isAgents && { severity: 'info' as const }),
          message: isAgents
            ? `As a subagent, this agent may start any agent: Claude Code takes the names in ${quoted(entry)} only where the agent is the main conversation (claude --agent).`
            : `${quoted(entry)} ${key === 'tools' ? 'gives the agent' : 'takes from the agent'} the whole of ${tool}, and not what is in parentheses. Write the commands into permissions of .claude/settings.json, which count for all agents.`,
        });
      }
  },
};

const wider: Readonly<Record<string, string>> = {
  bypassPermissions: 'does everything without asking, but for what a rule denies or asks for',
  acceptEdits: 'changes files without asking',
};

/** The mode of an agent, where it gives more than that of the sessions in its folder, and the folder that says so. */
export function widerMode(agent: JsonObject, file: ToolFile, inventory: Inventory): string | undefined {
  const settings = settingsIn(inventory).get(file.folder) ?? [];
  const mode = agent.permissionMode;
  if (typeof mode !== 'string' || wider[mode] === undefined) return undefined;
  const main = modeIn(settings)?.text;
  // Where the caller has one of these, it counts for its subagents, whatever they say.
  if (main === 'bypassPermissions' || main === 'acceptEdits') return undefined;
  const isDisabled = settings.some((other) => valueAt(other.source?.value, '/permissions/disableBypassPermissionsMode') === 'disable');
  return isDisabled && mode === 'bypassPermissions'
    ? undefined
    : `It ${wider[mode]} (permissionMode: ${mode}), whatever its caller has to ask.`;
}

/** An agent whose mode gives it more than its caller has. */
const agentModeWider: ToolRule = {
  code: 'claude-code/agent-mode-wider',
  permits: 'wider',
  tool: 'claude-code',
  severity: 'info',
  source,
  check(file, inventory, report) {
    const agent = agentIn(file);
    const reason = agent && widerMode(agent, file, inventory);
    if (reason === undefined) return;
    report({
      pointer: '/permissionMode',
      ...(agent?.permissionMode === 'bypassPermissions' && { severity: 'warning' as const }),
      message: `${reason} Remove permissionMode, and allow what the agent needs in permissions of the settings.`,
    });
  },
};

export const agentPermitRules: readonly ToolRule[] = [agentToolRemoved, agentToolSpecifier, agentModeWider];
