import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../../json.js';
import { quoted } from '../../words.js';
import type { ImportSource } from '../importSource.js';
import { allOf, findFormat, isString } from '../marks.js';
import type { At, Draft, Format, OtherTool } from '../types.js';
import { cleanPartName, freeName, keyFields, retryAttempts, stemOf, textField, within } from '../values.js';
import { agentEntries, agentPaths, crewAgents, files, isAgent, tasksIn } from './files.js';
import { rules } from './rules.js';

const agentMark = allOf({ role: isString, goal: isString, backstory: isString });

const formats: readonly Format[] = [
  { what: 'a CrewAI agent', mark: agentMark },
  { what: 'a CrewAI crew', mark: crewKey },
  {
    what: 'a list of CrewAI agents',
    mark: (value) => Object.entries(value).find(([, entry]) => isObject(entry) && agentMark(entry) !== undefined)?.[0],
  },
];

/** CrewAI: `crew.jsonc` with `agents/*.jsonc`, or `agents.yaml` with `tasks.yaml`. A crew becomes an orchestration of one team. */
export const crewai: OtherTool = {
  id: 'crewai',
  folders: ['.crewai'],
  files,
  rules,
  formats,
  names: {
    backstory: ['system_text', 'default_system_prompt'],
    goal: 'purpose_text',
    max_iter: 'max_iterations',
    max_execution_time: {
      field: 'timeout_ms',
      difference: 'It is in milliseconds, max_execution_time in seconds: multiply by 1000.',
      convert: (seconds) => Math.round(seconds * 1000),
    },
    max_retry_limit: retryAttempts,
    api_base: 'base_url',
  },
  importer: {
    what: 'a CrewAI crew',
    shape: 'crew.jsonc with agents/*.jsonc; agents.yaml with tasks.yaml: role, goal, backstory; description, expected_output',
    example: { file: 'crew.jsonc' },
    recognise({ format, value }) {
      if (format === 'markdown' || !isObject(value)) return undefined;
      if (findFormat(value, formats) !== undefined || tasksIn(value).length > 0) return 'sure';
      return isAgent(value) || agentEntries(value).length > 0 ? 'maybe' : undefined;
    },
    needs({ value }) {
      if (!isObject(value)) return [];
      if (Array.isArray(value.tasks)) return crewAgents(value).flatMap((name) => agentPaths(name));
      return agentEntries(value).length > 0 ? pair.tasks : tasksIn(value).length > 0 ? pair.agents : [];
    },
    read(source, draft) {
      const { value } = source;
      if (!isObject(value)) return;
      if (isAgent(value)) new Crew(draft, {}).agent(stemOf(source), { source, pointer: '' }, value);
      else if (Array.isArray(value.tasks)) readCrew(source, value, draft);
      else readPair(source, value, draft);
    },
  },
};

const pair = { agents: ['agents.yaml', 'agents.yml'], tasks: ['tasks.yaml', 'tasks.yml'] };

function readCrew(source: ImportSource, value: JsonObject, draft: Draft): void {
  const at: At = { source, pointer: '' };
  const crew = new Crew(draft, isObject(value.inputs) ? value.inputs : {});
  for (const name of crewAgents(value)) {
    const [file] = agentPaths(name).flatMap((path) => draft.file(source, path) ?? []);
    if (file !== undefined && isObject(file.value)) crew.agent(name, { source: file, pointer: '' }, file.value);
    else draft.note(within(at, 'agents'), `The agent ${quoted(name)} is left out: there is no agents/${name}.jsonc beside this file.`);
  }
  if (value.process === 'hierarchical')
    draft.note(
      within(at, 'process'),
      'A manager that hands out tasks has no counterpart: the tasks run in the order of the file. Say who goes next with "routing".',
    );
  draft.noteLost(value, at, { advice: crewAdvices });
  const tasks = listOf(value.tasks).flatMap((task, index) =>
    isObject(task) ? [{ name: textField(task, 'name') ?? `task_${index + 1}`, task, at: within(at, 'tasks', index) }] : [],
  );
  crew.orchestration(textField(value, 'name') ?? stemOf(source), tasks, at);
}

