import { isObject, type Json, type JsonObject, listOf, valueAt } from '../../json.js';
import { agentOf } from '../facts.js';
import {
  type AgentPermits,
  type FindPermits,
  joinVerdicts,
  type PermitException,
  type PermitOutcome,
  type RulePlace,
  type ServerPermit,
  type Verdict,
} from '../permits.js';
import type { Inventory, ToolFile } from '../toolFiles.js';
import { wildcardCovers } from '../wildcards.js';
import { agentIn, entryPointer, removalOf, toolPattern, widerMode } from './agentPermitRules.js';
import { namesIn } from './names.js';
import { earlierRules, type LiveRule, liveRules, modeIn, settingsIn } from './settings.js';

/** What Claude Code looks at beside the files of a repository. Source: https://code.claude.com/docs/en/settings, 2026-11-27. */
const beside = [
  'What managed settings, those of the user and the command line add: what one of them denies, nothing here allows.',
  'Whether the user trusts the folder: until then, the rules in allow of .claude/settings.json do not count.',
];

const reportedLeak =
  'Whether every subagent is held by the rules that deny: the documents say so, and issue 78797 of anthropics/claude-code reports one that was not.';

/** What decides for one agent. */
interface Surroundings {
  readonly rules: readonly LiveRule[];
  readonly isShadowed: (rule: LiveRule) => boolean;
  readonly mode: RulePlace | undefined;
  readonly file?: ToolFile;
  /** Undefined for the main conversation. */
  readonly agent?: JsonObject;
}

/**
 * The main conversation of each folder with files of Claude Code, and its subagents. Deny comes before ask, and ask before allow, in the lists of all
 * settings together; then the mode decides. Sources, read on 2026-11-27: https://code.claude.com/docs/en/permissions, .../permission-modes and
 * .../sub-agents.
 */
export const permits: FindPermits = (inventory) => {
  const own = inventory.files.filter(({ tool, kind }) => tool === 'claude-code' && kind.isPlugin === undefined);
  return [...new Set(own.map(({ folder }) => folder))].flatMap((folder) => {
    const files = own.filter((file) => file.folder === folder);
    const settings = settingsIn(inventory).get(folder) ?? [];
    const findEarlier = earlierRules(inventory).get(folder);
    const around = {
      rules: liveRules(inventory).get(folder) ?? [],
      isShadowed: (rule: LiveRule) => findEarlier?.(rule) !== undefined,
      mode: modeIn(settings),
    };
    const servers = serversOf(folder, inventory);
    const main: AgentPermits = {
      tool: 'claude-code',
      agent: 'the main conversation',
      role: 'main',
      folder,
      powers: powersOf(around),
      servers: serverPermits(servers, settings, around),
      wider: [],
      unknown: around.mode === undefined ? [...beside, unknownMode] : beside,
    };
    const subagents = files.flatMap((file): readonly AgentPermits[] => {
      const agent = agentIn(file);
      if (agent === undefined || file.source === undefined) return [];
      const own = inlineServers(agent);
      const places = { ...around, agent, file, mode: modeOf(agent, file, around.mode, inventory) };
      const mode = widerMode(agent, file, inventory);
      return [
        {
          tool: 'claude-code',
          agent: agentOf(file.source).agents?.[0]?.name ?? file.path,
          role: 'subagent',
          folder,
          file: file.path,
          powers: powersOf(places),
          servers: serverPermits([...new Set([...servers, ...own])], settings, places),
          wider: [
            ...(mode === undefined ? [] : [mode]),
            ...own.filter((name) => !servers.includes(name)).map((name) => `It has the server ${name}, which its caller does not have.`),
          ],
          unknown: [reportedLeak],
        },
      ];
    });
    return [main, ...subagents];
  });
};

const unknownMode =
  'The mode, which no file here sets: sessions begin by asking, but on the plans Pro, Max and Team a classifier approves in place of the user.';

/** What counts for a subagent: its own mode, unless that of its caller leaves it none. */
function modeOf(agent: JsonObject, file: ToolFile, main: RulePlace | undefined, inventory: Inventory): RulePlace | undefined {
  const text = agent.permissionMode;
  if (typeof text !== 'string' || ['bypassPermissions', 'acceptEdits'].includes(main?.text ?? '')) return main;
  const isRefused = text === 'bypassPermissions' && widerMode(agent, file, inventory) === undefined;
  return isRefused ? main : { text: text === 'manual' ? 'default' : text, file: file.path, pointer: '/permissionMode' };
}

