import { isObject, type Json, type JsonObject } from '../../../core/json.js';
import type { AssistantBlock, AssistantMessage, Message, TokenUsage, ToolDefinition, UserBlock } from '../../../core/llm/types.js';
import { createRequestCheck } from '../../support/loopbackCheck.js';
import type { Heard, WireAnswer, WireBytes, WireFailure, WireFailureKind, WireFinish, WireProvider, WireRequest } from './wire.js';

/** OpenAI's Chat Completions, as its API reference has it (Nov 2026). */
export const openai: WireProvider = {
  name: 'openai',
  baseUrl: (origin) => `${origin}/v1`,
  keyVariable: 'OPENAI_API_KEY',
  needsKey: true,
  keyOf: ({ headers }) => /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1],
  lacks: ['thinking', 'error-results', 'finish:stop-sequence'],
  refuse: (request) => refuse(request, '/v1/chat/completions'),
  write: (request, reply) => (reply.type === 'failure' ? writeFailure(reply, openaiFailures) : writeAnswer(request, reply)),
  read,
  carried,
};

/** Servers that speak it in their own way: thoughts as `reasoning_content`, ids and usage as OpenAI. */
export const openaiCompatible: WireProvider = {
  ...openai,
  name: 'openai_compatible',
  settings: { api_key_env: 'ROUTER_KEY' },
  keyVariable: 'ROUTER_KEY',
  lacks: ['error-results', 'finish:stop-sequence'],
};

/** Azure: the deployment in the path, the key in a header of its own, codes of its own for some failures. */
export const azureOpenai: WireProvider = {
  ...openai,
  name: 'azure_openai',
  settings: { options: { api_version: '2024-10-21' } },
  baseUrl: (origin) => origin,
  keyVariable: 'AZURE_OPENAI_API_KEY',
  keyOf: ({ headers }) => {
    const key = headers['api-key'];
    return typeof key === 'string' ? key : undefined;
  },
  refuse: (request) => refuse(request, `/openai/deployments/${String(request.body.model)}/chat/completions?api-version=2024-10-21`),
  write: (request, reply) => (reply.type === 'failure' ? writeFailure(reply, azureFailures) : writeAnswer(request, reply, filterResults)),
};

/** Compiled once: it takes longer than most tests. */
const check = createRequestCheck();

function refuse({ method, path, body }: WireRequest, expected: string): string | undefined {
  if (method !== 'POST' || path !== expected) return `Invalid URL (${method} ${path})`;
  return check(body)?.message;
}

interface FailureForm {
  readonly status: number;
  readonly error: JsonObject;
}

const failure = (status: number, message: string, code: Json, type: Json = 'invalid_request_error', param: Json = null): FailureForm => ({
  status,
  error: { message, type, param, code },
});

export const openaiFailures: Readonly<Record<WireFailureKind, FailureForm>> = {
  'wrong-key': failure(401, 'Incorrect API key provided.', 'invalid_api_key'),
  forbidden: failure(403, 'Country, region, or territory not supported', 'unsupported_country_region_territory', 'request_forbidden'),
  'unknown-model': failure(404, 'The model `m` does not exist or you do not have access to it.', 'model_not_found'),
  'rate-limit': failure(429, 'Rate limit reached for requests per min (RPM).', 'rate_limit_exceeded', 'requests'),
  quota: failure(
    429,
    'You exceeded your current quota, please check your plan and billing details.',
    'insufficient_quota',
    'insufficient_quota',
  ),
  server: failure(500, 'The server had an error while processing your request.', null, 'server_error'),
  overloaded: failure(503, 'The engine is currently overloaded, please try again later.', null, 'server_error'),
  'too-long': failure(
    400,
    "This model's maximum context length is 8192 tokens.",
    'context_length_exceeded',
    'invalid_request_error',
    'messages',
  ),
  'filtered-prompt': failure(400, 'Your request was rejected as a result of our safety system.', 'content_policy_violation'),
  'bad-request': failure(400, "Invalid value for 'messages'.", 'invalid_value'),
};

