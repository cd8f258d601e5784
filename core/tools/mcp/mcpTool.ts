import type { JsonObject } from '../../json.js';
import type { Tool, ToolOutcome } from '../types.js';
import { failureOutcome } from './failureOutcome.js';
import type { ServerTool } from './listing.js';
import { hashTool, type ListedTool, type Sha256 } from './lock.js';
import type { ServerSession } from './serverSession.js';
import { toOutcome } from './toolOutcome.js';

/** A tool of a server as an agent has it. `name` is what the model calls it. */
export interface McpToolOptions {
  readonly name: string;
  /** As it is told to the model, under the server's own name. */
  readonly listed: ListedTool;
  readonly session: ServerSession;
  readonly sha256: Sha256;
  /** The user has said that it only reads and may be called without asking. What the server says of itself counts for nothing. */
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
        const now = (await session.tools(signal)).get(listed.name);
        if (now === undefined || hashTool(now, sha256) !== hash) return changed(session.client_id, listed.name, now === undefined);
        const result = await session.request('tools/call', { name: listed.name, arguments: input }, signal);
        const wrong = now.output_schema && (await checkOutput(result, now, session));
        return wrong ?? toOutcome(result);
      } catch (error) {
        return failureOutcome(session.client_id, error, signal);
      }
    },
  };
}

/** The run was begun, and the calls were allowed, with another tool. */
function changed(client_id: string, name: string, isGone: boolean): ToolOutcome {
  const words = isGone ? 'has taken it away' : 'describes it differently';
  return {
    content: `The tool ${name} was not called: since the run began the MCP server ${JSON.stringify(client_id)} ${words}.`,
    is_error: true,
  };
}

/** An outcome when the structured content is not what the tool promises; undefined when it is, or when the promise is not a schema. */
async function checkOutput(result: JsonObject, tool: ServerTool, session: ServerSession): Promise<ToolOutcome | undefined> {
  if (result.isError === true || tool.output_schema === undefined) return undefined;
  const { structuredContent } = result;
  if (structuredContent === undefined) {
    return refused(session, tool, 'it answered without the structured content that its output schema promises');
  }
  const compiled = (await session.compiler()).compile(tool.output_schema);
  if (!compiled.ok) {
    session.log(
      'warn',
      `the output schema of ${tool.name} cannot be used, so its results are taken as they are: ${compiled.problems[0]?.message}`,
    );
    return undefined;
  }
  const issues = compiled.check(structuredContent);
  if (issues.length === 0) return undefined;
  const words = issues.slice(0, 5).map(({ path, message }) => `${path === '' ? 'the whole' : path}: ${message}`);
  return refused(session, tool, `its answer does not meet its own output schema (${words.join('; ')})`);
}

function refused({ client_id }: ServerSession, { name }: ServerTool, words: string): ToolOutcome {
  return { content: `The result of ${name} of the MCP server ${JSON.stringify(client_id)} is not used: ${words}.`, is_error: true };
}
