import { connect } from '../agent/modelCall.js';
import type { Agent, AgentConnections, ConnectAgent } from '../agent/types.js';
import type { McpInput } from '../generated/types.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import type { Ports } from '../ports.js';
import type { ResolveInput } from '../tools/mcp/resolveServer.js';
import type { AnswerServer } from '../tools/mcp/serverQuestion.js';
import type { TrustedTools } from '../tools/openTools.js';
import type { ApproveTool, OpenTools, Tool } from '../tools/types.js';

/** What connects the agents of a run to models and tools. */
export interface ConnectOptions {
  readonly ports: Ports;
  /** Providers in addition to the built-in ones. */
  readonly providers: readonly LlmProvider[];
  /** The program's own tools. */
  readonly tools: readonly Tool[];
  readonly resolveInput: ResolveInput;
  readonly trusted?: TrustedTools | undefined;
  readonly approve?: ApproveTool | undefined;
  readonly answer?: AnswerServer | undefined;
  /** The `inputs` of mcp.json, if an agent has servers. */
  readonly mcp_inputs: readonly McpInput[];
}

/** Connects each agent once for all its calls: to its model, and to its tools unless it is single_shot. */
export function connectAgents(options: ConnectOptions): ConnectAgent {
  const connected = new Map<Agent, Promise<AgentConnections>>();
  return (agent) => {
    const connections = connected.get(agent) ?? connectOne(agent, options);
    connected.set(agent, connections);
    return connections;
  };
}

async function connectOne(agent: Agent, options: ConnectOptions): Promise<AgentConnections> {
  const { ports, providers, approve } = options;
  return {
    llm: connect(agent, ports, providers),
    ...(agent.resolved.config.agent_type !== 'single_shot' && { openTools: await toolsOf(agent, options) }),
    ...(approve && { approve }),
  };
}

/** Tool code is loaded with the first agent that can use tools. */
async function toolsOf(agent: Agent, { ports, tools, resolveInput, trusted, answer, mcp_inputs }: ConnectOptions): Promise<OpenTools> {
  const [{ createOpenTools }, { createBuiltInTools }] = await Promise.all([
    import('../tools/openTools.js'),
    import('../tools/builtIn/index.js'),
  ]);
  const hasServers = Object.keys(agent.resolved.servers).length > 0;
  return createOpenTools({
    agent: agent.resolved,
    ports,
    builtIn: (resources) => createBuiltInTools({ files: ports.files, clock: ports.clock, resources: hasServers ? resources : undefined }),
    skills: tools,
    inputs: mcp_inputs,
    resolveInput,
    answer,
    ...(trusted && { trusted }),
  });
}
