import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import { quoted } from '../../words.js';
import type { ImportSource } from '../importSource.js';
import type { At, Draft, Importer } from '../types.js';
import { cleanPartName, freeName, textField, within } from '../values.js';
import {
  type Component,
  componentsIn,
  isKnownVersion,
  isSpec,
  keptOfComponents,
  missingIn,
  nameOf,
  placeholder,
  wrongValuesIn,
} from './components.js';
import { isLlmConfig, readLlmConfig } from './llmConfig.js';

/** Agents with their models and MCP servers, and flows that are a line of agents. */
export const importer: Importer = {
  what: 'a component of Open Agent Specification',
  shape: 'component_type: Agent, Flow, OpenAiConfig, ...; agentspec_version; $referenced_components',
  example: { file: 'agent_spec.yaml' },
  recognise: ({ format, value }) => (format !== 'markdown' && isSpec(value) ? 'sure' : undefined),
  read: (source, draft) => new SpecReader(source, draft).read(),
};

const runsElsewhere = 'It runs elsewhere: offer it as an MCP server, and name that in client_ids.';
const asOrchestration = 'Write it as an orchestration (docs/orchestrations.md).';

/** What other components become, for those that become nothing. */
const withoutCounterpart: ReadonlyMap<string, string> = new Map([
  ['A2AAgent', runsElsewhere],
  ['ManagerWorkers', asOrchestration],
  ['OciAgent', runsElsewhere],
  ['RemoteAgent', runsElsewhere],
  ['SpecializedAgent', 'Write an agent with the additional instructions in its system_text.'],
  ['Swarm', asOrchestration],
]);

/** Text in braces that would be filled in here. With a dot, a hyphen or the like it is plain text there. */
const ownPlaceholder = /\{\{([ \t]*[\p{L}\p{M}\p{N}_$.-]*[\p{M}$.-][\p{L}\p{M}\p{N}_$.-]*[ \t]*\}\})/gu;

class SpecReader {
  readonly #source: ImportSource;
  readonly #draft: Draft;
  readonly #components: readonly Component[];
  /** The components that `$component_ref` names, by id. */
  readonly #byId: ReadonlyMap<string, Component>;

  constructor(source: ImportSource, draft: Draft) {
    this.#source = source;
    this.#draft = draft;
    this.#components = componentsIn(source.value);
    this.#byId = new Map(this.#components.flatMap((component) => idsOf(component).map((id) => [id, component])));
  }

  read(): void {
    this.#noteFaults();
    for (const component of this.#components) {
      const { type } = component;
      const remedy = withoutCounterpart.get(type);
      if (type === 'Agent') this.#readAgent(component);
      else if (type === 'Flow') this.#readFlow(component);
      else if (isLlmConfig(component)) readLlmConfig(component, this.#at(component), this.#draft);
      else if (remedy !== undefined) this.#draft.note(this.#at(component), `${type} has no counterpart. ${remedy}`);
    }
  }

  /** Notes what the schemas of Agent Spec refuse, or that they are not known. */
  #noteFaults(): void {
    const source = this.#source;
    if (!isKnownVersion(source.value))
      this.#draft.note(
        { source, pointer: '/agentspec_version' },
        `Agent Spec ${quoted(textField(source.value, 'agentspec_version'))} is not a version whose schema is known: it is read like 26.2. Compare the result with the file.`,
      );
    else
      for (const component of this.#components)
        for (const { pointer, message } of [...missingIn(component), ...wrongValuesIn(component)])
          this.#draft.note({ source, pointer }, message);
  }

  #at({ pointer }: Component): At {
    return { source: this.#source, pointer };
  }

