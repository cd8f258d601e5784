import { chooseAgentTools } from '../config/agentToolChoice.js';
import type { OfferedTool } from '../config/toolChoice.js';
import { DeniedError, ToolExecutionError } from '../errors.js';
import type { McpInput, McpServer } from '../generated/types.js';
import { isObject, type JsonObject } from '../json.js';
import type { Ports } from '../ports.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import type { ResolvedAgent } from '../snapshot/types.js';
import { hashTool, type ListedTool } from './mcp/lock.js';
import { toToolError } from './mcp/mcpFailure.js';
import { createMcpTool } from './mcp/mcpTool.js';
import type { ResolveInput } from './mcp/resolveServer.js';
import { createServerContent } from './mcp/serverContent.js';
import type { AnswerServer } from './mcp/serverQuestion.js';
import { ServerSession } from './mcp/serverSession.js';
import type { McpResources, OpenTools, Tool, ToolSet } from './types.js';
import { usesServer } from './usesServer.js';

/** Servers' tools that the user, and no project file, trusts as read-only: they are called without approval. By client id. */
export type TrustedTools = { readonly [client_id: string]: readonly string[] };

export interface OpenToolsOptions {
  /** Frozen: its servers and tools are those of the prompt and the snapshot. */
  readonly agent: Pick<ResolvedAgent, 'config' | 'servers' | 'tools' | 'unlisted' | 'protocols'>;
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger' | 'secrets' | 'environment' | 'fetch' | 'processes' | 'sha256'>;
  /** Creates the built-in tools of one run. */
  readonly builtIn: (resources: McpResources) => readonly Tool[];
  /** The embedder's tools. */
  readonly skills?: readonly Tool[];
  /** The `inputs` of mcp.json. */
  readonly inputs?: readonly McpInput[];
  readonly resolveInput: ResolveInput;
  /** Asks the user what a server wants to know during a call. */
  readonly answer?: AnswerServer | undefined;
  readonly trusted?: TrustedTools;
}

interface Offer extends OfferedTool {
  /** Creates the tool under its chosen name. */
  readonly create: (name: string) => Tool;
}

/**
 * The tools of an agent's runs. Servers that can contribute are connected concurrently; pinned tools must be listed unchanged. If it throws, it
 * has ended everything that it started.
 */
export function createOpenTools(base: OpenToolsOptions): OpenTools {
  return async ({ signal, logger = base.ports.logger }) => {
    const ports = { ...base.ports, logger };
    const options = { ...base, ports };
    const { agent } = options;
    const sessions = Object.entries(agent.servers).map(
      ([client_id, server]) =>
        // Validated when the config was composed.
        new ServerSession({
          client_id,
          definition: server as McpServer,
          protocol: Object.hasOwn(agent.protocols, client_id) ? agent.protocols[client_id] : undefined,
          inputs: options.inputs ?? [],
          resolveInput: options.resolveInput,
          answer: options.answer,
          ports,
        }),
    );
    const close = async () => void (await Promise.all(sessions.map((session) => session.close())));
    try {
      const live = await listLive(sessions, options, signal);
      const resources = createServerContent(sessions, agent.config);
      const offers = [...localOffers(options, resources), ...sessions.flatMap((session) => serverOffers(session, live, options))];
      const choice = chooseAgentTools(offers, agent.config);
      for (const name of choice.unknown.enabled_tools)
        ports.logger.log('warn', `enabled_tools names ${name}, which does not exist`, { name });
      return toolSet(
        choice.chosen.map(({ name, tool }) => tool.create(name)),
        close,
      );
    } catch (error) {
      await close();
      throw error;
    }
  };
}

