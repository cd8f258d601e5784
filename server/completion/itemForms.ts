import { CompletionItemKind } from 'vscode-languageserver';
import type { SchemaPlace } from '../schemaDocs.js';
import { partValues } from './conditions.js';
import { type Draft, json, list, object, openObject, raw, text } from './draft.js';
import { expecting, subjectOf } from './expectations.js';
import { partNames, planAt } from './outputs.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';

/** Forms for a whole task, rule, step, condition or example where one may begin. */
export function itemForms(spot: Spot, places: readonly SchemaPlace[]): readonly Suggestion[] {
  const { path, kind } = spot;
  const isItem = typeof path.at(-1) === 'number';
  const listName = isItem ? path.at(-2) : undefined;
  const isCondition = places.some(({ definition }) => definition === 'condition' || definition === 'condition_term');
  if (isCondition) return conditionForms(spot);
  if (places.some(({ definition }) => definition === 'argument_condition' || definition === 'argument_term'))
    return [form('argument', expectationForm, 'an argument of the call has a value')];
  if (places.some(({ definition }) => expecting.has(definition))) return expectationForms(spot);
  if (kind === 'payload' && listName === 'turns') return [form('turn', turnForm, 'an input and what is expected of the answer to it')];
  if (kind === 'payload' && listName === 'cases') return [form('case', caseForm(spot), 'an input and what is expected of the answer')];
  if (kind === 'orchestration' && path[0] === 'teams' && path.length === 4 && listName === 'tasks') return taskForms(spot);
  if (kind === 'orchestration' && listName === 'rules' && path.length === 5) return ruleForms(spot);
  if (listName === 'steps' && path.at(-3) === 'execution_plan') return stepForms(spot);
  if (kind === 'prompt' && listName === 'few_shot_examples') return [form('example', exampleForm, 'an input and the answer it should get')];
  if ((kind === 'mcp' || kind === 'vscodeMcp') && listName === 'inputs') return inputForms;
  return [];
}

/** A task with the first agent of the project. */
export function taskForm({ project }: Spot): Draft {
  const [agent = 'Agent@v1'] = project.index.ids('agent').keys();
  return object(['name', text('task')], ['agent', text(agent)]);
}

/** A team with one task, after which the run ends. */
export function teamForm(spot: Spot, name: string): Draft {
  return object(['name', text(name)], ['tasks', list(taskForm(spot))], ['routing', object(['default', raw('null')])]);
}

function taskForms(spot: Spot): readonly Suggestion[] {
  const [persona] = spot.project.index.ids('persona').keys();
  const ofPersona = object(['name', text('task')], ['agent_type', json('single_shot')], ['persona_key', text(persona ?? 'persona')]);
  return [
    form('task with an agent', taskForm(spot), 'a whole agent file'),
    form('task with a persona', ofPersona, 'a persona with this task as its name'),
  ];
}

function ruleForms(spot: Spot): readonly Suggestion[] {
  const [task = 'task'] = partNames(spot);
  const comparison = object(['task', text(task)], ['output_field', text('field')], ['operator', json('equals')], ['value', text()]);
  const rule = (condition: Draft) => object(['condition', condition], ['next_team', raw('null')]);
  return [
    form('rule on an output', rule(comparison), 'when a field of a task has a value'),
    form('rule on a failure', rule(object(['task', text(task)], ['status', json('failure')])), 'when a task did not complete'),
    form(
      'rule on the context',
      rule(object(['context_field', text('field')], ['operator', json('exists')])),
      'when the context has a field',
    ),
  ];
}

function conditionForms(spot: Spot): readonly Suggestion[] {
  const part = planAt(spot.path) === undefined ? 'task' : 'step';
  const [name = part] = partNames(spot);
  const comparison = object([part, text(name)], ['output_field', text('field')], ['operator', text('equals')], ['value', text()]);
  const onContext = object(['context_field', text('field')], ['operator', text('equals')], ['value', text()]);
  return [
    form('output condition', comparison, `a field of a ${part}'s output`),
    form('status condition', object([part, text(name)], ['status', json('success')]), `how a ${part} ended`),
    form('context condition', onContext, 'a field of the context'),
    form('any of several', object(['any', list(comparison)]), 'at least one must hold'),
  ];
}

/** A field of the answer with a value. */
export const expectationForm: Draft = object(['output_field', text('field')], ['operator', json('equals')], ['value', text()]);

/** A turn of a conversation. */
export const turnForm: Draft = object(['input', openObject], ['expect', list(expectationForm)]);

/** A case of a data set. */
export function caseForm(spot: Spot): Draft {
  const inputField = subjectOf(spot)?.kind === 'orchestration' ? 'context' : 'input';
  return object(['name', text('case')], [inputField, openObject], ['expect', list(expectationForm)]);
}

function expectationForms(spot: Spot): readonly Suggestion[] {
  const isFlow = subjectOf(spot)?.kind === 'orchestration';
  const compared = [
    ['operator', json('equals')],
    ['value', text()],
  ] as const;
  const [task = 'task'] = partValues(spot).map(({ label }) => label);
  return [
    isFlow
      ? form('answer of a task', object(['task', text(task)], ['output_field', text('field')], ...compared), 'a field of it has a value')
      : form('answer', expectationForm, 'a field of it has a value'),
    form(
      'judge',
      object(['judge', text('Judge')], ['output_field', text('verdict')], ...compared),
      'the verdict of another agent on the answer',
    ),
    form('cost', object(['measure', json('cost_usd')], ['operator', json('less_than')], ['value', raw('0.01')]), 'maximum USD per run'),
    form('any of several', object(['any', list(expectationForm)]), 'at least one must hold'),
  ];
}

function stepForms({ project }: Spot): readonly Suggestion[] {
  const [agent = 'Agent@v1'] = project.index.ids('agent').keys();
  return [
    form('llm step', stepForm, "a prompt for the agent's own model"),
    form('agent step', object(['name', text('step')], ['agent', text(agent)], ['input', openObject]), 'another agent'),
    form('skill step', object(['name', text('step')], ['skill', text('skill')], ['input', openObject]), 'a tool'),
  ];
}

export const stepForm: Draft = object(['name', text('step')], ['llm', text('Summarise: {{input}}')]);

export const exampleForm: Draft = object(['input', object([text('text'), text()])], ['output', object([text('field'), text()])]);

const inputForms: readonly Suggestion[] = [
  form(
    'typed in',
    object(['id', text('token')], ['type', json('promptString')], ['description', text()], ['password', json(true)]),
    'prompted for, stored as a secret',
  ),
  form(
    'chosen',
    object(['id', text('stage')], ['type', json('pickString')], ['options', list(text('staging'), text('production'))]),
    'one of several',
  ),
];

function form(label: string, value: Draft, detail: string): Suggestion {
  return { type: 'value', label, value, kind: CompletionItemKind.Snippet, detail, rank: 2 };
}
