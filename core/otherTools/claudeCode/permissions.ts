import { groupBy } from '../../groupBy.js';
import { pathCovers } from '../pathPatterns.js';
import { commandCovers, indexPatterns, wildcardCovers } from '../wildcards.js';

/** A permission rule: `Tool` or `Tool(specifier)`. */
export interface PermissionRule {
  /** As it is written. */
  readonly text: string;
  readonly tool: string;
  /** Undefined where the rule means every use of the tool: `Bash(*)` does as well as `Bash`. */
  readonly specifier: string | undefined;
  readonly hasParentheses: boolean;
}

/** In the order in which Claude Code asks them: how narrow a rule is does not matter. */
export const effects = ['deny', 'ask', 'allow'] as const;

export type Effect = (typeof effects)[number];

/** Undefined where it has neither form. */
export function ruleParts(text: string): PermissionRule | undefined {
  const [, tool, specifier] = /^\s*([^\s()]+)(?:\(([\s\S]*)\))?\s*$/.exec(text) ?? [];
  if (tool === undefined) return undefined;
  return { text, tool, specifier: isEveryUse(tool, specifier) ? undefined : specifier, hasParentheses: specifier !== undefined };
}

function isEveryUse(tool: string, specifier: string | undefined): boolean {
  return specifier === '*' || (tool === 'WebFetch' && /^domain:\s*\*$/.test(specifier ?? ''));
}

type MatcherKind = 'tool' | 'command' | 'path' | 'domain' | 'parameter' | 'text';

/**
 * The calls that a rule matches, so that two rules can be compared. Source: https://code.claude.com/docs/en/permissions, 2026-11-27: the sections
 * "Wildcard patterns", "Match by input parameter", "Tool name wildcards" and "Tool-specific permission rules".
 */
interface Matcher {
  readonly kind: MatcherKind;
  readonly tool: string;
  /** Rules of other groups cover nothing of it, but for those of whole tools. */
  readonly group: string;
  readonly pattern: string;
  /** The segments that a path surely matches, and those that it may match. */
  readonly least?: readonly string[];
  readonly most?: readonly string[];
}

function matcherOf({ tool, specifier }: PermissionRule, effect: Effect): Matcher {
  const name = /^mcp__[^*]+$/.test(tool) && !/__.*__/.test(tool) ? `${tool}__*` : tool;
  const as = (kind: MatcherKind, pattern: string): Matcher => ({ kind, tool, group: `${kind} ${tool}`, pattern });
  if (specifier === undefined) return { kind: 'tool', tool: name, group: 'tool', pattern: name };
  if (/^(?:Bash|PowerShell)$/.test(tool)) {
    const command = specifier.replace(/:\*$/, ' *');
    // `run_in_background:true` is a parameter, and a colon before the end is one that the command has.
    if (/^\w+:/.test(command)) return as('text', specifier);
    // Commands of PowerShell are compared without case.
    return as('command', tool === 'PowerShell' ? command.toLowerCase() : command);
  }
  if (tool === 'Read' || tool === 'Edit') return pathMatcher(tool, specifier, effect);
  const [, parameter, value = ''] = /^\s*(\w+)\s*:\s*([\s\S]*)$/.exec(specifier) ?? [];
  if (tool === 'WebFetch' && parameter === 'domain') return as('domain', value.toLowerCase().replace(/\.$/, ''));
  if (parameter !== undefined && effect !== 'allow') return as('parameter', `${parameter}:${value}`);
  return as('text', specifier);
}

/**
 * `//x` begins at the root of the system, `~/x` in the home folder; `/x`, `./x` and `x` where Claude Code is started, which is the folder of both
 * settings files of a project. A name alone means any depth, and a single folder does in rules that deny or ask. What the document leaves open is
 * only in `most`: whether "./" keeps either of them in its place, and how deep a name with a wildcard goes.
 */
