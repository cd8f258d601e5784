import { isObject, valueAt } from '../../json.js';
import {
  type AgentPermits,
  type FindPermits,
  joinVerdicts,
  type PermitException,
  type PermitOutcome,
  type ServerPermit,
  type Verdict,
} from '../permits.js';
import type { Inventory, ToolFile } from '../toolFiles.js';
import { textField } from '../values.js';
import { wildcardCovers } from '../wildcards.js';
import { definedBy, type Part } from './holders.js';
import { indexLater, type OrderedRule, outcomes, rulesIn } from './permissions.js';

/** A rule with the file that it is in; without one, opencode has it built in. */
interface PlacedRule extends OrderedRule {
  readonly file?: string;
}

/** What counts for all agents of a folder, and the agents that its files define. */
interface FolderConfig {
  readonly folder: string;
  readonly rules: readonly PlacedRule[];
  readonly agents: ReadonlyMap<string, readonly (Part & { readonly file: string })[]>;
  readonly servers: readonly { readonly name: string; readonly file: string; readonly pointer: string; readonly isOff: boolean }[];
  /** The files with rules for all agents. */
  readonly ruling: number;
  readonly isNew: boolean;
}

const builtIn = (action: string, resource: string, effect: OrderedRule['effect']): PlacedRule => ({
  action,
  resource,
  effect,
  text: '',
  pointer: '',
});

/** What opencode allows where nothing is written. Source: https://opencode.ai/docs/permissions#defaults, 2026-11-27. */
const defaults: readonly PlacedRule[] = [
  builtIn('*', '*', 'allow'),
  builtIn('doom_loop', '*', 'ask'),
  builtIn('external_directory', '*', 'ask'),
  builtIn('read', '*.env', 'deny'),
  builtIn('read', '*.env.*', 'deny'),
  builtIn('read', '*.env.example', 'allow'),
];

/**
 * What its own agents add, in front of the rules of the user.
 * Source: https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/agent/agent.ts, 2026-11-27.
 */
const ownAgents: Readonly<Record<string, { readonly role: 'main' | 'subagent'; readonly rules: readonly PlacedRule[] }>> = {
  build: { role: 'main', rules: [] },
  plan: { role: 'main', rules: [builtIn('edit', '*', 'deny'), builtIn('edit', '.opencode/plans/*.md', 'allow')] },
  general: { role: 'subagent', rules: [builtIn('todowrite', '*', 'deny')] },
  explore: {
    role: 'subagent',
    rules: [
      builtIn('*', '*', 'deny'),
      ...['grep', 'glob', 'list', 'bash', 'webfetch', 'websearch', 'codesearch', 'read'].map((tool) => builtIn(tool, '*', 'allow')),
    ],
  },
};

/** The agents of each folder with files of opencode. Of the rules that match a call, the last one counts. */
export const permits: FindPermits = (inventory) => {
  const files = inventory.files.filter(({ tool }) => tool === 'opencode');
  return [...new Set(files.map(({ folder }) => folder))].flatMap((folder) => {
    const config = readConfig(
      files.filter((file) => file.folder === folder),
      folder,
    );
    const wider = files.filter((file) => file.folder === folder).flatMap((file) => widerIn(file, config));
    const names = [...new Set(['build', ...config.agents.keys()])].filter((name) => !isOff(name, config));
    return names.map((agent): AgentPermits => {
      const rules = rulesOf(agent, config);
      const verdict = (action: string) => [action, verdictOf(action, rules)] as const;
      const file = config.agents.get(agent)?.[0]?.file;
      return {
        tool: 'opencode',
        agent,
        role: roleOf(agent, config),
        folder,
        ...(file !== undefined && { file }),
        powers: {
          read: joinVerdicts([verdict('read'), verdict('grep')]),
          write: joinVerdicts([verdict('edit')]),
          send: joinVerdicts([verdict('webfetch'), verdict('websearch')]),
          run: joinVerdicts([verdict('bash')]),
        },
        servers: config.servers.map((server) => serverPermit(server, rules)),
        wider: wider
          .filter(({ agents }) => agents.includes(agent))
          .map(({ caller, does, rule }) => `It may ${does}; ${caller}, which may start it, may not (${rule.text}).`),
        unknown: unknownOf(config),
      };
    });
  });
};

