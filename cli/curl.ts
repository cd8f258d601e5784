import { catchRequest, curlCommand } from '../core/agent/catchRequest.js';
import type { Agent } from '../core/agent/types.js';
import type { JsonObject } from '../core/json.js';
import type { Ports } from '../core/ports.js';
import { UsageError } from './cli.js';

/**
 * The request an agent would send, as a command for a POSIX shell.
 *
 * @throws UsageError when the agent's provider sends no HTTP request, or cannot
 */
export async function toCurl(agent: Agent, payload: JsonObject, ports: Ports): Promise<string> {
  const caught = await catchRequest(agent, payload, ports);
  if (caught.request === undefined) {
    const provider = JSON.stringify(agent.resolved.llm.provider);
    throw new UsageError(caught.refusal ?? `The provider ${provider} sends no HTTP request. Name a profile that does with --llm.`);
  }
  const command = curlCommand(caught.request);
  if (command === undefined) throw new UsageError(`The key is in the variable ${caught.request.keyVariable}, which no shell can name.`);
  return command;
}
