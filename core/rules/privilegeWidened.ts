import { knownTools } from '../config/knownTools.js';
import { namesOf } from '../config/toolChoice.js';
import { groupBy } from '../groupBy.js';
import { pointerOf } from '../json.js';
import { namesIn, type PermitSubject, type PermittedAgent, type SubjectTool, toolId, toolsOf } from '../permits/subject.js';
import { createOriginLookup } from '../prompt/promptText.js';
import { listed, quoted } from '../words.js';
import { leadsTo, placeOfTool, subjectOf } from './facts/permits.js';
import type { Rule, RuleContext } from './rule.js';

/** An agent that a plan calls, directly or through others, has a tool that `exclude_components` takes away from its caller. */
export const privilegeWidened: Rule = {
  code: 'privilege-widened',
  severity: 'error',
  kinds: ['agent', 'orchestration'],
  on: 'value',
  check(file, context, report) {
    if (file.identity.kind === 'agent' && file.identity.version === undefined) return;
    const isAgent = file.identity.kind === 'agent';
    if (isAgent && !isLimited(context.effective(file))) return;
    if (!isAgent && ![...context.orchestration(file).agents.values()].some(isLimited)) return;
    const subject = subjectOf(file, context);
    for (const [instance, caller] of subject?.agents ?? []) {
      if (subject === undefined || !isLimited(caller) || (isAgent && instance !== subject.name)) continue;
      const find = createOriginLookup(caller.origins);
      for (const [index, entry] of (caller.config.exclude_components ?? []).entries()) {
        const written = find(pointerOf('exclude_components', index));
        // What a task's agent excludes in its own file is a finding of that file.
        if (written.file === null || (!isAgent && written.file !== file.path)) continue;
        const limit = { file: written.file, pointer: written.pointer, message: `${caller.config.agent_name} excludes it here.` };
        const wider = widened(subject, instance, meaningOf(entry, caller, context));
        const placeOf = (tool: SubjectTool) => {
          const { pointer, related } = placeOfTool(file, { subject }, tool, context);
          return isAgent ? { pointer, related: [limit, ...related] } : { pointer: written.pointer, related };
        };
        for (const [pointer, tools] of groupBy(wider, (tool) => placeOf(tool).pointer)) {
          const [{ agent_name }] = tools;
          const ids = [...new Set(tools.map(({ id }) => id))];
          report({
            pointer,
            related: placeOf(tools[0]).related,
            message: `${agent_name} may call ${listed(ids, 'and', 4).replaceAll('"', '')}, which ${caller.config.agent_name} excludes (${quoted(entry)}): an agent must not be able to do more than its caller. Exclude it there too, or take it out of exclude_components.`,
            data: { entry, agent: agent_name, tools: ids },
          });
        }
      }
    }
  },
};

function isLimited({ config }: PermittedAgent): boolean {
  return config.agent_type === 'orchestrating' && (config.exclude_components ?? []).length > 0;
}

function widened(subject: PermitSubject, caller: string, isMeant: (tool: SubjectTool) => boolean): readonly SubjectTool[] {
  return [...subject.agents].flatMap(([instance, agent]) => {
    if (instance === caller || !leadsTo(subject, caller, instance)) return [];
    return toolsOf(instance, agent).filter((tool) => tool.open === undefined && isMeant(tool));
  });
}

/** A name without its server means the tools of the caller's own servers, if they have one of that name. */
function meaningOf(entry: string, { config }: PermittedAgent, { project }: RuleContext): (tool: SubjectTool) => boolean {
  const own = knownTools(project, config.client_ids ?? []).tools.filter((tool) => namesOf({ name: tool.name, tool }).includes(entry));
  const ids = new Set(own.map(toolId));
  return (tool) => (ids.size > 0 ? ids.has(tool.id) : namesIn(tool).includes(entry));
}