export const azureFailures: Readonly<Record<WireFailureKind, FailureForm>> = {
  ...openaiFailures,
  'wrong-key': { status: 401, error: { code: '401', message: 'Access denied due to invalid subscription key or wrong API endpoint.' } },
  forbidden: { status: 403, error: { code: 'AccessDenied', message: 'Access denied due to Virtual Network/Firewall rules.' } },
  'unknown-model': { status: 404, error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' } },
  'rate-limit': { status: 429, error: { code: '429', message: 'Requests have exceeded call rate limit of your current pricing tier.' } },
  quota: failure(429, 'You exceeded your current quota, please check your plan.', 'insufficient_quota', 'insufficient_quota'),
  'filtered-prompt': {
    status: 400,
    error: {
      message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      type: null,
      param: 'prompt',
      code: 'content_filter',
      status: 400,
      innererror: {
        code: 'ResponsibleAIPolicyViolation',
        content_filter_result: { hate: { filtered: true, severity: 'high' }, violence: { filtered: false, severity: 'safe' } },
      },
    },
  },
};

/** What Azure adds to the first chunk of a stream and to whole answers. */
const filterResults: JsonObject = {
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: 'safe' } } }],
};

export function errorOf({ kind, message }: WireFailure, forms: typeof openaiFailures): FailureForm {
  const { status, error } = forms[kind];
  return { status, error: message === undefined ? error : { ...error, message } };
}

export function writeFailure(reply: WireFailure, forms: typeof openaiFailures): WireBytes {
  const { status, error } = errorOf(reply, forms);
  return { status, headers: { 'content-type': 'application/json', 'x-request-id': 'req_1' }, body: JSON.stringify({ error }) };
}

const finishes: Readonly<Record<WireFinish, string>> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'tool-use': 'tool_calls',
  'content-filter': 'content_filter',
  refusal: 'stop',
  unknown: 'model_length',
};

const of = <Type extends WireAnswer['blocks'][number]['type']>(answer: WireAnswer, type: Type) =>
  answer.blocks.filter((block): block is Extract<WireAnswer['blocks'][number], { type: Type }> => block.type === type);
const joined = (blocks: readonly { readonly pieces: readonly string[] }[]) => blocks.flatMap(({ pieces }) => pieces).join('');

