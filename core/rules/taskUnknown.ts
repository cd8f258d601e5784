import { comparisonsIn, conditionsIn, type TeamPart, tasksIn, teamsIn } from '../config/orchestrationParts.js';
import type { RelatedPlace } from '../finding.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { findTemplatePaths } from '../prompt/template.js';
import type { Report, Rule } from './rule.js';
import { visitStrings } from './support/visitStrings.js';
import { listed, shown } from './support/words.js';

/**
 * A condition, a `depends_on` or a template that names a task its team does not have, or a step its plan does not have. Templates may look
 * at tasks of teams that ran before, so there a task of any team will do.
 */
export const taskUnknown: Rule = {
  code: 'task-unknown',
  severity: 'error',
  kinds: ['orchestration', 'agent', 'persona'],
  on: 'value',
  check({ identity, path, value }, _context, report) {
    if (!isObject(value)) return;
    if (identity.kind !== 'orchestration') {
      checkPlan(value.execution_plan, '/execution_plan', report);
      return;
    }
    const teams = teamsIn(value);
    const everywhere: Scope = { what: 'task', names: teams.flatMap(namesIn), lacks: 'No team has a task' };
    for (const team of teams) {
      checkTeam(team, path, report);
      for (const { value: task, pointer } of tasksIn(team)) {
        checkTemplates(task.input, `${pointer}/input`, everywhere, report);
        if (isObject(task.config)) checkPlan(task.config.execution_plan, `${pointer}/config/execution_plan`, report);
      }
      const rules =
        isObject(team.value.routing) && Array.isArray(team.value.routing.rules) ? (team.value.routing.rules as readonly Json[]) : [];
      for (const [index, rule] of rules.entries()) {
        if (!isObject(rule)) continue;
        checkTemplates(rule.context_updates, `${team.pointer}/routing/rules/${index}/context_updates`, everywhere, report);
      }
    }
  },
};

/** Where a name is looked up. */
interface Scope {
  readonly what: 'task' | 'step';
  readonly names: readonly string[];
  /** How a message begins. */
  readonly lacks: string;
  readonly related?: readonly RelatedPlace[];
}

function checkTeam(team: TeamPart, file: string, report: Report): void {
  const scope: Scope = {
    what: 'task',
    names: namesIn(team),
    lacks: `The team ${shown(team.id)} has no task`,
    related: [{ file, pointer: `${team.pointer}/tasks`, target: 'key', message: 'The tasks of the team are here.' }],
  };
  for (const { value, pointer } of tasksIn(team)) {
    for (const [index, name] of (Array.isArray(value.depends_on) ? (value.depends_on as readonly Json[]) : []).entries()) {
      checkName(name, `${pointer}/depends_on/${index}`, scope, report);
    }
  }
  for (const { task } of conditionsIn(team)) if (task !== undefined) checkName(task.name, task.pointer, scope, report);
}

function checkPlan(plan: Json | undefined, pointer: string, report: Report): void {
  if (!isObject(plan)) return;
  const steps = (Array.isArray(plan.steps) ? (plan.steps as readonly Json[]) : []).map((step) => (isObject(step) ? step : nothing));
  const names = steps.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  const scope: Scope = { what: 'step', names, lacks: 'The plan has no step' };
  for (const [index, { when, repeat, input, llm }] of steps.entries()) {
    const at = `${pointer}/steps/${index}`;
    const tests = [
      ...comparisonsIn(when, `${at}/when`),
      ...comparisonsIn(isObject(repeat) ? repeat.until : undefined, `${at}/repeat/until`),
    ];
    for (const { task } of tests) if (task !== undefined) checkName(task.name, task.pointer, scope, report);
    checkTemplates(input, `${at}/input`, scope, report);
    checkTemplates(llm, `${at}/llm`, scope, report);
  }
  checkTemplates(plan.output, `${pointer}/output`, scope, report);
}

const nothing: JsonObject = {};

function checkName(name: Json | undefined, pointer: string, { what, names, lacks, related }: Scope, report: Report): void {
  if (typeof name !== 'string' || name.includes('${') || names.includes(name)) return;
  const nearest = nearestNames(name, names);
  report({
    pointer,
    ...(related && { related }),
    message: `${lacks} ${shown(name)}.${nearest.length > 0 ? didYouMean(nearest) : others(names)}`,
    data: { [what]: name, nearest },
  });
}

/** `{{tasks.name.output}}` or `{{steps.name.output}}` in any text of a value. */
function checkTemplates(value: Json | undefined, pointer: string, { what, names, lacks }: Scope, report: Report): void {
  visitStrings(value, (text, half, segments) => {
    if (half === 'key' || !text.includes('{{')) return;
    for (const { path, segments: parts, start, end } of findTemplatePaths(text)) {
      const [root, name] = parts;
      if (root !== `${what}s` || name === undefined || names.includes(name)) continue;
      const nearest = nearestNames(name, names);
      report({
        pointer: pointer + pointerOf(...segments()),
        within: { start, end },
        message: `${lacks} ${shown(name)}, so nothing provides {{${path}}}.${nearest.length > 0 ? didYouMean(nearest) : others(names)}`,
        data: { [what]: name, path, nearest: nearest.map((other) => [root, other, ...parts.slice(2)].join('.')), start, end },
      });
    }
  });
}

function others(names: readonly string[]): string {
  return names.length === 0 ? '' : ` There ${names.length === 1 ? 'is' : 'are'} ${listed([...new Set(names)], 'and', 5)}.`;
}

function namesIn(team: TeamPart): readonly string[] {
  return tasksIn(team).flatMap(({ name }) => (name === undefined ? [] : [name]));
}