const crewAdvices: Readonly<Record<string, string>> = {
  memory: 'Give agents "include_history": true, and run with a session, to keep a conversation.',
  planning: 'Write the plan as teams and tasks.',
  manager_llm: 'Say who goes next with "routing".',
  manager_agent: 'Say who goes next with "routing".',
  before_kickoff_callbacks: 'They are Python code: prepare the input before the run.',
  after_kickoff_callbacks: 'They are Python code: work with the result after the run.',
  knowledge_sources: 'Let an agent search the files (search_files), or offer them by an MCP server.',
  max_rpm: 'Requests are repeated when a provider refuses them for their number.',
};

/** `agents.yaml` and `tasks.yaml`; each finds the other beside it. */
function readPair(source: ImportSource, value: JsonObject, draft: Draft): void {
  const isTasks = tasksIn(value).length > 0;
  const other = (isTasks ? pair.agents : pair.tasks).map((path) => draft.file(source, path)).find((file) => isObject(file?.value));
  const [agents, tasks] = isTasks ? [other, source] : [source, other];
  const crew = new Crew(draft, {});
  if (agents === undefined) draft.note({ source, pointer: '' }, 'The tasks are left out: there is no agents.yaml beside this file.');
  if (agents === undefined || !isObject(agents.value)) return;
  for (const { name, entry } of agentEntries(agents.value)) crew.agent(name, { source: agents, pointer: pointerOf(name) }, entry);
  if (tasks === undefined || !isObject(tasks.value)) return;
  const at: At = { source: tasks, pointer: '' };
  draft.note(at, 'Which tasks run, and in what order, is in crew.py, which is Python code: here, all tasks run in the order of this file.');
  const folders = tasks.path
    .split('/')
    .slice(0, -1)
    .filter((folder) => folder !== 'config');
  crew.orchestration(
    folders.at(-1) ?? 'crew',
    tasksIn(tasks.value).map(({ name, task }) => ({ name, task, at: within(at, name) })),
    at,
  );
}

interface NamedTask {
  readonly name: string;
  readonly task: JsonObject;
  readonly at: At;
}

/** `{topic}` in a text. */
const placeholder = /\{([A-Za-z_][\w-]*)\}/g;

class Crew {
  readonly #draft: Draft;
  readonly #inputs: JsonObject;
  /** References to the agents, and the keys of the input that their prompts name, by their names in the crew. */
  readonly #agents = new Map<string, { readonly id: string; readonly keys: readonly string[] }>();

  constructor(draft: Draft, inputs: JsonObject) {
    this.#draft = draft;
    this.#inputs = inputs;
  }

