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
  /** Of a step of a plan: the steps that have not run by then, it itself among them. */
  readonly later?: readonly string[];
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
  const names = namesOfSteps(steps);
  const scope: Scope = { what: 'step', names, lacks: 'The plan has no step' };
  const upTo = (index: number): Scope => ({ ...scope, later: namesOfSteps(steps.slice(index)) });
  for (const [index, { when, repeat, input, llm }] of steps.entries()) {
    const at = `${pointer}/steps/${index}`;
    const [before, after] = [upTo(index), upTo(index + 1)];
    for (const { task } of comparisonsIn(when, `${at}/when`)) if (task) checkName(task.name, task.pointer, before, report);
    const until = isObject(repeat) ? repeat.until : undefined;
    for (const { task } of comparisonsIn(until, `${at}/repeat/until`)) if (task) checkName(task.name, task.pointer, after, report);
    checkTemplates(input, `${at}/input`, before, report);
    checkTemplates(llm, `${at}/llm`, before, report);
  }
  checkTemplates(plan.output, `${pointer}/output`, scope, report);
}

const nothing: JsonObject = {};

function namesOfSteps(steps: readonly JsonObject[]): readonly string[] {
  return steps.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}

/** A step that is there, but comes too late. Of two steps of one name nobody knows which is meant. */
function comesLater(name: string, { names, later = [] }: Scope): boolean {
  return later.includes(name) && names.indexOf(name) >= names.length - later.length;
}

const tooLate = 'has not run by then: steps run in file order';

function checkName(name: Json | undefined, pointer: string, scope: Scope, report: Report): void {
  const { what, names, lacks, related } = scope;
  if (typeof name !== 'string' || name.includes('${')) return;
  if (comesLater(name, scope)) {
    report({ pointer, message: `The step ${shown(name)} ${tooLate}. Move it up, or look at another.`, data: { step: name, nearest: [] } });
    return;
  }
  if (names.includes(name)) return;
  const nearest = nearestNames(name, names);
  report({
    pointer,
    ...(related && { related }),
    message: `${lacks} ${shown(name)}.${nearest.length > 0 ? didYouMean(nearest) : others(names)}`,
    data: { [what]: name, nearest },
  });
}

/** `{{tasks.name.output}}` or `{{steps.name.output}}` in any text of a value. */
function checkTemplates(value: Json | undefined, pointer: string, scope: Scope, report: Report): void {
  const { what, names, lacks } = scope;
  visitStrings(value, (text, half, segments) => {
    if (half === 'key' || !text.includes('{{')) return;
    for (const { path, segments: parts, start, end } of findTemplatePaths(text)) {
      const [root, name] = parts;
      if (root !== `${what}s` || name === undefined) continue;
      const isLate = comesLater(name, scope);
      if (!isLate && names.includes(name)) continue;
      const nearest = isLate ? [] : nearestNames(name, names);
      const advice = isLate ? ' Move it up, or use another.' : nearest.length > 0 ? didYouMean(nearest) : others(names);
      report({
        pointer: pointer + pointerOf(...segments()),
        within: { start, end },
        message: `${isLate ? `The step ${shown(name)} ${tooLate}` : `${lacks} ${shown(name)}`}, so nothing provides {{${path}}}.${advice}`,
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
