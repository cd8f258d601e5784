import { isObject, type Json, type JsonObject, listOf, pointerOf, valueAt } from '../json.js';
import { isLegalName } from '../kinds.js';
import { quoted } from '../words.js';
import type { At, Draft, ForeignHome, ForeignKey, OtherTool } from './types.js';
import { keyFields, stemOf, textField, within } from './values.js';

/** Components of Aurite: agents, llm configs, MCP servers and linear workflows, one a file or lists of them, JSON or YAML. */
export const aurite: OtherTool = {
  id: 'aurite',
  names: {
    system_prompt: ['system_text', 'default_system_prompt'],
    default_system_prompt: 'system_text',
    schema: 'output_schema',
    config_validation_schema: 'output_schema',
    mcp_servers: ['client_ids', 'servers', 'mcpServers'],
    llm_id: 'llm_config_id',
    api_key_env_var: 'api_key_env',
    api_base: 'base_url',
  },
  homeOf: (foreign) => homeOfKeyFile(foreign) ?? homeOfEvaluation(foreign),
  importer: {
    what: 'components of Aurite',
    shape:
      'agent: name, system_prompt, llm_config_id, client_ids or mcp_servers; llm: llm_id, provider, model_name, max_tokens; type: agent | llm | mcp_server | linear_workflow',
    recognise({ format, value, path }) {
      if (format === 'markdown') return undefined;
      const components = componentsIn(value);
      if (components.length === 0) return undefined;
      const kinds = components.map(({ component }) => kindOf(component));
      if (components.every(({ component }) => types.has(String(component.type)))) return 'sure';
      // A file in our own place with our own names is not a component of another tool.
      return kinds.every((kind) => kind !== undefined) && !/(?:^|\/)config\/llms\/[^/]+\.json$/.test(path) ? 'maybe' : undefined;
    },
    read(source, draft) {
      const components = componentsIn(source.value);
      if (isObject(source.value) && components.some(({ path }) => path.length > 1))
        draft.noteLost(source.value, { source, pointer: '' }, { kept: keptOfProject, advice: adviceOfProject, of: 'a project of Aurite' });
      for (const { component, path } of components) {
        const at = within({ source, pointer: '' }, ...path);
        switch (kindOf(component)) {
          case 'agent':
            readAgent(component, at, draft);
            break;
          case 'llm':
            readLlm(component, at, draft);
            break;
          case 'mcp_server':
            readServer(component, at, draft);
            break;
          case 'linear_workflow':
            readWorkflow(component, at, draft);
            break;
          default:
            draft.note(
              at,
              component.type === 'custom_workflow'
                ? `The workflow ${quoted(component.name)} is Python code. Write it as an orchestration (docs/orchestrations.md).`
                : 'This component is left out: its type is not known.',
            );
        }
      }
    },
  },
};

const types = new Set(['agent', 'llm', 'mcp_server', 'client', 'linear_workflow', 'simple_workflow', 'custom_workflow']);

type ComponentKind = 'agent' | 'llm' | 'mcp_server' | 'linear_workflow' | 'custom_workflow' | undefined;

function kindOf(component: JsonObject): ComponentKind {
  const { type } = component;
  if (type === 'client') return 'mcp_server';
  if (type === 'simple_workflow') return 'linear_workflow';
  if (typeof type === 'string' && types.has(type)) return type as ComponentKind;
  const has = (key: string) => Object.hasOwn(component, key);
  if (has('llm_id') && (has('provider') || has('model_name') || has('max_tokens'))) return 'llm';
  if (has('server_path') || has('http_endpoint')) return 'mcp_server';
  return has('system_prompt') || (has('name') && (has('llm_config_id') || has('client_ids') || has('mcp_servers'))) ? 'agent' : undefined;
}

/** One component, a list of them, or a project with lists of them. */
function componentsIn(value: Json): readonly { readonly component: JsonObject; readonly path: readonly (string | number)[] }[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => (isObject(item) ? [{ component: item, path: [index] }] : []));
  if (!isObject(value)) return [];
  const lists = Object.entries(listsOf).flatMap(([key, type]) =>
    listOf(value[key]).flatMap((item, index) => (isObject(item) ? [{ component: { type, ...item }, path: [key, index] }] : [])),
  );
  if (lists.length > 0 && isProject(value)) return lists;
  return kindOf(value) === undefined ? [] : [{ component: value, path: [] }];
}

