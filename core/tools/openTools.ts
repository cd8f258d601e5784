import { chooseAgentTools } from '../config/agentToolChoice.js';
import type { OfferedTool } from '../config/toolChoice.js';
import { DeniedError, ToolExecutionError } from '../errors.js';
import type { McpInput, McpServer } from '../generated/types.js';
import { isObject, type JsonObject } from '../json.js';
import type { Ports } from '../ports.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import type { ResolvedAgent } from '../snapshot/types.js';
import { failureWords } from './mcp/failureOutcome.js';
import { hashTool, type ListedTool } from './mcp/lock.js';
import { McpFailure } from './mcp/mcpFailure.js';
import { createMcpTool } from './mcp/mcpTool.js';
import type { ResolveInput } from './mcp/resolveServer.js';
import { createServerContent } from './mcp/serverContent.js';
import { ServerSession } from './mcp/serverSession.js';
import type { McpResources, OpenTools, Tool, ToolSet } from './types.js';
import { usesServer } from './usesServer.js';

/** Tools of servers that the user, and no file of a project, trusts to read only: they are called without asking. By client id. */
export type TrustedTools = { readonly [client_id: string]: readonly string[] };

export interface OpenToolsOptions {
  /** Frozen: what it says of servers and tools is what the prompt shows and the snapshot names. */
  readonly agent: Pick<ResolvedAgent, 'config' | 'servers' | 'tools' | 'unlisted'>;
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger' | 'secrets' | 'environment' | 'fetch' | 'processes' | 'sha256'>;
  /** Makes the built-in tools of one run. */
  readonly builtIn: (resources: McpResources) => readonly Tool[];
  /** Of the embedder. */
  readonly skills?: readonly Tool[];
  /** The `inputs` of mcp.json. */
  readonly inputs?: readonly McpInput[];
  readonly resolveInput: ResolveInput;
  readonly trusted?: TrustedTools;
}

interface Offer extends OfferedTool {
  /** Makes the tool, under the name that was chosen for it. */
  readonly create: (name: string) => Tool;
}

/**
 * The tools of an agent's runs. Servers that can contribute are connected together; pinned tools have to be listed as they are pinned. When it
 * throws, nothing it has started is left.
 */
export function createOpenTools(given: OpenToolsOptions): OpenTools {
  return async ({ signal, logger = given.ports.logger }) => {
    const ports = { ...given.ports, logger };
    const options = { ...given, ports };
    const { agent } = options;
    const sessions = Object.entries(agent.servers).map(
      ([client_id, server]) =>
        // Checked with its schema when the config was made.
        new ServerSession({
          client_id,
          definition: server as McpServer,
          inputs: options.inputs ?? [],
          resolveInput: options.resolveInput,
          ports,
        }),
    );
    const close = async () => void (await Promise.all(sessions.map((session) => session.close())));
    try {
      const live = await listLive(sessions, options, signal);
      const resources = createServerContent(sessions, agent.config);
      const offers = [...ownOffers(options, resources), ...sessions.flatMap((session) => serverOffers(session, live, options))];
      const choice = chooseAgentTools(offers, agent.config);
      for (const name of choice.unknown.enabled_tools)
        ports.logger.log('warn', `enabled_tools names ${name}, which nothing offers`, { name });
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

/** What each server lists now, by client id; only of servers that were started. */
type Live = ReadonlyMap<string, ReadonlyMap<string, ListedTool>>;

/** @throws ToolExecutionError or DeniedError of the first server that cannot be used, or the signal's reason */
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
          if (error instanceof McpFailure) throw new ToolExecutionError(client_id, failureWords(client_id, error), { cause: error });
          throw error;
        }
        checkPinned(session, listed, options);
        return [client_id, listed] as const;
      }),
  );
  signal.throwIfAborted();
  for (const [client_id, listed] of lists) {
    const pinned = pinnedOf(agent.servers[client_id]);
    const unknown = pinned === undefined ? [] : [...listed.keys()].filter((name) => !pinned.has(name));
    const words = `lists tools that are not pinned yet and not used: ${unknown.join(', ')}`;
    if (unknown.length > 0) ports.logger.log('info', `MCP server "${client_id}": ${words}`, { client_id });
  }
  return new Map(lists);
}

/** @throws DeniedError when a tool that the agent has is not what was pinned */
function checkPinned({ client_id }: ServerSession, listed: ReadonlyMap<string, ListedTool>, { agent, ports }: OpenToolsOptions): void {
  const { agent_name } = agent.config;
  for (const { description, parameters, origin } of agent.tools) {
    if (origin.type !== 'mcp' || origin.client_id !== client_id) continue;
    const now = listed.get(origin.name);
    if (now !== undefined && hashTool(now, ports.sha256) === hashTool({ description, parameters }, ports.sha256)) continue;
    const what = now === undefined ? 'no longer lists' : 'now describes differently';
    throw new DeniedError(
      `The MCP server "${client_id}" ${what} the tool "${origin.name}", which ${agent_name} uses as it is pinned in mcp.lock.json. ` +
        `Look at the difference with \`npx agent-stack tools ${agent_name} --diff\`, and accept it with \`npx agent-stack tools ${agent_name} --pin\`.`,
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

/** The tools of a server as they were pinned when the config was frozen; undefined when they were not. */
function pinnedOf(server: unknown): ReadonlyMap<string, ListedTool> | undefined {
  if (!isObject(server) || !isObject(server.tools)) return undefined;
  const tools = server.tools as { readonly [name: string]: JsonObject & { description: string; parameters: JsonObject } };
  return new Map(Object.entries(tools).map(([name, { description, parameters }]) => [name, { name, description, parameters }]));
}

/** Built-in tools and skills. A skill is told as it was frozen, since that is what the prompt shows; its input has to be what the code takes. */
function ownOffers({ agent, builtIn, skills = [] }: OpenToolsOptions, resources: McpResources): readonly Offer[] {
  const registered = new Map(skills.map((skill) => [skill.name, skill]));
  const declared = new Map(agent.tools.filter(({ origin }) => origin.type === 'skill').map((tool) => [tool.name, tool]));
  const names = [...new Set([...declared.keys(), ...registered.keys()])];
  return [
    ...builtIn(resources).map((tool): Offer => ({ name: tool.name, origin: tool.origin, create: (name) => ({ ...tool, name }) })),
    ...names.map(
      (own): Offer => ({
        name: own,
        origin: { type: 'skill' },
        create(name) {
          const tool = registered.get(own);
          if (tool === undefined) {
            throw new ToolExecutionError(own, `The agent uses the skill "${own}", but this program registers none of that name.`);
          }
          const { description, parameters, examples } = declared.get(own) ?? tool;
          if (canonicalJson(parameters) !== canonicalJson(tool.parameters)) throw otherParameters(own, parameters, tool.parameters);
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
      `${canonicalJson(registered)} here. Run it with the code that it was begun with, or start it anew.`,
  );
}
