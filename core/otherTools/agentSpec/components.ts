import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';
import { listed, quoted } from '../../words.js';
import { textField } from '../values.js';

/**
 * The components of Agent Spec with their fields, as the schemas of versions 25.4.1 to 26.2.0 have them. A component that lacks a field with `!` is
 * refused in each of these versions.
 */
const fields: Readonly<Record<string, string>> = {
  A2AAgent: 'agent_url! connection_config! session_parameters',
  A2AConnectionConfig: 'timeout headers verify key_file cert_file ssl_ca_cert retry_policy',
  Agent: 'llm_config! system_prompt! tools toolboxes human_in_the_loop transforms',
  AgentNode: 'branches agent!',
  AgentSpecializationParameters: 'additional_instructions additional_tools human_in_the_loop',
  ApiNode: 'branches url! http_method! api_spec_uri data query_params headers sensitive_headers url_allow_list retry_policy',
  BranchingNode: 'branches mapping!',
  BuiltinTool: 'requires_confirmation tool_type! configuration executor_name tool_version',
  CatchExceptionNode: 'branches subflow!',
  ClientTool: 'requires_confirmation',
  ControlFlowEdge: 'from_node! from_branch to_node!',
  ConversationSummarizationTransform:
    'llm! max_num_messages max_num_characters min_num_messages summarization_instructions ' +
    'summarized_conversation_template max_cache_size max_cache_lifetime cache_collection_name datastore',
  DataFlowEdge: 'source_node! source_output! destination_node! destination_input!',
  EndNode: 'branches branch_name',
  Flow: 'start_node! nodes! control_flow_connections! data_flow_connections',
  FlowNode: 'branches subflow!',
  GeminiAIStudioAuthConfig: 'api_key',
  GeminiConfig: 'model_id! provider api_provider api_type url api_key default_generation_parameters retry_policy auth!',
  GeminiVertexAIAuthConfig: 'project_id location credentials',
  InMemoryCollectionDatastore: 'datastore_schema!',
  InputMessageNode: 'branches message',
  LlmConfig: 'model_id! provider api_provider api_type url api_key default_generation_parameters retry_policy',
  LlmNode: 'branches llm_config! prompt_template!',
  MCPTool: 'client_transport! requires_confirmation',
  MCPToolBox: 'client_transport! tool_filter requires_confirmation',
  MCPToolSpec: 'requires_confirmation',
  MTlsOracleDatabaseConnectionConfig: 'user! password! dsn! config_dir protocol wallet_location! wallet_password!',
  ManagerWorkers: 'group_manager! workers!',
  MapNode: 'branches subflow! reducers',
  MessageSummarizationTransform:
    'llm! max_message_size summarization_instructions summarized_message_template ' +
    'max_cache_size max_cache_lifetime cache_collection_name datastore',
  OAuthClientConfig: 'type! client_id client_secret token_endpoint_auth_method client_id_metadata_url registration_endpoint',
  OAuthConfig: 'issuer endpoints client! redirect_uri! scopes scope_policy pkce resource',
  OciAgent: 'agent_endpoint_id! client_config! retry_policy',
  OciClientConfigWithApiKey: 'service_endpoint! auth_type auth_profile! auth_file_location!',
  OciClientConfigWithInstancePrincipal: 'service_endpoint! auth_type',
  OciClientConfigWithResourcePrincipal: 'service_endpoint! auth_type',
  OciClientConfigWithSecurityToken: 'service_endpoint! auth_type auth_profile! auth_file_location!',
  OciGenAiConfig:
    'default_generation_parameters model_id! compartment_id! serving_mode provider client_config! ' +
    'api_type conversation_store_id api_provider url api_key retry_policy',
  OllamaConfig:
    'default_generation_parameters url! model_id! api_type api_key ' + 'provider api_provider retry_policy key_file cert_file ca_file',
  OpenAiCompatibleConfig:
    'default_generation_parameters url! model_id! api_type api_key ' + 'provider api_provider retry_policy key_file cert_file ca_file',
  OpenAiConfig: 'default_generation_parameters model_id! api_type api_key provider api_provider url retry_policy',
  OracleDatabaseDatastore: 'datastore_schema! connection_config!',
  OutputMessageNode: 'branches message!',
  ParallelFlowNode: 'branches subflows',
  ParallelMapNode: 'branches subflow! reducers',
  PostgresDatabaseDatastore: 'datastore_schema! connection_config!',
  RemoteAgent: 'agent_endpoint_id! client_config!',
  RemoteTool:
    'url! http_method! api_spec_uri data query_params ' + 'headers requires_confirmation sensitive_headers url_allow_list retry_policy',
  SSETransport: 'session_parameters url! headers sensitive_headers auth retry_policy',
  SSEmTLSTransport: 'session_parameters url! headers key_file! cert_file! ca_file! sensitive_headers auth retry_policy',
  ServerTool: 'requires_confirmation',
  SpecializedAgent: 'agent! agent_specialization_parameters!',
  StartNode: 'branches',
  StdioTransport: 'session_parameters command! args env cwd',
  StreamableHTTPTransport: 'session_parameters url! headers sensitive_headers auth retry_policy',
  StreamableHTTPmTLSTransport: 'session_parameters url! headers key_file! cert_file! ca_file! sensitive_headers auth retry_policy',
  Swarm: 'first_agent! relationships! handoff',
  TlsOracleDatabaseConnectionConfig: 'user! password! dsn! config_dir protocol',
  TlsPostgresDatabaseConnectionConfig: 'user! password! url! sslmode sslcert sslkey sslrootcert sslcrl',
  ToolNode: 'branches tool!',
  VllmConfig: 'default_generation_parameters url! model_id! api_type api_key provider api_provider retry_policy key_file cert_file ca_file',
};

