import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';
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

/** What every component may have. */
const common = 'id name description metadata component_type $referenced_components inputs outputs agentspec_version min_agentspec_version';

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

/** Whether a file is of Agent Spec. */
export function isSpec(value: Json): boolean {
  if (!isObject(value)) return false;
  return (
    isObject(value.$referenced_components) || (typeof value.component_type === 'string' && typeof value.agentspec_version === 'string')
  );
}
