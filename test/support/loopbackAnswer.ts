import { isObject, type Json, type JsonObject } from '../../core/json.js';
import type { LoopbackReply, LoopbackRequest } from './loopbackOpenAi.js';

type Omitted = NonNullable<LoopbackReply['omit']>[number];

/** A whole `chat.completion` object for a scripted reply. */
export function chatCompletion(request: LoopbackRequest, reply: LoopbackReply): JsonObject {
  const message = {
    role: 'assistant',
    content: reply.refusal === undefined ? textsOf(reply).join('') : null,
    refusal: reply.refusal ?? null,
    ...(reply.reasoning !== undefined && { reasoning_content: reply.reasoning }),
  };
  const choice = {
    index: 0,
    message,
    logprobs: null,
    ...(!lacks(reply, 'finish_reason') && { finish_reason: reply.finish_reason ?? 'stop' }),
  };
  return {
    ...head(request, reply, 'chat.completion'),
    choices: [choice],
    ...(!lacks(reply, 'usage') && { usage: usageOf(request, reply) }),
  };
}

/** The same answer as the text of a stream of server-sent events. */
export function chatStream(request: LoopbackRequest, reply: LoopbackReply): string {
  const options = request.body.stream_options;
  const wantsUsage = isObject(options) && options.include_usage === true && !lacks(reply, 'usage');
  const chunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
    ...head(request, reply, 'chat.completion.chunk'),
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...(wantsUsage && { usage: null }),
  });

  const events: Json[] = [chunk({ role: 'assistant', content: '', refusal: null })];
  if (reply.reasoning !== undefined) events.push(chunk({ reasoning_content: reply.reasoning }));
  if (reply.refusal === undefined) for (const text of textsOf(reply)) events.push(chunk({ content: text }));
  else for (const word of reply.refusal.split(/(?<= )/)) events.push(chunk({ refusal: word }));
  if (reply.streamError !== undefined) {
    events.push({ error: { type: 'server_error', param: null, code: null, ...reply.streamError } });
  } else {
    if (!lacks(reply, 'finish_reason')) events.push(chunk({}, reply.finish_reason ?? 'stop'));
    if (wantsUsage) events.push({ ...head(request, reply, 'chat.completion.chunk'), choices: [], usage: usageOf(request, reply) });
  }
  const lines = events.map((event) => JSON.stringify(event));
  if (reply.streamError === undefined && !lacks(reply, 'done')) lines.push('[DONE]');
  const newline = reply.newline ?? '\n';
  return lines.map((line) => `data: ${line}${newline}${newline}`).join('');
}

function textsOf(reply: LoopbackReply): readonly string[] {
  const text = reply.text ?? '{}';
  return typeof text === 'string' ? [text] : text;
}

function head(request: LoopbackRequest, reply: LoopbackReply, object: string): JsonObject {
  return {
    ...(!lacks(reply, 'id') && { id: 'chatcmpl-loopback' }),
    object,
    created: 1_790_000_000,
    ...(!lacks(reply, 'model') && { model: typeof request.body.model === 'string' ? request.body.model : 'unknown' }),
    service_tier: 'default',
    system_fingerprint: 'fp_loopback',
  };
}

function usageOf(request: LoopbackRequest, reply: LoopbackReply): JsonObject {
  const {
    prompt_tokens,
    completion_tokens,
    cached_tokens = 0,
  } = reply.usage ?? {
    prompt_tokens: Math.ceil(JSON.stringify(request.body.messages ?? '').length / 4),
    completion_tokens: Math.ceil(textsOf(reply).join('').length / 4),
  };
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
  };
}

function lacks(reply: LoopbackReply, part: Omitted): boolean {
  return reply.omit?.includes(part) ?? false;
}