/** A project has lists of components, and may have a name: an agent has a prompt or a type of its own. */
function isProject(value: JsonObject): boolean {
  return value.type === undefined && !Object.hasOwn(value, 'system_prompt') && !Object.hasOwn(value, 'llm_config_id');
}

const listsOf: Readonly<Record<string, string>> = {
  agents: 'agent',
  agent_configs: 'agent',
  llms: 'llm',
  llm_configs: 'llm',
  clients: 'mcp_server',
  mcp_servers: 'mcp_server',
  linear_workflows: 'linear_workflow',
  simple_workflows: 'linear_workflow',
  custom_workflows: 'custom_workflow',
};

const keptOfProject = new Set([...Object.keys(listsOf), 'name', '$schema']);
const adviceOfProject = {
  evaluations: 'What agents are tried with are their cases: agent-stack new case.',
  storage: 'Runs and sessions are kept in .agentstack (docs/runs.md).',
};

function readAgent(component: JsonObject, at: At, draft: Draft): void {
  const { fields, from } = draft.fields(component, 'agent', at, {
    type: null,
    name: null,
    model: null,
    evaluation: 'What an agent is tried with are its cases: agent-stack new case.',
    auto: 'Name the servers that the agent may use as client_ids.',
  });
  const model = textField(component, 'model') ?? (typeof fields.model_name === 'string' ? fields.model_name : undefined);
  const ids = listOf(fields.client_ids).flatMap((id, index) =>
    typeof id === 'string' ? [draft.nameOf('server', id, within(at, 'client_ids', index))] : [],
  );
  const profile = fields.llm_config_id;
  draft.agent(
    textField(component, 'name') ?? stemOf(at.source),
    {
      agent_type: 'react',
      ...fields,
      ...(model !== undefined && draft.modelFields(model, within(at, 'model'))),
      ...(fields.client_ids !== undefined && { client_ids: ids }),
      ...(typeof profile === 'string' && { llm_config_id: draft.nameOf('llm', profile, within(at, 'llm_config_id')) }),
    },
    at,
    from,
  );
}

function readLlm(component: JsonObject, at: At, draft: Draft): void {
  const { fields, from } = draft.fields(component, 'llm', at, {
    type: null,
    name: null,
    llm_id: null,
    provider: null,
    description: 'A profile has no description.',
    api_base: null,
    api_key: null,
    api_key_env_var: null,
    credentials_path: 'A key comes from "api_key" (a secret:// reference) or "api_key_env".',
    api_version: 'Give it in "options" of the profile where the provider asks for it.',
  });
  const provider = textField(component, 'provider') ?? 'anthropic';
  const address = textField(component, 'api_base') ?? textField(component, 'base_url');
  const key = textField(component, 'api_key');
  const variable = textField(component, 'api_key_env_var') ?? textField(component, 'api_key_env');
  const openAiOwn = 'https://api.openai.com/v1';
  draft.profile(
    textField(component, 'llm_id') ?? textField(component, 'name') ?? stemOf(at.source),
    {
      ...(draft.models.connection(provider) ?? { provider }),
      ...fields,
      ...(address !== undefined && address !== openAiOwn && { base_url: draft.models.address(provider, address) }),
      ...(key !== undefined && keyFields(key)),
      ...(key === undefined && variable !== undefined && { api_key_env: variable }),
    },
    at,
    { ...from, api_key: `${at.pointer}/api_key`, api_key_env: `${at.pointer}/api_key_env_var`, base_url: `${at.pointer}/api_base` },
  );
}

