import { splitAgentReference } from '../config/agentReference.js';
import { knownTools } from '../config/knownTools.js';
import { serversIn } from '../config/mcpFiles.js';
import { isObject, type Json, listOf, pointerOf } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { type Label, labels } from '../permits/labels.js';
import { isLabel } from '../permits/policyTerms.js';
import { toolId } from '../permits/subject.js';
import { matchesTool, namesOf } from '../tools/allowedTools.js';
import { listed, quoted } from '../words.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * A name in a policy that nothing in the project has, so that the assertion holds nothing. Silent where a server has not been listed, or a `${VAR}`
 * decides: then it is not known.
 */
export const policyUnknown: Rule = {
  code: 'policy-unknown',
  severity: 'error',
  kinds: ['system'],
  on: 'value',
  check({ value }, context, report) {
    const policy = isObject(value) ? value.policy : undefined;
    if (!isObject(policy)) return;
    const { never, only_after_approval, agents } = policy;
    const tools = toolNames(context);
    for (const [index, flow] of listOf(never).entries()) {
      if (!isObject(flow)) continue;
      checkTerm(flow.from, pointerOf('policy', 'never', index, 'from'), ['untrusted', 'private'], tools, report);
      checkTerm(flow.to, pointerOf('policy', 'never', index, 'to'), ['sends', 'changes', 'destroys', 'runs_code'], tools, report);
    }
    for (const [index, tool] of listOf(only_after_approval).entries())
      checkTerm(tool, pointerOf('policy', 'only_after_approval', index), [], tools, report);
    for (const [name, entry] of Object.entries(isObject(agents) ? agents : {})) {
      checkAgent(name, context, report);
      for (const [index, what] of listOf(isObject(entry) ? entry.may_not : undefined).entries())
        checkTerm(what, pointerOf('policy', 'agents', name, 'may_not', index), labels, tools, report);
    }
  },
};

interface ToolNames {
  /** Whether a tool of this name or pattern exists; undefined while that is not known. */
  readonly has: (term: string) => boolean | undefined;
  /** Those to suggest: by their servers, and by their names alone. */
  readonly ids: readonly string[];
  readonly names: readonly string[];
}

function toolNames({ project }: RuleContext): ToolNames {
  const mcp = project.value('mcp', 'mcp');
  const isReadable = mcp !== undefined || !project.ids('mcp').has('mcp');
  const servers = serversIn('mcp', mcp ?? {}).map(([id]) => id);
  const { tools, unlisted, isWhole } = knownTools(project, servers);
  return {
    has(term) {
      if (tools.some((tool) => matchesTool(term, tool))) return true;
      if (!isReadable) return undefined;
      const at = term.indexOf('/');
      if (at < 0) return isWhole ? false : undefined;
      const server = term.slice(0, at);
      return (server.includes('*') ? unlisted.length > 0 : unlisted.includes(server)) ? undefined : false;
    },
    ids: tools.filter(({ origin }) => origin.type === 'mcp').map(toolId),
    names: [...new Set(tools.flatMap((tool) => namesOf(tool)).filter((name) => !name.includes('/')))],
  };
}

function checkTerm(term: Json | undefined, pointer: string, allowed: readonly Label[], tools: ToolNames, report: Report): void {
  // The schema reports what is not a name.
  if (typeof term !== 'string' || term === '' || term.includes('${')) return;
  if (isLabel(term)) {
    if (allowed.includes(term)) return;
    const what = allowed.length === 0 ? 'a tool' : `${listed(allowed, 'or').replaceAll('"', '')}, or a tool`;
    report({ pointer, message: `The label ${quoted(term)} means nothing here. It takes ${what}.`, data: { name: term, nearest: [] } });
    return;
  }
  if (tools.has(term) !== false) return;
  const nearest = nearestNames(term, term.includes('/') ? tools.ids : [...allowed, ...tools.names]);
  const what = term.includes('*') ? 'that fits' : 'named';
  report({
    pointer,
    message: `The project has no tool ${what} ${quoted(term)}, so this holds nothing.${didYouMean(nearest)}`,
    data: { name: term, nearest },
  });
}

function checkAgent(name: string, { project }: RuleContext, report: Report): void {
  if (name.includes('${') || project.versions(name).length > 0 || project.ids('orchestration').has(name)) return;
  const names = [...project.ids('agent').keys()].map((id) => splitAgentReference(id).name);
  const nearest = nearestNames(name, [...new Set([...names, ...project.ids('orchestration').keys()])]);
  // A task that runs a persona gives it the task's name, which no index keeps.
  const mayBeTask = project.ids('orchestration').size > 0 && project.ids('persona').size > 0;
  report({
    pointer: pointerOf('policy', 'agents', name),
    target: 'key',
    ...(mayBeTask && { severity: 'warning' }),
    message: `There is no agent or orchestration ${quoted(name)}, so this holds nothing${mayBeTask ? ', unless a task with a persona has that name' : ''}.${didYouMean(nearest)}`,
    data: { name, nearest },
  });
}
