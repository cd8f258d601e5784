import { comparisonsIn, conditionsIn, rulesIn, type TaskPart, type TeamPart, tasksIn, teamsIn } from '../config/orchestrationParts.js';
import type { RelatedPlace } from '../finding.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../json.js';
import { nearestNames, suggest } from '../names.js';
import { findTemplatePaths } from '../prompt/template.js';
import { doneBefore, type WaitingTask, waitsOf } from '../routing/taskWaits.js';
import { quoted } from '../words.js';
import { visitStrings } from './facts/visitStrings.js';
import type { Report, Rule } from './rule.js';

/**
 * A condition, a `depends_on` or a template that names a task its team does not have, or a step its plan does not have. Also one that names a
 * task or step that may not have run by then.
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
    for (const team of teamsIn(value)) {
      const scope = scopeOf(team);
      checkTeam(team, path, scope, report);
      const before = doneBefore(waitsOf(tasksIn(team).flatMap(toWaitingTask)));
      for (const { name, value: task, pointer } of tasksIn(team)) {
        const visibility =
          name !== undefined && before.able.has(name)
            ? {
                seenBy: name,
                sees: (other: string) => before.includes(name, other),
                isSeenBy: (other: string) => before.includes(other, name),
              }
            : {};
        checkTemplates(task.input, `${pointer}/input`, { ...scope, ...visibility }, report);
        if (isObject(task.config)) checkPlan(task.config.execution_plan, `${pointer}/config/execution_plan`, report);
      }
      for (const { value: rule, pointer } of rulesIn(team))
        checkTemplates(rule.context_updates, `${pointer}/context_updates`, scope, report);
    }
  },
};

/** The names among which a name is looked up. */
interface Scope {
  readonly what: 'task' | 'step';
  readonly names: readonly string[];
  /** By name, the index of the first task or step with it. */
  readonly firstOf: ReadonlyMap<string, number>;
  /** The beginning of a message. */
  readonly lacks: string;
  readonly related?: readonly RelatedPlace[];
  /** For a step of a plan: how many of `names` have run by then. */
  readonly done?: number;
  /** For the input of a task: its name, and whether another task is certainly done before it. */
  readonly seenBy?: string;
  readonly sees?: (other: string) => boolean;
  /** Whether it is certainly done before another task. */
  readonly isSeenBy?: (other: string) => boolean;
}

function scopeOf(team: TeamPart): Scope {
  const names = tasksIn(team).flatMap(({ name }) => (name === undefined ? [] : [name]));
  return { what: 'task', names, firstOf: firstIndexes(names), lacks: `The team ${quoted(team.id)} has no task` };
}

/** Empty where its dependencies are not a plain list. */
function toWaitingTask({ name, value }: TaskPart): readonly WaitingTask[] {
  const { depends_on } = value;
  if (name === undefined) return [];
  if (depends_on === undefined) return [{ name }];
  return Array.isArray(depends_on) ? [{ name, depends_on: depends_on.filter((name: Json) => typeof name === 'string') }] : [];
}

function checkTeam(team: TeamPart, file: string, names: Scope, report: Report): void {
  const place = { file, pointer: `${team.pointer}/tasks`, target: 'key', message: 'The tasks of the team are here.' } as const;
  const scope: Scope = { ...names, related: [place] };
  for (const { name: seenBy, value, pointer } of tasksIn(team)) {
    const own: Scope = seenBy === undefined ? scope : { ...scope, seenBy };
    for (const [index, name] of listOf(value.depends_on).entries()) {
      checkName(name, `${pointer}/depends_on/${index}`, own, report);
    }
  }
  for (const { task } of conditionsIn(team)) if (task !== undefined) checkName(task.name, task.pointer, scope, report);
}

function checkPlan(plan: Json | undefined, pointer: string, report: Report): void {
  if (!isObject(plan)) return;
  const steps = listOf(plan.steps).map((step) => (isObject(step) ? step : noStep));
  const names = namesOfSteps(steps);
  const scope: Scope = { what: 'step', names, firstOf: firstIndexes(names), lacks: 'The plan has no step' };
  let done = 0;
  for (const [index, { name, when, repeat, input, llm }] of steps.entries()) {
    const at = `${pointer}/steps/${index}`;
    const before: Scope = { ...scope, done };
    if (typeof name === 'string') done += 1;
    const after: Scope = { ...scope, done };
    for (const { task } of comparisonsIn(when, `${at}/when`)) if (task) checkName(task.name, task.pointer, before, report);
    const until = isObject(repeat) ? repeat.until : undefined;
    for (const { task } of comparisonsIn(until, `${at}/repeat/until`)) if (task) checkName(task.name, task.pointer, after, report);
    checkTemplates(input, `${at}/input`, before, report);
    checkTemplates(llm, `${at}/llm`, before, report);
  }
  checkTemplates(plan.output, `${pointer}/output`, scope, report);
}