function unknownOf({ isNew, ruling }: FolderConfig): readonly string[] {
  return [
    'What the settings of the user and the organisation, which come before these files, add.',
    'Whether files named .env are denied or asked for by default: the documents say denied, the source of some versions asks.',
    ...(isNew ? ['What version 2 allows its own agents where no rule matches: its documents say that it asks.'] : []),
    ...(ruling > 1 ? ['In which order the rules of several config files are asked.'] : []),
  ];
}

function readConfig(files: readonly ToolFile[], folder: string): FolderConfig {
  const agents = new Map<string, (Part & { readonly file: string })[]>();
  const rules: PlacedRule[] = [];
  const servers: FolderConfig['servers'][number][] = [];
  let ruling = 0;
  for (const { source, path, facts } of files) {
    if (source === undefined) continue;
    for (const { name, ...part } of definedBy(source)) agents.set(name, [...(agents.get(name) ?? []), { ...part, file: path }]);
    for (const { name, pointer, value } of facts.servers ?? [])
      servers.push({ name, pointer, file: path, isOff: isObject(value) && value.enabled === false });
    if (source.format === 'markdown' || !isObject(source.value)) continue;
    const own = rulesIn({ value: source.value, pointer: '' }).map((rule) => ({ ...rule, file: path }));
    if (own.length > 0) ruling += 1;
    rules.push(...own);
  }
  return {
    folder,
    rules,
    agents,
    servers,
    ruling,
    isNew: files.some(({ source }) => Array.isArray(valueAt(source?.value, '/permissions'))),
  };
}

/** The config that counts for a file. */
export function configAround(file: ToolFile, { files }: Inventory): FolderConfig {
  return readConfig(
    files.filter(({ tool, folder }) => tool === 'opencode' && folder === file.folder),
    file.folder,
  );
}

/** All rules for an agent, or for those without rules of their own where the holder is the config itself. */
export function effectiveRules(holder: Part, { rules }: FolderConfig): readonly PlacedRule[] {
  const isConfig = holder.pointer === '' && !('mode' in holder.value) && !('description' in holder.value);
  return [...defaults, ...rules, ...(isConfig ? [] : rulesIn(holder))];
}

function rulesOf(agent: string, { rules, agents, isNew }: FolderConfig): readonly PlacedRule[] {
  const own = Object.hasOwn(ownAgents, agent) ? (ownAgents[agent]?.rules ?? []) : [];
  const written = (agents.get(agent) ?? []).flatMap(({ file, ...part }) => rulesIn(part).map((rule) => ({ ...rule, file })));
  return [...(isNew ? [] : defaults), ...own, ...rules, ...written];
}

function roleOf(agent: string, { agents }: FolderConfig): 'main' | 'subagent' {
  const mode = agents
    .get(agent)
    ?.map(({ value }) => value.mode)
    .find((value) => value !== undefined);
  if (mode !== undefined) return mode === 'subagent' ? 'subagent' : 'main';
  return Object.hasOwn(ownAgents, agent) ? (ownAgents[agent]?.role ?? 'main') : 'main';
}

function isOff(agent: string, { agents }: FolderConfig): boolean {
  return agents.get(agent)?.some(({ value }) => value.disable === true) ?? false;
}

