import { isObject, listOf, valueAt } from '../../json.js';
import { agentOf, textsAt } from '../facts.js';
import {
  type AgentPermits,
  type FindPermits,
  joinVerdicts,
  type PermitException,
  type RulePlace,
  type ServerPermit,
  type Verdict,
} from '../permits.js';
import type { Inventory, ToolFile } from '../toolFiles.js';
import { wildcardCovers } from '../wildcards.js';
import { allowedBy, capabilityRules, hasTool, type KiroAgent, readAgent, servicesOf, settingsOf, toolNamed } from './permissions.js';
import { takesLists } from './rules.js';

interface PlacedAgent extends KiroAgent {
  readonly name: string;
  readonly file: ToolFile;
}

/**
 * The agents of each folder with files of Kiro. `tools` says what an agent has, `allowedTools` what of it runs without asking, and `toolsSettings`
 * for which paths, commands and addresses that is so. Sources, read on 2026-11-27: https://kiro.dev/docs/cli/custom-agents/configuration-reference
 * and https://kiro.dev/docs/cli/reference/built-in-tools#tool-permissions.
 */
export const permits: FindPermits = (inventory) =>
  inventory.files.flatMap((file): readonly AgentPermits[] => {
    const agent = placedAgent(file);
    if (agent === undefined) return [];
    const callers = inventory.files.filter(({ tool, folder }) => tool === 'kiro' && folder === file.folder);
    const wider = callers.flatMap((caller) =>
      widerAgents(caller, inventory)
        .filter((entry) => entry.agent === agent.name)
        .map(({ tools }) => `It has ${tools.join(', ')}, which ${placedAgent(caller)?.name}, that may start it, does not have.`),
    );
    return [
      {
        tool: 'kiro',
        agent: agent.name,
        role: 'main',
        folder: file.folder,
        file: file.path,
        powers: {
          read: withResources(agent, joinVerdicts([part('read', agent), part('grep', agent), part('glob', agent)])),
          write: joinVerdicts([part('write', agent)]),
          send: joinVerdicts([part('web_fetch', agent), part('web_search', agent), part('aws', agent)]),
          run: joinVerdicts([part('shell', agent)]),
        },
        servers: serverPermits(agent, inventory),
        wider,
        unknown: unknownOf(agent),
      },
    ];
  });

function unknownOf({ file, allowed, value }: PlacedAgent): readonly string[] {
  return [
    'What the rules of the user in the home folder, and what a session trusts, add.',
    ...(allowed.length > 0 && value.toolsSettings !== undefined
      ? [
          'Whether what toolsSettings denies holds a tool that is in allowedTools: the documents say of the allowed patterns only that they no longer count.',
        ]
      : []),
    ...(hasCommands(value)
      ? ['Whether a chain of commands (a && b) is compared with allowedCommands as one command: the documents do not say.']
      : []),
    ...(file.path.endsWith('.md') ? ['What an agent in Markdown without "tools" has.'] : []),
  ];
}

function hasCommands(value: PlacedAgent['value']): boolean {
  return ['shell', 'execute_bash'].some((key) => listOf(valueAt(value, `/toolsSettings/${key}/allowedCommands`)).length > 0);
}

export function placedAgent(file: ToolFile): PlacedAgent | undefined {
  const { source, tool, kind } = file;
  if (tool !== 'kiro' || kind.words === undefined || !isObject(source?.value)) return undefined;
  return { ...readAgent(source.value), name: agentOf(source).agents?.[0]?.name ?? file.path, file };
}

const part = (tool: string, agent: PlacedAgent) => [tool, verdictOf(tool, agent)] as const;

const capabilities: Readonly<Record<string, string>> = {
  read: 'fs_read',
  grep: 'fs_read',
  glob: 'fs_read',
  write: 'fs_write',
  shell: 'shell',
};

/** Tools that run without asking in the folder that Kiro is started in. */
const trusted: ReadonlySet<string> = new Set(['read', 'grep', 'glob']);

