import { namesOf } from '../config/toolChoice.js';
import { didYouMean, nearestNames } from '../names.js';
import { listed, quoted } from '../words.js';
import { placeOf } from './facts/layers.js';
import { findToolUse, type NamedEntry, type ToolUse } from './facts/toolUse.js';
import type { Rule } from './rule.js';

/**
 * An entry of `enabled_tools` or `exclude_components` that names nothing its servers listed last (mcp.lock.json), no built-in tool and no
 * skill. Silent while the tools of one of the servers have not been listed.
 */
export const unknownTool: Rule = {
  code: 'unknown-tool',
  severity: 'warning',
  kinds: ['agent'],
  on: 'value',
  check(file, context, report) {
    const use = findToolUse(file, context);
    // Without servers it can only be a skill that is meant.
    if (use === undefined || !use.isWhole || use.servers.length === 0) return;
    const { enabled_tools, exclude_components } = use.choice.unknown;
    const reportTool = ({ name, given }: NamedEntry, effect: string) => {
      const nearest = nearestNames(name, allNames(use));
      const servers = listed(use.servers.map((server) => server.name));
      const among = use.servers.length === 1 ? `The server ${servers} lists` : `The servers ${servers} list`;
      report({
        ...placeOf(file, given, 'The tool is named here.'),
        message: `${among} no tool ${quoted(name)}, and no built-in tool or skill is called so: ${effect}.${didYouMean(nearest)}`,
        data: { name, nearest },
      });
    };
    for (const entry of use.enabled ?? []) if (enabled_tools.includes(entry.name)) reportTool(entry, 'the agent does not get it');
    for (const entry of use.excluded) if (exclude_components.includes(entry.name)) reportTool(entry, 'nothing is taken away');
  },
};

function allNames({ known: { tools } }: ToolUse): readonly string[] {
  return [...new Set(tools.flatMap((tool) => namesOf({ name: tool.name, tool })))];
}
