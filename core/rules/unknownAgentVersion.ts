import { splitAgentReference } from '../config/agentReference.js';
import { didYouMean, nearestNames } from '../names.js';
import { listed, quoted } from '../words.js';
import { lacksField, referencesOf } from './referenceRule.js';
import type { Rule } from './rule.js';

/** A task or a step of a plan that names a version its agent does not have. */
export const unknownAgentVersion: Rule = {
  code: 'unknown-agent-version',
  severity: 'error',
  kinds: ['agent', 'persona', 'orchestration', 'system'],
  on: 'value',
  check(file, context, report) {
    if (lacksField(file, 'execution_plan')) return;
    const { project } = context;
    for (const { kind, id, pointer } of referencesOf(file, context)) {
      if (kind !== 'agent' || id.includes('${')) continue;
      const { name, version } = splitAgentReference(id);
      const versions = project.versions(name);
      // An agent without any version is reported by unknown-agent.
      if (version === undefined || versions.length === 0 || versions.includes(version)) continue;
      const similar = nearestNames(version, versions);
      const hint = similar.length > 0 ? didYouMean(similar) : ` It has ${listed(versions)}.`;
      const nearest = similar.length > 0 ? similar : versions.slice(-1);
      report({
        pointer,
        within: { start: name.length + 1, end: id.length },
        message: `The agent ${quoted(name)} has no version ${quoted(version)}.${hint}`,
        data: { id, name, version, versions, nearest: nearest.map((other) => `${name}@${other}`) },
      });
    }
  },
};
