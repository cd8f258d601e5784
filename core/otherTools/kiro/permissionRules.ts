import { isObject } from '../../json.js';
import { listed, quoted } from '../../words.js';
import type { ToolFile, ToolRule } from '../toolFiles.js';
import {
  allowedBy,
  brokenExpression,
  capabilityCovers,
  capabilityEffects,
  capabilityRules,
  expressionAsWildcards,
  hasTool,
  isLookAround,
  type KiroAgent,
  readAgent,
  servicesOf,
  settingsOf,
} from './permissions.js';
import { widerAgents } from './permits.js';
import { agentFacts } from './rules.js';

const reference = { address: 'https://kiro.dev/docs/cli/custom-agents/configuration-reference', date: '2026-11-27' };
const tools = { address: 'https://kiro.dev/docs/cli/reference/built-in-tools', date: '2026-11-27' };

/** Those in JSON; of those in Markdown, which newer versions read, less is known. */
function agentIn({ path, kind, source }: ToolFile): KiroAgent | undefined {
  return kind.facts === agentFacts && path.endsWith('.json') && isObject(source?.value) ? readAgent(source.value) : undefined;
}

/** Settings of a tool that the agent does not have. */
const settingWithoutTool: ToolRule = {
  code: 'kiro/setting-without-tool',
  permits: 'dead',
  tool: 'kiro',
  severity: 'warning',
  source: reference,
  check(file, _inventory, report) {
    const agent = agentIn(file);
    if (agent?.tools === undefined) return;
    for (const { tool, pointer } of settingsOf(agent))
      if (hasTool(agent, tool) === false)
        report({
          pointer,
          target: 'key',
          message: `The agent does not have the tool ${quoted(tool)}, so its settings have no effect. Add it to "tools", or remove them.`,
        });
  },
};

/** An entry that another one decides before. */
const settingShadowed: ToolRule = {
  code: 'kiro/setting-shadowed',
  permits: 'shadowed',
  tool: 'kiro',
  severity: 'warning',
  source: reference,
  check(file, _inventory, report) {
    const agent = agentIn(file);
    if (agent?.tools === undefined) return;
    for (const setting of settingsOf(agent)) {
      if (hasTool(agent, setting.tool) === false) continue;
      const { tool, entries, findDenied } = setting;
      const whole = allowedBy(agent, tool);
      const allowed = entries.filter(({ kind }) => kind === 'allow');
      const decided = allowed.map((entry) => ({ entry, before: findDenied(entry) }));
      for (const { entry, before } of [...decided, ...servicesOf(setting).map((service) => ({ entry: service, before: undefined }))]) {
        if (before !== undefined)
          report({
            pointer: entry.pointer,
            message: `${quoted(entry.name)} allows nothing: all that it matches is denied by ${quoted(before.name)} of ${before.key}, which is asked first. Remove one of them.`,
            related: [{ file, pointer: before.pointer, message: 'The entry that is asked first is here.' }],
          });
        else if (whole !== undefined)
          report({
            pointer: entry.pointer,
            message: `${quoted(entry.name)} narrows nothing: ${quoted(whole.name)} in "allowedTools" allows the whole tool, and overrides what its settings allow. Remove it there.`,
            related: [{ file, pointer: whole.pointer, message: 'The whole tool is allowed here.' }],
          });
      }
    }
  },
};

/** An expression that Kiro cannot use. */
const patternInvalid: ToolRule = {
  code: 'kiro/pattern-invalid',
  permits: 'dead',
  tool: 'kiro',
  severity: 'warning',
  source: tools,
  check(file, _inventory, report) {
    const agent = agentIn(file);
    for (const { entries } of agent === undefined ? [] : settingsOf(agent))
      for (const { name, pointer, form, kind } of entries) {
        if (form === 'path') continue;
        const fault = brokenExpression(name) ?? (form === 'command' && isLookAround(name) ? 'Kiro has no look-around' : undefined);
        if (fault === undefined) continue;
        const outcome =
          form === 'command' ? 'It matches no command.' : kind === 'allow' ? 'Kiro skips it.' : 'Kiro then denies every address.';
        report({ pointer, message: `${quoted(name)} is no regular expression: ${fault}. ${outcome}` });
      }
  },
};