function powersOf(around: Surroundings): AgentPermits['powers'] {
  const verdict = (tool: string) => [tool, verdictOf(tool, around)] as const;
  return {
    read: joinVerdicts([verdict('Read')]),
    write: joinVerdicts([verdict('Edit'), verdict('Write'), verdict('NotebookEdit')]),
    send: joinVerdicts([verdict('WebFetch'), verdict('WebSearch')]),
    run: joinVerdicts([verdict('Bash')]),
  };
}

const place = ({ name, file, pointer }: LiveRule): RulePlace => ({ text: name, file: file.path, pointer });

/** The tools that have rules of their own, and those whose rules they follow. */
const ruledBy: Readonly<Record<string, string>> = { Write: 'Edit', NotebookEdit: 'Edit' };

function verdictOf(tool: string, around: Surroundings): Verdict {
  return missingFor(tool, around) ?? ruledVerdict(tool, around);
}

/** What rules and mode say of a tool that the agent has. */
function ruledVerdict(tool: string, { rules, isShadowed, mode }: Surroundings): Verdict {
  const removal = removalOf(tool, rules);
  if (removal !== undefined) return { outcome: 'never', by: place(removal), except: [] };
  const whole = (effect: LiveRule['effect']) =>
    rules.find(({ effect: other, rule }) => other === effect && rule.specifier === undefined && covering(rule.tool, tool));
  const parts = rules.filter((live) => live.rule.specifier !== undefined && isAbout(live, tool) && !isShadowed(live));
  const asking = whole('ask');
  const allowing = whole('allow');
  const head: Omit<Verdict, 'except'> =
    asking !== undefined
      ? { outcome: outcomesOf(mode).ask, by: place(asking) }
      : mode?.text === 'bypassPermissions'
        ? { outcome: 'allowed', by: mode }
        : allowing !== undefined
          ? { outcome: 'allowed', by: place(allowing) }
          : unruled(tool, mode);
  const outcomes = outcomesOf(mode);
  return {
    ...head,
    except: parts
      .filter(({ effect }) => outcomes[effect] !== head.outcome && !(effect === 'allow' && mode?.text === 'bypassPermissions'))
      .map((live): PermitException => {
        // The documents apply rules of Read to the tools that read, and say nothing of those that edit.
        const outcome = live.rule.tool === tool ? outcomes[live.effect] : 'unknown';
        return { what: live.rule.specifier ?? '', outcome, by: place(live) };
      }),
  };
}

/** Whether a path may be edited that may not be read is not known, so the rule is shown there too. */
function isAbout({ rule, effect }: LiveRule, tool: string): boolean {
  return rule.tool === tool || (rule.tool === 'Read' && effect === 'deny' && tool === 'Edit');
}

/** What becomes of a call that a rule matches: without anybody to ask, it is denied. */
function outcomesOf(mode: RulePlace | undefined): Readonly<Record<LiveRule['effect'], PermitOutcome>> {
  return { deny: 'never', ask: mode?.text === 'dontAsk' ? 'never' : 'asks', allow: 'allowed' };
}

/** Whether a rule for a whole tool means this one: that of Edit counts for the other tools that edit as well. */
function covering(rule: string, tool: string): boolean {
  return rule === ruledBy[tool] || wildcardCovers(toolPattern(rule), tool);
}

