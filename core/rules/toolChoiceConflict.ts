import { isObject, type Json, listOf } from '../json.js';
import { quoted } from '../words.js';
import { fragmentsIn } from './facts/agentFragments.js';
import type { Rule } from './rule.js';

/** A tool that is both enabled and excluded, or tools of an agent whose type calls none. */
export const toolChoiceConflict: Rule = {
  code: 'tool-choice-conflict',
  severity: 'warning',
  kinds: ['agent', 'persona', 'system', 'orchestration'],
  on: 'value',
  check(file, context, report) {
    for (const { value, pointer } of fragmentsIn(file)) {
      const excluded = listOf(value.exclude_components);
      for (const [index, name] of listOf(value.enabled_tools).entries()) {
        const excludedAt = typeof name === 'string' ? excluded.indexOf(name as Json) : -1;
        if (excludedAt < 0) continue;
        report({
          pointer: `${pointer}/enabled_tools/${index}`,
          related: [{ file: file.path, pointer: `${pointer}/exclude_components/${excludedAt}`, message: 'It is excluded here.' }],
          message: `${quoted(name)} is enabled here and excluded in exclude_components, which wins: the agent does not get it. Keep one of the two.`,
          data: { excluded: `${pointer}/exclude_components/${excludedAt}` },
        });
      }
    }
    if (file.identity.kind !== 'agent' || !isObject(file.value)) return;
    const field = (['enabled_tools', 'client_ids'] as const).find((name) => isObject(file.value) && listOf(file.value[name]).length > 0);
    if (field === undefined) return;
    const { config, problems } = context.effective(file);
    // For an incomplete agent, effective-config-incomplete proposes the type.
    if (config.agent_type !== 'single_shot' || problems.some(({ data }) => data?.agent_type !== undefined)) return;
    report({
      pointer: `/${field}`,
      target: 'key',
      message: `A single_shot agent calls no tools, so ${field} has no effect. Give it "agent_type": "react", or remove ${field}.`,
      data: { agent_type: 'react' },
    });
  },
};
