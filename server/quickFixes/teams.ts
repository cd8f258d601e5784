import { tasksIn, teamsIn } from '../../core/config/orchestrationParts.js';
import type { PlacedFinding } from '../../core/finding.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf, valueAt } from '../../core/json.js';
import type { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { editJson } from '../edits/fileChange.js';
import { createFileFix } from './createFile.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { editFix, guesses, mostProposals, replaceFixes, textIn, textsIn } from './support.js';

/** Adds a team that a route names: with a task copied from another team, after which the run ends. */
export function addTeamFix(context: FixContext, team: string): Fix | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(team)) return undefined;
  const tasks = teamsIn(context.file.value).flatMap(tasksIn);
  const [agent] = context.project.index.ids('agent').keys();
  const [persona] = context.project.index.ids('persona').keys();
  const example = tasks.find(({ value }) => typeof value.agent === 'string' || typeof value.persona_key === 'string')?.value;
  const work: JsonObject | undefined =
    example !== undefined
      ? {
          ...(typeof example.agent === 'string'
            ? { agent: example.agent }
            : { agent_type: example.agent_type ?? 'single_shot', persona_key: example.persona_key ?? '' }),
        }
      : agent !== undefined
        ? { agent }
        : persona === undefined
          ? undefined
          : { agent_type: 'single_shot', persona_key: persona };
  if (work === undefined) return undefined;
  const value: JsonObject = { name: team, tasks: [{ name: 'work', ...work }], routing: { default: null } };
  return editFix(context, `Add the team ${JSON.stringify(team)}`, (edit) => edit.set(pointerOf('teams', team), value));
}

/** Replaces the entry with an existing team, or adds the team. */
export const entryTeamUnknown: QuickFix = {
  code: 'entry-team-unknown',
  fixes(finding, context) {
    const nearest = textsIn(finding, 'nearest');
    const first = teamsIn(context.file.value)
      .slice(0, 1)
      .map(({ id }) => id);
    const add = addTeamFix(context, textIn(finding, 'team') ?? '');
    return [...replaceFixes(context, finding.pointer, nearest.length > 0 ? nearest : first), ...(add === undefined ? [] : [add])];
  },
};

/** Replaces an unknown next team with an existing one, adds the team, or ends the run there, which is preferred if the name means that. */
export const nextTeamUnknown: QuickFix = {
  code: 'next-team-unknown',
  fixes(finding, context) {
    const add = addTeamFix(context, textIn(finding, 'team') ?? '');
    const ends = finding.data?.ends === true;
    const end = editFix(context, 'End the run here (null)', (edit) => edit.replace(finding.pointer, null), ends);
    const others = [...replaceFixes(context, finding.pointer, textsIn(finding, 'nearest')), ...(add === undefined ? [] : [add])];
    return ends ? [end, ...others] : [...others, end];
  },
};

/** Replaces an unknown task or step with a similar one, else with one of the others. One that comes too late is waited for, or moved up. */
export const taskUnknown: QuickFix = {
  code: 'task-unknown',
  fixes(finding, context) {
    const { pointer, data = {} } = finding;
    const { start, end } = data;
    if (data.late !== undefined) return data.late === true ? orderFixes(finding, context) : [];
    const nearest = textsIn(finding, 'nearest');
    if (typeof start !== 'number' || typeof end !== 'number')
      return nearest.length > 0
        ? replaceFixes(context, pointer, nearest)
        : guesses(replaceFixes(context, pointer, textsIn(finding, 'others')));
    const fixes = [...nearest, ...textsIn(finding, 'others')].slice(0, mostProposals).map((path) => {
      const change = (edit: JsonEdit) => edit.replaceWithin(pointer, 'value', { start, end }, `{{${path}}}`);
      return editFix(context, `Change to {{${path}}}`, change, nearest.length === 1);
    });
    return nearest.length > 0 ? fixes : guesses(fixes);
  },
};

