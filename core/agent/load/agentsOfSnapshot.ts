import { chooseAgentTools, wantsTools } from '../../config/agentToolChoice.js';
import { builtInTools } from '../../config/builtInTools.js';
import type { UserModel } from '../../config/projectSettings.js';
import type { OfferedTool } from '../../config/toolChoice.js';
import type { Policy } from '../../generated/types.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import { createModelTable } from '../../llm/modelTable.js';
import { priceOf } from '../../llm/price.js';
import { createAgentPrompt } from '../../prompt/agentPrompt.js';
import type { SchemaCompiler } from '../../schema/schemaCompiler.js';
import type { AgentTools, FrozenTool } from '../../snapshot/agentTools.js';
import { calledBy } from '../../snapshot/calledAgents.js';
import { originsIn, type Snapshot } from '../../snapshot/createSnapshot.js';
import type { EffectiveAgent, EffectiveLlm, Origin } from '../../snapshot/effective.js';
import { readOrigins, type SnapshotOrigins } from '../../snapshot/snapshotOrigins.js';
import type { SnapshotValue } from '../../snapshot/snapshotValue.js';
import type { LayeredPolicy, ResolvedAgent } from '../../snapshot/types.js';
import type { Agent } from '../types.js';
import { policyMonitors } from './policyMonitors.js';

export interface SnapshotAgentOptions {
  readonly schemas: SchemaCompiler;
}

/**
 * The agents of a snapshot by instance, made from its frozen `agent_type`, persona, name and settings alone. They send the same requests as agents
 * made from the files when it was frozen.
 */
export function agentsOfSnapshot(snapshot: Snapshot, { schemas }: SnapshotAgentOptions): ReadonlyMap<string, Agent> {
  const { value } = snapshot;
  const origins = readOrigins(() => originsIn(snapshot));
  // As in agentstack.json; a snapshot is made by this program, or was verified.
  const models = createModelTable((value.models ?? {}) as unknown as Readonly<Record<string, UserModel>>);
  const agents = new Map<string, Agent>();
  const frozen = new Map(Object.keys(value.agents).map((instance) => [instance, resolvedIn(value, instance, origins)]));
  const monitors = policyMonitors(value, frozen, schemas);
  for (const [instance, resolved] of frozen) {
    const { config, llm, tools } = resolved;
    const model = models.find(config.model_name ?? '', llm.provider);
    const agent: Agent = {
      prompt: createAgentPrompt({
        config,
        llm,
        // Read on request: a run needs none, and those of a large orchestration take long to parse.
        get origins() {
          return resolved.origins;
        },
        tools,
        schemas,
      }),
      resolved,
      snapshot,
      model,
      price: priceOf(llm, model, config.model_name ?? ''),
      schemas,
      // They may call each other in a circle, so all share the one map that is being filled.
      ...(calledBy(resolved).length > 0 && { agents }),
      ...(monitors && { monitor: monitors(instance) }),
    };
    agents.set(instance, Object.freeze(agent));
  }
  return agents;
}

function resolvedIn(value: SnapshotValue, instance: string, origins: SnapshotOrigins): ResolvedAgent {
  const config = value.agents[instance] as EffectiveAgent;
  const llmKey = Object.hasOwn(value.llms, `@${instance}`) ? `@${instance}` : (config.llm_config_id ?? '');
  const llm = value.llms[llmKey] as EffectiveLlm;
  const models = value.models ?? {};
  return {
    config,
    llm,
    ...toolsIn(value, config, origins),
    models,
    ...(value.policy && { policy: policyIn(value.policy, origins) }),
    problems: [],
    layers: [],
    environment_name: value.environment,
    get files() {
      return origins.files();
    },
    get origins() {
      return origins.below('agents', instance);
    },
    get llm_origins() {
      return origins.below('llms', llmKey);
    },
  };
}