function readServer(component: JsonObject, at: At, draft: Draft): void {
  const { name, client_id, server_path, http_endpoint, command, args, headers, timeout, env } = component;
  const id = [name, client_id].find((text) => typeof text === 'string') ?? stemOf(at.source);
  if (typeof server_path === 'string')
    draft.note(
      within(at, 'server_path'),
      'The server is a Python file: it is started with "python" from the project folder. Correct the command where it needs another.',
    );
  for (const key of ['capabilities', 'registration_timeout', 'sse_timeout', 'routing_weight', 'roots'])
    if (component[key] !== undefined) draft.note(within(at, key), `${quoted(key)} of an MCP server has no counterpart and is left out.`);
  draft.server(
    String(id),
    {
      ...(typeof server_path === 'string' && { command: 'python', args: [server_path] }),
      ...(typeof command === 'string' && { command: filled(command) }),
      ...(Array.isArray(args) && { args: args.map((arg: Json) => filled(arg)) }),
      ...(typeof http_endpoint === 'string' && { url: filled(http_endpoint) }),
      ...(isObject(headers) && { headers: filled(headers) }),
      ...(isObject(env) && { env }),
      ...(typeof timeout === 'number' && { timeout: Math.round(timeout * 1000) }),
    },
    at,
  );
}

/** `{TOKEN}` is an environment variable in texts of a server. */
function filled(value: Json): Json {
  if (typeof value === 'string') return value.replace(/(?<!\$)\{([A-Z_][A-Z0-9_]*)\}/g, '${env:$1}');
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item)])) : value;
}

function readWorkflow(component: JsonObject, at: At, draft: Draft): void {
  const names = listOf(component.steps).map((step) => (typeof step === 'string' ? step : textField(step, 'name')));
  const others = listOf(component.steps).filter((step) => isObject(step) && step.type !== undefined && step.type !== 'agent');
  if (names.length === 0 || names.includes(undefined) || others.length > 0) {
    draft.note(
      at,
      'The workflow is left out: only steps that are agents can be imported. Write it as an orchestration (docs/orchestrations.md).',
    );
    return;
  }
  draft.lineOfAgents(textField(component, 'name') ?? stemOf(at.source), names as string[], at);
}

/** Keys that name a file with a key. */
export const keyFiles: ReadonlySet<string> = new Set([
  'credentials_path',
  'credentials_file',
  'credentials',
  'key_file',
  'service_account_file',
]);

/** A profile whose key is in a file: keys come from the secret store or the environment. */
function homeOfKeyFile(foreign: ForeignKey): ForeignHome | undefined {
  const { file, key, segments, names } = foreign;
  if (!keyFiles.has(key) || !names.includes('api_key')) return undefined;
  const id = segments.at(-1) ?? file.identity.name;
  const around = valueAt(file.value, pointerOf(...segments));
  const isTaken = isObject(around) && (around.api_key !== undefined || around.api_key_env !== undefined);
  const reference = `secret://${isLegalName(id) ? id : 'llm'}_api_key`;
  const advice = isTaken ? 'One of them is there already.' : `Write "api_key": ${quoted(reference)} and store the key under that name.`;
  return {
    message: `${quoted(key)} names a file with a key, which is not read: a key comes from "api_key" (a secret:// reference) or "api_key_env". ${advice}`,
    ...(!isTaken && { sets: { [pointerOf(...segments, 'api_key')]: reference } }),
    replaced: [pointerOf(...segments, key)],
    safe: false,
  };
}

/** How an agent is judged is not a field of it. */
function homeOfEvaluation(foreign: ForeignKey): ForeignHome | undefined {
  const { file, key, segments, names } = foreign;
  if (key !== 'evaluation' || !names.includes('agent_type')) return undefined;
  const cases = foreign.pathOf('payload', `${file.identity.name}/{case}`);
  const isTaken = valueAt(file.value, pointerOf(...segments, 'description')) !== undefined;
  const isNote = typeof valueAt(file.value, pointerOf(...segments, key)) === 'string';
  const note = isTaken
    ? ' As a note for people it belongs in "description", which is there already: put the two together.'
    : ' As a note for people it belongs in "description".';
  return {
    message: `"evaluation" is not read: what an agent is tried with are its cases, ${cases}.${isNote ? note : ''}`,
    ...(isNote && !isTaken && { moves: [{ from: pointerOf(...segments, key), to: pointerOf(...segments, 'description') }] }),
    safe: false,
  };
}