  /** The component that stands in a place, there or by reference; undefined where no file here defines it. */
  #resolve(value: Json | undefined): Component | undefined {
    const reference = textField(value, '$component_ref');
    return reference === undefined ? this.#components.find((component) => component.value === value) : this.#byId.get(reference);
  }

  #readAgent(component: Component): void {
    const { value } = component;
    const at = this.#at(component);
    const prompt = textField(value, 'system_prompt') ?? `You are ${nameOf(component)}.`;
    const outputs = listOf(value.outputs);
    // Inputs that are not declared are what the prompt names, as texts.
    const inputs = Array.isArray(value.inputs)
      ? listOf(value.inputs)
      : [...new Set([...prompt.matchAll(placeholder)].map(([, title = '']) => title))].map((title) => ({ title, type: 'string' }));
    const description = textField(value, 'description');
    const llm = this.#resolve(value.llm_config);
    const profile = llm && readLlmConfig(llm, this.#at(llm), this.#draft);
    this.#draft.noteLost(value, at, {
      kept: new Set([...keptOfComponents, 'llm_config', 'system_prompt', 'tools', 'toolboxes']),
      advice: { human_in_the_loop: 'An agent asks nobody in the middle of a run here: give it what it needs as input.' },
    });
    if (llm === undefined) this.#draft.note(within(at, 'llm_config'), 'The model is left out: it is not in this file. Give llm_config_id.');
    const toolFields = this.#toolFields(component);
    const isFilled = toolFields.agent_type === undefined;
    this.#draft.agent(
      nameOf(component),
      {
        ...(description !== undefined && { description }),
        ...toolFields,
        system_text: this.#promptText(prompt, isFilled, within(at, 'system_prompt')),
        ...(inputs.length > 0 && { input_schema: this.#schemaOf(inputs, within(at, 'inputs')) }),
        ...(outputs.length > 0 && { output_schema: this.#schemaOf(outputs, within(at, 'outputs')) }),
        ...(profile !== undefined && { llm_config_id: profile }),
      },
      at,
      { system_text: `${at.pointer}/system_prompt`, input_schema: `${at.pointer}/inputs`, output_schema: `${at.pointer}/outputs` },
    );
  }

  /** @param isFilled whether placeholders are filled in; the prompt of an agent with tools is plain text here */
  #promptText(prompt: string, isFilled: boolean, at: At): string {
    if (!isFilled) {
      if (prompt.search(placeholder) >= 0)
        this.#draft.note(
          at,
          'The prompt of an agent with tools is plain text here: it names its inputs in words. They reach the model as the input.',
        );
      return prompt.replace(placeholder, '"$1" of the input');
    }
    const literal = prompt.replace(ownPlaceholder, '{ {$1');
    if (literal !== prompt)
      this.#draft.note(
        at,
        'Text in double braces that names no input is written with a space between the braces: it would be filled in here.',
      );
    return literal.replace(placeholder, '{{input.$1}}');
  }

  #toolFields(agent: Component): JsonObject {
    const servers: string[] = [];
    const tools: { server: string; name: string }[] = [];
    for (const key of ['tools', 'toolboxes'])
      for (const [index, entry] of listOf(agent.value[key]).entries()) {
        const at = within(this.#at(agent), key, index);
        const tool = this.#resolve(entry);
        const server = tool && this.#readServer(tool);
        if (tool === undefined) this.#draft.note(at, 'This tool is left out: it is not in this file.');
        else if (server === undefined)
          this.#draft.note(
            at,
            `${tool.type} ${quoted(nameOf(tool))} is left out: the program that runs the agent has it. Write it as a tool of your own (docs/tools.md), or offer it by an MCP server.`,
          );
        else if (tool.type === 'MCPTool') tools.push({ server, name: nameOf(tool) });
        else if (!Array.isArray(tool.value.tool_filter)) servers.push(server);
        else
          for (const filtered of tool.value.tool_filter) {
            const name = typeof filtered === 'string' ? filtered : textField(filtered, 'name');
            if (name !== undefined) tools.push({ server, name });
          }
        if (tool?.value.requires_confirmation === true)
          this.#draft.note(at, 'Whether a call is confirmed is decided where the agent runs, by --allow-tools or in the editor.');
      }
    return this.#draft.toolFields({ builtIn: [], servers, tools }, this.#at(agent));
  }

  #readServer({ value }: Component): string | undefined {
    const transport = this.#resolve(value.client_transport);
    if (transport === undefined) return undefined;
    const { command, args, env, cwd, url, headers, sensitive_headers } = transport.value;
    const at = this.#at(transport);
    this.#draft.noteLost(transport.value, at, {
      kept: new Set([...keptOfComponents, 'command', 'args', 'env', 'cwd', 'url', 'headers', 'sensitive_headers', 'session_parameters']),
    });
    for (const key of ['headers', 'sensitive_headers', 'env'])
      if (isObject(transport.value[key]) && !hasOwn(transport.value[key]))
        this.#draft.note(within(at, key), `The file leaves ${quoted(key)} out: give them in mcp.json.`);
    return this.#draft.server(
      nameOf(transport),
      {
        ...(typeof command === 'string' && { command }),
        ...(Array.isArray(args) && { args }),
        ...(hasOwn(env) && { env }),
        ...(typeof cwd === 'string' && { cwd }),
        ...(typeof url === 'string' && { url }),
        ...(transport.type.startsWith('SSE') && { type: 'sse' }),
        ...((hasOwn(headers) || hasOwn(sensitive_headers)) && {
          headers: { ...(hasOwn(headers) && headers), ...(hasOwn(sensitive_headers) && sensitive_headers) },
        }),
      },
      at,
    );
  }

  /** A line of agents becomes an orchestration, with its data edges as the inputs of the tasks. */
  #readFlow(flow: Component): void {
    const at = this.#at(flow);
    const line = this.#lineOf(flow);
    if (line === undefined || line.length === 0) {
      this.#draft.note(
        at,
        `The flow ${quoted(nameOf(flow))} is left out: only a line of agents can be imported. Write it as an orchestration (docs/orchestrations.md).`,
      );
      return;
    }
    const edges = listOf(flow.value.data_flow_connections).map((edge) => ({
      from: this.#resolve(isObject(edge) ? edge.source_node : undefined),
      output: textField(edge, 'source_output'),
      to: this.#resolve(isObject(edge) ? edge.destination_node : undefined),
      input: textField(edge, 'destination_input'),
    }));
    const tasks = new Map<Component, string>();
    for (const { node } of line)
      tasks.set(
        node,
        freeName(cleanPartName(nameOf(node), 'step'), (name) => [...tasks.values()].includes(name)),
      );
    const steps = line.map(({ node, agent }, index) => {
      const before = line[index - 1];
      const filled = edges.flatMap(({ from, output, to, input }) => {
        if (to !== node || from === undefined || output === undefined || input === undefined) return [];
        const task = tasks.get(from);
        return [[input, task === undefined ? `{{context.${output}}}` : `{{tasks.${task}.output.${output}}}`]];
      });
      return {
        name: tasks.get(node) ?? '',
        agent: `${this.#draft.nameOf('agent', nameOf(agent), at)}@v1`,
        ...(filled.length > 0 && { input: Object.fromEntries(filled) }),
        ...(before !== undefined && { depends_on: [tasks.get(before.node) ?? ''] }),
      };
    });
    const description = textField(flow.value, 'description');
    const start = this.#resolve(flow.value.start_node);
    const inputs = listOf(flow.value.inputs).length > 0 ? listOf(flow.value.inputs) : listOf(start?.value.inputs);
    const name = this.#draft.nameOf('orchestration', nameOf(flow), at);
    this.#draft.add(
      'orchestration',
      name,
      { name },
      {
        ...(description !== undefined && { description }),
        ...(inputs.length > 0 && { input_schema: this.#schemaOf(inputs, within(at, 'inputs')) }),
        entry_team: 'steps',
        teams: { steps: { name: nameOf(flow), tasks: steps, routing: { default: null } } },
      },
      at,
    );
  }

  /** The agents of a flow in their order; undefined where it branches, repeats, or has nodes of another kind. */
  #lineOf({ value }: Component): readonly { readonly node: Component; readonly agent: Component }[] | undefined {
    const line: { node: Component; agent: Component }[] = [];
    const seen = new Set<Component>();
    const edges = listOf(value.control_flow_connections).filter(isObject);
    for (let node = this.#resolve(value.start_node); node !== undefined; ) {
      if (seen.has(node)) return undefined;
      seen.add(node);
      if (node.type === 'EndNode') return seen.size === listOf(value.nodes).length ? line : undefined;
      const agent = this.#resolve(node.value.agent);
      if (node.type === 'AgentNode' && agent?.type === 'Agent') line.push({ node, agent });
      else if (node.type !== 'StartNode') return undefined;
      const next = edges.filter(({ from_node }) => this.#resolve(from_node) === node);
      if (next.length !== 1) return undefined;
      node = this.#resolve(next[0]?.to_node);
    }
    return undefined;
  }

  /** An object of the properties, which are JSON Schemas whose title is their name. */
  #schemaOf(properties: readonly Json[], at: At): JsonObject {
    const named = properties.flatMap((property, index) => {
      const title = textField(property, 'title');
      if (title === undefined) this.#draft.note(within(at, index), 'This property is left out: it has no title, which is its name.');
      if (title === undefined || !isObject(property)) return [];
      const { title: _, ...schema } = property;
      return [[title, schema] as const];
    });
    return {
      type: 'object',
      properties: Object.fromEntries(named),
      required: named.filter(([, schema]) => schema.default === undefined).map(([title]) => title),
      additionalProperties: false,
    };
  }
}

/** Whether an object is written out: secrets are left out by a reference to the component's own field. */
function hasOwn(value: Json | undefined): value is JsonObject {
  return isObject(value) && value.$component_ref === undefined;
}

/** The id of a component, and the key under which `$referenced_components` has it. */
function idsOf({ value, pointer }: Component): readonly string[] {
  const [, key] = /\/\$referenced_components\/([^/]+)$/.exec(pointer) ?? [];
  return [textField(value, 'id'), key?.replaceAll('~1', '/').replaceAll('~0', '~')].filter((id) => id !== undefined);
}
