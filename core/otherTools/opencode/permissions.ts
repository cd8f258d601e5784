import { isObject, type Json, listOf, pointerOf } from '../../json.js';
import type { PermitOutcome } from '../permits.js';
import { commandCovers, indexPatterns, wildcardCovers } from '../wildcards.js';
import type { Part } from './holders.js';

/** One rule. Of those that match a call, the last one counts. */
export interface OrderedRule {
  /** What it is of, in the words of version 1; a pattern. */
  readonly action: string;
  /** The commands, paths, addresses or agents; a pattern. */
  readonly resource: string;
  readonly effect: Effect;
  /** As it is written. */
  readonly text: string;
  readonly pointer: string;
  /** Set where the value at the pointer is the whole rule, and not its key. */
  readonly isItem?: true;
}

export type Effect = 'allow' | 'ask' | 'deny';

export const outcomes: Readonly<Record<Effect, PermitOutcome>> = { allow: 'allowed', ask: 'asks', deny: 'never' };

/** Names of version 2 and what version 1 calls the same. Source: https://opencode.ai/v2/docs/permissions, 2026-11-27. */
const newNames: Readonly<Record<string, string>> = { shell: 'bash', subagent: 'task' };

/** Tools that edit follow the rules of `edit`, whose name they do not have. Source: https://opencode.ai/docs/permissions, 2026-11-27. */
export const editTools: ReadonlySet<string> = new Set(['write', 'patch', 'multiedit', 'apply_patch']);

/**
 * The rules of a config or an agent, in the order in which they are asked: `tools`, which came before `permission`, then `permission` as it is
 * written, and `permissions` of version 2. Source: https://opencode.ai/docs/permissions and
 * https://github.com/anomalyco/opencode/pull/24222, which keeps the order of the keys; 2026-11-27.
 */
export function rulesIn({ value, pointer }: Part): readonly OrderedRule[] {
  const at = (...segments: readonly (string | number)[]) => pointer + pointerOf(...segments);
  const switches = Object.entries(isObject(value.tools) ? value.tools : {}).flatMap(([tool, on]) =>
    typeof on === 'boolean'
      ? [rule(editTools.has(tool) ? 'edit' : tool, '*', on ? 'allow' : 'deny', `tools: ${tool}: ${on}`, at('tools', tool))]
      : [],
  );
  const { permission } = value;
  const whole = isEffect(permission) ? [rule('*', '*', permission, `permission: ${permission}`, at('permission'))] : [];
  const keyed = Object.entries(isObject(permission) ? permission : {}).flatMap(([action, inner]) => {
    if (editTools.has(action)) return [];
    if (isEffect(inner)) return [rule(action, '*', inner, `${action}: ${inner}`, at('permission', action))];
    return Object.entries(isObject(inner) ? inner : {}).flatMap(([resource, effect]) =>
      isEffect(effect)
        ? [rule(action, resource, effect, `${action}: ${resource}: ${effect}`, at('permission', action, resource), resource)]
        : [],
    );
  });
  return [...switches, ...whole, ...keyed, ...listedRules(value.permissions, at('permissions'))];

  function rule(
    action: string,
    resource: string,
    effect: Effect,
    text: string,
    place: string,
    name = action,
  ): OrderedRule & { name: string } {
    return { action, resource, effect, text, pointer: place, name };
  }
}

function listedRules(rules: Json | undefined, pointer: string): readonly OrderedRule[] {
  return listOf(rules).flatMap((written, index) => {
    if (!isObject(written)) return [];
    const { action, resource, effect } = written;
    if (typeof action !== 'string' || typeof resource !== 'string' || !isEffect(effect) || Object.values(newNames).includes(action))
      return [];
    const text = `${action} ${resource}: ${effect}`;
    return [{ action: newNames[action] ?? action, resource, effect, text, pointer: pointer + pointerOf(index), isItem: true as const }];
  });
}

function isEffect(value: Json | undefined): value is Effect {
  return value === 'allow' || value === 'ask' || value === 'deny';
}

/** Whether the first rule matches whatever the second matches; false where that cannot be told. */
export function covers(wide: OrderedRule, narrow: OrderedRule): boolean {
  return wildcardCovers(wide.action, narrow.action) && commandCovers(wide.resource, narrow.resource);
}

const keyOf = ({ action, resource }: OrderedRule) => (action === '*' ? '*' : `${action}\n${resource}`);

const indexes = new WeakMap<readonly OrderedRule[], (narrow: OrderedRule) => OrderedRule | undefined>();

/** Finds the rule that decides in place of an earlier one: the last of those that match all of it. Made once for a list. */
export function indexLater(rules: readonly OrderedRule[]): (narrow: OrderedRule) => OrderedRule | undefined {
  const index = indexes.get(rules) ?? createIndex(rules);
  indexes.set(rules, index);
  return index;
}

function createIndex(rules: readonly OrderedRule[]): (narrow: OrderedRule) => OrderedRule | undefined {
  const places = new Map(rules.map((rule, index) => [rule, index]));
  const candidatesFor = indexPatterns(rules, keyOf);
  return (narrow) => {
    const at = places.get(narrow) ?? 0;
    let last = at;
    for (const wide of candidatesFor(`${narrow.action}\n${narrow.resource}`)) {
      const index = places.get(wide) ?? 0;
      if (index > last && covers(wide, narrow)) last = index;
    }
    return last === at ? undefined : rules[last];
  };
}