function writeAnswer(request: WireRequest, answer: WireAnswer, extra: JsonObject = {}): WireBytes {
  const calls = of(answer, 'tool-use');
  const finish = answer.word ?? finishes[answer.finish ?? (calls.length > 0 ? 'tool-use' : 'stop')];
  const isRefusal = answer.finish === 'refusal';
  const head = (object: string): JsonObject => ({
    id: 'chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG',
    object,
    created: 1_790_000_000,
    model: String(request.body.model),
    service_tier: 'default',
    system_fingerprint: 'fp_1',
  });
  const {
    prompt_tokens,
    completion_tokens,
    total_tokens,
    cached_tokens,
    cache_write_tokens = 0,
    reasoning_tokens = 0,
  }: TokenUsage = answer.usage ?? { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, cached_tokens: 0 };
  const usage: JsonObject = {
    prompt_tokens,
    completion_tokens,
    total_tokens,
    prompt_tokens_details: { cached_tokens, ...(cache_write_tokens > 0 && { cache_write_tokens }), audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
  };
  if (request.body.stream !== true) {
    const text = joined(of(answer, 'text'));
    const thought = joined(of(answer, 'thinking'));
    const message = {
      role: 'assistant',
      content: isRefusal || (text === '' && calls.length > 0) ? null : text,
      refusal: isRefusal ? text : null,
      annotations: [],
      ...(thought !== '' && { reasoning_content: thought }),
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } })),
      }),
    };
    const body = { ...head('chat.completion'), choices: [{ index: 0, message, logprobs: null, finish_reason: finish }], usage, ...extra };
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
  const options = request.body.stream_options;
  const wantsUsage = isObject(options) && options.include_usage === true;
  const chunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
    ...head('chat.completion.chunk'),
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...(wantsUsage && { usage: null }),
  });
  const events: JsonObject[] = Object.keys(extra).length === 0 ? [] : [{ ...head(''), choices: [], ...extra }];
  events.push(chunk({ role: 'assistant', content: calls.length > 0 && answer.blocks.length === calls.length ? null : '', refusal: null }));
  for (const block of answer.blocks) {
    if (block.type === 'thinking') events.push(...block.pieces.map((piece) => chunk({ reasoning_content: piece })));
    if (block.type === 'text') events.push(...block.pieces.map((piece) => chunk(isRefusal ? { refusal: piece } : { content: piece })));
  }
  calls.forEach(({ id, name, input, pieces = [JSON.stringify(input)] }, index) => {
    events.push(chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }));
    for (const piece of pieces) events.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
  });
  if (answer.brokenBy !== undefined) events.push({ error: errorOf(answer.brokenBy, openaiFailures).error });
  else {
    events.push(chunk({}, finish));
    if (wantsUsage) events.push({ ...head('chat.completion.chunk'), choices: [], usage });
  }
  const lines = [...events.map((event) => JSON.stringify(event)), ...(answer.brokenBy === undefined ? ['[DONE]'] : [])];
  const body = lines.map((line) => `data: ${line}\n\n`).join('');
  return { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' }, body };
}

function read({ body }: WireRequest): Heard {
  const { model, messages, tools = [], response_format: format, stop, temperature, top_p, stream } = body;
  const limit = body.max_completion_tokens ?? body.max_tokens;
  const schema = isObject(format) && isObject(format.json_schema) ? format.json_schema.schema : undefined;
  return {
    model: String(model),
    messages: readMessages(messages as readonly JsonObject[]),
    tools: (tools as readonly JsonObject[]).map((tool) => tool.function as unknown as ToolDefinition),
    ...(isObject(schema) && { schema }),
    ...(Array.isArray(stop) && { stop: stop as readonly string[] }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof top_p === 'number' && { top_p }),
    ...(typeof limit === 'number' && { max_tokens: limit }),
    isStream: stream === true,
  };
}

function readMessages(messages: readonly JsonObject[]): readonly Message[] {
  const names = new Map<string, string>();
  return messages.map((message): Message => {
    const content = typeof message.content === 'string' ? message.content : '';
    switch (message.role) {
      case 'system':
      case 'user':
        return { role: message.role, content };
      case 'tool': {
        const id = String(message.tool_call_id);
        const result: UserBlock = { type: 'tool_result', tool_use_id: id, name: names.get(id) ?? '', content };
        return { role: 'user', content: [result] };
      }
      default: {
        const calls = ((message.tool_calls ?? []) as readonly JsonObject[]).map((call): AssistantBlock => {
          const { name, arguments: written } = call.function as JsonObject;
          names.set(String(call.id), String(name));
          return { type: 'tool_use', id: String(call.id), name: String(name), input: JSON.parse(String(written)) as JsonObject };
        });
        return { role: 'assistant', content: [{ type: 'text', text: content }, ...calls] } satisfies AssistantMessage;
      }
    }
  });
}

/** Thoughts are not sent back, and a result does not say that it is an error: its words do. */
export function carried(messages: readonly Message[]): readonly Message[] {
  return messages.map((message): Message => {
    if (message.role === 'system' || typeof message.content === 'string') return message;
    if (message.role === 'assistant') return { role: 'assistant', content: message.content.filter(({ type }) => type !== 'thinking') };
    const results = message.content.map((block) => {
      if (block.type === 'text') return block;
      const { is_error: _, ...result } = block;
      return result;
    });
    return { role: 'user', content: results };
  });
}
