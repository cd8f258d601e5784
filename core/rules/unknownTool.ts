import { namesOf } from '../config/toolChoice.js';
import { didYouMean, nearestNames } from '../names.js';
import { listed, quoted } from '../words.js';
import { placeOf } from './facts/layers.js';
import { findToolUse, type NamedEntry, type ToolUse } from './facts/toolUse.js';
import type { Rule } from './rule.js';

/**
 * An entry of `enabled_tools` or `exclude_components` that names no tool last listed by its servers (mcp.lock.json), no built-in tool and no
 * skill. Silent while the tools of one of the servers have not been listed.
 */
export const unknownTool: Rule = {
  code: 'unknown-tool',
  severity: 'warning',
  kinds: ['agent'],
  on: 'value',
  check(file, context, report) {
    const use = findToolUse(file, context);
    // Without servers the entry can only name a skill.
    if (use === undefined || !use.isWhole || use.servers.length === 0) return;
    const { enabled_tools, exclude_components } = use.choice.unknown;
    const reportTool = ({ name, setting }: NamedEntry, effect: string) => {
      const nearest = nearestNames(name, allNames(use));
      const servers = listed(use.servers.map((server) => server.name));
      const among = use.servers.length === 1 ? `The server ${servers} lists` : `The servers ${servers} list`;
      report({
        ...placeOf(file, setting, 'The tool is named here.'),
        message: `${among} no tool ${quoted(name)}, and there is no such built-in tool or skill: ${effect}.${didYouMean(nearest)}`,
        data: { name, nearest },
      });
    };
    for (const entry of use.enabled ?? []) if (enabled_tools.includes(entry.name)) reportTool(entry, 'the agent does not get it');
    for (const entry of use.excluded) if (exclude_components.includes(entry.name)) reportTool(entry, 'nothing is excluded');
  },
};

function allNames({ known: { tools } }: ToolUse): readonly string[] {
  return [...new Set(tools.flatMap((tool) => namesOf({ name: tool.name, tool })))];
}