/** Its origins are read on request, like those of agents. */
function policyIn(policy: Policy, origins: SnapshotOrigins): LayeredPolicy {
  return {
    policy,
    get origins() {
      const assertions = [...origins.all()].flatMap(([pointer, origin]): [string, Origin][] => {
        if (!pointer.startsWith('/policy/')) return [];
        // Of a flow, its parts have origins.
        const part = /^\/policy\/never\/\d+(\/[^/]+)$/.exec(pointer)?.[1] ?? '';
        const whole = { ...origin, pointer: origin.pointer.slice(0, origin.pointer.length - part.length) };
        return [[pointer.slice('/policy'.length, pointer.length - part.length), whole]];
      });
      return new Map(assertions);
    },
  };
}

interface SnapshotTool extends OfferedTool {
  readonly frozen: Omit<FrozenTool, 'name'>;
}

/** The tools of an agent as in `agentTools`: chosen again, by the same rules, from the frozen ones. */
function toolsIn({ skills = {}, servers }: SnapshotValue, config: EffectiveAgent, origins: SnapshotOrigins): AgentTools {
  const ids = wantsTools(config) ? [...new Set(config.client_ids ?? [])].filter((id) => Object.hasOwn(servers, id)) : [];
  const offered = wantsTools(config) ? [...localTools(skills, origins), ...ids.flatMap((id) => serverTools(id, servers[id], origins))] : [];
  const { chosen } = chooseAgentTools(offered, config);
  return {
    servers: Object.fromEntries(ids.map((id) => [id, servers[id] as JsonObject])),
    tools: chosen.map(({ name, tool: { frozen } }) => ({ name, ...frozen })),
    unlisted: ids.filter((id) => pinnedTools(servers[id]) === undefined),
    protocols: {},
    offered: offered.flatMap(({ name, origin }) => (origin.type === 'mcp' ? [] : [name])),
    tool_files: { mcp: null, lock: null },
  };
}

/**
 * The skills and built-in tools of the snapshot's agents, in the order in which prompts list them, and all other built-in tools, since
 * even a built-in tool that was not chosen reserves its name.
 */
function localTools(skills: JsonObject, origins: SnapshotOrigins): readonly SnapshotTool[] {
  const kept = Object.entries(skills).map(([name, words]): SnapshotTool => {
    const source = origins.placeAround(['skills', name, 'description'], 1);
    const isBuiltIn = source === null && builtInTools.some((tool) => tool.name === name);
    const origin = { type: isBuiltIn ? 'built-in' : 'skill' } as const;
    const { description, parameters, examples, labels, needs_approval } = words as JsonObject & Words;
    const does = { ...(labels && { labels }), ...(needs_approval !== undefined && { needs_approval }) };
    return { name, origin, frozen: { description, parameters, ...(examples && { examples }), ...does, origin, source } };
  });
  const others = builtInTools.filter(({ name }) => !Object.hasOwn(skills, name));
  const origin = { type: 'built-in' } as const;
  return [
    ...kept,
    ...others.map(({ name, description, parameters }) => ({ name, origin, frozen: { description, parameters, origin, source: null } })),
  ];
}

function serverTools(client_id: string, server: Json | undefined, origins: SnapshotOrigins): readonly SnapshotTool[] {
  return Object.entries(pinnedTools(server) ?? {}).map(([name, words]) => {
    const { description, parameters, labels, annotations } = words as JsonObject & Words;
    const does = { ...(labels && { labels }), ...(annotations && { annotations }) };
    const origin = { type: 'mcp', client_id, name } as const;
    const source = origins.placeAround(['servers', client_id, 'tools', name, 'description'], 1);
    return { name, origin, frozen: { description, parameters, ...does, origin, source } };
  });
}

/** The fields of a tool in a snapshot, which was made by this program or verified. */
type Words = Pick<FrozenTool, 'description' | 'parameters' | 'examples' | 'labels' | 'annotations' | 'needs_approval'>;

function pinnedTools(server: Json | undefined): JsonObject | undefined {
  return isObject(server) && isObject(server.tools) ? server.tools : undefined;
}