/** A placeholder of a prompt, whose name is an input: `\w` of Python, which has the letters of any script. */
export const placeholder = /\{\{\s*([\p{L}\p{N}_]+)\s*\}\}/gu;

/** What every component may have. */
const common = 'id name description metadata component_type $referenced_components inputs outputs agentspec_version min_agentspec_version';

/** What a field of any component holds; a text where it is in no list. A reference to a component can be in the place of any of them. */
const kinds: Readonly<Record<ValueKind, string>> = {
  list:
    'additional_tools args branches control_flow_connections data_flow_connections inputs nodes outputs relationships subflows toolboxes ' +
    'tools tool_filter transforms url_allow_list workers',
  object:
    '$referenced_components agent agent_specialization_parameters auth client client_config client_transport configuration ' +
    'connection_config datastore datastore_schema default_generation_parameters destination_node endpoints env first_agent from_node ' +
    'group_manager headers llm llm_config mapping metadata pkce query_params reducers retry_policy sensitive_headers session_parameters ' +
    'source_node start_node subflow to_node tool',
  // The library takes the text "5" for a number.
  scalar:
    'handoff human_in_the_loop max_cache_lifetime max_cache_size max_message_size max_num_characters max_num_messages min_num_messages ' +
    'requires_confirmation timeout verify',
  anything: 'credentials data executor_name scopes',
  text: '',
};

type ValueKind = 'list' | 'object' | 'scalar' | 'anything' | 'text';

const kindByField: ReadonlyMap<string, ValueKind> = new Map(
  (Object.keys(kinds) as ValueKind[]).flatMap((kind) => kinds[kind].split(' ').map((field): [string, ValueKind] => [field, kind])),
);

/** Fields of every component that are read, or have no meaning outside of a file. */
export const keptOfComponents = [
  'id',
  'name',
  'description',
  'component_type',
  'agentspec_version',
  '$referenced_components',
  'inputs',
  'outputs',
];