const noStep: JsonObject = {};

function namesOfSteps(steps: readonly JsonObject[]): readonly string[] {
  return steps.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}

function firstIndexes(names: readonly string[]): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>();
  for (const [index, name] of names.entries()) if (!indexes.has(name)) indexes.set(name, index);
  return indexes;
}

/** Whether a step comes too late. Of steps with the same name, the first counts. */
function comesLater(name: string, { firstOf, done }: Scope): boolean {
  const first = firstOf.get(name);
  return first !== undefined && done !== undefined && first >= done;
}

const tooLate = 'has not run by then: steps run in file order';

function checkName(name: Json | undefined, pointer: string, scope: Scope, report: Report): void {
  const { what, names, firstOf, lacks, related } = scope;
  if (typeof name !== 'string' || name.includes('${')) return;
  if (comesLater(name, scope)) {
    report({
      pointer,
      message: `The step ${quoted(name)} ${tooLate}. Move it up, or use another.`,
      data: { step: name, nearest: [], late: true },
    });
    return;
  }
  if (firstOf.has(name)) return;
  const nearest = nearestNames(name, names);
  report({
    pointer,
    ...(related && { related }),
    message: `${lacks} ${quoted(name)}.${suggest(nearest, names)}`,
    data: { [what]: name, nearest, ...(nearest.length === 0 && { others: othersOf(scope) }) },
  });
}

/** `{{tasks.name.output}}` or `{{steps.name.output}}` in any text of a value. */
function checkTemplates(value: Json | undefined, pointer: string, scope: Scope, report: Report): void {
  const { what, names, firstOf, lacks } = scope;
  visitStrings(value, (text, half, segments) => {
    if (half === 'key' || !text.includes('{{')) return;
    for (const { path, segments: parts, start, end } of findTemplatePaths(text)) {
      const [root, name] = parts;
      if (root !== `${what}s` || name === undefined) continue;
      const late = lateness(name, scope);
      if (late === undefined && firstOf.has(name)) continue;
      const nearest = late ? [] : nearestNames(name, names);
      const pathTo = (other: string) => [root, other, ...parts.slice(2)].join('.');
      const advice = late ? ` ${late.advice}` : suggest(nearest, names);
      report({
        pointer: pointer + pointerOf(...segments()),
        within: { start, end },
        message: `${late?.words ?? `${lacks} ${quoted(name)}`}, so nothing provides {{${path}}}.${advice}`,
        data: {
          [what]: name,
          path,
          nearest: nearest.map(pathTo),
          ...(nearest.length === 0 && late === undefined && { others: othersOf(scope).map(pathTo) }),
          start,
          end,
          ...(late && { late: late.canWait }),
        },
      });
    }
  });
}

/** The names that can be used here. */
function othersOf({ names, done, seenBy, sees }: Scope): readonly string[] {
  return [...new Set(names.slice(0, done))].filter((name) => name !== seenBy && sees?.(name) !== false);
}

interface Lateness {
  readonly words: string;
  readonly advice: string;
  /** Whether the order can be changed: the step moved up, the task waited for. */
  readonly canWait: boolean;
}

/** Why a template may not use a task or step that exists. */
function lateness(name: string, scope: Scope): Lateness | undefined {
  if (comesLater(name, scope))
    return { words: `The step ${quoted(name)} ${tooLate}`, advice: 'Move it up, or use another.', canWait: true };
  const { firstOf, sees, seenBy, isSeenBy } = scope;
  if (sees === undefined || !firstOf.has(name) || sees(name)) return undefined;
  if (name === seenBy)
    return { words: `The task ${quoted(name)} has not run when its own input is made`, advice: 'Use another.', canWait: false };
  const words = `The task ${quoted(seenBy)} does not wait for ${quoted(name)}`;
  if (isSeenBy?.(name)) return { words: `${words}, which waits for it`, advice: 'Use another.', canWait: false };
  return { words, advice: 'Add it to depends_on.', canWait: true };
}
