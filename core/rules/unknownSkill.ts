import type { ConfigFile } from '../config/configFile.js';
import { howToAddTools, knownTools } from '../config/knownTools.js';
import { namesOf } from '../config/toolChoice.js';
import { isObject } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { quoted } from '../words.js';
import { findSetting, layersOf, placeOf } from './facts/layers.js';
import { findToolUse, type NamedEntry, skillSteps } from './facts/toolUse.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * A skill that does not exist: named by a step of a plan, or by `enabled_tools` of an agent without MCP servers. Skills are the built-in tools,
 * the `skills` of agentstack.json, and the tools of the agent's servers.
 */
export const unknownSkill: Rule = {
  code: 'unknown-skill',
  severity: 'error',
  kinds: ['agent'],
  on: 'value',
  check(file, context, report) {
    const use = findToolUse(file, context);
    if (use?.servers.length === 0 && use.isWhole) {
      const names = use.known.tools.map(({ name }) => name);
      for (const entry of use.enabled ?? [])
        if (use.choice.unknown.enabled_tools.includes(entry.name)) reportSkill(file, entry, names, report);
    }
    const steps = skillSteps(file, context);
    if (steps.length === 0) return;
    const available = knownTools(context.project, serversOf(file, context));
    if (!available.isWhole) return;
    const names = new Set(available.tools.flatMap((tool) => namesOf({ name: tool.name, tool })));
    for (const step of steps) if (!names.has(step.name)) reportSkill(file, step, [...names], report);
  },
};

function reportSkill(file: ConfigFile, { name, setting }: NamedEntry, names: readonly string[], report: Report): void {
  const nearest = nearestNames(name, names);
  const remedy = nearest.length > 0 ? didYouMean(nearest) : howToAddTools;
  report({
    ...placeOf(file, setting, 'The skill is named here.'),
    message: `There is no skill ${quoted(name)}: no built-in tool, no declared skill.${remedy}`,
    data: { name, nearest },
  });
}

function serversOf(file: ConfigFile, context: RuleContext): readonly string[] {
  const stack = layersOf(file, context);
  const ids = stack && findSetting(stack, 'client_ids')?.value;
  return Array.isArray(ids) && isObject(file.value) ? ids.filter((id) => typeof id === 'string') : [];
}
