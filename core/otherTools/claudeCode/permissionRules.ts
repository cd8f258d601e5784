import { groupBy } from '../../groupBy.js';
import { listOf, pointerOf, valueAt } from '../../json.js';
import { didYouMean, nearestNames } from '../../names.js';
import { quoted } from '../../words.js';
import { oncePerInventory, textsAt } from '../facts.js';
import type { NamedFact, ReadToolFile, ToolFile, ToolRule } from '../toolFiles.js';
import { namesIn, serverOfTool } from '../toolNames.js';
import { missingServer, misspeltTool, naming } from './names.js';
import { covers, type PermissionRule, rootedFolders, ruleParts } from './permissions.js';

const source = { address: 'https://code.claude.com/docs/en/permissions', date: '2026-11-26' };

const effects = ['deny', 'ask', 'allow'] as const;

type Effect = (typeof effects)[number];

interface WrittenRule extends NamedFact {
  readonly effect: Effect;
  readonly rule: PermissionRule | undefined;
}

function rulesOf({ source: read }: Pick<ToolFile, 'source'>): readonly WrittenRule[] {
  return effects.flatMap((effect) =>
    textsAt(read?.value, `/permissions/${effect}`).map((fact) => ({ ...fact, effect, rule: ruleParts(fact.name) })),
  );
}

function isSettings({ path }: Pick<ToolFile, 'path'>): boolean {
  return /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/.test(path);
}

/** A rule that Claude Code skips, or that no call can match. */
const permissionWithoutEffect: ToolRule = {
  code: 'claude-code/permission-without-effect',
  tool: 'claude-code',
  severity: 'error',
  source,
  check(file, _inventory, report) {
    if (!isSettings(file)) return;
    const rules = rulesOf(file);
    for (const written of rules) {
      const { pointer, effect, rule, name } = written;
      const reason = rule === undefined ? withoutForm(name) : withoutEffect(rule, effect);
      if (reason === undefined) continue;
      const edit = rule && editRuleFor(rule);
      const isCovered = edit !== undefined && rules.some((twin) => twin.effect === effect && twin.name.trim() === edit);
      report({ pointer, message: reason, ...(isCovered && { severity: 'info' as const }) });
    }
  },
};

function withoutForm(text: string): string | undefined {
  if (text.trim() === '') return 'Claude Code skips this rule: it is empty. Remove it.';
  const isCommand = !text.includes('(');
  const fix = isCommand ? `Write ${quoted(`Bash(${text.trim()})`)} if it is a command.` : 'It ends with the parenthesis that closes it.';
  return `Claude Code skips ${quoted(text)}: a rule is Tool or Tool(specifier). ${fix}`;
}

/** The one parameter of a tool that no rule can name, since its specifier stands for it. */
const contentFields: Readonly<Record<string, string>> = {
  Bash: 'command',
  PowerShell: 'command',
  Read: 'file_path',
  Edit: 'file_path',
  Write: 'file_path',
  Grep: 'path',
  Glob: 'path',
  NotebookEdit: 'notebook_path',
  WebFetch: 'url',
};

