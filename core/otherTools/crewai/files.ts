import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../../json.js';
import { textsAt } from '../facts.js';
import type { FileAt, NamedFact, OwnFile, ToolFile } from '../toolFiles.js';
import { textField } from '../values.js';

/** The agents of a crew, its manager last. */
export function crewAgents(value: JsonObject): readonly string[] {
  return [...listOf(value.agents), value.manager_agent].filter((name) => typeof name === 'string');
}

/** From the folder of the crew. */
export function agentPaths(name: string): readonly string[] {
  return [`agents/${name}.jsonc`, `agents/${name}.json`];
}

export function isAgent(value: JsonObject): boolean {
  return typeof value.role === 'string' && typeof value.goal === 'string';
}

/** The agents of an `agents.yaml`. */
export function agentEntries(value: JsonObject): readonly { readonly name: string; readonly entry: JsonObject }[] {
  return Object.entries(value).flatMap(([name, entry]) => (isObject(entry) && isAgent(entry) ? [{ name, entry }] : []));
}

/** The tasks of a `tasks.yaml`. */
export function tasksIn(value: JsonObject): readonly { readonly name: string; readonly task: JsonObject }[] {
  return Object.entries(value).flatMap(([name, task]) =>
    isObject(task) && typeof task.description === 'string' && typeof task.expected_output === 'string' ? [{ name, task }] : [],
  );
}

/** What a file of CrewAI is, by its path. */
export function isFile({ path }: Pick<ToolFile, 'path'>, what: keyof typeof shapes): boolean {
  return shapes[what].test(path);
}

const shapes = {
  crew: /(?:^|\/)crew\.jsonc?$/,
  agent: /(?:^|\/)agents\/[^/]+\.jsonc?$/,
  agents: /(?:^|\/)agents\.ya?ml$/,
  tasks: /(?:^|\/)tasks\.ya?ml$/,
} as const;

const words = ['CrewAI agent', 'CrewAI agents'] as const;

const crewFile: OwnFile = {
  place: 'crew.jsonc',
  // A template of a crew is not JSON yet.
  isOwn: ({ source, path, text = '' }) => (source === undefined ? path.endsWith('.jsonc') && !/\{[{%]/.test(text) : isCrew(source.value)),
  facts: ({ value }, folder) => ({
    files: [...agentsNamed(value).flatMap(({ name }) => agentPaths(name)), ...toolsOf(value).map(({ path }) => path)].map((path) =>
      inFolder(folder, path),
    ),
  }),
  names: ['/agents/#', '/manager_agent', '/tasks/#/agent'].map((at) => ({ at, kind: 'agent' })),
};

/** The agents that a crew names, its manager last. */
export function agentsNamed(value: Json): readonly NamedFact[] {
  const manager = textField(value, 'manager_agent');
  return [...textsAt(value, '/agents'), ...(manager === undefined ? [] : [{ name: manager, pointer: '/manager_agent' }])];
}

/** Agents by name, and tasks with what they are to give. Crews with agents in place are definitions for a program. */
function isCrew(value: Json): value is JsonObject {
  if (!isObject(value) || !Array.isArray(value.agents) || !Array.isArray(value.tasks)) return false;
  const hasTask = value.tasks.some((task) => isObject(task) && (task.expected_output !== undefined || task.description !== undefined));
  return hasTask && value.agents.every((name) => typeof name === 'string');
}

const agentFile: OwnFile = {
  place: 'agents/*.jsonc',
  words,
  isOwn: (file, fileAt) => agentsNamed(crewAround(file, fileAt)?.source?.value ?? null).some(({ name }) => name === nameOf(file)),
  facts: ({ value, path }, folder) => ({
    agents: [{ name: nameOf({ path }), pointer: '' }],
    files: toolsOf(value).map(({ path }) => inFolder(folder, path)),
  }),
};

function nameOf({ path }: Pick<ToolFile, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.jsonc?$/, '');
}

/** The crew that the agents in the folder beside it belong to. */
function crewAround({ folder }: ToolFile, fileAt: FileAt): ToolFile | undefined {
  return fileAt(inFolder(folder, 'crew.jsonc')) ?? fileAt(inFolder(folder, 'crew.json'));
}

const agentListFile: OwnFile = {
  place: 'config/agents.yaml',
  words,
  isOwn: (file, fileAt) =>
    holdsAgents(file) !== false && siblings(file, 'agents', 'tasks', fileAt).some((other) => holdsTasks(other) === true),
  facts: ({ value }) => ({ agents: isObject(value) ? agentEntries(value).map(({ name }) => ({ name, pointer: pointerOf(name) })) : [] }),
};

const taskListFile: OwnFile = {
  place: 'config/tasks.yaml',
  isOwn: (file, fileAt) =>
    holdsTasks(file) !== false && siblings(file, 'tasks', 'agents', fileAt).some((other) => holdsAgents(other) === true),
  names: [{ at: '/*/agent', kind: 'agent' }],
};

function holdsAgents({ source }: ToolFile): boolean | undefined {
  return source && isObject(source.value) && agentEntries(source.value).length > 0;
}

function holdsTasks({ source }: ToolFile): boolean | undefined {
  return source && isObject(source.value) && tasksIn(source.value).length > 0;
}

function siblings({ path }: ToolFile, own: string, other: string, fileAt: FileAt): readonly ToolFile[] {
  const start = path.slice(0, path.lastIndexOf(own));
  return ['yaml', 'yml'].flatMap((ending) => fileAt(`${start}${other}.${ending}`) ?? []);
}

/** The agents of the list beside a list of tasks. */
export function agentNamesBeside(tasks: ToolFile, fileAt: FileAt): readonly string[] {
  return siblings(tasks, 'tasks', 'agents', fileAt).flatMap(({ source }) => (isObject(source?.value) ? Object.keys(source.value) : []));
}

export function inFolder(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

export interface CustomTool extends NamedFact {
  /** From the folder of the crew. */
  readonly path: string;
}

/** The tools `custom:name` of an agent, or of the tasks of a crew. */
export function toolsOf(value: Json): readonly CustomTool[] {
  const lists = [
    '/tools',
    '/settings/tools',
    ...listOf(isObject(value) ? value.tasks : undefined).map((_, index) => `/tasks/${index}/tools`),
  ];
  return lists
    .flatMap((pointer) => textsAt(value, pointer))
    .flatMap((tool) => {
      const name = /^custom:([A-Za-z_][A-Za-z0-9_]*)$/.exec(tool.name)?.[1];
      return name === undefined ? [] : [{ ...tool, path: `tools/${name}.py` }];
    });
}

export const files: readonly OwnFile[] = [
  ...bothEndings(crewFile, '.jsonc', '.json'),
  ...bothEndings(agentFile, '.jsonc', '.json'),
  ...bothEndings(agentListFile, '.yaml', '.yml'),
  ...bothEndings(taskListFile, '.yaml', '.yml'),
];

function bothEndings(kind: OwnFile, one: string, other: string): readonly OwnFile[] {
  return [kind, { ...kind, place: kind.place.replace(one, other) }];
}
