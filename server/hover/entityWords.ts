import { tasksIn, teamsIn } from '../../core/config/orchestrationParts.js';
import { isObject, type Json, valueAt } from '../../core/json.js';
import type { FeatureContext } from '../feature.js';
import { type FileView, viewOf } from '../names/fileView.js';
import type { Occurrence } from '../occurrences.js';
import { preview } from '../preview.js';
import { teamCostWords } from './costWords.js';
import { shownValue } from './fieldWords.js';
import { fileWords, serverWords } from './fileWords.js';
import { type Block, line, list, type Part } from './hoverText.js';
import { codes } from './modelWords.js';
import { serverToolWords } from './toolWords.js';
import { usageWords } from './usageWords.js';

/** The meaning of a name. */
export async function entityWords(occurrence: Occurrence, view: FileView, context: FeatureContext): Promise<readonly Block[]> {
  const { entity, leadsTo } = occurrence;
  const { project } = view;
  switch (entity.kind) {
    case 'agent':
    case 'agent-version':
    case 'prompt':
    case 'prompt-version':
    case 'llm':
    case 'persona':
      // Its own name needs no explanation.
      return leadsTo === undefined || leadsTo === occurrence.path ? [] : fileWords(leadsTo, project);
    case 'mcp':
      return [...(occurrence.isDeclaration ? [] : serverWords(entity.name, project)), ...serverToolWords(entity.name, project)];
    case 'team': {
      const home = homeOf(entity.file, view);
      return [...teamWords(home, entity.name), ...(await teamCostWords(home, entity.name))];
    }
    case 'task':
      return taskWords(homeOf(entity.file, view), entity.team, entity.name);
    case 'step': {
      const plan = valueAt(view.value, entity.plan);
      const steps = isObject(plan) && Array.isArray(plan.steps) ? (plan.steps as readonly Json[]) : [];
      const step = steps.find((candidate) => isObject(candidate) && candidate.name === entity.name);
      return [line({ strong: entity.name }, ' (step)', ...runWords(step))];
    }
    case 'field':
      return [...schemaWords(occurrence, view, entity.pointer), ...(await usageWords(entity, project, context))];
    case 'enum-value': {
      const field = fieldNameIn(entity.list);
      return [line({ strong: entity.name }, ' (value of ', { code: field }, ')'), ...(await usageWords(entity, project, context))];
    }
    case 'input-key':
      return [...inputWords(occurrence, view), ...(await usageWords(entity, project, context))];
    // Their descriptions are right beside them.
    case 'mcp-input':
    case 'definition':
    case 'skill':
    case 'orchestration':
    case 'environment':
      return [];
    case 'context-key': {
      const { context: initial } = homeOf(entity.file, view).value;
      const first = isObject(initial) && Object.hasOwn(initial, entity.name) ? initial[entity.name] : undefined;
      const begins: Part[] = first === undefined ? [', set by a context_updates'] : [', at first ', { code: shownValue(first) }];
      return [line({ strong: entity.name }, ' (context)', ...begins, '.'), ...(await usageWords(entity, project, context))];
    }
  }
}

/** The orchestration that a case names a part of, or the file itself. */
function homeOf(path: string, view: FileView): FileView {
  const document = path === view.file.path ? undefined : view.project.documentAt(path);
  return (document && viewOf(document, view.project)) ?? view;
}

function teamWords(view: FileView, name: string): readonly Block[] {
  const team = teamsIn(view.value).find(({ id }) => id === name);
  if (team === undefined) return [line('There is no team ', { code: name }, '.')];
  const title = typeof team.value.name === 'string' ? ` ${preview(team.value.name)}` : '';
  const tasks = tasksIn(team).map((task): Part[] => [{ code: task.name ?? '' }, ...runWords(task.value)]);
  return [line({ strong: name }, ` (team)${title}`), ...(tasks.length > 0 ? [list(tasks.slice(0, 12))] : [])];
}

function taskWords(view: FileView, team: string, name: string): readonly Block[] {
  const part = teamsIn(view.value).find(({ id }) => id === team);
  const task = part && tasksIn(part).find((candidate) => candidate.name === name);
  if (task === undefined) return [line('The team ', { code: team }, ' has no task ', { code: name }, '.')];
  return [line({ strong: name }, ' (task of ', { code: team }, ')', ...runWords(task.value))];
}

