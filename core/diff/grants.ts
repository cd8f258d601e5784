import { agentsInPlan, stepsNaming } from '../config/agentToolChoice.js';
import { builtInTools } from '../config/builtInTools.js';
import { namesOf } from '../config/toolChoice.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf, valueAt } from '../json.js';
import { isFree } from '../llm/price.js';
import { findProviderFacts } from '../llm/providers/providerFacts.js';
import { coverAll } from '../secrets/coverValue.js';
import { namedSecrets } from '../secrets/namedSecrets.js';
import { cover } from '../secrets/secretPatterns.js';
import type { FrozenTool } from '../snapshot/agentTools.js';
import { callsModel } from '../snapshot/effective.js';
import { usesServer } from '../tools/usesServer.js';
import { listed, shorten } from '../words.js';
import { placeOf } from './comparedSide.js';
import { placesOf, type SideAgent } from './pairAgents.js';
import type { DiffPlace, PermissionChange } from './types.js';

/** Something that an agent may do. */
export interface Grant {
  readonly subject: PermissionChange['subject'];
  readonly name: string;
  /** A sentence if only the state after, or only the state before has it. */
  readonly gained: string;
  readonly lost: string;
  readonly place: DiffPlace | undefined;
  /** Keys of grants that say more: if the other side has one of them, this says nothing new. */
  readonly coveredBy?: readonly string[];
  /** The key of a grant that tells of this one if it is gained or lost as well. */
  readonly within?: string;
  /** It takes something away, so that it is gained where it ends. */
  readonly isLimit?: true;
}

export type Grants = ReadonlyMap<string, Grant>;

/** Built-in tools that read resources and prompts of servers, whatever tools an agent has of them. */
const reachesContent: ReadonlySet<string> = new Set(['list_resources', 'read_resource', 'get_prompt']);

/** What an agent may do, by key: its tools and servers, the hosts that it sends something to, and the agents that its plan calls. */
export function grantsOf(at: SideAgent): Grants {
  return new Map([...toolGrants(at), ...openGrants(at), ...serverGrants(at), ...hostGrants(at), ...planGrants(at)]);
}

function* toolGrants(at: SideAgent): Generator<[string, Grant]> {
  for (const tool of at.agent.resolved.tools) {
    const { origin } = tool;
    const name = toolName(tool);
    const grant = { subject: 'tool', name, place: toolPlace(at, tool), lost: `It may no longer call ${describe(tool)}.` } as const;
    switch (origin.type) {
      case 'mcp': {
        const gained = `It may call ${name}, each call after an approval.`;
        const coveredBy = [`any:${origin.client_id}`, ...namesIn(tool).map((named) => `named:${named}`)];
        yield [`tool:${name}`, { ...grant, gained, coveredBy, within: `server:${origin.client_id}` }];
        break;
      }
      case 'skill':
        yield [
          `skill:${name}`,
          { ...grant, gained: `It may call ${describe(tool)}, whose code decides whether a call needs an approval.` },
        ];
        break;
      case 'built-in': {
        const needsApproval = builtInTools.find((builtIn) => builtIn.name === tool.name)?.needs_approval ?? true;
        const how = needsApproval ? ', each call after an approval' : ' without an approval';
        yield [`built-in:${name}`, { ...grant, gained: `It may call ${describe(tool)}${how}.` }];
      }
    }
  }
}

/** `mail/send`; for a tool that is of no server, its name. */
export function toolName({ name, origin }: Pick<FrozenTool, 'name' | 'origin'>): string {
  return origin.type === 'mcp' ? `${origin.client_id}/${origin.name}` : name;
}

function describe(tool: FrozenTool): string {
  const name = toolName(tool);
  return { mcp: name, skill: `the project's own tool ${name}`, 'built-in': `the built-in tool ${name}` }[tool.origin.type];
}

function namesIn({ name, origin }: FrozenTool): readonly string[] {
  return namesOf({ name, tool: { name: origin.type === 'mcp' ? origin.name : name, origin } });
}

