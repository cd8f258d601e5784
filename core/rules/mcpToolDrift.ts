import type { KnownTool, LockedTool } from '../config/knownTools.js';
import { namesOf } from '../config/toolChoice.js';
import { isEqual } from '../jsonText/jsonCompare.js';
import { quoted } from '../words.js';
import { placeOf } from './facts/layers.js';
import { findToolUse } from './facts/toolUse.js';
import type { Rule } from './rule.js';

/**
 * A tool of an agent whose last listing by its server differs from mcp.lock.json. A changed description
 * of a tool is new text for the model, so runs are refused until the user has accepted the change.
 */
export const mcpToolDrift: Rule = {
  code: 'mcp-tool-drift',
  severity: 'warning',
  kinds: ['agent'],
  on: 'value',
  check(file, context, report) {
    const use = findToolUse(file, context);
    if (use === undefined) return;
    for (const chosen of use.choice.chosen) {
      const { origin, locked, source } = chosen.tool;
      if (origin.type !== 'mcp' || locked?.changed === undefined) continue;
      const names = namesOf(chosen);
      const user = use.enabled?.find(({ name }) => names.includes(name)) ?? use.servers.find(({ name }) => name === origin.client_id);
      if (user === undefined) continue;
      const place = placeOf(file, user.setting, 'The tool is named here.');
      const pinned = source === null ? [] : [{ ...source, target: 'key' as const, message: 'It is pinned here.' }];
      report({
        ...place,
        related: [...(place.related ?? []), ...pinned],
        message: `${changeText(origin.client_id, chosen.tool, locked)} Review the change before you accept it: runs with this tool are refused.`,
        data: { server: origin.client_id, tool: origin.name, pinned: locked.hash, listed: locked.changed?.hash ?? null },
      });
    }
  },
};

function changeText(server: string, { name }: KnownTool, { description, parameters, changed }: LockedTool): string {
  const subject = `The server ${quoted(server)}`;
  if (!changed) return `${subject} no longer lists the tool ${quoted(name)}.`;
  const parts = [
    ...(changed.description === description ? [] : ['description']),
    ...(isEqual(changed.parameters, parameters) ? [] : ['parameters']),
  ];
  return `${subject} has changed the ${parts.length === 0 ? 'definition' : parts.join(' and the ')} of the tool ${quoted(name)} since it was pinned.`;
}