/** Makes a task wait for the one that it reads, or moves a step before the first one that reads it. */
function orderFixes(finding: PlacedFinding, context: FixContext): readonly Fix[] {
  const { pointer } = finding;
  const { value } = context.file;
  const [, steps, at] = /^(.*\/execution_plan\/steps)\/(\d+)\//.exec(pointer) ?? [];
  if (steps !== undefined) {
    const list = listOf(valueAt(value, steps));
    const named = list.findIndex((step) => isObject(step) && step.name === textIn(finding, 'step'));
    const place = `${steps}/${named}`;
    // A step that reads its own output, or that reads what comes between, would be too late there itself.
    const between = list.slice(Number(at), named).flatMap((step) => (isObject(step) && typeof step.name === 'string' ? [step.name] : []));
    const step = JSON.stringify(list[named] ?? null);
    if (named <= Number(at) || between.some((name) => step.includes(name))) return [];
    const before = list[Number(at)];
    const title = `Move the step ${JSON.stringify(textIn(finding, 'step'))} before ${isObject(before) ? JSON.stringify(before.name) : at}`;
    return [editFix(context, title, (edit) => edit.insertItem(steps, edit.rawOf(place), Number(at)).remove(place))];
  }
  const name = textIn(finding, 'task') ?? '';
  const team = teamsIn(value).find((part) => pointer.startsWith(`${part.pointer}/`));
  const task = team && tasksIn(team).find((part) => pointer.startsWith(`${part.pointer}/`));
  if (task === undefined) return [];
  const list = `${task.pointer}/depends_on`;
  const add = (edit: JsonEdit) => (edit.has(list) ? edit.insertItem(list, name) : edit.set(list, [name], { after: ['agent', 'name'] }));
  return [editFix(context, `Add ${JSON.stringify(name)} to depends_on`, add, true)];
}

/** Adds a rule for a case that no rule matches, or a default. Both end the run; only the author knows a better target. */
export const routingNotExhaustive: QuickFix = {
  code: 'routing-not-exhaustive',
  fixes({ pointer, data = {} }, context) {
    const rules = `${pointer}/rules`;
    const condition = data.condition as Json | undefined;
    const addDefault = editFix(
      context,
      'Add a default that ends the run',
      (edit) => edit.set(`${pointer}/default`, null, { after: ['rules'] }),
      true,
    );
    if (condition === undefined || !Array.isArray(valueAt(context.file.value, rules))) return [addDefault];
    return [
      addDefault,
      editFix(context, 'Add a rule for this case that ends the run', (edit) => edit.insertItem(rules, { condition, next_team: null })),
    ];
  },
};

/** Replaces `agent_class` with a persona: one with a similar name, or a new one. */
export const legacyAgentClass: QuickFix = {
  code: 'legacy-agent-class',
  fixes(finding, context) {
    const { pointer, data = {} } = finding;
    const task = parentPointer(pointer) ?? '';
    const remove = editFix(context, 'Remove agent_class', (edit) => edit.remove(pointer), data.remove === true);
    if (data.remove === true) return [remove];
    const take = (persona: string) => (edit: JsonEdit) => {
      edit.rename(pointer, 'persona_key').replace(pointer, persona);
      if (valueAt(context.file.value, `${task}/agent_type`) === undefined)
        edit.set(`${task}/agent_type`, textIn(finding, 'agent_type') ?? 'single_shot', { after: ['name'] });
    };
    const nearest = textsIn(finding, 'nearest');
    const fixes: Fix[] = nearest.map((persona) =>
      editFix(context, `Use the persona ${JSON.stringify(persona)}`, take(persona), nearest.length === 1),
    );
    const persona = personaName(textIn(finding, 'found') ?? '');
    const create = createFileFix(context.project, 'persona', persona);
    if (create !== undefined)
      fixes.push({
        title: `Use a new persona ${JSON.stringify(persona)}`,
        changes: async () => [...editJson(context.project, context.file.path, take(persona)), ...(await create.changes())],
      });
    return fixes;
  },
};

/** `agents.design.SolutionDesignerAgent` is `solution_designer`. */
function personaName(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1).replace(/(?<=.)Agent$/, '');
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .toLowerCase();
}