function withoutEffect(rule: PermissionRule, effect: Effect): string | undefined {
  const { text, tool, specifier, hasParentheses } = rule;
  if (/^mcp__/.test(tool) && hasParentheses)
    return `Claude Code skips ${quoted(text)}: rules for tools of MCP servers have no parentheses. Write ${quoted(tool)}.`;
  if (effect === 'allow' && tool.includes('*') && !/^mcp__[^*]+__[^:]*$/.test(tool)) {
    const server = /^(mcp__[^*]+?)__:\*$/.exec(tool)?.[1];
    const bare = /^(\w+):\*$/.exec(tool)?.[1];
    const instead = server === undefined ? bare : `${server}__*`;
    const fix = instead === undefined ? 'Name the tools.' : `Write ${quoted(instead)}.`;
    return `Claude Code skips ${quoted(text)}: a rule that allows may have "*" only behind mcp__SERVER__, so it allows nothing. ${fix}`;
  }
  if (specifier === undefined) return undefined;
  const [, parameter, value] = /^\s*(\w{2,})\s*:\s*([\s\S]*)$/.exec(specifier) ?? [];
  if (parameter !== undefined && parameter === contentFields[tool] && value !== '*' && value !== '')
    return `Claude Code ignores ${quoted(text)}: ${quoted(parameter)} is what the specifier of ${tool} stands for, and cannot be named. Write ${tool}(${tool === 'WebFetch' ? 'domain:HOST' : value}).`;
  if (tool === 'WebFetch' && /^https?:/.test(specifier)) {
    const host = /^https?:\/\/([^/:*\s]+)/.exec(specifier)?.[1] ?? 'HOST';
    return `${quoted(text)} matches no fetch: WebFetch is matched by its host. Write "WebFetch(domain:${host})".`;
  }
  const edit = editRuleFor(rule);
  if (edit !== undefined && (parameter === undefined || effect === 'allow'))
    return `Claude Code never consults ${quoted(text)}: paths are checked against rules for Edit and Read only. Write ${quoted(edit)}.`;
  if (/^(?:Bash|PowerShell)$/.test(tool) && /^[\w.-]+:\* ./.test(specifier))
    return `${quoted(text)} matches no such command: ":*" counts only at the end, before that the colon is taken literally. Write ${quoted(text.replace(':*', ' *'))}.`;
  return undefined;
}

/** The rule that is consulted in place of one for a tool whose paths are not. */
function editRuleFor({ tool, specifier }: PermissionRule): string | undefined {
  if (specifier === undefined || specifier === '') return undefined;
  if (tool === 'Glob') return `Read(${specifier})`;
  return /^(?:Write|NotebookEdit|MultiEdit)$/.test(tool) ? `Edit(${specifier})` : undefined;
}

/** The settings of Claude Code by folder. */
const settingsIn = oncePerInventory(({ files }) => groupBy(files.filter(isSettings), ({ folder }) => folder));

/** Deny comes before ask, and ask before allow, however narrow the later rule is. */
const permissionShadowed: ToolRule = {
  code: 'claude-code/permission-shadowed',
  tool: 'claude-code',
  severity: 'warning',
  source,
  check(file, inventory, report) {
    if (!isSettings(file)) return;
    const beside = settingsIn(inventory).get(file.folder) ?? [];
    const all = beside.flatMap((other) => rulesOf(other).map((written) => ({ ...written, file: other })));
    for (const { pointer, name, effect, rule } of rulesOf(file)) {
      if (rule === undefined || withoutEffect(rule, effect) !== undefined) continue;
      const earlier = all.find(
        (other) =>
          effects.indexOf(other.effect) < effects.indexOf(effect) &&
          other.rule !== undefined &&
          withoutEffect(other.rule, other.effect) === undefined &&
          covers(other.rule, rule),
      );
      if (earlier === undefined) continue;
      const outcome = earlier.effect === 'deny' ? 'is denied' : 'asks';
      report({
        pointer,
        message: `${quoted(name)} has no effect: everything that it matches ${outcome} by ${quoted(earlier.name)}, since deny comes before ask, and ask before allow, however narrow a rule is. Remove one of them.`,
        related: [{ file: earlier.file, pointer: earlier.pointer, message: 'The rule that comes first is here.' }],
      });
    }
  },
};

/** One slash in front of a path is the project, not the root of the system. */
const permissionPath: ToolRule = {
  code: 'claude-code/permission-path',
  tool: 'claude-code',
  severity: 'warning',
  source,
  check(file, inventory, report) {
    if (!isSettings(file)) return;
    for (const { pointer, rule } of rulesOf(file)) {
      const [folder] = rootedFolders(rule, file.folder);
      if (rule?.specifier === undefined || folder === undefined || inventory.exists(folder) !== false) continue;
      report({
        pointer,
        message: `${quoted(rule.text)} means ${quoted(rule.specifier)} below the folder that Claude Code is started in, where no such folder is: a path from the root of the system begins with two slashes. Write ${quoted(`${rule.tool}(/${rule.specifier})`)}.`,
      });
    }
  },
};

