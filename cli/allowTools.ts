import { DeniedError } from '../core/errors.js';
import { didYouMean, nearestNames } from '../core/names.js';
import type { AgentTools } from '../core/snapshot/agentTools.js';
import type { ApproveTool, Tool } from '../core/tools/types.js';
import { UsageError } from './usageError.js';

/** What `--allow-tools` says: nothing without the option, all without names, else the named ones. */
export type AllowedTools = 'none' | 'all' | ReadonlySet<string>;

/** @param option as the command line has it: undefined, true, or names with commas between */
export function readAllowedTools(option: string | true | undefined): AllowedTools {
  if (option === undefined) return 'none';
  if (option === true) return 'all';
  return new Set(
    option
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
}

/**
 * A misspelt name would be noticed only when the model asks for the tool, which has cost something by then.
 *
 * @throws UsageError for a name that none of the agent's tools has; not where a server has yet to say what it has
 */
export function checkAllowedTools(allowed: AllowedTools, { tools, unlisted }: Pick<AgentTools, 'tools' | 'unlisted'>): void {
  if (typeof allowed === 'string' || unlisted.length > 0) return;
  const known = new Set(tools.flatMap(namesOf));
  const wrong = [...allowed].find((name) => !known.has(name));
  if (wrong === undefined) return;
  const names = tools.length === 0 ? 'It has no tools.' : `Its tools: ${tools.map(({ name }) => name).join(', ')}.`;
  throw new UsageError(`--allow-tools: the agent has no tool ${JSON.stringify(wrong)}.${didYouMean(nearestNames(wrong, known))} ${names}`);
}

/** A command asks no questions while it runs: a tool that its options do not allow ends the run, with the option that would. */
export function approveTools(allowed: AllowedTools): ApproveTool {
  return async ({ tool }) => {
    if (allowed === 'all' || (allowed !== 'none' && namesOf(tool).some((name) => allowed.has(name)))) return 'allow';
    const named = allowed === 'none' ? [tool.name] : [...allowed, tool.name];
    const server = tool.origin.type === 'mcp' ? ` of the MCP server "${tool.origin.client_id}"` : '';
    throw new DeniedError(
      `The tool "${tool.name}"${server} is called only when you allow it: add --allow-tools=${named.join(',')}, or --allow-tools for all tools of this agent.`,
    );
  };
}

function namesOf({ name, origin }: Pick<Tool, 'name' | 'origin'>): readonly string[] {
  return origin.type === 'mcp' ? [name, origin.name, `${origin.client_id}_${origin.name}`] : [name];
}
