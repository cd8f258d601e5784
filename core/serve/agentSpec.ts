import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { systemTemplateOf, userTemplateOf } from '../prompt/agentTemplates.js';
import { parseTemplate } from '../prompt/template.js';
import type { FrozenOrchestration, FrozenTask } from '../snapshot/snapshotValue.js';
import { instanceOf } from '../snapshot/snapshotValue.js';
import type { ResolvedAgent } from '../snapshot/types.js';
import { listed, quoted } from '../words.js';
import { contextSchemaOf, inputSchemaOf } from './inputSchemaOf.js';

/** The oldest version that has every field written here. */
const agentspec_version = '26.1.0';

/** Says what has no counterpart in Agent Spec. */
type Note = (text: string) => void;

export interface AgentSpec {
  readonly spec: JsonObject;
  /** What has no counterpart; sentences. */
  readonly notes: readonly string[];
}

/** An agent as a component of Open Agent Specification, with its model and its tools; undefined, with the reason as a note, where it cannot be one. */
export function agentSpecOf(resolved: ResolvedAgent): Omit<AgentSpec, 'spec'> & Partial<AgentSpec> {
  const notes = new Set<string>();
  const agent = toAgent(resolved, resolved.config.agent_name, (text) => notes.add(text));
  return { ...(agent && { spec: { ...agent, agentspec_version } }), notes: [...notes] };
}

/** An orchestration as a flow, whose agents run one after the other; undefined, with the reason as a note, where it cannot be one. */
export function flowSpecOf(
  name: string,
  frozen: FrozenOrchestration,
  agents: ReadonlyMap<string, ResolvedAgent>,
): Omit<AgentSpec, 'spec'> & Partial<AgentSpec> {
  const notes = new Set<string>();
  const flow = toFlow(name, frozen, agents, (text) => notes.add(text));
  return { ...(flow && { spec: { ...flow, agentspec_version } }), notes: [...notes] };
}

/** Fields of an agent that only Agent Stack has. What is in every agent, such as limits by default, is not worth a note. */
const withoutCounterpart = ['mode', 'few_shot_examples', 'include_history', 'budget', 'retry_invalid', 'enums', 'defaults'] as const;

function toAgent(resolved: ResolvedAgent, id: string, note: Note): JsonObject | undefined {
  const { config } = resolved;
  if (config.agent_type === 'orchestrating') {
    note(`${config.agent_name} follows a plan, which has no counterpart: an agent of Agent Spec has a model.`);
    return undefined;
  }
  const fields = config as unknown as JsonObject;
  const lost = withoutCounterpart.filter((key) => fields[key] !== undefined && fields[key] !== false && fields[key] !== 0);
  if (lost.length > 0) note(`${listed(lost)} of ${config.agent_name} ${lost.length === 1 ? 'has' : 'have'} no counterpart.`);
  const { system_prompt, keys } = promptOf(resolved, note);
  const schema = inputSchemaOf(config);
  const properties = isObject(schema.properties) ? schema.properties : {};
  return {
    component_type: 'Agent',
    id,
    name: config.agent_name,
    ...(config.description !== undefined && { description: config.description }),
    llm_config: toLlm(resolved, id, note),
    system_prompt,
    inputs: keys.map((key) => property(key, properties[key])),
    outputs: outputsOf(resolved, note),
    ...toolsOf(resolved, id, note),
    human_in_the_loop: false,
  };
}