/** What a task or step runs. */
function runWords(value: Json | undefined): readonly Part[] {
  if (!isObject(value)) return [];
  const field = ['agent', 'persona_key', 'skill'].find((key) => typeof value[key] === 'string');
  if (field !== undefined) return [`: ${field === 'persona_key' ? 'persona' : field} `, { code: preview(String(value[field]), 60) }];
  return typeof value.llm === 'string' ? [': a prompt to the model of the agent'] : [];
}

function schemaWords({ entity, path, document }: Occurrence, view: FileView, pointer: string): readonly Block[] {
  if (entity.kind !== 'field') return [];
  const owner = entity.file === path ? view : otherView(entity.file, view);
  const schema = valueAt(owner?.value, pointer);
  const from: Part[] = entity.file === document.path ? [] : [' of ', { code: entity.file }];
  const head = (type: string) => line({ strong: entity.name }, ` (output field${type === '' ? '' : `, ${type}`})`, ...from);
  if (!isObject(schema)) return [line({ strong: entity.name }, ' (output field)', ...from, ': no output schema declares it.')];
  const types = [schema.type].flat().filter((type) => typeof type === 'string');
  const values = Array.isArray(schema.enum)
    ? schema.enum.map((value: Json) => (typeof value === 'string' ? value : JSON.stringify(value)))
    : [];
  const defaults = owner?.value.defaults;
  const fallback =
    isObject(defaults) && Object.hasOwn(defaults, entity.name) && isRoot(pointer, entity.schema) ? defaults[entity.name] : undefined;
  return [
    head(types.join(' or ')),
    ...(typeof schema.description === 'string' ? [line(preview(schema.description, 400))] : []),
    ...(values.length > 0 ? [line('One of ', ...codes(values), '.')] : []),
    ...(fallback !== undefined ? [line('Filled with ', { code: shownValue(fallback) }, ' when the answer lacks it.')] : []),
  ];
}

function isRoot(pointer: string, schema: string): boolean {
  return schema === '/output_schema' && pointer.split('/').length === 4;
}

function inputWords({ entity }: Occurrence, view: FileView): readonly Block[] {
  if (entity.kind !== 'input-key') return [];
  const owner = entity.file === view.file.path ? view : otherView(entity.file, view);
  const from = valueAt(owner?.value, entity.at);
  const schema = isObject(from) ? valueAt(from, '/input_schema/properties') : undefined;
  const property = isObject(schema) && Object.hasOwn(schema, entity.name) ? schema[entity.name] : undefined;
  const about = isObject(property) && typeof property.description === 'string' ? [line(preview(property.description, 400))] : [];
  const keys = isObject(from) && Array.isArray(from.input_keys) ? (from.input_keys as readonly Json[]) : [];
  const isRequired = keys.includes(entity.name);
  const source: Part[] = [isRequired ? ' (input, required by ' : ' (input of ', { code: entity.file }, ')'];
  return [line({ strong: entity.name }, ...source), ...about, ...exampleWords(entity.file, entity.name, view)];
}

/** The value of a key in the first payload that has it: of the agent that the key belongs to, or of an agent that uses the prompt. */
function exampleWords(path: string, key: string, { project }: FileView): readonly Block[] {
  const owner = project.identityOf(path);
  const users =
    owner?.kind === 'prompt' ? project.index.referencesTo('prompt', owner.id).map(({ file }) => project.identityOf(file)) : [owner];
  const agents = new Set(users.flatMap((user) => (user?.kind === 'agent' ? [user.name] : [])));
  if (agents.size === 0) return [];
  for (const [id, payload] of project.index.ids('payload')) {
    if (!agents.has(id.slice(0, id.indexOf('/')))) continue;
    const input = valueAt(project.documentAt(payload)?.config?.value, '/input');
    const value = isObject(input) && Object.hasOwn(input, key) ? input[key] : undefined;
    if (value !== undefined) return [line('Example: ', { code: shownValue(value) }, ' (', { code: payload }, ').')];
  }
  return [];
}

function otherView(path: string, { project }: FileView): FileView | undefined {
  const document = project.documentAt(path);
  return document && viewOf(document, project);
}

/** The property that a list of values belongs to. */
function fieldNameIn(list: string): string {
  const [, name = ''] = /.*\/properties\/([^/]*)/.exec(list) ?? [];
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