/** The entry that names it, else what brings it. */
function toolPlace(at: SideAgent, tool: FrozenTool): DiffPlace | undefined {
  const { enabled_tools, client_ids = [], execution_plan, agent_type } = at.agent.resolved.config;
  const place = placesOf(at).config;
  const names = namesIn(tool);
  if (agent_type === 'orchestrating') {
    const step = stepsNaming(execution_plan, 'skill').find(({ name }) => names.includes(name));
    return step && place(pointerOf('execution_plan', 'steps', step.index, 'skill'));
  }
  const index = enabled_tools?.findIndex((entry) => names.includes(entry)) ?? -1;
  if (index >= 0) return place(pointerOf('enabled_tools', index));
  if (tool.source !== null) return { ...tool.source, side: at.side.side };
  return tool.origin.type === 'mcp' ? place(pointerOf('client_ids', client_ids.indexOf(tool.origin.client_id))) : undefined;
}

/** What the lists of an agent say of tools that no lock pins, and of resources and prompts: which exist is known only in a run. */
function* openGrants(at: SideAgent): Generator<[string, Grant]> {
  const { config, unlisted, servers, tools, offered } = at.agent.resolved;
  const { enabled_tools, exclude_components = [] } = config;
  const place = placesOf(at).config;
  const pinned = Object.entries(servers).flatMap(([id, server]) =>
    Object.keys(isObject(server) && isObject(server.tools) ? server.tools : {}).flatMap((name) => [name, `${id}_${name}`]),
  );
  // A variable without a value is told as such.
  const isKnown = (name: string) =>
    name.includes('${') || pinned.includes(name) || offered.includes(name) || builtInTools.some((tool) => tool.name === name);
  const reachesOthers =
    tools.some(({ name, origin }) => origin.type === 'built-in' && reachesContent.has(name)) && Object.keys(servers).length > 0;
  if (unlisted.length > 0 && config.agent_type === 'react') {
    const whose = `${unlisted.length === 1 ? 'the server' : 'one of the servers'} ${unlisted.join(', ')}`;
    if (enabled_tools === undefined) {
      for (const id of unlisted) {
        const gained = `It may call every tool that the server ${id} lists, each call after an approval: mcp.lock.json pins none.`;
        const lost = `It may no longer call every tool that the server ${id} lists.`;
        yield [
          `any:${id}`,
          {
            subject: 'tool',
            name: `${id}/*`,
            gained,
            lost,
            place: place(pointerOf('client_ids', config.client_ids?.indexOf(id) ?? 0)),
            within: `server:${id}`,
          },
        ];
      }
    }
    for (const id of (enabled_tools ?? []).length > 0 ? unlisted : []) {
      const gained = `What it may call of the server ${id} is known only in a run: mcp.lock.json does not pin its tools.`;
      const lost = `What it may call of the server ${id} is pinned by mcp.lock.json.`;
      const where = place(pointerOf('client_ids', config.client_ids?.indexOf(id) ?? 0));
      yield [`open:${id}`, { subject: 'server', name: id, gained, lost, coveredBy: [`any:${id}`], place: where, within: `server:${id}` }];
    }
    for (const [index, name] of (enabled_tools ?? []).entries()) {
      if (isKnown(name)) continue;
      const gained = `It may call ${name}, each call after an approval, if ${whose} ${unlisted.length === 1 ? 'lists' : 'list'} it.`;
      const coveredBy = unlisted.flatMap((id) => [`any:${id}`, `tool:${id}/${name}`, `tool:${id}/${name.replace(`${id}_`, '')}`]);
      const lost = `It may no longer call ${name}.`;
      const [only, ...more] = unlisted;
      const within = more.length === 0 && { within: `server:${only}` };
      yield [
        `named:${name}`,
        { subject: 'tool', name, gained, lost, coveredBy, place: place(pointerOf('enabled_tools', index)), ...within },
      ];
    }
  }
  if (!reachesOthers && (unlisted.length === 0 || enabled_tools !== undefined)) return;
  for (const [index, name] of exclude_components.entries()) {
    if (isKnown(name)) continue;
    const gained = `It may use what its servers call ${name}: exclude_components no longer names it.`;
    const lost = `It may not use what its servers call ${name}: exclude_components names it.`;
    yield [
      `excluded:${name}`,
      { subject: 'tool', name, gained, lost, isLimit: true, place: place(pointerOf('exclude_components', index)) },
    ];
  }
}

/** The servers that its runs may start or connect to. */
export function serversOf({ agent: { resolved } }: SideAgent): ReadonlyMap<string, JsonObject> {
  const reachesAll = resolved.tools.some(({ name, origin }) => origin.type === 'built-in' && reachesContent.has(name));
  const servers = Object.entries(resolved.servers).filter(([id]) => reachesAll || usesServer(resolved, id));
  return new Map(servers.filter((entry): entry is [string, JsonObject] => isObject(entry[1])));
}

