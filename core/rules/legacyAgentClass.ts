import { tasksIn, teamsIn } from '../config/orchestrationParts.js';
import { nearestNames } from '../names.js';
import { quoted } from '../words.js';
import type { Rule } from './rule.js';

/** A task that names a class of a program. Agents are data here: a persona or a file describes what they do. */
export const legacyAgentClass: Rule = {
  code: 'legacy-agent-class',
  severity: 'error',
  kinds: ['orchestration'],
  on: 'value',
  check({ value }, { project }, report) {
    for (const { value: task, pointer } of teamsIn(value).flatMap(tasksIn)) {
      if (!Object.hasOwn(task, 'agent_class')) continue;
      const agentClass = task.agent_class;
      const isWhole = task.persona_key !== undefined || task.agent !== undefined;
      const nearest = typeof agentClass === 'string' ? nearestNames(classNameIn(agentClass), project.ids('persona').keys()) : [];
      const advice = isWhole ? 'Remove it' : 'Use agent_type and persona_key';
      const hint = nearest[0] === undefined || isWhole ? '' : ` The persona ${quoted(nearest[0])} has a similar name.`;
      report({
        pointer: `${pointer}/agent_class`,
        target: 'key',
        message: `agent_class names a class of a program, which no task may. ${advice}: what an agent does is data.${hint}`,
        data: { found: agentClass, nearest, remove: isWhole, agent_type: 'single_shot' },
      });
    }
  },
};

/** The part of `agents.design.SolutionDesignerAgent` that resembles a persona: `SolutionDesigner`. */
function classNameIn(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return name.replace(/(?<=.)Agent$/, '');
}