/** An entry that allows more, or denies less, than it seems to. */
const permissionLoose: ToolRule = {
  code: 'kiro/permission-loose',
  permits: 'loose',
  tool: 'kiro',
  severity: 'warning',
  source: tools,
  check(file, _inventory, report) {
    const agent = agentIn(file);
    if (agent?.tools === undefined) return;
    for (const { name, pointer, tools: matched } of agent.allowed) {
      const own = matched.filter((tool) => hasTool(agent, tool) !== false);
      if (/[*?]/.test(name) && own.length > 1)
        report({
          pointer,
          severity: 'info',
          message: `${quoted(name)} allows ${listed(own)} without asking. Name the tools that are meant.`,
        });
    }
    for (const { tool, entries, findDenied } of settingsOf(agent)) {
      if (hasTool(agent, tool) === false) continue;
      const denied = entries.filter(({ kind }) => kind === 'deny');
      for (const { name, pointer, kind, form } of entries) {
        if (form !== 'command') continue;
        const isExact = /^[\w.-]+(?: [\w./-]+)*$/.test(name) && !name.includes('.*');
        const isHeld = findDenied({ name: `${name} .*`, pointer, key: '', kind: 'deny', form }) !== undefined;
        if (kind === 'deny' && isExact && !isHeld)
          report({
            pointer,
            message: `${quoted(name)} denies this very command only, since an expression has to match the whole of it: ${quoted(`${name} x`)} is another one. Write ${quoted(`${name}( .*)?`)}.`,
          });
        else if (kind === 'allow' && /^\w[\w-]*\*$/.test(expressionAsWildcards(name)?.[0] ?? ''))
          report({
            pointer,
            message: `${quoted(name)} allows every program whose name begins like that. Write ${quoted(name.replace(/\.\*$/, ' .*'))} for this program alone.`,
          });
      }
      const path = denied.find(({ form }) => form === 'path');
      const shell = hasTool(agent, 'shell') === true ? allowedBy(agent, 'shell') : undefined;
      if (path !== undefined && shell !== undefined)
        report({
          pointer: shell.pointer,
          message: `${quoted(shell.name)} allows all commands, and ${quoted(path.name)} is denied to the tool ${tool} alone: a command reaches it. Allow single commands in toolsSettings.`,
          related: [{ file, pointer: path.pointer, message: 'The path is denied here.' }],
        });
    }
  },
};

/** A rule of an agent under a more restrictive one. */
const permissionShadowed: ToolRule = {
  code: 'kiro/permission-shadowed',
  permits: 'shadowed',
  tool: 'kiro',
  severity: 'warning',
  source: { address: 'https://kiro.dev/docs/cli/v3/permissions', date: '2026-11-27' },
  check(file, _inventory, report) {
    const { value } = file.source;
    const rules = file.kind.facts === agentFacts && isObject(value) ? capabilityRules(value) : [];
    for (const rule of rules) {
      const before = rules.find(
        (other) => capabilityEffects.indexOf(other.effect) < capabilityEffects.indexOf(rule.effect) && capabilityCovers(other, rule),
      );
      if (before !== undefined)
        report({
          pointer: rule.pointer,
          message: `This rule has no effect: a rule of this agent to ${before.effect} matches all of it, and the most restrictive one counts, wherever it is written. Remove one of them, or give the other an "exclude".`,
          related: [{ file, pointer: before.pointer, message: 'The more restrictive rule is here.' }],
        });
    }
  },
};

/** An agent that may start one which has tools that it does not have. */
const subagentWider: ToolRule = {
  code: 'kiro/subagent-wider',
  permits: 'wider',
  tool: 'kiro',
  severity: 'info',
  source: { address: 'https://kiro.dev/docs/cli/chat/subagents', date: '2026-11-27' },
  check(file, inventory, report) {
    for (const { tools: more, agent, pointer, isTrusted } of widerAgents(file, inventory))
      report({
        pointer,
        ...(isTrusted && { severity: 'warning' as const }),
        message: `This agent does not have ${listed(more)}, and may start ${agent}, which has: a subagent has the tools of its own file${isTrusted ? ', and this one runs without asking' : ''}. Name those that it may start in toolsSettings.subagent.availableAgents.`,
      });
  },
};

export const permissionRules: readonly ToolRule[] = [
  settingWithoutTool,
  settingShadowed,
  patternInvalid,
  permissionLoose,
  permissionShadowed,
  subagentWider,
];
