import { isObject, type Json, type JsonObject } from '../../../core/json.js';
import type { AssistantBlock, Message, ToolDefinition, UserBlock } from '../../../core/llm/types.js';
import { whyNoGemini } from '../../support/loopbackGeminiCheck.js';
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

/** Google's Gemini API, `generateContent` and `streamGenerateContent`, as its reference and the types of its SDK have it (Nov 2026). */
export const gemini: WireProvider = {
  name: 'gemini',
  baseUrl: (origin) => `${origin}/v1beta`,
  keyVariable: 'GEMINI_API_KEY',
  needsKey: true,
  keyOf: ({ headers }) => {
    const key = headers['x-goog-api-key'];
    return typeof key === 'string' ? key : undefined;
  },
  // Models do not refuse as such; a filter cuts them off. An answer that a stop sequence ended is like any other.
  lacks: ['written-tokens', 'finish:refusal', 'finish:stop-sequence'],
  refuse: ({ method, path, body }) => {
    const asked = addressed(path);
    return method !== 'POST' || asked === undefined ? `Not found (${method} ${path})` : whyNoGemini(body, asked.model);
  },
  write: (request, reply) => (reply.type === 'failure' ? writeFailure(request, reply) : writeAnswer(request, reply)),
  read,
  carried,
};

function addressed(path: string): { readonly model: string; readonly isStream: boolean } | undefined {
  const [, model, method] = /^\/v1beta\/models\/([^/:?]+):(generateContent|streamGenerateContent\?alt=sse)$/.exec(path) ?? [];
  return model === undefined ? undefined : { model, isStream: method !== 'generateContent' };
}

interface FailureForm {
  readonly code: number;
  readonly status: string;
  readonly message: string;
  readonly details?: readonly JsonObject[];
}

const quota = (quotaId: string): JsonObject => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests', quotaId, quotaValue: '50' }],
});
const exceeded = 'You exceeded your current quota, please check your plan and billing details.';

const failures: Readonly<Record<WireFailureKind, FailureForm>> = {
  'wrong-key': {
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: 'API key not valid. Please pass a valid API key.',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' }],
  },
  forbidden: { code: 403, status: 'PERMISSION_DENIED', message: 'Your project has been denied access.' },
  'unknown-model': { code: 404, status: 'NOT_FOUND', message: 'models/model-1 is not found for API version v1beta.' },
  'rate-limit': {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: exceeded,
    details: [quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier')],
  },
  quota: {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: exceeded,
    details: [quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier')],
  },
  server: { code: 500, status: 'INTERNAL', message: 'An internal error has occurred. Please retry.' },
  overloaded: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' },
  'too-long': {
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: 'The input token count (1099511) exceeds the maximum number of tokens allowed (1048576).',
  },
  'filtered-prompt': { code: 200, status: '', message: '' },
  'bad-request': { code: 400, status: 'INVALID_ARGUMENT', message: '* GenerateContentRequest.contents: contents is not specified' },
};

function errorOf({ kind, message }: WireFailure): { status: number; body: JsonObject } {
  const form = failures[kind];
  return { status: form.code, body: { error: { ...form, ...(message !== undefined && { message }) } as unknown as Json } };
}

function writeFailure(request: WireRequest, reply: WireFailure): WireBytes {
  const isStream = addressed(request.path)?.isStream === true;
  if (reply.kind !== 'filtered-prompt') {
    const { status, body } = errorOf(reply);
    return { status, headers: { 'content-type': 'application/json; charset=UTF-8' }, body: JSON.stringify(body, undefined, 2) };
  }
  // A prompt that is filtered is an answer without candidates.
  const body = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 } };
  return asWritten([body], isStream);
}

function asWritten(chunks: readonly Json[], isStream: boolean): WireBytes {
  if (!isStream)
    return { status: 200, headers: { 'content-type': 'application/json; charset=UTF-8' }, body: JSON.stringify(chunks[0], undefined, 2) };
  const body = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('');
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
}

const finishes: Readonly<Record<WireFinish, string>> = {
  stop: 'STOP',
  'stop-sequence': 'STOP',
  length: 'MAX_TOKENS',
  // There is no reason of its own for it.
  'tool-use': 'STOP',
  'content-filter': 'SAFETY',
  refusal: 'SAFETY',
  unknown: 'LANGUAGE',
};

