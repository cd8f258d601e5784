import { isObject, type JsonObject } from '../../../core/json.js';
import type { AssistantBlock, Message, ToolDefinition, UserBlock } from '../../../core/llm/types.js';
import { createResponsesCheck } from '../../support/loopbackResponsesCheck.js';
import { azureFailures, azureOpenai, carried, errorOf, openai, openaiFailures, writeFailure } from './chatWire.js';
import type { Heard, WireAnswer, WireBlock, WireBytes, WireProvider, WireRequest } from './wire.js';

/** OpenAI's Responses API, as its API reference has it (Nov 2026). */
export const openaiResponses: WireProvider = {
  ...openai,
  title: 'openai over the Responses API',
  settings: { options: { api: 'responses' } },
  lacks: ['error-results', 'finish:stop-sequence', 'stop'],
  refuse: (request) => refuse(request, '/v1/responses'),
  write: (request, reply) => (reply.type === 'failure' ? writeFailure(reply, openaiFailures) : writeAnswer(request, reply)),
  read,
  carried,
};

/** Azure: beside the deployments, the key in a header of its own. */
export const azureResponses: WireProvider = {
  ...azureOpenai,
  title: 'azure_openai over the Responses API',
  settings: { options: { api: 'responses', api_version: '2025-04-01-preview' } },
  lacks: openaiResponses.lacks,
  refuse: (request) => refuse(request, '/openai/responses?api-version=2025-04-01-preview'),
  write: (request, reply) => (reply.type === 'failure' ? writeFailure(reply, azureFailures) : writeAnswer(request, reply)),
  read,
};

/** Compiled once: it takes longer than most tests. */
const check = createResponsesCheck();

function refuse({ method, path, body }: WireRequest, expected: string): string | undefined {
  if (method !== 'POST' || path !== expected) return `Invalid URL (${method} ${path})`;
  return check(body);
}