/** What the rules say of an action, or of the tools of a server: `git_*`. */
export function verdictOf(subject: string, rules: readonly PlacedRule[]): Verdict {
  const parts: PlacedRule[] = [];
  const findLater = indexLater(rules);
  for (const rule of [...rules].reverse()) {
    const isWhole = wildcardCovers(rule.action, subject);
    if (!isWhole && !(subject.includes('*') && wildcardCovers(subject, rule.action))) continue;
    if (!isWhole || !/^\*+$/.test(rule.resource)) {
      if (findLater(rule) === undefined) parts.unshift(rule);
      continue;
    }
    const outcome = outcomes[rule.effect];
    return { outcome, ...placeOf(rule), except: exceptions(parts, outcome, subject) };
  }
  return { outcome: 'asks', because: 'No rule matches.', except: exceptions(parts, 'asks', subject) };
}

function placeOf({ file, text, pointer }: PlacedRule): Pick<Verdict, 'by'> {
  return file === undefined ? {} : { by: { text, file, pointer } };
}

function exceptions(parts: readonly PlacedRule[], outcome: PermitOutcome, subject: string): readonly PermitException[] {
  const prefix = subject.replace(/\*$/, '');
  return parts.flatMap((rule, index) => {
    const own = outcomes[rule.effect];
    // One that says the same counts only as an exception to another one.
    if (own === outcome && !parts.slice(0, index).some((other) => outcomes[other.effect] !== own)) return [];
    const what = rule.action.startsWith(prefix) && prefix !== subject ? rule.action.slice(prefix.length) : rule.resource;
    const { by } = placeOf(rule);
    return [{ what, outcome: own, ...(by !== undefined && { by }) }];
  });
}

function serverPermit({ name, file, pointer, isOff }: FolderConfig['servers'][number], rules: readonly PlacedRule[]): ServerPermit {
  if (isOff) return { server: name, outcome: 'never', by: { text: 'enabled: false', file, pointer: `${pointer}/enabled` }, except: [] };
  return { server: name, ...verdictOf(`${name.replace(/[^\w-]/g, '_')}_*`, rules) };
}

const deeds: Readonly<Record<string, string>> = {
  bash: 'run commands',
  webfetch: 'fetch pages',
  websearch: 'search the web',
  read: 'read files',
};

interface Wider {
  readonly rule: OrderedRule;
  readonly caller: string;
  readonly agents: readonly string[];
  readonly does: string;
}

/** What agents of a file may not do, and what those that they may start may. Of an agent, its subagents inherit only what it may not edit. */
export function widerThan(file: ToolFile, inventory: Inventory): readonly Wider[] {
  return widerIn(file, configAround(file, inventory));
}

function widerIn({ source, path }: ToolFile, config: FolderConfig): readonly Wider[] {
  if (source === undefined) return [];
  const startable = [...new Set([...config.agents.keys(), 'general', 'explore'])].filter((name) => canBeStarted(name, config));
  return definedBy(source).flatMap(({ name, ...part }) => {
    if (roleOf(name, config) === 'subagent' || isOff(name, config)) return [];
    const own = rulesIn(part);
    const rules = rulesOf(name, config);
    return Object.entries(deeds).flatMap(([action, does]): readonly Wider[] => {
      const { outcome, by } = verdictOf(action, rules);
      const rule = own.find(({ pointer }) => pointer === by?.pointer);
      if (outcome !== 'never' || by?.file !== path || rule === undefined) return [];
      const agents = startable.filter(
        (agent) => agent !== name && mayStart(agent, rules) && verdictOf(action, rulesOf(agent, config)).outcome !== 'never',
      );
      return agents.length === 0 ? [] : [{ rule, caller: name, agents, does }];
    });
  });
}

function canBeStarted(name: string, config: FolderConfig): boolean {
  if (isOff(name, config)) return false;
  const mode = config.agents
    .get(name)
    ?.map(({ value }) => textField(value, 'mode'))
    .find((text) => text !== undefined);
  return mode === 'subagent' || mode === 'all' || (mode === undefined && name !== 'build' && name !== 'plan');
}

function mayStart(agent: string, rules: readonly OrderedRule[]): boolean {
  const rule = rules.findLast(({ action, resource }) => wildcardCovers(action, 'task') && wildcardCovers(resource, agent));
  return rule === undefined || rule.effect !== 'deny';
}