function writeAnswer(request: WireRequest, answer: WireAnswer): WireBytes {
  const { model, isStream } = addressed(request.path) ?? { model: '', isStream: false };
  const { prompt_tokens, completion_tokens, cached_tokens } = answer.usage ?? { prompt_tokens: 9, completion_tokens: 4, cached_tokens: 0 };
  const thoughts = answer.blocks.some(({ type }) => type === 'thinking') ? Math.floor(completion_tokens / 2) : 0;
  const usageMetadata: JsonObject = {
    promptTokenCount: prompt_tokens,
    candidatesTokenCount: completion_tokens - thoughts,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    ...(cached_tokens > 0 && { cachedContentTokenCount: cached_tokens }),
    totalTokenCount: prompt_tokens + completion_tokens,
  };
  const finishReason = answer.word ?? finishes[answer.finish ?? 'stop'];
  const head = { usageMetadata, modelVersion: model, responseId: 'kqE5aZ7yB8yFkdUPrd6XsQc' };
  const chunk = (parts: readonly JsonObject[], isLast: boolean): JsonObject => ({
    candidates: [{ content: { parts, role: 'model' }, ...(isLast && { finishReason }), index: 0 }],
    ...head,
  });
  if (!isStream) return asWritten([chunk(answer.blocks.map(wholePart), true)], false);
  const chunks: JsonObject[] = answer.blocks.flatMap(streamedParts).map((part) => chunk([part], false));
  chunks.push(answer.brokenBy === undefined ? chunk([{ text: '' }], true) : errorOf(answer.brokenBy).body);
  return asWritten(chunks, true);
}

const signed = (signature: string | undefined): JsonObject => (signature === undefined ? {} : { thoughtSignature: signature });

function wholePart(block: WireBlock): JsonObject {
  switch (block.type) {
    case 'text':
      return { text: block.pieces.join('') };
    case 'thinking':
      return { text: block.pieces.join(''), thought: true, ...signed(block.signature) };
    case 'redacted':
      return { text: '', thoughtSignature: block.signature };
    case 'tool-use':
      return { functionCall: { id: block.id, name: block.name, args: block.input }, ...signed(block.signature) };
  }
}

function streamedParts(block: WireBlock): readonly JsonObject[] {
  if (block.type === 'text') return block.pieces.map((text) => ({ text }));
  if (block.type !== 'thinking') return [wholePart(block)];
  return block.pieces.map((text, index) => ({
    text,
    thought: true,
    ...(index === block.pieces.length - 1 && signed(block.signature)),
  }));
}

function read({ path, body }: WireRequest): Heard {
  const { systemInstruction, contents, tools, generationConfig } = body;
  const config = isObject(generationConfig) ? generationConfig : {};
  const asked = addressed(path);
  const system = isObject(systemInstruction) ? (systemInstruction.parts as readonly JsonObject[]).map(({ text }) => String(text)) : [];
  const said = (contents as readonly JsonObject[]).map(
    ({ role, parts }) =>
      ({ role: role === 'model' ? 'assistant' : 'user', content: (parts as readonly JsonObject[]).map(readPart) }) as Message,
  );
  return {
    model: asked?.model ?? '',
    messages: [...system.map((content): Message => ({ role: 'system', content })), ...said],
    tools: ((tools ?? []) as readonly JsonObject[]).flatMap(({ functionDeclarations }) =>
      (functionDeclarations as readonly JsonObject[]).map(readTool),
    ),
    ...(isObject(config.responseJsonSchema) && { schema: config.responseJsonSchema }),
    ...(Array.isArray(config.stopSequences) && { stop: config.stopSequences as readonly string[] }),
    ...(typeof config.temperature === 'number' && { temperature: config.temperature }),
    ...(typeof config.topP === 'number' && { top_p: config.topP }),
    ...(typeof config.maxOutputTokens === 'number' && { max_tokens: config.maxOutputTokens }),
    isStream: asked?.isStream === true,
  };
}

function readTool({ name, description, parametersJsonSchema }: JsonObject): ToolDefinition {
  return { name: String(name), description: String(description), parameters: parametersJsonSchema as JsonObject };
}

function readPart(part: JsonObject): UserBlock | AssistantBlock {
  const { functionCall: call, functionResponse: result, text, thought, thoughtSignature } = part;
  const signature = typeof thoughtSignature === 'string' ? { signature: thoughtSignature } : {};
  if (isObject(call))
    return { type: 'tool_use', id: String(call.id ?? ''), name: String(call.name), input: call.args as JsonObject, ...signature };
  if (isObject(result)) {
    const { output, error } = result.response as JsonObject;
    const content = String(error ?? output);
    const id = String(result.id ?? '');
    return { type: 'tool_result', tool_use_id: id, name: String(result.name), content, ...(error !== undefined && { is_error: true }) };
  }
  if (thought === true) return { type: 'thinking', text: String(text), ...signature };
  return 'signature' in signature ? { type: 'thinking', text: '', ...signature, redacted: true } : { type: 'text', text: String(text) };
}

/** Thoughts that are not signed are not sent, nor ids that we made up (`call_1`). */
function carried(messages: readonly Message[]): readonly Message[] {
  const idOf = (id: string) => (/^call_\d+$/.test(id) ? '' : id);
  return messages.map((message): Message => {
    if (message.role === 'system' || typeof message.content === 'string') return message;
    if (message.role === 'user') {
      return {
        role: 'user',
        content: message.content.map((block) =>
          block.type === 'tool_result' ? { ...block, tool_use_id: idOf(block.tool_use_id) } : block,
        ),
      };
    }
    const content = message.content.filter((block) => block.type !== 'thinking' || block.signature !== undefined);
    return { role: 'assistant', content: content.map((block) => (block.type === 'tool_use' ? { ...block, id: idOf(block.id) } : block)) };
  });
}
