import type { ProjectIndex } from '../config/projectIndex.js';
import type { AgentPolicy, ForbiddenFlow, Policy } from '../generated/types.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../json.js';
import { frozenCopy } from './agentTools.js';
import { canonicalJson } from './canonicalJson.js';
import { environmentId } from './collectFragments.js';
import type { Layer, Origin } from './effective.js';
import type { LayeredPolicy } from './types.js';

/**
 * The policy of system.json with that of the environment added: an environment cannot take anything back. An assertion that both have is that of
 * system.json. What does not fit the schema is left out; the rules report it, and runs are refused. Undefined if nothing is asserted.
 */
export function policyOf(project: ProjectIndex, environment_name = project.settings.environment): LayeredPolicy | undefined {
  const never = new Map<string, ForbiddenFlow>();
  const approvals = new Set<string>();
  const agents = new Map<string, Set<string>>();
  const origins = new Map<string, Origin>();
  for (const [layer, id] of [
    ['system', 'system'],
    ['environment', environmentId(environment_name)],
  ] as const) {
    const file = project.ids('system').get(id);
    const written = project.value('system', id)?.policy;
    if (file !== undefined && isObject(written)) add(layer, file, written);
  }
  if (origins.size === 0) return undefined;
  const entries = [...agents].map(([name, may_not]): [string, AgentPolicy] => [name, { may_not: [...may_not] }]);
  const policy = {
    ...(never.size > 0 && { never: [...never.values()] }),
    ...(approvals.size > 0 && { only_after_approval: [...approvals] }),
    ...(entries.length > 0 && { agents: Object.fromEntries(entries) }),
  };
  return { policy: frozenCopy(policy as unknown as Json) as Policy, origins };

  function add(layer: Layer, file: string, written: JsonObject): void {
    const note = (to: string, ...path: (string | number)[]) => {
      origins.set(to, { file, pointer: pointerOf('policy', ...path), layer });
    };
    for (const [index, flow] of listOf(written.never).entries()) {
      const key = canonicalJson(flow);
      if (!isFlow(flow) || never.has(key)) continue;
      note(pointerOf('never', never.size), 'never', index);
      never.set(key, flow);
    }
    for (const [index, tool] of listOf(written.only_after_approval).entries()) {
      if (!isName(tool) || approvals.has(tool)) continue;
      note(pointerOf('only_after_approval', approvals.size), 'only_after_approval', index);
      approvals.add(tool);
    }
    for (const [name, entry] of Object.entries(isObject(written.agents) ? written.agents : {})) {
      if (!isObject(entry)) continue;
      const may_not = agents.get(name) ?? new Set<string>();
      for (const [index, what] of listOf(entry.may_not).entries()) {
        if (!isName(what) || may_not.has(what)) continue;
        note(pointerOf('agents', name, 'may_not', may_not.size), 'agents', name, 'may_not', index);
        agents.set(name, may_not.add(what));
      }
    }
  }
}

function isName(value: Json): value is string {
  return typeof value === 'string' && value !== '';
}

function isFlow(value: Json): value is JsonObject & ForbiddenFlow {
  if (!isObject(value)) return false;
  const { from = null, to = null, without } = value;
  return isName(from) && isName(to) && (without === undefined || without === 'approval');
}
