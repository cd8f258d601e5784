import { groupBy } from '../../groupBy.js';
import { isObject, listOf, pointerOf, segmentsOf } from '../../json.js';
import { listed, quoted } from '../../words.js';
import type { ToolRule } from '../toolFiles.js';
import { wildcardCovers } from '../wildcards.js';
import { holdersOf } from './holders.js';
import { editTools, indexLater, type OrderedRule, rulesIn } from './permissions.js';
import { configAround, effectiveRules, verdictOf, widerThan } from './permits.js';

const documented = { address: 'https://opencode.ai/docs/permissions', date: '2026-11-27' };

/** Patterns that one finding leads to. */
const mostRelated = 20;

/** What a message calls a rule: the pattern of a command, the name of a tool, or both. */
function nameOf({ pointer, isItem, action, resource }: OrderedRule): string {
  return isItem ? (resource === '*' ? action : resource) : (segmentsOf(pointer).at(-1) ?? action);
}

/** The last rule that matches counts, so a wide one behind a narrow one hides it. */
const permissionShadowed: ToolRule = {
  code: 'opencode/permission-shadowed',
  permits: 'shadowed',
  tool: 'opencode',
  severity: 'warning',
  source: documented,
  check(file, _inventory, report) {
    for (const holder of holdersOf(file.source)) {
      const rules = rulesIn(holder);
      const findLater = indexLater(rules);
      const hidden = rules.flatMap((narrow) => {
        const wide = findLater(narrow);
        return wide === undefined || wide.effect === narrow.effect ? [] : [{ narrow, wide }];
      });
      for (const [wide, pairs] of groupBy(hidden, (pair) => pair.wide)) {
        const names = listed(
          pairs.map(({ narrow }) => nameOf(narrow)),
          'and',
          3,
        );
        // In a few versions of April 2026, names with a wildcard were asked first, wherever they are written.
        const isOtherTool = pairs.every(({ narrow }) => narrow.action !== wide.action);
        report({
          pointer: wide.pointer,
          target: 'key',
          ...(isOtherTool && { severity: 'info' as const }),
          message: `${names} ${pairs.length === 1 ? 'has' : 'have'} no effect: ${quoted(nameOf(wide))} comes later and matches all of it, and the last one that matches counts, so it is ${quoted(wide.effect)}. Put ${quoted(nameOf(wide))} in front.`,
          related: pairs
            .slice(0, mostRelated)
            .map(({ narrow }) => ({ file, pointer: narrow.pointer, message: 'The pattern without effect is here.' })),
        });
      }
    }
  },
};

/** A name that no tool asks for. */
const permissionTool: ToolRule = {
  code: 'opencode/permission-tool',
  permits: 'dead',
  tool: 'opencode',
  severity: 'error',
  source: { address: 'https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/permission/index.ts', date: '2026-11-27' },
  check({ source }, _inventory, report) {
    for (const { value, pointer } of holdersOf(source)) {
      for (const [name, effect] of Object.entries(isObject(value.permission) ? value.permission : {})) {
        const place = { pointer: pointer + pointerOf('permission', name), target: 'key' } as const;
        if (/\S\s+\S/.test(name))
          report({
            ...place,
            message: `${quoted(name)} is compared with the names of tools, and none has a space: this rule has no effect. Write "bash": { ${quoted(name)}: ${quoted(effect)} } if it is a command.`,
          });
        else if (editTools.has(name))
          report({
            ...place,
            severity: 'warning',
            message: `${quoted(name)} is never asked for: every tool that changes files follows "edit". Write "edit".`,
          });
      }
      for (const [index, rule] of listOf(value.permissions).entries()) {
        const instead = isObject(rule) ? { bash: 'shell', task: 'subagent' }[String(rule.action)] : undefined;
        if (instead !== undefined)
          report({
            pointer: pointer + pointerOf('permissions', index),
            severity: 'warning',
            message: `No action is called ${quoted(isObject(rule) ? rule.action : rule)} in "permissions": version 2 calls it ${quoted(instead)}.`,
          });
      }
    }
  },
};

/** A rule that denies less, or allows more, than it seems to. */
const permissionLoose: ToolRule = {
  code: 'opencode/permission-loose',
  permits: 'loose',
  tool: 'opencode',
  severity: 'warning',
  source: documented,
  check(file, inventory, report) {
    const config = configAround(file, inventory);
    for (const holder of holdersOf(file.source)) {
      const all = rulesIn(holder);
      const findLater = indexLater(all);
      const rules = all.filter((rule) => findLater(rule) === undefined);
      const held = (effects: readonly string[]) =>
        new Set(rules.filter((rule) => rule.action === 'bash' && effects.includes(rule.effect)).map((rule) => rule.resource));
      const heldBy = { deny: held(['deny']), ask: held(['deny', 'ask']), allow: held([]) };
      for (const rule of rules) {
        const { action, resource, effect, pointer, isItem } = rule;
        const place = { pointer, ...(!isItem && { target: 'key' as const }) };
        if (action !== 'bash') continue;
        const program = resource.split(' ', 1)[0] ?? '';
        const isHeld = [`${resource} *`, `${resource}*`, `${program} *`, `${program}*`, '*'].some((wider) => heldBy[effect].has(wider));
        if (effect !== 'allow' && /^[\w.-]+(?: [a-z][\w-]*)?$/.test(resource) && !isHeld)
          report({
            ...place,
            message: `${quoted(resource)} is the command without any argument only: ${quoted(`${resource} x`)} is another one. Write ${quoted(`${resource} *`)}, which means both.`,
          });
        else if (effect === 'allow' && /^[\w.-]+\*$/.test(resource))
          report({
            ...place,
            message: `${quoted(resource)} allows every program whose name begins like that. Write ${quoted(`${resource.slice(0, -1)} *`)} for this program alone.`,
          });
      }
      const bash = verdictOf('bash', effectiveRules(holder, config));
      if (bash.outcome !== 'allowed') continue;
      for (const [action, way] of ways) {
        const rule = rules.find(
          (candidate) => candidate.effect === 'deny' && wildcardCovers(candidate.action, action) && candidate.action !== '*',
        );
        if (rule !== undefined)
          report({
            pointer: rule.pointer,
            ...(!rule.isItem && { target: 'key' as const }),
            severity: 'info',
            message: `${quoted(rule.text)} holds the tool ${action} alone, and commands run without asking: they can ${way}. Let bash ask, or deny the commands that do.`,
          });
      }
    }
  },
};

const ways = [
  ['read', 'read the same files'],
  ['edit', 'write files too'],
  ['webfetch', 'fetch pages too'],
] as const;

/** An agent that may start one which may do what it may not. */
const subagentWider: ToolRule = {
  code: 'opencode/subagent-wider',
  permits: 'wider',
  tool: 'opencode',
  severity: 'info',
  source: {
    address: 'https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/agent/subagent-permissions.ts',
    date: '2026-11-27',
  },
  check(file, inventory, report) {
    for (const { rule, caller, agents, does } of widerThan(file, inventory))
      report({
        pointer: rule.pointer,
        ...(!rule.isItem && { target: 'key' as const }),
        message: `${caller} may start ${listed(agents, 'and', 3)}, which may ${does}: a subagent inherits only the edits that its caller is denied. To forbid it, deny it for all agents, or the subagent in "task".`,
      });
  },
};

export const permissionRules: readonly ToolRule[] = [permissionShadowed, permissionTool, permissionLoose, subagentWider];