  /** The prompt is CrewAI's own: role and backstory, then the goal. */
  agent(name: string, at: At, value: JsonObject): void {
    const draft = this.#draft;
    const [role, goal, backstory] = ['role', 'goal', 'backstory'].map((key) => textField(value, key)?.trim());
    const system_text = [role !== undefined && `You are ${role}.`, backstory].filter(Boolean).join(' ') || undefined;
    const purpose_text = goal === undefined ? undefined : `Your personal goal is: ${goal}`;
    const settings = { ...value, ...(isObject(value.settings) ? value.settings : {}) };
    const keys = keysIn(`${system_text ?? ''} ${purpose_text ?? ''}`);
    draft.noteLost(value, at, { advice: agentAdvices });
    if (isObject(value.settings)) draft.noteLost(value.settings, within(at, 'settings'), { advice: agentAdvices });
    const mcps = Object.entries(isObject(value.mcps) ? value.mcps : {});
    const servers = mcps.flatMap(([id, server]) => draft.server(id, server, within(at, 'mcps', id)) ?? []);
    const limits = ['max_execution_time', 'max_retry_limit', 'max_tokens', ...(servers.length > 0 ? ['max_iter'] : [])];
    const agent_name = draft.nameOf('agent', name, at);
    const id = draft.agent(
      name,
      {
        ...(role !== undefined && { description: role }),
        ...(system_text !== undefined && keys.length === 0 && { system_text }),
        ...(keys.length > 0 && { prompts: { system_prompt: this.#template(agent_name, [system_text, purpose_text], at) } }),
        ...(purpose_text !== undefined && keys.length === 0 && { purpose_text }),
        ...modelOf(value.llm, draft, within(at, 'llm')),
        ...draft.toolFields({ builtIn: [], servers, tools: [] }, within(at, 'mcps')),
        ...draft.fields(numbersIn(settings, limits), 'agent', at).fields,
      },
      at,
    );
    this.#tools(value.tools, within(at, 'tools'));
    this.#agents.set(name, { id, keys });
  }

  orchestration(text: string, tasks: readonly NamedTask[], at: At): void {
    const draft = this.#draft;
    if (tasks.length === 0) return;
    const missing = tasks.find(({ task }) => !this.#agents.has(textField(task, 'agent') ?? ''));
    if (missing !== undefined) {
      const agent = textField(missing.task, 'agent');
      draft.note(
        missing.at,
        `The tasks are left out: ${quoted(missing.name)} ${agent === undefined ? 'names no agent' : `is for the agent ${quoted(agent)}, which is not there`}. Write an orchestration of the agents (docs/orchestrations.md).`,
      );
      return;
    }
    const name = draft.nameOf('orchestration', text, at);
    const names = new Map<string, string>();
    const keys = new Set<string>();
    const written = tasks.map(({ name: own, task, at: place }, index) => {
      const unique = uniqueName(own, names, `task_${index + 1}`);
      const { id, keys: ofAgent } = this.#agents.get(textField(task, 'agent') ?? '') ?? { id: '', keys: [] };
      const [description = '', expected_output = ''] = [textField(task, 'description'), textField(task, 'expected_output')];
      for (const key of [...keysIn(`${description} ${expected_output}`), ...ofAgent]) keys.add(key);
      const before = this.#before(task, own, [...names.keys()].slice(0, -1), place).map((other) => names.get(other) ?? other);
      draft.noteLost(task, place, { advice: taskAdvices });
      this.#tools(task.tools, within(place, 'tools'));
      return {
        name: unique,
        agent: id,
        input: {
          task: inTemplate(description, 'context'),
          ...(expected_output !== '' && { expected_output: inTemplate(expected_output, 'context') }),
          ...(before.length > 0 && { context: Object.fromEntries(before.map((other) => [other, `{{tasks.${other}.output}}`])) }),
          ...Object.fromEntries(ofAgent.map((key) => [key, `{{context.${key}}}`])),
        },
        ...(before.length > 0 && { depends_on: before }),
      };
    });
    const context = Object.fromEntries([...keys].map((key) => [key, this.#inputs[key] ?? '']));
    const empty = [...keys].filter((key) => this.#inputs[key] === undefined);
    if (empty.length > 0)
      draft.note(
        at,
        `The texts name inputs without a value: ${empty.map(quoted).join(', ')}. Give them in the input of the run, or in "context" of the orchestration.`,
      );
    const team = { name: text, tasks: written, routing: { default: null } };
    draft.add('orchestration', name, { name }, { entry_team: 'crew', ...(keys.size > 0 && { context }), teams: { crew: team } }, at);
  }

  /** The tasks whose output a task gets: those that it names, else all before it. */
  #before(task: JsonObject, own: string, earlier: readonly string[], at: At): readonly string[] {
    if (!Array.isArray(task.context)) return earlier;
    const named = task.context.filter((name: Json): name is string => typeof name === 'string');
    const unknown = named.filter((name) => !earlier.includes(name));
    if (unknown.length > 0)
      this.#draft.note(
        within(at, 'context'),
        `${unknown.map(quoted).join(', ')} ${unknown.length === 1 ? 'is not a task' : 'are not tasks'} before ${quoted(own)}, so its output is not passed on.`,
      );
    return named.filter((name) => earlier.includes(name));
  }

  #tools(tools: Json | undefined, at: At): void {
    const names = listOf(tools).map((tool) => (typeof tool === 'string' ? tool : 'a Python object'));
    if (names.length > 0)
      this.#draft.note(
        at,
        `${names.map(quoted).join(', ')} ${names.length === 1 ? 'is a Python tool' : 'are Python tools'}, without a counterpart. Offer what the agent needs by an MCP server, or write it with defineTool (docs/tools.md).`,
      );
  }

  /** The prompt as a template of the store, since texts of an agent have no placeholders. @returns its reference */
  #template(agent: string, paragraphs: readonly (string | undefined)[], at: At): string {
    const name = this.#draft.nameOf('prompt', agent, at);
    const template = paragraphs.flatMap((text) => (text === undefined ? [] : inTemplate(text, 'input'))).join('\n\n');
    this.#draft.add('prompt', `${name}@v1`, { name, version: 'v1' }, { template }, at);
    return `${name}@v1`;
  }
}

const agentAdvices: Readonly<Record<string, string>> = {
  allow_delegation: 'Say who goes next with "routing" of an orchestration.',
  type: 'It names Python code.',
  guardrail: 'Describe a good answer in output_schema, or try it with cases and a judge.',
  step_callback: 'It is Python code: follow the events of the run.',
  function_calling_llm: 'An agent has one model.',
  reasoning: 'Give the effort in "options" of its llm profile.',
  planning: 'Write the plan as teams and tasks.',
  planning_config: 'Give the effort in "options" of its llm profile.',
  memory: 'Give "include_history": true, and run with a session, to keep a conversation.',
  knowledge_sources: 'Let the agent search the files (search_files), or offer them by an MCP server.',
  allow_code_execution: 'Offer code execution by an MCP server.',
  inject_date: 'Let the agent ask for it: enable the tool current_time.',
  system_template: 'The prompt has a fixed pattern (docs/prompts.md).',
  prompt_template: 'The prompt has a fixed pattern (docs/prompts.md).',
};

const taskAdvices: Readonly<Record<string, string>> = {
  output_file: 'Write the result of the run to a file yourself.',
  output_json: 'It names Python code: describe the answer as output_schema of the agent.',
  output_pydantic: 'It names Python code: describe the answer as output_schema of the agent.',
  response_model: 'It names Python code: describe the answer as output_schema of the agent.',
  guardrail: 'Describe a good answer in output_schema, or try it with cases and a judge.',
  guardrails: 'Describe a good answer in output_schema, or try it with cases and a judge.',
  condition: 'It names Python code: write it as a condition of "routing".',
  callback: 'It is Python code: follow the events of the run.',
  human_input: 'A run does not pause to ask the user.',
  input_files: 'Pass what is in them as input.',
};

function keysIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, key = '']) => key))];
}