/** A rule for a tool that there is only under a similar name. */
const permissionTool: ToolRule = {
  code: 'claude-code/permission-tool',
  tool: 'claude-code',
  severity: 'warning',
  source,
  check(file, _inventory, report) {
    if (!isSettings(file)) return;
    for (const { pointer, rule } of rulesOf(file)) {
      const near = rule && misspeltTool(rule.tool);
      if (rule === undefined || near === undefined) continue;
      report({ pointer, message: `No tool of Claude Code is known as ${quoted(rule.tool)}, and names count as they are written.${near}` });
    }
  },
};

const modes: readonly string[] = ['default', 'manual', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions', 'delegate'];

/** The mode that a session starts in. */
const defaultMode: ToolRule = {
  code: 'claude-code/default-mode',
  tool: 'claude-code',
  severity: 'warning',
  source: { address: 'https://code.claude.com/docs/en/permission-modes', date: '2026-11-27' },
  check(file, _inventory, report) {
    if (!isSettings(file)) return;
    const { value } = file.source;
    const mode = valueAt(value, '/permissions/defaultMode');
    const near = typeof mode === 'string' && !modes.includes(mode) ? nearestNames(mode, modes, 1) : [];
    if (near.length > 0)
      report({
        pointer: '/permissions/defaultMode',
        message: `Claude Code knows no mode ${quoted(mode)}, so the session does not start in it.${didYouMean(near)}`,
      });
    for (const key of ['defaultMode', 'permissionMode', 'permission-mode'])
      if (typeof valueAt(value, pointerOf(key)) === 'string')
        report({
          pointer: pointerOf(key),
          target: 'key',
          message: `Claude Code ignores ${quoted(key)} here. Write it as "permissions": { "defaultMode": ${quoted(valueAt(value, pointerOf(key)))} }.`,
        });
  },
};

/** A server that the lists of the folder do not have. */
const unknownServer: ToolRule = {
  code: 'claude-code/unknown-server',
  tool: 'claude-code',
  severity: 'info',
  source: { address: 'https://code.claude.com/docs/en/mcp', date: '2026-11-26' },
  check(file, inventory, report) {
    const isLocal = file.path.endsWith('.local.json');
    const told = new Set<string>();
    for (const { name, pointer } of toolsNamed(file)) {
      const missing = missingServer(name, file, inventory);
      // What one person's own settings name is mostly a server of their own list.
      if (missing === undefined || told.has(missing.server) || (isLocal && missing.suggestion === '')) continue;
      told.add(missing.server);
      report({
        pointer,
        ...(missing.suggestion !== '' && { severity: 'warning' as const }),
        message: `${missing.list.path} has no server ${quoted(missing.server)}.${missing.suggestion} Its tools are there only for those whose own list or plug-in has it.`,
      });
    }
    if (!isSettings(file)) return;
    for (const key of ['enabledMcpjsonServers', 'disabledMcpjsonServers'])
      for (const [index, name] of listOf(valueAt(file.source.value, pointerOf(key))).entries()) {
        const missing = typeof name === 'string' ? missingServer(`mcp__${name.replace(/[^\w-]/g, '_')}`, file, inventory) : undefined;
        if (missing !== undefined)
          report({
            pointer: pointerOf(key, index),
            severity: 'warning',
            message: `${missing.list.path} has no server ${quoted(name)}, and ${key} counts for servers of that file only.${missing.suggestion}`,
          });
      }
  },
};

/** Tools of servers that the file does not define itself. */
function toolsNamed(file: ReadToolFile): readonly NamedFact[] {
  if (isSettings(file)) return rulesOf(file).flatMap(({ rule, pointer }) => (rule === undefined ? [] : [{ name: rule.tool, pointer }]));
  const names = namesIn(file);
  const own = names.flatMap(({ kind, role, name }) => (kind === 'server' && role === 'definition' ? [name] : []));
  return names.filter(
    ({ kind, name, pointer }) => kind === 'tool' && /^\/tools\b/.test(pointer) && serverOfTool(naming, name, own) === undefined,
  );
}

export const permissionRules: readonly ToolRule[] = [
  permissionWithoutEffect,
  permissionShadowed,
  permissionPath,
  defaultMode,
  permissionTool,
  unknownServer,
];