function pathMatcher(tool: string, specifier: string, effect: Effect): Matcher {
  const [, anchor = '', rest = ''] = /^(\/\/|~\/|\/|\.\/)?([\s\S]*)$/.exec(specifier) ?? [];
  const start = anchor === '//' || anchor === '~/' ? anchor : './';
  const segments = rest.split('/').filter((segment) => segment !== '' && segment !== '.');
  const [first = '', second] = segments;
  const isName = segments.length === 1 && !rest.endsWith('/');
  const isFolder = segments.length === 2 && second === '**' && effect !== 'allow';
  const mayBeDeep = (isName || isFolder) && first !== '**' && (anchor === '' || anchor === './');
  const deep = ['**', ...segments];
  const least = mayBeDeep && anchor === '' && !first.includes('*') ? deep : segments;
  const most = mayBeDeep ? deep : segments;
  return { kind: 'path', tool, group: `path ${tool} ${start}`, pattern: keyOf(least), least, most };
}

/** `**` in front of a name may stand for no folder. */
function keyOf(segments: readonly string[]): string {
  return segments.join('/').replaceAll('**/', '*');
}

/** Whether the first matches every call that the second matches; false where that cannot be told. */
function matcherCovers(wide: Matcher, narrow: Matcher): boolean {
  if (wide.kind === 'tool') return wide.tool === narrow.tool || (wide.tool.includes('*') && wildcardCovers(wide.tool, narrow.tool));
  if (wide.group !== narrow.group) return false;
  switch (wide.kind) {
    case 'command':
      return commandCovers(wide.pattern, narrow.pattern);
    case 'path':
      return pathCovers(wide.least ?? [], narrow.most ?? []);
    case 'domain':
      return domainCovers(wide.pattern, narrow.pattern);
    case 'parameter':
      return wildcardCovers(wide.pattern, narrow.pattern);
    case 'text':
      return wide.pattern === narrow.pattern;
  }
}

/** `*.a.com` means every name below a.com; any other `*` stays between two dots. */
function domainCovers(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  return /^\*\.[^*]+$/.test(wide) && narrow.endsWith(wide.slice(1)) && narrow.length > wide.length - 1;
}

/** Whether the first rule matches every call that the second matches; false where that cannot be told. */
export function covers(wide: PermissionRule, narrow: PermissionRule, wideEffect: Effect, narrowEffect: Effect): boolean {
  const isSame = wide.tool === narrow.tool && wide.specifier === narrow.specifier;
  return isSame || matcherCovers(matcherOf(wide, wideEffect), matcherOf(narrow, narrowEffect));
}

/** A rule and where it is consulted. */
export interface EffectiveRule {
  readonly rule: PermissionRule;
  readonly effect: Effect;
}

/** Finds the rule that comes before another one and matches all that it matches: of those that deny, if there is one. */
export function indexRules<Rule extends EffectiveRule>(rules: readonly Rule[]): (narrow: EffectiveRule) => Rule | undefined {
  const entries = rules.map((rule) => ({ rule, matcher: matcherOf(rule.rule, rule.effect) }));
  const groups = groupBy(entries, ({ matcher }) => matcher.group);
  const indexes = new Map([...groups].map(([key, group]) => [key, indexPatterns(group, ({ matcher }) => matcher.pattern)]));
  return (narrow) => {
    const matcher = matcherOf(narrow.rule, narrow.effect);
    const candidates = [
      ...(indexes.get('tool')?.(matcher.tool) ?? []),
      ...(matcher.kind === 'tool' ? [] : (indexes.get(matcher.group)?.(matcher.most ? keyOf(matcher.most) : matcher.pattern) ?? [])),
    ];
    const before = candidates.filter(
      ({ rule }) =>
        effects.indexOf(rule.effect) < effects.indexOf(narrow.effect) && covers(rule.rule, narrow.rule, rule.effect, narrow.effect),
    );
    return (before.find(({ rule }) => rule.effect === 'deny') ?? before[0])?.rule;
  };
}

/** Folders at the root of a system, which few projects have. */
const rootFolders = /^\/(Users|home|etc|tmp|var|private|Volumes|opt|usr)\//;

/** Where such a folder would be in the project, for a path with a single slash in front; nothing for any other rule. */
export function rootedFolders(rule: PermissionRule | undefined, folder: string): readonly string[] {
  if (rule === undefined || !/^(?:Read|Edit)$/.test(rule.tool)) return [];
  const [, first] = rootFolders.exec(rule.specifier ?? '') ?? [];
  return first === undefined ? [] : [folder === '' ? first : `${folder}/${first}`];
}