function* serverGrants(at: SideAgent): Generator<[string, Grant]> {
  const { config, tools, unlisted } = at.agent.resolved;
  const { client_ids = [], enabled_tools } = config;
  for (const [id, server] of serversOf(at)) {
    const names = tools.flatMap(({ origin }) => (origin.type === 'mcp' && origin.client_id === id ? [origin.name] : []));
    const open = enabled_tools === undefined ? 'every tool that it lists' : 'those of its tools that enabled_tools names';
    const which = unlisted.includes(id)
      ? open
      : names.length === 0
        ? undefined
        : `${names.length === 1 ? 'its tool' : 'its tools'} ${listed(names).replaceAll('"', '')}`;
    const calls = which === undefined ? '' : `, and call ${which}, each call after an approval`;
    const gained = `It may use the server ${id} (${serverWords(server)})${calls}.`;
    const tool = tools.find(({ origin }) => origin.type === 'mcp' && origin.client_id === id);
    const isNamed = tool !== undefined && (enabled_tools !== undefined || config.agent_type === 'orchestrating');
    const place = isNamed ? toolPlace(at, tool) : placesOf(at).config(pointerOf('client_ids', client_ids.indexOf(id)));
    yield [`server:${id}`, { subject: 'server', name: id, gained, lost: `It may no longer use the server ${id}.`, place }];
    if (typeof server.url !== 'string') continue;
    const host = hostOf(server.url);
    yield [
      `host:${id}:${host}`,
      {
        subject: 'network',
        name: host,
        gained: `What it gives to the server ${id} goes to ${host}.`,
        lost: `What it gives to the server ${id} no longer goes to ${host}.`,
        within: `server:${id}`,
        place: placeOf(at.side, pointerOf('servers', id, 'url')),
      },
    ];
  }
}

function serverWords(server: JsonObject): string {
  const { command, args, url } = coverServer(server);
  const words = typeof command === 'string' ? [command, ...listOf(args).map(String)].join(' ') : String(url);
  return shorten(words, 120);
}

/** Without its pinned tools, its secrets covered. */
export function coverServer({ tools: _, ...server }: JsonObject): JsonObject {
  const covered: { [part: string]: Json } = { ...coverAll(server) };
  for (const { path, secret, start } of namedSecrets(server)) {
    const [part = '', key] = path;
    const value = covered[part];
    const whole = key === undefined ? value : valueAt(value, pointerOf(key));
    if (typeof whole !== 'string') continue;
    const text = whole.slice(0, start) + cover(secret) + whole.slice(start + secret.length);
    if (key === undefined) covered[part] = text;
    else covered[part] = Array.isArray(value) ? value.with(Number(key), text) : { ...(value as JsonObject), [key]: text };
  }
  return covered;
}

function* hostGrants(at: SideAgent): Generator<[string, Grant]> {
  const { config, llm } = at.agent.resolved;
  if (!callsModel(config) || isFree(llm)) return;
  const { provider, base_url = findProviderFacts(provider)?.address } = llm;
  const host =
    base_url === undefined ? (provider === 'vscode' ? 'the models of the editor' : `the provider ${provider}`) : hostOf(base_url);
  const places = placesOf(at);
  const place = llm.base_url === undefined ? (places.config('/provider') ?? places.llm('/provider')) : places.llm('/base_url');
  yield [
    `model:${host}`,
    { subject: 'network', name: host, gained: `Its prompts go to ${host}.`, lost: `Its prompts no longer go to ${host}.`, place },
  ];
}

/** As written where it is no address, as with a variable in it. */
function hostOf(address: string): string {
  const { url } = coverServer({ url: address });
  return URL.canParse(address) ? new URL(address).host : String(url);
}

function* planGrants(at: SideAgent): Generator<[string, Grant]> {
  const { agent_type, execution_plan } = at.agent.resolved.config;
  if (agent_type !== 'orchestrating') return;
  for (const reference of agentsInPlan(execution_plan)) {
    const name = reference.replace(/@[^@]*$/, '');
    const step = stepsNaming(execution_plan, 'agent').find((candidate) => candidate.name === reference);
    const place = step && placesOf(at).config(pointerOf('execution_plan', 'steps', step.index, 'agent'));
    const grant = { subject: 'agent', name, place } as const;
    yield [
      `agent:${name}`,
      { ...grant, gained: `Its plan may call the agent ${name}.`, lost: `Its plan no longer calls the agent ${name}.` },
    ];
  }
}
