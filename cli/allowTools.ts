import { DeniedError } from '../core/errors.js';
import type { ApproveTool, Tool } from '../core/tools/types.js';

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

/** Nobody is asked while a command runs: what was not allowed when it was typed ends the run, with what to type instead. */
export function approveTools(allowed: AllowedTools): ApproveTool {
  return async ({ tool }) => {
    if (allowed === 'all' || (allowed !== 'none' && namesOf(tool).some((name) => allowed.has(name)))) return 'allow';
    const named = allowed === 'none' ? [tool.name] : [...allowed, tool.name];
    const whose = tool.origin.type === 'mcp' ? ` of the MCP server "${tool.origin.client_id}"` : '';
    throw new DeniedError(
      `The tool "${tool.name}"${whose} is called only when you allow it: add --allow-tools=${named.join(',')}, or --allow-tools for all tools of this agent.`,
    );
  };
}

function namesOf({ name, origin }: Tool): readonly string[] {
  return origin.type === 'mcp' ? [name, origin.name, `${origin.client_id}_${origin.name}`] : [name];
}
