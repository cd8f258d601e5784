import { isObject, type Json, type JsonObject } from '../../../core/json.js';
import type { AssistantBlock, Message, ToolDefinition, UserBlock } from '../../../core/llm/types.js';
import { whyNoMessages } from '../../support/loopbackAnthropicCheck.js';
import type {
  Heard,
  WireAnswer,
  WireBlock,
  WireBytes,
  WireFailure,
  WireFailureKind,
  WireFinish,
  WireProvider,
  WireRequest,
} from './wire.js';

/** Anthropic's Messages API, as its reference and the types of its SDK have it (Nov 2026). */
export const anthropic: WireProvider = {
  name: 'anthropic',
  baseUrl: (origin) => origin,
  keyVariable: 'ANTHROPIC_API_KEY',
  needsKey: true,
  keyOf: ({ headers }) => {
    const key = headers['x-api-key'];
    return typeof key === 'string' ? key : undefined;
  },
  // Its filters speak as refusals, of the prompt as of the answer.
  lacks: ['finish:content-filter', 'failure:filtered-prompt'],
  refuse: ({ method, path, headers, body }) => {
    if (method !== 'POST' || path !== '/v1/messages') return `Not found (${method} ${path})`;
    if (headers['anthropic-version'] !== '2023-06-01') return 'anthropic-version: header is required';
    return whyNoMessages(body);
  },
  write: (request, reply) => (reply.type === 'failure' ? writeFailure(reply) : writeAnswer(request, reply)),
  read,
  carried,
};

const failures: Readonly<Record<WireFailureKind, readonly [status: number, type: string, message: string]>> = {
  'wrong-key': [401, 'authentication_error', 'invalid x-api-key'],
  forbidden: [403, 'permission_error', 'Your API key does not have permission to use the specified resource.'],
  'unknown-model': [404, 'not_found_error', 'model: model-1'],
  'rate-limit': [429, 'rate_limit_error', 'This request would exceed the rate limit for your organization of 50 requests per minute.'],
  quota: [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.'],
  server: [500, 'api_error', 'Internal server error'],
  overloaded: [529, 'overloaded_error', 'Overloaded'],
  'too-long': [400, 'invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum'],
  'filtered-prompt': [400, 'invalid_request_error', 'Output blocked by content filtering policy'],
  'bad-request': [400, 'invalid_request_error', 'messages.0.content: Input should be a valid list'],
};

function errorOf({ kind, message }: WireFailure): { status: number; body: JsonObject } {
  const [status, type, words] = failures[kind];
  return { status, body: { type: 'error', error: { type, message: message ?? words }, request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy' } };
}

function writeFailure(reply: WireFailure): WireBytes {
  const { status, body } = errorOf(reply);
  return { status, headers: { 'content-type': 'application/json', 'request-id': 'req_1' }, body: JSON.stringify(body) };
}

const finishes: Readonly<Record<WireFinish, string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'tool-use': 'tool_use',
  'content-filter': 'refusal',
  refusal: 'refusal',
  unknown: 'something_new',
};

function writeAnswer(request: WireRequest, answer: WireAnswer): WireBytes {
  const hasCalls = answer.blocks.some(({ type }) => type === 'tool-use');
  const isRefusal = answer.finish === 'refusal';
  const words = answer.blocks.flatMap((block) => (block.type === 'text' ? block.pieces : [])).join('');
  const ending: JsonObject = {
    stop_reason: answer.word ?? finishes[answer.finish ?? (hasCalls ? 'tool-use' : 'stop')],
    stop_sequence: answer.finish === 'stop-sequence' ? 'END' : null,
    stop_details: isRefusal ? { type: 'refusal', category: 'cyber', explanation: words } : null,
    container: null,
  };
  const { prompt_tokens, completion_tokens, cached_tokens } = answer.usage ?? { prompt_tokens: 9, completion_tokens: 4, cached_tokens: 0 };
  // A part of the prompt that was written to the cache is counted apart, too.
  const written = answer.usage?.cache_write_tokens ?? 0;
  const usage: JsonObject = {
    input_tokens: prompt_tokens - cached_tokens - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached_tokens,
    output_tokens: completion_tokens,
  };
  const head: JsonObject = { id: 'msg_013Zva2CMHLNnXjNJJKqJ2EF', type: 'message', role: 'assistant', model: String(request.body.model) };
  const blocks = isRefusal ? [] : answer.blocks;
  if (request.body.stream !== true) {
    const body = { ...head, content: blocks.map(wholeBlock), ...ending, usage: { ...usage, service_tier: 'standard' } };
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
  const events: JsonObject[] = [
    {
      type: 'message_start',
      message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } },
    },
    { type: 'ping' },
  ];
  blocks.forEach((block, index) => {
    events.push({ type: 'content_block_start', index, content_block: begunBlock(block) });
    for (const delta of deltasOf(block)) events.push({ type: 'content_block_delta', index, delta });
    events.push({ type: 'content_block_stop', index });
  });
  if (answer.brokenBy !== undefined) events.push(errorOf(answer.brokenBy).body);
  else events.push({ type: 'message_delta', delta: ending, usage: { output_tokens: completion_tokens } }, { type: 'message_stop' });
  const body = events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  return { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' }, body };
}

function wholeBlock(block: WireBlock): JsonObject {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.pieces.join(''), citations: null };
    case 'thinking':
      return { type: 'thinking', thinking: block.pieces.join(''), signature: block.signature ?? '' };
    case 'redacted':
      return { type: 'redacted_thinking', data: block.signature };
    case 'tool-use':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input, caller: { type: 'direct' } };
  }
}