function writeAnswer(request: WireRequest, answer: WireAnswer): WireBytes {
  const output = answer.blocks.map((block, index) => itemOf(block, index, answer.finish === 'refusal'));
  const response = responseOf(request, answer, output);
  if (request.body.stream !== true) return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(response) };
  const begun = { ...response, status: 'in_progress', output: [], usage: null, incomplete_details: null };
  const events: JsonObject[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...answer.blocks.flatMap((block, index) => eventsOf(block, output[index]!, index, answer.finish === 'refusal')),
  ];
  if (answer.brokenBy !== undefined) {
    const { code, message, param = null } = errorOf(answer.brokenBy, openaiFailures).error;
    events.push({ type: 'error', code: code ?? 'server_error', message: message ?? '', param });
  } else events.push({ type: response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response });
  const lines = events.map(
    (event, sequence_number) => `event: ${String(event.type)}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
  );
  return { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' }, body: lines.join('') };
}

function responseOf({ body }: WireRequest, { finish, word, usage }: WireAnswer, output: readonly JsonObject[]): JsonObject {
  const counted = usage ?? { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, cached_tokens: 0 };
  const reasons: Readonly<Record<string, string>> = {
    length: 'max_output_tokens',
    'content-filter': 'content_filter',
    unknown: 'max_messages',
  };
  const reason = word ?? reasons[finish ?? ''];
  return {
    id: 'resp_67ccd2bed1ec8190b14f964abc054267',
    object: 'response',
    created_at: 1_790_000_000,
    status: reason === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: null,
    metadata: {},
    model: String(body.model),
    output,
    parallel_tool_calls: true,
    temperature: body.temperature ?? 1,
    tool_choice: 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
    usage: {
      input_tokens: counted.prompt_tokens,
      input_tokens_details: { cached_tokens: counted.cached_tokens, cache_write_tokens: counted.cache_write_tokens ?? 0 },
      output_tokens: counted.completion_tokens,
      output_tokens_details: { reasoning_tokens: counted.reasoning_tokens ?? 0 },
      total_tokens: counted.total_tokens,
    },
  };
}

function itemOf(block: WireBlock, index: number, isRefusal: boolean): JsonObject {
  switch (block.type) {
    case 'text': {
      const text = block.pieces.join('');
      const part = isRefusal ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [], logprobs: [] };
      return { id: `msg_${index}`, type: 'message', status: 'completed', role: 'assistant', content: [part] };
    }
    case 'thinking': {
      const [id = `rs_${index}`, encrypted_content] = block.signature?.split(' ') ?? [];
      const summary = [{ type: 'summary_text', text: block.pieces.join('') }];
      return { id, type: 'reasoning', summary, ...(encrypted_content !== undefined && { encrypted_content }) };
    }
    case 'redacted': {
      const [id = '', encrypted_content = ''] = block.signature.split(' ');
      return { id, type: 'reasoning', summary: [], encrypted_content };
    }
    case 'tool-use':
      return {
        id: `fc_${index}`,
        type: 'function_call',
        status: 'completed',
        call_id: block.id,
        name: block.name,
        arguments: JSON.stringify(block.input),
      };
  }
}

function eventsOf(block: WireBlock, item: JsonObject, output_index: number, isRefusal: boolean): readonly JsonObject[] {
  const place = { item_id: item.id ?? '', output_index };
  const begin = (begun: JsonObject): JsonObject => ({ type: 'response.output_item.added', output_index, item: { ...item, ...begun } });
  const done: JsonObject = { type: 'response.output_item.done', output_index, item };
  switch (block.type) {
    case 'text': {
      const kind = isRefusal ? 'refusal' : 'output_text';
      const [part] = item.content as readonly JsonObject[];
      const empty = isRefusal ? { type: kind, refusal: '' } : { type: kind, text: '', annotations: [] };
      return [
        begin({ status: 'in_progress', content: [] }),
        { type: 'response.content_part.added', ...place, content_index: 0, part: empty },
        ...block.pieces.map((delta): JsonObject => ({ type: `response.${kind}.delta`, ...place, content_index: 0, delta })),
        { type: `response.${kind}.done`, ...place, content_index: 0, [isRefusal ? 'refusal' : 'text']: block.pieces.join('') },
        { type: 'response.content_part.done', ...place, content_index: 0, part: part ?? {} },
        done,
      ];
    }
    case 'thinking': {
      const part = { type: 'summary_text', text: block.pieces.join('') };
      return [
        begin({ summary: [] }),
        { type: 'response.reasoning_summary_part.added', ...place, summary_index: 0, part: { ...part, text: '' } },
        ...block.pieces.map((delta): JsonObject => ({ type: 'response.reasoning_summary_text.delta', ...place, summary_index: 0, delta })),
        { type: 'response.reasoning_summary_text.done', ...place, summary_index: 0, text: part.text },
        { type: 'response.reasoning_summary_part.done', ...place, summary_index: 0, part },
        done,
      ];
    }
    case 'redacted':
      return [begin({ encrypted_content: '' }), done];
    case 'tool-use':
      return [
        begin({ status: 'in_progress', arguments: '' }),
        ...(block.pieces ?? [JSON.stringify(block.input)]).map(
          (delta): JsonObject => ({ type: 'response.function_call_arguments.delta', ...place, delta }),
        ),
        { type: 'response.function_call_arguments.done', ...place, arguments: item.arguments ?? '' },
        done,
      ];
  }
}

function read({ body }: WireRequest): Heard {
  const { model, input, tools = [], text, temperature, top_p, max_output_tokens: limit, stream } = body;
  const format = isObject(text) ? text.format : undefined;
  return {
    model: String(model),
    messages: readInput(input as readonly JsonObject[]),
    tools: (tools as readonly JsonObject[]).map(
      ({ name, description, parameters }) => ({ name, description, parameters }) as unknown as ToolDefinition,
    ),
    ...(isObject(format) && isObject(format.schema) && { schema: format.schema }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof top_p === 'number' && { top_p }),
    ...(typeof limit === 'number' && { max_tokens: limit }),
    isStream: stream === true,
  };
}

function readInput(input: readonly JsonObject[]): readonly Message[] {
  const names = new Map<string, string>();
  return input.map((item): Message => {
    const id = String(item.call_id);
    switch (item.type) {
      case 'function_call': {
        const name = String(item.name);
        names.set(id, name);
        const block: AssistantBlock = { type: 'tool_use', id, name, input: JSON.parse(String(item.arguments)) as JsonObject };
        return { role: 'assistant', content: [block] };
      }
      case 'function_call_output': {
        const result: UserBlock = { type: 'tool_result', tool_use_id: id, name: names.get(id) ?? '', content: String(item.output) };
        return { role: 'user', content: [result] };
      }
      case 'reasoning': {
        const text = (item.summary as readonly JsonObject[]).map((part) => String(part.text)).join('');
        const signature = `${String(item.id)} ${String(item.encrypted_content)}`;
        return { role: 'assistant', content: [{ type: 'thinking', text, signature, ...(text === '' && { redacted: true }) }] };
      }
      default:
        return { role: item.role as 'user', content: String(item.content) };
    }
  });
}