/** The prompt with `{{key}}` for each key of the input; a key that no template names is appended, since an agent's inputs are its placeholders. */
function promptOf({ config }: ResolvedAgent, note: Note): { readonly system_prompt: string; readonly keys: readonly string[] } {
  const schema = inputSchemaOf(config);
  const declared = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const isChat =
    config.input_schema === undefined && (config.input_keys ?? []).length === 0 && declared.length === 1 && declared[0] === 'message';
  const named = new Set<string>();
  const line = (key: string) => `${key}: ${placeholder(key)}`;
  const placeholder = (key: string) => {
    named.add(key);
    return `{{${key}}}`;
  };
  const filled = (text: string) =>
    parseTemplate(text)
      .parts.map((part) => {
        if (typeof part === 'string') return literal(part, note);
        const [, key, ...deeper] = part.segments;
        if (key === undefined) return declared.map(line).join('\n');
        if (deeper.length > 0) note(`${quoted(part.segments.join('.'))} names a part of an input, and is the whole input there.`);
        return placeholder(key);
      })
      .join('');
  const system = systemTemplateOf(config);
  const user = userTemplateOf(config);
  const texts = [
    system === undefined ? literal(config.system_text ?? config.default_system_prompt ?? '', note) : filled(system.text),
    literal(config.purpose_text ?? '', note),
    user === undefined ? '' : filled(user.text),
  ];
  if (user !== undefined) note(`user_text of ${config.agent_name} is part of the system prompt there.`);
  const rest = isChat ? [] : declared.filter((key) => !named.has(key));
  const system_prompt = [...texts, rest.map(line).join('\n')].filter((text) => text !== '').join('\n\n');
  const keys = [...named];
  const odd = keys.filter((key) => !/^\w+$/.test(key));
  if (odd.length > 0) note(`${listed(odd)} cannot be a placeholder there: letters, digits and "_" can.`);
  return { system_prompt, keys: keys.filter((key) => !odd.includes(key)) };
}

/** What would be a placeholder there. */
function literal(text: string, note: Note): string {
  const own = text.replace(/\{\{(?=\s*\w+\s*\}\})/g, '{ {');
  if (own !== text) note('Text in double braces would be an input there, and is written with a space between the braces.');
  return own;
}

function property(title: string, schema: Json | undefined): JsonObject {
  return { ...(isObject(schema) ? schema : {}), title };
}

function outputsOf({ config: { agent_name, output_schema } }: ResolvedAgent, note: Note): readonly JsonObject[] {
  if (output_schema === undefined) return [];
  const { properties, required, $defs, definitions } = output_schema as JsonObject;
  if (!isObject(properties)) {
    note(`output_schema of ${agent_name} has no counterpart: outputs are fields with a name.`);
    return [];
  }
  if ($defs !== undefined || definitions !== undefined)
    note(`output_schema of ${agent_name} has definitions, to which outputs cannot refer.`);
  const optional = Object.keys(properties).filter((key) => !listOf(required).includes(key));
  if (optional.length > 0) note(`${listed(optional)} of ${agent_name} may be absent here: every output is required there.`);
  return Object.entries(properties).map(([title, schema]) => property(title, schema));
}

function toLlm({ config, llm }: ResolvedAgent, agent: string, note: Note): JsonObject {
  const { provider, base_url, api_key, api_key_env, options } = llm;
  const parameters = { max_tokens: config.max_output_tokens, temperature: config.temperature, top_p: config.top_p };
  const given = Object.entries(parameters).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
  const model = config.model_name ?? '';
  const id = `${agent}.llm`;
  const common = {
    id,
    name: llm.llm_id ?? provider,
    model_id: model,
    default_generation_parameters: Object.fromEntries(given) as JsonObject,
  };
  const api_type = options?.api === 'responses' ? 'responses' : 'chat_completions';
  const where = api_key_env ?? api_key;
  if (where !== undefined)
    note(`The key of the model is in no file: give api_key of ${quoted(id)} (here ${where}) when the file is loaded.`);
  if (provider === 'offline' || provider === 'vscode')
    note(`The provider ${quoted(provider)} exists only here: give the model another one.`);
  const url = base_url === undefined ? {} : { url: base_url };
  if (provider === 'openai') return { component_type: 'OpenAiConfig', ...common, api_type, ...url };
  if (provider === 'openai_compatible') return { component_type: 'OpenAiCompatibleConfig', ...common, api_type, url: base_url ?? '' };
  if (provider === 'gemini')
    return {
      component_type: 'GeminiConfig',
      ...common,
      ...url,
      auth: { component_type: 'GeminiAIStudioAuthConfig', id: `${id}.auth`, name: 'key' },
    };
  return { component_type: 'LlmConfig', ...common, provider, ...url };
}

