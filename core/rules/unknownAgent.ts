import { findAgent, splitAgentReference } from '../config/agentReference.js';
import { didYouMean, nearestNames } from '../names.js';
import { quoted } from '../words.js';
import { knownNames, lacksField, referencesOf } from './referenceRule.js';
import type { Rule, RuleContext } from './rule.js';

/** A task, a step of a plan, a section of system.json or a folder of payloads that names an agent that does not exist. */
export const unknownAgent: Rule = {
  code: 'unknown-agent',
  severity: 'error',
  kinds: ['agent', 'persona', 'orchestration', 'system', 'payload'],
  on: 'value',
  check(file, context, report) {
    if (lacksField(file, 'execution_plan')) return;
    const { project } = context;
    let names: ReadonlyMap<string, string> | undefined;
    for (const { kind, id, pointer } of referencesOf(file, context)) {
      if (kind !== 'agent' || id.includes('${')) continue;
      const { name, version } = splitAgentReference(id);
      if (project.versions(name).length > 0) continue;
      // An orchestration has cases too, and judges are reported by expectation-unknown.
      if (file.identity.kind === 'payload' && (pointer !== '' || project.ids('orchestration').has(name))) continue;
      const isSection = file.identity.kind === 'system' && pointer.split('/').length === 3 && pointer.startsWith('/agents/');
      names ??= namesOf(context);
      const nearest = nearestNames(name, names.keys());
      // An agent made from a persona has the name of its task, and tasks are in other files: then only a likely misspelling is reported.
      const mayBeTask = isSection && project.ids('orchestration').size > 0;
      if (mayBeTask && nearest.length === 0) continue;
      report({
        pointer,
        ...(isSection && { target: 'key' }),
        ...(mayBeTask && { severity: 'warning' }),
        ...(version !== undefined && { within: { start: 0, end: name.length } }),
        message: `There is no agent ${quoted(name)}.${nearest.length > 0 ? didYouMean(nearest) : knownNames(names)}`,
        data: { id, nearest: nearest.map((other) => referenceTo(other, version, context)) },
      });
    }
  },
};

function namesOf({ project }: RuleContext): ReadonlyMap<string, string> {
  return new Map([...project.ids('agent')].map(([id, path]) => [splitAgentReference(id).name, path]));
}

/** The other agent in the form of the reference: in the same version if it has that, else in its newest. */
function referenceTo(name: string, version: string | undefined, { project }: RuleContext): string {
  if (version === undefined) return name;
  const same = findAgent(project, `${name}@${version}`) ?? findAgent(project, name);
  return same?.id ?? name;
}
