import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import { systemTemplateOf, userTemplateOf } from '../../prompt/agentTemplates.js';
import { parseTemplate } from '../../prompt/template.js';
import type { ResolvedAgent } from '../../snapshot/types.js';
import { listed, quoted } from '../../words.js';
import { inputSchemaOf } from '../inputSchemaOf.js';

/** Says what has no counterpart in Agent Spec. */
export type Note = (text: string) => void;

/** Fields of an agent that only Agent Stack has. What is in every agent, such as limits by default, is not worth a note. */
const withoutCounterpart = ['mode', 'few_shot_examples', 'include_history', 'budget', 'retry_invalid', 'enums', 'defaults'] as const;

/** An agent as a component; undefined, with the reason as a note, where it cannot be one. */
export function toAgent(resolved: ResolvedAgent, id: string, note: Note): JsonObject | undefined {
  const { config } = resolved;
  if (config.agent_type === 'orchestrating') {
    note(`${config.agent_name} follows a plan, which has no counterpart: an agent of Agent Spec has a model.`);
    return undefined;
  }
  const fields = config as unknown as JsonObject;
  const lost = withoutCounterpart.filter((key) => fields[key] !== undefined && fields[key] !== false && fields[key] !== 0);
  if (lost.length > 0) note(`${listed(lost)} of ${config.agent_name} ${lost.length === 1 ? 'has' : 'have'} no counterpart.`);
  const { system_prompt, keys } = promptOf(resolved, note);
  const illegal = [
    ...keys.filter((key) => !/^[\p{L}\p{N}_]+$/u.test(key)),
    ...propertiesOf(config.output_schema).flatMap(([key]) => (isTitle(key) ? [] : [key])),
  ];
  if (illegal.length > 0) {
    note(
      `${config.agent_name} cannot be exported: ${listed(illegal)} cannot be a name there. Inputs consist of letters, digits and "_"; outputs have no blanks, quotes, braces, "." and ",".`,
    );
    return undefined;
  }
  const schema = inputSchemaOf(config);
  const properties = new Map(propertiesOf(schema));
  const optional = config.input_schema === undefined ? [] : keys.filter((key) => isOptional(schema, key));
  if (optional.length > 0) note(`${listed(optional)} of ${config.agent_name} may be absent here: every input is required there.`);
  return {
    component_type: 'Agent',
    id,
    name: config.agent_name,
    ...(config.description !== undefined && { description: config.description }),
    llm_config: toLlm(resolved, id, note),
    system_prompt,
    inputs: keys.map((key) => property(key, properties.get(key), note)),
    outputs: outputsOf(resolved, note),
    ...toolsOf(resolved, id, note),
    human_in_the_loop: false,
  };
}

/** The prompt with `{{key}}` for each key of the input; a key that no template names is appended, since an agent's inputs are its placeholders. */
function promptOf({ config }: ResolvedAgent, note: Note): { readonly system_prompt: string; readonly keys: readonly string[] } {
  const declared = propertiesOf(inputSchemaOf(config)).map(([key]) => key);
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
  const merged = (['purpose_text', 'user_text'] as const).filter((key) => (key === 'user_text' ? user : config[key]) !== undefined);
  if (merged.length > 0)
    note(`${merged.join(' and ')} of ${config.agent_name} ${merged.length === 1 ? 'is' : 'are'} part of the system prompt there.`);
  const rest = isChat ? [] : declared.filter((key) => !named.has(key));
  if (rest.length > 0) note(`${listed(rest)} of ${config.agent_name} ends the system prompt there, which has to name each input.`);
  const system_prompt = [...texts, rest.map(line).join('\n')].filter((text) => text !== '').join('\n\n');
  return { system_prompt, keys: [...named] };
}

/** What would be a placeholder there. */
function literal(text: string, note: Note): string {
  const own = text.replace(/\{\{(?=\s*[\p{L}\p{N}_]+\s*\}\})/gu, '{ {');
  if (own !== text) note('Text in double braces would be an input there, and is written with a space between the braces.');
  return own;
}

