import type { JsonObject } from '../../json.js';
import type { Tool, ToolOutcome } from '../types.js';
import type { ServerTool } from './listing.js';
import { hashTool, type ListedTool, type Sha256 } from './lock.js';
import { failureOutcome } from './mcpFailure.js';
import type { ServerSession } from './serverSession.js';
import { toOutcome } from './toolOutcome.js';

/** A server's tool for an agent. `name` is the name for the model. */
export interface McpToolOptions {
  readonly name: string;
  /** Its description for the model, with the server's name for it. */
  readonly listed: ListedTool;
  readonly session: ServerSession;
  readonly sha256: Sha256;
  /** The user has marked it as read-only, callable without approval. The server's own claims are ignored. */
  readonly isTrusted: boolean;
}

export function createMcpTool({ name, listed, session, sha256, isTrusted }: McpToolOptions): Tool {
  const hash = hashTool(listed, sha256);
  return {
    name,
    description: listed.description,
    parameters: listed.parameters,
    origin: { type: 'mcp', client_id: session.client_id, name: listed.name },
    idempotent: isTrusted,
    side_effects: !isTrusted,
    needs_approval: !isTrusted,
    async call(input, { signal }) {
      try {
        const current = (await session.tools(signal)).get(listed.name);
        if (current === undefined || hashTool(current, sha256) !== hash)
          return changed(session.client_id, listed.name, current === undefined);
        const result = await session.callTool(current, input, signal);
        const fault = current.output_schema && (await checkOutput(result, current, session));
        return fault ?? toOutcome(result);
      } catch (error) {
        return failureOutcome(session.client_id, error, signal);
      }
    },
  };
}

/** The run began, and calls were allowed, with a different tool. */
function changed(client_id: string, name: string, isGone: boolean): ToolOutcome {
  const words = isGone ? 'has removed it' : 'describes it differently';
  return {
    content: `The tool ${name} was not called: since the run began the MCP server ${JSON.stringify(client_id)} ${words}.`,
    is_error: true,
  };
}

/** The outcome if the structured content violates the tool's output schema; undefined if it does not, or if the schema is invalid. */
async function checkOutput(result: JsonObject, tool: ServerTool, session: ServerSession): Promise<ToolOutcome | undefined> {
  if (result.isError === true || tool.output_schema === undefined) return undefined;
  const { structuredContent } = result;
  if (structuredContent === undefined) {
    return refused(session, tool, 'it answered without the structured content that its output schema requires');
  }
  const compiled = (await session.compiler()).compile(tool.output_schema);
  if (!compiled.ok) {
    session.log('warn', `the output schema of ${tool.name} is invalid, so its results are not checked: ${compiled.problems[0]?.message}`);
    return undefined;
  }
  const issues = compiled.check(structuredContent);
  if (issues.length === 0) return undefined;
  const words = issues.slice(0, 5).map(({ path, message }) => `${path === '' ? 'the whole' : path}: ${message}`);
  return refused(session, tool, `its answer does not match its own output schema (${words.join('; ')})`);
}

function refused({ client_id }: ServerSession, { name }: ServerTool, words: string): ToolOutcome {
  return { content: `The result of ${name} of the MCP server ${JSON.stringify(client_id)} is not used: ${words}.`, is_error: true };
}