export function nameOf({ value }: Component): string {
  return textField(value, 'name') ?? 'unnamed';
}

/** What a field of a component has to hold. */
export function kindOf(field: string): ValueKind {
  return kindByField.get(field) ?? 'text';
}

const kindWords: Readonly<Record<ValueKind, string>> = {
  list: 'a list',
  object: 'an object',
  scalar: 'a number, or true or false',
  anything: 'any value',
  text: 'a text',
};

interface ComponentFields {
  readonly all: readonly string[];
  readonly required: readonly string[];
}

export const components: ReadonlyMap<string, ComponentFields> = new Map(
  Object.entries(fields).map(([type, words]) => {
    const own = words.split(' ').filter((word) => word !== '');
    return [
      type,
      {
        all: [...common.split(' '), ...own.map((word) => word.replace('!', ''))],
        required: ['name', ...own.filter((word) => word.endsWith('!')).map((word) => word.slice(0, -1))],
      },
    ];
  }),
);

export interface Part {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** The objects in a file, without what metadata hold, which is free. */
export function* objectsIn(value: Json, pointer = ''): Generator<Part> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* objectsIn(item, pointer + pointerOf(index));
  if (!isObject(value)) return;
  yield { value, pointer };
  for (const [key, part] of Object.entries(value)) if (key !== 'metadata') yield* objectsIn(part, pointer + pointerOf(key));
}

export interface Component extends Part {
  readonly type: string;
}

export function componentsIn(value: Json): readonly Component[] {
  return [...objectsIn(value)].flatMap((part) => {
    const type = textField(part.value, 'component_type');
    return type === undefined ? [] : [{ ...part, type }];
  });
}

interface Fault {
  readonly pointer: string;
  /** A sentence. */
  readonly message: string;
}

/** Required fields that a component lacks. Components of plug-ins are not judged. */
export function missingIn({ type, value, pointer }: Component): readonly Fault[] {
  // The schemas allow null only for fields that may be absent.
  const missing = (components.get(type)?.required ?? []).filter((key) => (value[key] ?? null) === null);
  if (missing.length === 0) return [];
  return [{ pointer, message: `Agent Spec refuses this ${type}: it has no ${listed(missing)}. Add what is missing.` }];
}

/** Fields whose value is of another kind than the schemas of Agent Spec allow. */
export function wrongValuesIn({ type, value, pointer }: Component): readonly Fault[] {
  const known = components.get(type)?.all ?? [];
  return Object.entries(value).flatMap(([key, field]) =>
    !known.includes(key) || field === null || isOfKind(field, kindOf(key))
      ? []
      : [
          {
            pointer: pointer + pointerOf(key),
            message: `Agent Spec refuses this ${type}: ${quoted(key)} has to be ${kindWords[kindOf(key)]}, and is ${wordsFor(field)}.`,
          },
        ],
  );
}

function isOfKind(value: Json, kind: ValueKind): boolean {
  if (isObject(value) && textField(value, '$component_ref') !== undefined) return true;
  switch (kind) {
    case 'list':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'scalar':
      return typeof value !== 'object';
    case 'text':
      return typeof value === 'string';
    case 'anything':
      return true;
  }
}

function wordsFor(value: Json): string {
  if (Array.isArray(value)) return kindWords.list;
  if (typeof value === 'string') return kindWords.text;
  return isObject(value) ? kindWords.object : String(value);
}

/** Whether a file is of a version whose schema is known. */
export function isKnownVersion(value: Json): boolean {
  const version = textField(value, 'agentspec_version');
  return version === undefined || /^(?:25\.4\.[12]|26\.[12]\.\d+)$/.test(version);
}

/** Whether a file is of Agent Spec. */
export function isSpec(value: Json): boolean {
  if (!isObject(value)) return false;
  return (
    isObject(value.$referenced_components) || (typeof value.component_type === 'string' && typeof value.agentspec_version === 'string')
  );
}