function verdictOf(tool: string, agent: PlacedAgent): Verdict {
  const { file, tools, value } = agent;
  const place = (text: string, pointer: string): RulePlace => ({ text, file: file.path, pointer });
  const has = hasTool(agent, tool);
  const isOpen = tools === undefined && file.path.endsWith('.md');
  if (has === false && !isOpen)
    return {
      outcome: 'never',
      ...(tools === undefined ? { because: 'It has no "tools".' } : { by: place('tools', '/tools') }),
      except: [],
    };
  const except = exceptionsOf(tool, agent);
  if (has === undefined || isOpen) return { outcome: 'unknown', because: 'Whether it has the tool is not known.', except };
  const rules = capabilityRules(value).filter(
    ({ capability, match }) => match === undefined && [capabilities[tool], 'all'].includes(capability),
  );
  const rule = (['deny', 'ask', 'allow'] as const).flatMap((effect) => rules.filter((candidate) => candidate.effect === effect))[0];
  if (rule !== undefined)
    return {
      outcome: rule.effect === 'deny' ? 'never' : rule.effect === 'ask' ? 'asks' : 'allowed',
      by: place(`permissions: ${rule.effect} ${rule.capability}`, rule.pointer),
      except,
    };
  const allowed = allowedBy(agent, tool);
  // What the settings of an allowed tool allow no longer counts.
  if (allowed !== undefined)
    return { outcome: 'allowed', by: place(allowed.name, allowed.pointer), except: except.filter(({ outcome }) => outcome !== 'allowed') };
  const setting = settingsOf(agent).find((candidate) => candidate.tool === tool);
  if (setting?.value.denyByDefault === true)
    return { outcome: 'never', by: place('denyByDefault', `${setting.pointer}/denyByDefault`), except };
  if (!trusted.has(tool)) return { outcome: 'asks', except };
  const isAnywhere = setting?.value.allowReadOnly === true;
  return {
    outcome: 'allowed',
    because: isAnywhere ? 'Anywhere.' : 'In the folder it is started in; elsewhere it asks.',
    except: except.filter(({ outcome }) => outcome !== 'allowed' || !isAnywhere),
  };
}

function exceptionsOf(tool: string, agent: PlacedAgent): readonly PermitException[] {
  const place = (text: string, pointer: string): RulePlace => ({ text, file: agent.file.path, pointer });
  const settings = settingsOf(agent).filter((setting) => setting.tool === tool);
  return [
    ...settings.flatMap((setting) => [
      ...setting.entries.map(
        ({ name, pointer, kind, key }): PermitException => ({
          what: name,
          outcome: kind === 'deny' ? 'never' : 'allowed',
          by: place(`${key}: ${name}`, pointer),
        }),
      ),
      ...servicesOf(setting).map(({ name, pointer }): PermitException => ({ what: name, outcome: 'allowed', by: place(name, pointer) })),
      ...(setting.value.autoAllowReadonly === true
        ? [{ what: 'what only reads', outcome: 'allowed', by: place('autoAllowReadonly', `${setting.pointer}/autoAllowReadonly`) } as const]
        : []),
    ]),
    ...capabilityRules(agent.value).flatMap(({ capability, match = [], effect, pointer }) =>
      capability === capabilities[tool]
        ? match.map(
            (what): PermitException => ({
              what,
              outcome: effect === 'deny' ? 'never' : effect === 'ask' ? 'asks' : 'allowed',
              by: place(`permissions: ${effect} ${capability}`, pointer),
            }),
          )
        : [],
    ),
  ];
}

