import { listOf, pointerOf, valueAt } from '../../json.js';
import { didYouMean, nearestNames } from '../../names.js';
import { quoted } from '../../words.js';
import type { NamedFact, ReadToolFile, ToolRule } from '../toolFiles.js';
import { namesIn, serverOfTool } from '../toolNames.js';
import { editRuleFor, withoutEffect, withoutForm } from './deadRules.js';
import { missingServer, misspeltTool, naming } from './names.js';
import { rootedFolders } from './permissions.js';
import { earlierRules, isSettings, rulesOf } from './settings.js';

const source = { address: 'https://code.claude.com/docs/en/permissions', date: '2026-11-27' };

/** A rule that Claude Code skips, or that no call can match. */
const permissionWithoutEffect: ToolRule = {
  code: 'claude-code/permission-without-effect',
  permits: 'dead',
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

/** Deny comes before ask, and ask before allow, however narrow the later rule is. */
const permissionShadowed: ToolRule = {
  code: 'claude-code/permission-shadowed',
  permits: 'shadowed',
  tool: 'claude-code',
  severity: 'warning',
  source,
  check(file, inventory, report) {
    if (!isSettings(file)) return;
    const findEarlier = earlierRules(inventory).get(file.folder);
    for (const { pointer, name, effect, rule } of rulesOf(file)) {
      if (rule === undefined || withoutEffect(rule, effect) !== undefined) continue;
      const earlier = findEarlier?.({ rule, effect });
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
  permits: 'dead',
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
  permits: 'dead',
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
  permits: 'dead',
  tool: 'claude-code',
  severity: 'warning',
  source: { address: 'https://code.claude.com/docs/en/permission-modes', date: '2026-11-27' },
  check(file, _inventory, report) {
    if (!isSettings(file)) return;
    const { value } = file.source;
    const mode = valueAt(value, '/permissions/defaultMode');
    if (mode === 'auto')
      report({
        pointer: '/permissions/defaultMode',
        message:
          'Claude Code does not take "auto" from the settings of a project, and then not from those of the user either: the session starts in the mode that is built in. Set it in ~/.claude/settings.json.',
      });
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