function begunBlock(block: WireBlock): JsonObject {
  const whole = wholeBlock(block);
  if (block.type === 'text') return { ...whole, text: '' };
  if (block.type === 'thinking') return { ...whole, thinking: '', signature: '' };
  return block.type === 'tool-use' ? { ...whole, input: {} } : whole;
}

function deltasOf(block: WireBlock): readonly JsonObject[] {
  if (block.type === 'text') return block.pieces.map((text) => ({ type: 'text_delta', text }));
  if (block.type === 'thinking') {
    const thoughts: JsonObject[] = block.pieces.map((thinking) => ({ type: 'thinking_delta', thinking }));
    return block.signature === undefined ? thoughts : [...thoughts, { type: 'signature_delta', signature: block.signature }];
  }
  if (block.type !== 'tool-use') return [];
  const pieces = block.pieces ?? (Object.keys(block.input).length === 0 ? [''] : [JSON.stringify(block.input)]);
  return pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}

function read({ body }: WireRequest): Heard {
  const { model, system, messages, tools = [], output_config, stop_sequences, temperature, top_p, max_tokens, stream } = body;
  const format = isObject(output_config) && isObject(output_config.format) ? output_config.format : undefined;
  const names = new Map<string, string>();
  const said = (messages as readonly JsonObject[]).map(
    ({ role, content }) =>
      ({ role, content: (content as readonly JsonObject[]).map((block) => readBlock(block, names)) }) as unknown as Message,
  );
  return {
    model: String(model),
    messages: system === undefined ? said : [{ role: 'system', content: systemText(system) }, ...said],
    tools: (tools as readonly JsonObject[]).map(readTool),
    ...(isObject(format?.schema) && { schema: format.schema }),
    ...(Array.isArray(stop_sequences) && { stop: stop_sequences as readonly string[] }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof top_p === 'number' && { top_p }),
    ...(typeof max_tokens === 'number' && { max_tokens }),
    isStream: stream === true,
  };
}

function readTool({ name, description = '', input_schema }: JsonObject): ToolDefinition {
  return { name: String(name), description: String(description), parameters: input_schema as JsonObject };
}

function readBlock(block: JsonObject, names: Map<string, string>): UserBlock | AssistantBlock {
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : '');
  switch (block.type) {
    case 'thinking':
      return { type: 'thinking', text: text(block.thinking), signature: text(block.signature) };
    case 'redacted_thinking':
      return { type: 'thinking', text: '', signature: text(block.data), redacted: true };
    case 'tool_use':
      names.set(text(block.id), text(block.name));
      return { type: 'tool_use', id: text(block.id), name: text(block.name), input: block.input as JsonObject };
    case 'tool_result': {
      const id = text(block.tool_use_id);
      const name = names.get(id) ?? '';
      return {
        type: 'tool_result',
        tool_use_id: id,
        name,
        content: text(block.content),
        ...(block.is_error === true && { is_error: true }),
      };
    }
    default:
      return { type: 'text', text: text(block.text) };
  }
}

/** A thought that the vendor has not signed is not sent. */
function carried(messages: readonly Message[]): readonly Message[] {
  return messages.map((message): Message => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return message;
    return { role: 'assistant', content: message.content.filter((block) => block.type !== 'thinking' || block.signature !== undefined) };
  });
}

/** A text, or its blocks: how they are cut says only what the API is to keep. */
function systemText(system: Json): string {
  return Array.isArray(system) ? (system as readonly JsonObject[]).map(({ text }) => String(text)).join('') : String(system);
}