function toolSet(tools: readonly Tool[], close: () => Promise<void>): ToolSet {
  let closing: Promise<void> | undefined;
  return {
    tools,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The current tools of each started server, by client id. */
type Live = ReadonlyMap<string, ReadonlyMap<string, ListedTool>>;

/** @throws ToolExecutionError or DeniedError of the first unusable server, or the signal's reason */
async function listLive(sessions: readonly ServerSession[], options: OpenToolsOptions, signal: AbortSignal): Promise<Live> {
  const { agent, ports } = options;
  const lists = await Promise.all(
    sessions
      .filter(({ client_id }) => usesServer(agent, client_id))
      .map(async (session) => {
        const { client_id } = session;
        let listed: ReadonlyMap<string, ListedTool>;
        try {
          listed = await session.tools(signal);
        } catch (error) {
          throw toToolError(client_id, error);
        }
        checkPinned(session, listed, options);
        return [client_id, listed] as const;
      }),
  );
  signal.throwIfAborted();
  for (const [client_id, listed] of lists) {
    const pinned = pinnedOf(agent.servers[client_id]);
    const unpinned = pinned === undefined ? [] : [...listed.keys()].filter((name) => !pinned.has(name));
    const words = `lists tools that are not pinned yet and not used: ${unpinned.join(', ')}`;
    if (unpinned.length > 0) ports.logger.log('info', `MCP server "${client_id}": ${words}`, { client_id });
  }
  return new Map(lists);
}

/** @throws DeniedError if a tool of the agent differs from the pinned one */
function checkPinned({ client_id }: ServerSession, listed: ReadonlyMap<string, ListedTool>, { agent, ports }: OpenToolsOptions): void {
  const { agent_name } = agent.config;
  for (const { description, parameters, origin } of agent.tools) {
    if (origin.type !== 'mcp' || origin.client_id !== client_id) continue;
    const current = listed.get(origin.name);
    if (current !== undefined && hashTool(current, ports.sha256) === hashTool({ description, parameters }, ports.sha256)) continue;
    const change = current === undefined ? 'no longer lists' : 'now describes differently';
    throw new DeniedError(
      `The MCP server "${client_id}" ${change} the tool "${origin.name}", which ${agent_name} uses as pinned in mcp.lock.json. ` +
        `See the difference with \`npx agent-stack tools ${agent_name} --diff\`, and accept it with \`npx agent-stack tools ${agent_name} --pin\`.`,
    );
  }
}

function serverOffers(session: ServerSession, live: Live, { agent, ports, trusted = {} }: OpenToolsOptions): readonly Offer[] {
  const { client_id } = session;
  const tools = pinnedOf(agent.servers[client_id]) ?? live.get(client_id) ?? new Map<string, ListedTool>();
  const trustedNames = Object.hasOwn(trusted, client_id) ? trusted[client_id] : undefined;
  return [...tools.values()].map((listed) => ({
    name: listed.name,
    origin: { type: 'mcp', client_id, name: listed.name },
    create: (name) =>
      createMcpTool({ name, listed, session, sha256: ports.sha256, isTrusted: trustedNames?.includes(listed.name) === true }),
  }));
}

/** The tools of a server that were pinned when the config was frozen; undefined if none were. */
function pinnedOf(server: unknown): ReadonlyMap<string, ListedTool> | undefined {
  if (!isObject(server) || !isObject(server.tools)) return undefined;
  const tools = server.tools as { readonly [name: string]: JsonObject & { description: string; parameters: JsonObject } };
  return new Map(Object.entries(tools).map(([name, { description, parameters }]) => [name, { name, description, parameters }]));
}

/** Built-in tools and skills. A skill keeps its frozen description, which the prompt shows; its parameters must be those of the code. */
function localOffers({ agent, builtIn, skills = [] }: OpenToolsOptions, resources: McpResources): readonly Offer[] {
  const registered = new Map(skills.map((skill) => [skill.name, skill]));
  const declared = new Map(agent.tools.filter(({ origin }) => origin.type === 'skill').map((tool) => [tool.name, tool]));
  const names = [...new Set([...declared.keys(), ...registered.keys()])];
  return [
    ...builtIn(resources).map((tool): Offer => ({ name: tool.name, origin: tool.origin, create: (name) => ({ ...tool, name }) })),
    ...names.map(
      (skill): Offer => ({
        name: skill,
        origin: { type: 'skill' },
        create(name) {
          const tool = registered.get(skill);
          if (tool === undefined) {
            throw new ToolExecutionError(skill, `The agent uses the skill "${skill}", but this program registers none of that name.`);
          }
          const { description, parameters, examples } = declared.get(skill) ?? tool;
          if (canonicalJson(parameters) !== canonicalJson(tool.parameters)) throw otherParameters(skill, parameters, tool.parameters);
          return { ...tool, name, description, parameters, ...(examples && { examples }) };
        },
      }),
    ),
  ];
}

function otherParameters(name: string, frozen: JsonObject, registered: JsonObject): ToolExecutionError {
  return new ToolExecutionError(
    name,
    `The run was frozen with other parameters of the skill "${name}" than this program registers: ${canonicalJson(frozen)} there, ` +
      `${canonicalJson(registered)} here. Resume it with the code that it began with, or start it anew.`,
  );
}
