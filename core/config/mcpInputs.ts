import type { McpInput } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import type { ProjectIndex } from './projectIndex.js';

/** The `inputs` that mcp.json defines, where one of the agents has servers: their commands and addresses may refer to them. */
export function mcpInputs(project: Pick<ProjectIndex, 'value'>, agents: Iterable<{ readonly servers: JsonObject }>): readonly McpInput[] {
  const hasServers = [...agents].some(({ servers }) => Object.keys(servers).length > 0);
  const inputs = hasServers ? project.value('mcp', 'mcp')?.inputs : undefined;
  // The schema of mcp.json was checked with the agents.
  return Array.isArray(inputs) ? (inputs as unknown as readonly McpInput[]) : [];
}
