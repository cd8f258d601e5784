import type { Json, JsonObject } from '../json.js';
import type { Exposed } from './exposed.js';

/** Path of the card, from the root of a web site and of the project. */
export const agentCardPath = '.well-known/agent-card.json';

/** Version of the A2A protocol. */
const protocolVersion = '1.0';

export interface CardFacts {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** Address of an A2A server. */
  readonly url: string;
}

/** The A2A agent card of a project: each exposed agent and orchestration that can run is a skill. Deterministic. */
export function agentCard({ name, description, version, url }: CardFacts, exposed: readonly Exposed[]): JsonObject {
  const usable = exposed.filter(({ refusal }) => refusal === undefined);
  return {
    name,
    description,
    version,
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion }],
    capabilities: { streaming: false, pushNotifications: false },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: [json, text],
    defaultOutputModes: [json, text],
    skills: usable.map(toSkill),
  };
}

const json = 'application/json';
const text = 'text/plain';

function toSkill({ tool_name, id, kind, description, text_key, output_schema }: Exposed): Json {
  return {
    id: tool_name,
    name: id,
    description,
    tags: [kind],
    inputModes: text_key === undefined ? [json] : [json, text],
    outputModes: output_schema === undefined ? [text] : [json],
  };
}