/** The properties of a schema, by name. */
export function propertiesOf(schema: Json | undefined): readonly (readonly [string, Json])[] {
  return isObject(schema) && isObject(schema.properties) ? Object.entries(schema.properties) : [];
}

/** Whether the library of Agent Spec takes a title, in an input or output and in all schemas inside. */
export function isTitle(title: string): boolean {
  return /^[^.,{} \n'"]+$/.test(title);
}

function isOptional({ properties, required }: JsonObject, key: string): boolean {
  const schema = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return !listOf(required).includes(key) && !(isObject(schema) && schema.default !== undefined);
}

/** A schema with its name as its title. */
export function property(name: string, schema: Json | undefined, note: Note): JsonObject {
  const { title = name, ...own } = isObject(schema) ? schema : {};
  if (title !== name) noteTitle(title, note);
  return { ...(withoutTitles(own, note) as JsonObject), title: name };
}

function withoutTitles(schema: Json, note: Note): Json {
  if (Array.isArray(schema)) return schema.map((part: Json) => withoutTitles(part, note));
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).flatMap(([key, part]) => {
    if (['const', 'default', 'enum', 'examples'].includes(key)) return [[key, part]];
    if (key !== 'title' || typeof part !== 'string' || isTitle(part)) return [[key, withoutTitles(part, note)]];
    noteTitle(part, note);
    return [];
  });
  return Object.fromEntries(kept) as JsonObject;
}

function noteTitle(title: Json, note: Note): void {
  note(`The title ${quoted(title)} is left out: titles are names there, without blanks, quotes, braces, "." and ",".`);
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
  return Object.entries(properties).map(([key, schema]) => property(key, schema, note));
}

function toLlm({ config, llm }: ResolvedAgent, agent: string, note: Note): JsonObject {
  const { provider, base_url, api_key, api_key_env, options } = llm;
  const { api, ...others } = options ?? {};
  const passedOn = Object.keys(others);
  if (passedOn.length > 0)
    note(`${listed(passedOn)} of the model: the program that loads the file has to pass ${passedOn.length === 1 ? 'it' : 'them'} on.`);
  const parameters = { ...others, max_tokens: config.max_output_tokens, temperature: config.temperature, top_p: config.top_p };
  const given = Object.entries(parameters).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
  const model = config.model_name ?? '';
  const id = `${agent}.llm`;
  const common = {
    id,
    name: llm.llm_id ?? provider,
    model_id: model,
    default_generation_parameters: Object.fromEntries(given) as JsonObject,
  };
  const api_type = api === 'responses' ? 'responses' : 'chat_completions';
  const where = api_key_env ?? api_key;
  if (where !== undefined)
    note(`The key of the model is in no file: give api_key of ${quoted(id)} (here ${where}) when the file is loaded.`);
  if (provider === 'offline' || provider === 'vscode')
    note(`The provider ${quoted(provider)} exists only here: give the model another one.`);
  if (provider === 'openai_compatible' && !/^[^/]*\/\/[^/]+\/v1\/?$/.test(base_url ?? ''))
    note(`Programs that load the file call /v1 of the model's host, and not ${quoted(base_url)}.`);
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
      id: `${agent}.toolbox.${server}`,
      name: server,
      client_transport: toTransport(`${agent}.transport.${server}`, server, isObject(value) ? value : {}, note),
      ...(!unlisted.includes(server) && { tool_filter: names }),
    };
  });
  return {
    tools: own.map(({ name, description, parameters }) => ({
      component_type: 'ServerTool',
      id: `${agent}.tool.${name}`,
      name,
      description,
      inputs: propertiesOf(parameters).map(([key, schema]) => property(key, schema, note)),
      outputs: [{ title: 'output' }],
    })),
    toolboxes,
  };
}

function toTransport(id: string, name: string, { url, command, args, env, cwd, headers, timeout_ms }: JsonObject, note: Note): JsonObject {
  if (timeout_ms !== undefined) note(`timeout_ms of the server ${quoted(name)} has no counterpart.`);
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