/** What the mode says of a tool that no rule decides. */
function unruled(tool: string, mode: RulePlace | undefined): Omit<Verdict, 'except'> {
  const by = mode === undefined ? {} : { by: mode };
  if (tool === 'Read') return { outcome: 'allowed', because: 'In the folder it is started in; elsewhere it asks.' };
  const isEdit = ['Edit', 'Write', 'NotebookEdit'].includes(tool);
  if (mode?.text === 'dontAsk') return { outcome: 'never', ...by, because: 'What is not allowed beforehand is denied.' };
  if (mode?.text === 'plan') {
    if (isEdit) return { outcome: 'never', ...by };
    if (tool === 'Bash') return { outcome: 'unknown', ...by, because: 'Commands that only read run; the documents differ on the others.' };
  }
  if (mode?.text === 'acceptEdits' && isEdit)
    return { outcome: 'allowed', ...by, because: 'In the folder it is started in; elsewhere it asks.' };
  if (mode?.text === 'auto') return { outcome: 'asks', ...by, because: 'A classifier answers in place of the user.' };
  return tool === 'Bash'
    ? { outcome: 'asks', ...by, because: 'Commands that only read, such as ls and cat, run without asking.' }
    : { outcome: 'asks', ...by };
}

/** A tool that the lists of a subagent leave out. Disallowed tools are taken away first, and what is left is narrowed to the listed ones. */
function missingFor(pattern: string, { agent, file }: Surroundings): Verdict | undefined {
  if (agent === undefined || file === undefined) return undefined;
  const taken = namesIn(agent.disallowedTools).find((entry) => wildcardCovers(toolPattern(entry), pattern));
  const never = (key: string, text: string, pointer = `/${key}`): Verdict => ({
    outcome: 'never',
    by: { text, file: file.path, pointer },
    except: [],
  });
  if (taken !== undefined) return never('disallowedTools', `disallowedTools: ${taken}`, entryPointer(agent, 'disallowedTools', taken));
  const listed = namesIn(agent.tools);
  const isAll = agent.tools === undefined || agent.tools === null || listed.includes('*');
  return isAll || listed.some((entry) => wildcardCovers(toolPattern(entry), pattern)) ? undefined : never('tools', 'tools');
}

function serverPermits(servers: readonly string[], settings: readonly ToolFile[], around: Surroundings): readonly ServerPermit[] {
  return servers.flatMap((server): readonly ServerPermit[] => {
    const prefix = `mcp__${server.replace(/[^\w-]/g, '_')}__`;
    const all = `${prefix}*`;
    const { agent } = around;
    const listed = namesIn(agent?.tools).flatMap((entry) =>
      entry.startsWith(prefix) && !entry.endsWith('*') ? [entry.slice(prefix.length)] : [],
    );
    const missing = missingFor(all, around);
    if (missing !== undefined && listed.length === 0) return agent === undefined ? [{ server, ...missing }] : [];
    const disabling = settings.find(({ source }) => listOf(valueAt(source?.value, '/disabledMcpjsonServers')).includes(server));
    if (disabling !== undefined)
      return [{ server, outcome: 'never', by: { text: server, file: disabling.path, pointer: '/disabledMcpjsonServers' }, except: [] }];
    const verdict = ruledVerdict(all, around);
    const tools = around.rules.filter(({ rule }) => rule.specifier === undefined && rule.tool !== all && rule.tool.startsWith(prefix));
    return [
      {
        server,
        ...(listed.length > 0 && missing !== undefined && { tools: listed }),
        ...verdict,
        except: tools
          .filter(
            (live) =>
              !around.isShadowed(live) && outcomesOf(around.mode)[live.effect] !== verdict.outcome && toolPattern(live.rule.tool) !== all,
          )
          .map(
            (live): PermitException => ({
              what: live.rule.tool.slice(prefix.length),
              outcome: outcomesOf(around.mode)[live.effect],
              by: place(live),
            }),
          ),
      },
    ];
  });
}

/** The servers of the lists that Claude Code reads in a folder. */
function serversOf(folder: string, { files }: Inventory): readonly string[] {
  const lists = files.filter(
    ({ tool, path, folder: at }) =>
      tool === 'claude-code' && path.endsWith('.mcp.json') && (at === '' || `${folder}/`.startsWith(`${at}/`)),
  );
  return [...new Set(lists.flatMap(({ facts }) => (facts.servers ?? []).map(({ name }) => name)))];
}

/** The servers that a subagent defines; those that it only names are of its caller. */
function inlineServers(agent: JsonObject): readonly string[] {
  const entries: readonly Json[] = isObject(agent.mcpServers) ? [agent.mcpServers] : listOf(agent.mcpServers);
  return entries.flatMap((entry) => (isObject(entry) ? Object.keys(entry) : []));
}