/** `{topic}` as a template path. */
function inTemplate(text: string, root: 'input' | 'context'): string {
  return text.replace(placeholder, (_, key: string) => `{{${root}.${key}}}`);
}

function uniqueName(text: string, names: Map<string, string>, fallback: string): string {
  const taken = [...names.values()];
  const unique = freeName(cleanPartName(text, fallback), (name) => taken.includes(name));
  names.set(names.has(text) ? `${text} ${names.size}` : text, unique);
  return unique;
}

/** The fields of an agent for CrewAI's `llm`: `provider/model`, or an object with an address, which becomes a profile. */
function modelOf(llm: Json | undefined, draft: Draft, at: At): JsonObject {
  if (typeof llm === 'string') return llm.trim() === '' ? {} : draft.modelFields(llm.trim(), at);
  if (!isObject(llm)) return {};
  const { provider, base_url, api_base, api_key } = llm;
  const model = textField(llm, 'model');
  if (model === undefined) {
    draft.note(at, 'The model is left out: "llm" names none. Write an llm profile, and name it as llm_config_id.');
    return {};
  }
  const own = draft.fields(numbersIn(llm, ['temperature', 'top_p', 'max_tokens']), 'agent', at).fields;
  const address = [base_url, api_base].find((text) => typeof text === 'string');
  const prefix = typeof provider === 'string' ? provider : undefined;
  if (address === undefined && typeof api_key !== 'string')
    return { ...draft.modelFields(prefix === undefined || model.includes('/') ? model : `${prefix}/${model}`, at), ...own };
  const connection = prefix === undefined ? undefined : draft.models.connection(prefix);
  const fields = {
    ...(connection ?? (address === undefined ? draft.modelFields(model, at) : { provider: 'openai_compatible' })),
    model_name: model.slice(model.indexOf('/') + 1),
    ...(address !== undefined && { base_url: draft.models.address(prefix ?? '', address) }),
    ...(typeof api_key === 'string' && keyFields(api_key)),
    ...own,
  };
  return {
    llm_config_id: draft.profile(`${prefix ?? ''}_${model}`.replace(/^_/, ''), fields, at, {
      api_key: `${at.pointer}/api_key`,
      base_url: `${at.pointer}/base_url`,
    }),
  };
}

function numbersIn(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key, part]) => keys.includes(key) && typeof part === 'number'));
}

function crewKey({ agents, tasks }: JsonObject): string | undefined {
  const hasTask = listOf(tasks).some((task) => isObject(task) && Object.hasOwn(task, 'expected_output'));
  return agents !== undefined && hasTask ? 'tasks' : undefined;
}
