import type { JsonObject } from '../json.js';
import { shorten } from '../words.js';
import type { Exposed } from './exposed.js';

/** Path of the description, from the root of the project. */
export const serverJsonPath = 'server.json';

/** Version of the schema, and with it of the format. */
const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** Longest description that the schema takes. */
export const longestDescription = 100;

/** The registry refuses more metadata of a publisher, in bytes. */
const mostMetadata = 4096;

const publisher = 'io.modelcontextprotocol.registry/publisher-provided';

export interface ServerFacts {
  /** Namespace that the publisher owns, a slash, and the name: `com.example/texts`. */
  readonly name: string;
  readonly title: string;
  /** Cut to what the schema takes. */
  readonly description: string;
  readonly version: string;
  /** Where `serve --mcp` answers. */
  readonly url: string;
}

/** The `server.json` by which the MCP registry lists what `serve --mcp` answers for over HTTP. Deterministic. */
export function serverJson({ name, title, description, version, url }: ServerFacts, usable: readonly Exposed[]): JsonObject {
  const metadata = { tools: usable.map(({ tool_name }) => tool_name) };
  const fits = new TextEncoder().encode(JSON.stringify(metadata)).length <= mostMetadata;
  return {
    $schema: schema,
    name,
    title: shorten(title, 100),
    description: shorten(description, longestDescription),
    version,
    remotes: [{ type: 'streamable-http', url, headers: [authorization] }],
    ...(fits && { _meta: { [publisher]: metadata } }),
  };
}

const authorization: JsonObject = {
  name: 'Authorization',
  value: 'Bearer {token}',
  isRequired: true,
  isSecret: true,
  variables: { token: { description: 'The access token of the server (AGENTSTACK_TOKEN).', isRequired: true, isSecret: true } },
};
