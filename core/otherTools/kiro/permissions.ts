import { isObject, type Json, type JsonObject, listOf, pointerOf, valueAt } from '../../json.js';
import { textsAt } from '../facts.js';
import { pathCovers } from '../pathPatterns.js';
import type { NamedFact } from '../toolFiles.js';
import { indexPatterns, wildcardCovers } from '../wildcards.js';

/** Built-in tools with their other names. Source: https://kiro.dev/docs/cli/reference/built-in-tools, 2026-11-27. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  read: ['fs_read'],
  grep: [],
  glob: [],
  code: [],
  write: ['fs_write'],
  shell: ['execute_bash', 'execute_cmd'],
  aws: ['use_aws'],
  web_search: [],
  web_fetch: [],
  introspect: [],
  report: ['report_issue'],
  knowledge: [],
  thinking: [],
  todo: ['todo_list'],
  subagent: ['use_subagent', 'delegate'],
};

/** Names in `tools` that newer versions take for several tools. */
const tags: Readonly<Record<string, readonly string[]>> = { read: ['read', 'grep', 'glob', 'code'], web: ['web_search', 'web_fetch'] };

const builtInTools: readonly string[] = Object.keys(otherNames);

/** The tool that a name stands for; undefined for a server's, and for one that is not known. */
export function toolNamed(name: string): string | undefined {
  const plain = name.replace(/^@builtin\//, '');
  return builtInTools.find((tool) => tool === plain || otherNames[tool]?.includes(plain));
}

/** The tools that an entry of `allowedTools` matches: `w*` is a pattern, in all names of a tool. */
function matchesOf(entry: string): readonly string[] {
  if (entry === '@builtin') return builtInTools;
  const pattern = entry.replace(/^@builtin\//, '');
  if (pattern === '*') return [];
  return builtInTools.filter((tool) => [tool, ...(otherNames[tool] ?? [])].some((name) => wildcardCovers(pattern, name)));
}

export interface KiroAgent {
  readonly value: JsonObject;
  /** Undefined where it has none. */
  readonly tools: readonly NamedFact[] | undefined;
  readonly allowed: readonly (NamedFact & { readonly tools: readonly string[] })[];
}

export function readAgent(value: JsonObject): KiroAgent {
  return {
    value,
    tools: Array.isArray(value.tools) ? textsAt(value, '/tools') : undefined,
    allowed: textsAt(value, '/allowedTools').map((fact) => ({ ...fact, tools: matchesOf(fact.name) })),
  };
}

/** Whether an agent has a built-in tool; undefined where a tag or a pattern may mean it. */
export function hasTool({ tools = [] }: KiroAgent, tool: string): boolean | undefined {
  let may = false;
  for (const { name } of tools) {
    if (name === '*' || name === '@builtin' || toolNamed(name) === tool) return true;
    may ||= (tags[name]?.includes(tool) ?? false) || (/[*?]/.test(name) && !name.startsWith('@'));
  }
  return may ? undefined : false;
}

/** Whether an entry of `allowedTools` names built-in tools of which the agent surely has none. */
export function allowsNothing(agent: KiroAgent, entry: KiroAgent['allowed'][number]): boolean {
  return entry.tools.length > 0 && entry.tools.length < builtInTools.length && entry.tools.every((tool) => hasTool(agent, tool) === false);
}

export const allowedBy = ({ allowed }: KiroAgent, tool: string) => allowed.find(({ tools }) => tools.includes(tool));

export interface SettingList {
  readonly key: string;
  readonly kind: 'allow' | 'deny';
  readonly form: 'command' | 'path' | 'url';
}

/** Lists in `toolsSettings` of which the denying one is asked first. For aws, the documents do not say which is. */
const lists: Readonly<Record<string, readonly SettingList[]>> = {
  ...Object.fromEntries(
    ['read', 'write', 'grep', 'glob'].map((tool) => [
      tool,
      [
        { key: 'allowedPaths', kind: 'allow', form: 'path' },
        { key: 'deniedPaths', kind: 'deny', form: 'path' },
      ] satisfies readonly SettingList[],
    ]),
  ),
  shell: [
    { key: 'allowedCommands', kind: 'allow', form: 'command' },
    { key: 'deniedCommands', kind: 'deny', form: 'command' },
  ],
  web_fetch: [
    { key: 'trusted', kind: 'allow', form: 'url' },
    { key: 'blocked', kind: 'deny', form: 'url' },
  ],
};

export interface ToolSetting {
  readonly tool: string;
  readonly pointer: string;
  readonly value: JsonObject;
  readonly entries: readonly SettingEntry[];
  /** Finds the denied entry that covers another one. */
  readonly findDenied: (narrow: SettingEntry) => SettingEntry | undefined;
}

export type SettingEntry = NamedFact & SettingList;

const known = new WeakMap<JsonObject, readonly ToolSetting[]>();

/** The settings of an agent for built-in tools. */
export function settingsOf({ value }: KiroAgent): readonly ToolSetting[] {
  const settings = known.get(value) ?? readSettings(value);
  known.set(value, settings);
  return settings;
}

function readSettings(value: JsonObject): readonly ToolSetting[] {
  return Object.entries(isObject(value.toolsSettings) ? value.toolsSettings : {}).flatMap(([name, settings]) => {
    const tool = toolNamed(name);
    if (tool === undefined || !isObject(settings)) return [];
    const pointer = pointerOf('toolsSettings', name);
    const entries = (lists[tool] ?? []).flatMap((list) =>
      textsAt(value, pointer + pointerOf(list.key)).map((fact) => ({ ...fact, ...list })),
    );
    return [{ tool, pointer, value: settings, entries, findDenied: indexEntries(entries.filter(({ kind }) => kind === 'deny')) }];
  });
}

/** The lists of services, which are compared with nothing. */
export function servicesOf({ value, pointer }: ToolSetting): readonly NamedFact[] {
  return textsAt({ value }, '/value/allowedServices').map(({ name }, index) => ({
    name,
    pointer: pointer + pointerOf('allowedServices', index),
  }));
}

/** As many patterns as an expression with alternatives is spelled out to. */
const mostAlternatives = 64;

/**
 * An expression of letters, `.`, `.*`, alternatives and parts that may be missing as patterns with wildcards that mean the same together; undefined
 * for every other one. It is not run.
 */
export function expressionAsWildcards(expression: string): readonly string[] | undefined {
  const plain = expression.replace(/^(?:\\A|\^)/, '').replace(/(?:\\z|\$)$/, '');
  let whole = [plain];
  for (;;) {
    const [group, inner, optional] = /(?<!\\)\((?:\?:)?([^()\\]*)\)(\?)?(?![*+{])/.exec(whole[0] ?? '') ?? [];
    if (group === undefined || inner === undefined) break;
    const choices = [...inner.split('|'), ...(optional === undefined ? [] : [''])];
    if (whole.length * choices.length > mostAlternatives) return undefined;
    whole = whole.flatMap((text) => choices.map((choice) => text.replace(group, () => choice)));
  }
  const patterns = whole.flatMap((text) => text.split('|')).map(asWildcard);
  return patterns.every((pattern) => pattern !== undefined) ? patterns : undefined;
}

function asWildcard(expression: string): string | undefined {
  let pattern = '';
  for (const [part, escaped] of expression.matchAll(/\\(.)|\.\*|[\s\S]/g)) {
    if (part === '.*') pattern += '*';
    else if (part === '.') pattern += '?';
    else if (escaped !== undefined && /[.\-/ ]/.test(escaped)) pattern += escaped;
    else if (part.length > 1 || /[\\^$*+?()[\]{}|]/.test(part)) return undefined;
    else pattern += part;
  }
  return pattern;
}

/** Why an expression cannot be used: `*` in front of anything, or parentheses that do not close. Undefined where nothing shows it. */
export function brokenExpression(expression: string): string | undefined {
  const bare = expression.replace(/\\[\s\S]/g, '').replace(/\[\^?\]?[^\]]*\]/g, 'x');
  if (/(?:^\^?|[(|])[*+?]/.test(bare.replaceAll('(?', '(')))
    return `"${/[*+?]/.exec(bare)?.[0]}" repeats what is in front of it, and nothing is: ".*" is any text`;
  const depth = [...bare].reduce((open, character) => open + (character === '(' ? 1 : character === ')' ? -1 : 0), 0);
  if (depth !== 0 || bare.includes('[')) return 'a parenthesis or a bracket of it does not close';
  return /\\$/.test(expression.replace(/\\\\/g, '')) ? 'it ends with a backslash' : undefined;
}

export function isLookAround(expression: string): boolean {
  return /\(\?<?[=!]/.test(expression);
}

/** Finds the entry of a list that covers another entry; nothing where that cannot be told. */
export function indexEntries<Entry extends NamedFact & SettingList>(
  entries: readonly Entry[],
): (narrow: NamedFact & SettingList) => Entry | undefined {
  const byName = new Map([...entries].reverse().map((entry) => [entry.name, entry]));
  const spelled = entries.flatMap((entry) =>
    (entry.form === 'path' ? [entry.name.replaceAll('**/', '*')] : (expressionAsWildcards(entry.name) ?? [])).map((pattern) => ({
      entry,
      pattern,
    })),
  );
  const candidatesFor = indexPatterns(spelled, ({ pattern }) => pattern);
  return (narrow) => {
    const same = byName.get(narrow.name);
    if (same !== undefined) return same;
    if (narrow.form === 'path') return candidatesFor(narrow.name).find(({ entry }) => folderCovers(entry.name, narrow.name))?.entry;
    const texts = expressionAsWildcards(narrow.name);
    const [first] = texts ?? [];
    if (texts === undefined || first === undefined) return undefined;
    const covering = (text: string) =>
      new Set(candidatesFor(text).flatMap(({ entry, pattern }) => (wildcardCovers(pattern, text) ? [entry] : [])));
    const others = texts.slice(1).map(covering);
    return [...covering(first)].find((entry) => others.every((set) => set.has(entry)));
  };
}

/** Paths mean what is below them too. */
function folderCovers(wide: string, narrow: string): boolean {
  const [outer, inner] = [wide, narrow].map((path) =>
    path
      .replace(/^\.\//, '')
      .split('/')
      .filter((segment) => segment !== ''),
  );
  if (outer === undefined || inner === undefined || /^\//.test(wide) !== /^\//.test(narrow)) return false;
  // Whether a name alone means any depth, the documents leave open.
  return pathCovers(outer, inner) || (outer.at(-1) !== '**' && pathCovers([...outer, '**'], inner));
}

/** A rule of newer versions. The most restrictive effect of all that match counts. Source: https://kiro.dev/docs/cli/v3/permissions, 2026-11-27. */
export interface CapabilityRule {
  readonly capability: string;
  readonly effect: 'deny' | 'ask' | 'allow';
  /** Undefined for all. */
  readonly match: readonly string[] | undefined;
  readonly exclude: readonly string[];
  readonly pointer: string;
}

export const capabilityEffects = ['deny', 'ask', 'allow'] as const;

export function capabilityRules(value: JsonObject): readonly CapabilityRule[] {
  const rules: Json | undefined = isObject(value.permissions) ? valueAt(value, '/permissions/rules') : value.permissions;
  const base = isObject(value.permissions) ? '/permissions/rules' : '/permissions';
  return listOf(rules).flatMap((rule, index): readonly CapabilityRule[] => {
    if (!isObject(rule) || typeof rule.capability !== 'string') return [];
    const effect = capabilityEffects.find((known) => known === rule.effect);
    const texts = (list: Json | undefined) => listOf(list).filter((text) => typeof text === 'string');
    if (effect === undefined) return [];
    return [
      {
        capability: rule.capability,
        effect,
        match: Array.isArray(rule.match) ? texts(rule.match) : undefined,
        exclude: texts(rule.exclude),
        pointer: base + pointerOf(index),
      },
    ];
  });
}

/** Whether whatever the second rule matches is matched by the first; false where that cannot be told. */
export function capabilityCovers(wide: CapabilityRule, narrow: CapabilityRule): boolean {
  if (wide.exclude.length > 0 || (wide.capability !== narrow.capability && wide.capability !== 'all')) return false;
  if (wide.match === undefined) return true;
  if (narrow.match === undefined || wide.capability !== narrow.capability) return false;
  const isPath = wide.capability.startsWith('fs_');
  return narrow.match.every((pattern) =>
    wide.match?.some((other) => other === pattern || (isPath ? folderCoversExactly(other, pattern) : wildcardCovers(other, pattern))),
  );
}

function folderCoversExactly(wide: string, narrow: string): boolean {
  const [outer = [], inner = []] = [wide, narrow].map((path) => path.replace(/^\.\//, '').split('/'));
  return pathCovers(outer, inner);
}