function toolsOf({ config, servers, tools, unlisted }: ResolvedAgent, agent: string, note: Note): JsonObject {
  const own = tools.filter(({ origin }) => origin.type !== 'mcp');
  if (own.length > 0)
    note(`${listed(own.map(({ name }) => name))} of ${config.agent_name}: the program that loads the file has to provide what they do.`);
  const toolboxes = Object.entries(servers).map(([server, value]): JsonObject => {
    const names = tools.flatMap(({ origin }) => (origin.type === 'mcp' && origin.client_id === server ? [origin.name] : []));
    return {
      component_type: 'MCPToolBox',
      id: `${agent}.${server}`,
      name: server,
      client_transport: toTransport(`${agent}.${server}.transport`, server, isObject(value) ? value : {}, note),
      ...(!unlisted.includes(server) && { tool_filter: names }),
    };
  });
  return {
    tools: own.map(({ name, description, parameters }) => ({
      component_type: 'ServerTool',
      id: `${agent}.${name}`,
      name,
      description,
      inputs: Object.entries(isObject(parameters.properties) ? parameters.properties : {}).map(([key, schema]) => property(key, schema)),
      outputs: [{ title: 'output' }],
    })),
    toolboxes,
  };
}

function toTransport(id: string, name: string, { url, command, args, env, cwd, headers }: JsonObject, note: Note): JsonObject {
  if (/\$\{|secret:\/\//.test(JSON.stringify([url, args, env, headers]) ?? ''))
    note(`The server ${quoted(name)} has placeholders, which Agent Spec does not fill in: give their values when the file is loaded.`);
  if (typeof url === 'string') return { component_type: 'StreamableHTTPTransport', id, name, url, ...(isObject(headers) && { headers }) };
  return {
    component_type: 'StdioTransport',
    id,
    name,
    command: command ?? '',
    ...(Array.isArray(args) && { args }),
    ...(isObject(env) && { env }),
    ...(typeof cwd === 'string' && { cwd }),
  };
}

interface Step {
  readonly task: FrozenTask;
  readonly node: JsonObject;
  readonly agent: JsonObject;
}

const reference = (id: string): JsonObject => ({ $component_ref: id });

function toFlow(name: string, frozen: FrozenOrchestration, agents: ReadonlyMap<string, ResolvedAgent>, note: Note): JsonObject | undefined {
  const { entry_team, teams } = frozen;
  const team = teams[entry_team];
  const refuse = (why: string) => {
    note(`${name} cannot be a flow: ${why}`);
    return undefined;
  };
  if (team === undefined || Object.keys(teams).length > 1 || (team.routing.rules ?? []).length > 0)
    return refuse('only one team without rules can be exported, since conditions have no counterpart. Export its agents one by one.');
  const tasks = inOrder(team.tasks);
  if (tasks.some(({ depends_on = [] }, index) => index > 0 && depends_on.length === 0))
    note(`The tasks of ${name} run one after the other there.`);
  const schema = contextSchemaOf(frozen);
  const start = Object.entries(isObject(schema.properties) ? schema.properties : {}).map(([key, value]) => {
    const fallback = frozen.context[key];
    return { ...property(key, value), ...(fallback !== undefined && { default: fallback }) };
  });
  const edges: JsonObject[] = [];
  const connect = (from: string, output: string, to: string, input: string) =>
    edges.push({
      component_type: 'DataFlowEdge',
      id: `${from}.${output}->${to}.${input}`,
      name: `${from}.${output} to ${to}.${input}`,
      source_node: reference(from),
      source_output: output,
      destination_node: reference(to),
      destination_input: input,
    });
  const steps: Step[] = [];
  for (const task of tasks) {
    const resolved = agents.get(instanceOf(entry_team, task.name));
    const agent = resolved && toAgent(resolved, `${task.name}.agent`, note);
    if (agent === undefined) return refuse(`the task ${quoted(task.name)} has no agent that can be exported.`);
    const given = isObject(task.input) ? task.input : {};
    const inputs = listOf(agent.inputs)
      .filter(isObject)
      .map((input) => {
        const title = String(input.title);
        const value = given[title];
        const path = pathIn(task.input === undefined ? `{{context.${title}}}` : value);
        const source = path && sourceOf(path, start, steps);
        if (source) connect(...source, task.name, title);
        else if (value !== undefined && path === undefined && !/\{\{/.test(JSON.stringify(value))) return { ...input, default: value };
        else return undefined;
        return input;
      });
    const unfilled = listOf(agent.inputs).flatMap((input, index) =>
      inputs[index] === undefined && isObject(input) ? [String(input.title)] : [],
    );
    if (unfilled.length > 0)
      return refuse(
        `${listed(unfilled)} of the task ${quoted(task.name)} is not one field of the context or of an earlier answer, as data edges carry it.`,
      );
    const whole = { ...agent, inputs: inputs as Json[] };
    steps.push({
      task,
      agent: whole,
      node: {
        component_type: 'AgentNode',
        id: task.name,
        name: task.name,
        agent: reference(String(agent.id)),
        inputs: whole.inputs,
        outputs: agent.outputs ?? [],
      },
    });
  }
  const last = steps.at(-1);
  if (last === undefined) return refuse('it has no tasks.');
  const outputs = listOf(last.agent.outputs).filter(isObject);
  for (const { title } of outputs) connect(last.task.name, String(title), '@end', String(title));
  const order = ['@start', ...steps.map(({ task }) => task.name), '@end'];
  return {
    component_type: 'Flow',
    id: name,
    name,
    inputs: start,
    outputs,
    start_node: reference('@start'),
    nodes: order.map(reference),
    control_flow_connections: order.slice(1).map((to, index) => ({
      component_type: 'ControlFlowEdge',
      id: `${order[index]}->${to}`,
      name: `${order[index]} to ${to}`,
      from_node: reference(order[index] ?? ''),
      to_node: reference(to),
    })),
    data_flow_connections: edges,
    $referenced_components: Object.fromEntries([
      ['@start', { component_type: 'StartNode', id: '@start', name: 'start', inputs: start, outputs: start }],
      ...steps.flatMap(({ task, node, agent }): [string, Json][] => [
        [task.name, node],
        [String(agent.id), agent],
      ]),
      ['@end', { component_type: 'EndNode', id: '@end', name: 'end', inputs: outputs, outputs }],
    ]),
  };
}

/** Each task after those that it depends on. */
function inOrder(tasks: readonly FrozenTask[]): readonly FrozenTask[] {
  const done: FrozenTask[] = [];
  while (done.length < tasks.length) {
    const next = tasks.find(
      (task) => !done.includes(task) && (task.depends_on ?? []).every((name) => done.some((other) => other.name === name)),
    );
    if (next === undefined) return tasks;
    done.push(next);
  }
  return done;
}

/** The segments of a text that is one path; undefined for anything else. */
function pathIn(value: Json | undefined): readonly string[] | undefined {
  const parts = typeof value === 'string' ? parseTemplate(value).parts : [];
  const [only] = parts;
  return parts.length === 1 && only !== undefined && typeof only !== 'string' ? only.segments : undefined;
}

/** The node and the output that a path names. */
function sourceOf(
  [root, first, kind, field, ...deeper]: readonly string[],
  start: readonly JsonObject[],
  steps: readonly Step[],
): readonly [string, string] | undefined {
  if (root === 'context' && kind === undefined) return start.some(({ title }) => title === first) ? ['@start', first ?? ''] : undefined;
  const step = root === 'tasks' && kind === 'output' && deeper.length === 0 ? steps.find(({ task }) => task.name === first) : undefined;
  const has = listOf(step?.agent.outputs).some((output) => isObject(output) && output.title === field);
  return step !== undefined && has ? [step.task.name, field ?? ''] : undefined;
}