/** Files that are put into the context of an agent are read, whatever its tools are. */
function withResources({ value, file }: PlacedAgent, verdict: Verdict): Verdict {
  if (verdict.outcome === 'allowed') return verdict;
  const resources = textsAt(value, '/resources').filter(({ name }) => /^(?:file|skill):\/\//.test(name));
  const read = resources.map(
    ({ name, pointer }): PermitException => ({ what: name, outcome: 'allowed', by: { text: name, file: file.path, pointer } }),
  );
  return { ...verdict, except: [...verdict.except, ...read] };
}

function serverPermits(agent: PlacedAgent, { files }: Inventory): readonly ServerPermit[] {
  const { value, file, tools = [] } = agent;
  const lists = files.filter(({ tool, folder, path }) => tool === 'kiro' && folder === file.folder && path.endsWith('settings/mcp.json'));
  const own = isObject(value.mcpServers) ? Object.entries(value.mcpServers) : [];
  const shared = takesLists(value)
    ? lists.flatMap(({ facts }) => facts.servers ?? []).map(({ name, value }) => [name, value] as const)
    : [];
  return [...new Map([...shared, ...own])].flatMap(([server, settings]): readonly ServerPermit[] => {
    const whole = tools.some(
      ({ name }) => ['*', '@mcp', `@${server}`, `@${server}/*`].includes(name) || wildcardCovers(name, `@${server}`),
    );
    const listed = tools.flatMap(({ name }) => (name.startsWith(`@${server}/`) ? [name.slice(server.length + 2)] : []));
    if (!whole && listed.length === 0) return [];
    const place = (text: string, pointer: string): RulePlace => ({ text, file: file.path, pointer });
    const allowing = agent.allowed.find(
      ({ name }) =>
        name.startsWith('@') && (name === `@${server}` || wildcardCovers(name, `@${server}`) || wildcardCovers(name, `@${server}/*`)),
    );
    const isOff = isObject(settings) && settings.disabled === true;
    const single = agent.allowed.filter(({ name }) => name.startsWith(`@${server}/`) && name !== allowing?.name);
    const [first] = single;
    const isEach = !whole && listed.every((tool) => single.some(({ name }) => wildcardCovers(name, `@${server}/${tool}`)));
    if (isEach && first !== undefined && allowing === undefined && !isOff)
      return [{ server, tools: listed, outcome: 'allowed', by: place(first.name, first.pointer), except: [] }];
    return [
      {
        server,
        ...(!whole && { tools: listed }),
        ...(isOff
          ? { outcome: 'never' as const, because: 'It is disabled.' }
          : allowing !== undefined
            ? { outcome: 'allowed' as const, by: place(allowing.name, allowing.pointer) }
            : { outcome: 'asks' as const }),
        except:
          allowing !== undefined || isOff
            ? []
            : single.map(
                ({ name, pointer }): PermitException => ({
                  what: name.slice(server.length + 2),
                  outcome: 'allowed',
                  by: place(name, pointer),
                }),
              ),
      },
    ];
  });
}

interface WiderAgent {
  readonly agent: string;
  readonly tools: readonly string[];
  readonly pointer: string;
  readonly isTrusted: boolean;
}

/**
 * The agents that one may start and that have tools which it does not have: a subagent has what its own file says, and the built-in one has every
 * built-in tool. Source: https://kiro.dev/docs/cli/chat/subagents, 2026-11-27.
 */
export function widerAgents(file: ToolFile, { files }: Inventory): readonly WiderAgent[] {
  const agent = placedAgent(file);
  const entry = agent?.tools?.find(({ name }) => toolNamed(name) === 'subagent');
  if (agent === undefined || entry === undefined) return [];
  const setting = settingsOf(agent).find(({ tool }) => tool === 'subagent')?.value ?? {};
  const patternsOf = (key: string) =>
    Array.isArray(setting[key]) ? listOf(setting[key]).filter((text) => typeof text === 'string') : undefined;
  const available = patternsOf('availableAgents');
  const trustedAgents = patternsOf('trustedAgents') ?? [];
  const missing = ['write', 'shell', 'web_fetch', 'aws'].filter((tool) => hasTool(agent, tool) === false);
  const others = files.flatMap((other) => {
    const callee = other.folder === file.folder && other.path !== file.path ? placedAgent(other) : undefined;
    return callee === undefined ? [] : [{ name: callee.name, has: (tool: string) => hasTool(callee, tool) === true }];
  });
  const builtIn = { name: 'the built-in agent', has: () => true };
  const candidates =
    available === undefined
      ? [builtIn, ...others]
      : others.filter(({ name }) => available.some((pattern) => wildcardCovers(pattern, name)));
  return candidates.flatMap(({ name, has }) => {
    const tools = missing.filter(has);
    if (tools.length === 0) return [];
    return [{ agent: name, tools, pointer: entry.pointer, isTrusted: trustedAgents.some((pattern) => wildcardCovers(pattern, name)) }];
  });
}
