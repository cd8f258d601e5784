import { DeniedError } from '../core/errors.js';
import { didYouMean, nearestNames } from '../core/names.js';
import type { AgentTools } from '../core/snapshot/agentTools.js';
import { type AllowedTools, matchesTool, namesOf } from '../core/tools/allowedTools.js';
import { isPreapproved, nobodyToApprove } from '../core/tools/policyReason.js';
import type { ApproveTool } from '../core/tools/types.js';
import { UsageError } from './cli.js';

/** @param option `--allow-tools` as the command line has it: undefined, true, or entries with commas between */
export function readAllowedTools(option: string | true | undefined): AllowedTools {
  if (option === undefined) return 'none';
  if (option === true) return 'all';
  return option
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/**
 * A misspelt name would be noticed only when the model asks for the tool, which has cost something by then; a name that several servers have
 * would allow more than the user may have thought of.
 *
 * @throws UsageError for an entry that means no tool (not where a server has yet to list its tools), or one name of several servers
 */
export function checkAllowedTools(allowed: AllowedTools, { tools, unlisted }: Pick<AgentTools, 'tools' | 'unlisted'>): void {
  if (typeof allowed === 'string') return;
  const exact = (entry: string) => tools.filter(({ name, origin }) => name === entry || (origin.type === 'mcp' && origin.name === entry));
  for (const entry of allowed) {
    const whole = new Set(exact(entry).map((tool) => namesOf(tool).at(-1)));
    if (whole.size > 1)
      throw new UsageError(`--allow-tools: ${JSON.stringify(entry)} may be any of ${[...whole].join(', ')}. Name one of these.`);
    if (unlisted.length > 0 || tools.some((tool) => matchesTool(entry, tool))) continue;
    const near = didYouMean(nearestNames(entry, new Set(tools.flatMap(namesOf))));
    const names = tools.length === 0 ? 'It has no tools.' : `Its tools: ${tools.map(({ name }) => name).join(', ')}.`;
    throw new UsageError(`--allow-tools: the agent has no tool ${JSON.stringify(entry)}.${near} ${names}`);
  }
}

/**
 * A tool that the options of a command do not allow ends the run, with the option that would.
 *
 * @param askPerson approves the calls that a policy wants approved; without it, they end the run
 * @param wayOf how the person allows these tools
 */
export function approveTools(
  allowed: AllowedTools,
  askPerson?: ApproveTool,
  wayOf: (names: readonly string[]) => string = byOption,
): ApproveTool {
  return async (request) => {
    const { tool, policy } = request;
    if (isPreapproved(allowed, request)) return 'allow';
    if (policy) {
      if (askPerson === undefined) throw nobodyToApprove(request, policy);
      return askPerson(request);
    }
    const whole = namesOf(tool).at(-1) ?? tool.name;
    const named = typeof allowed === 'string' ? [whole] : [...allowed, whole];
    const server = tool.origin.type === 'mcp' ? ` of the MCP server "${tool.origin.client_id}"` : '';
    throw new DeniedError(`The tool "${tool.name}"${server} needs your permission: ${wayOf(named)}.`);
  };
}

function byOption(names: readonly string[]): string {
  return `add --allow-tools=${names.join(',')}, or --allow-tools for all tools`;
}
