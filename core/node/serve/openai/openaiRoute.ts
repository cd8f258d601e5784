import type { ServerResponse } from 'node:http';
import type { RunError, RunResult } from '../../../agent/events.js';
import { toRunError } from '../../../agent/toRunError.js';
import type { JsonObject } from '../../../json.js';
import { coverText } from '../../../secrets/coverValue.js';
import { refusalWords } from '../../../serve/describe.js';
import type { Exposed } from '../../../serve/exposed.js';
import { findExposed, unknownWords } from '../../../serve/findExposed.js';
import { type AnswerHead, answerText, chatChunk, chatCompletion, usageChunk } from '../../../serve/openai/chatAnswer.js';
import { type ChatError, chatErrorBody, refusedRequest, runFailure, unknownModel } from '../../../serve/openai/chatError.js';
import { LiveText } from '../../../serve/openai/liveText.js';
import { modelList, modelOf } from '../../../serve/openai/modelList.js';
import { payloadOf } from '../../../serve/openai/payloadOf.js';
import { type ChatRequest, isChatError, readChatRequest } from '../../../serve/openai/readChatRequest.js';
import { readTraceparent } from '../../../traceContext.js';
import type { CatalogState } from '../catalog.js';
import { readBody } from '../http/readBody.js';
import { type Route, sendJson } from '../http/route.js';
import type { ExposedCall } from '../runExposed.js';
import type { Served } from '../served.js';

/** The base URL of OpenAI clients. */
export const openaiPath = '/v1';

/** A comment of the stream as often as this, in ms, so that nothing on the way takes a long run for a dead connection. */
const aliveEvery = 15_000;

/** `POST /v1/chat/completions` and `GET /v1/models`, where the model is an agent or an orchestration. */
export function createOpenaiRoute(served: Served): Route {
  const { catalog, knownSecrets } = served;
  const started = Math.floor(Date.now() / 1000);
  const send = (response: ServerResponse, error: ChatError): void =>
    sendJson(response, error.status, chatErrorBody(covered(error)), { 'x-should-retry': String(error.retry) });

  return {
    path: openaiPath,

    async handle(request, response, signal) {
      const path = (request.url ?? '').split('?')[0]?.slice(openaiPath.length) ?? '';
      if (path === '/models' || path.startsWith('/models/')) {
        if (request.method !== 'GET') return send(response, wrongMethod(request.method, 'GET'));
        const { exposed } = await catalog.current();
        if (path === '/models') return sendJson(response, 200, modelList(exposed, started));
        const name = decoded(path.slice('/models/'.length));
        const model = modelOf(exposed, name, started);
        return model === undefined ? send(response, unknownModel(unknownWords(exposed, name, false))) : sendJson(response, 200, model);
      }
      if (path !== '/chat/completions') return send(response, refusedRequest(404, 'Only /v1/chat/completions and /v1/models are served.'));
      if (request.method !== 'POST') return send(response, wrongMethod(request.method, 'POST'));
      const { traceparent } = request.headers;
      const trace = typeof traceparent === 'string' ? readTraceparent(traceparent) : undefined;
      await complete(await readBody(request), { response, signal, trace });
    },

    refuse: (response, status, message) => send(response, refusedRequest(status, message)),
  };

  async function complete(
    body: unknown,
    { response, ...call }: { readonly response: ServerResponse } & Pick<ExposedCall, 'signal' | 'trace'>,
  ): Promise<void> {
    const asked = readChatRequest(body);
    if (isChatError(asked)) return send(response, asked);
    const state = await catalog.current();
    const found = findModel(state, asked.model);
    if (isChatError(found)) return send(response, found);
    const payload = payloadOf(asked.text, found);
    if (isChatError(payload)) return send(response, payload);
    const whole: ExposedCall = { ...call, exposed: found, payload, session_id: asked.session_id };
    if (asked.stream) return stream(whole, asked, response);
    const result = await served.run(whole);
    if (result.status === 'completed') sendJson(response, 200, chatCompletion(headOf(result.run_id, asked), result));
    else send(response, runFailure(errorOf(result)));
  }

  /** The status is sent with the first text, or when the run takes long: until then a failure is answered with its own. */
  async function stream(call: ExposedCall, asked: ChatRequest, response: ServerResponse): Promise<void> {
    const live = new LiveText(call.exposed.streams_text);
    let head: AnswerHead | undefined;
    let alive: NodeJS.Timeout | undefined;
    const write = (value: JsonObject | '[DONE]') => void response.write(`data: ${value === '[DONE]' ? value : JSON.stringify(value)}\n\n`);
    const begin = (run_id: string): AnswerHead => {
      if (head !== undefined) return head;
      head = headOf(run_id, asked);
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
      write(chatChunk(head, { role: 'assistant', content: '' }));
      return head;
    };
    try {
      const result = await served.run({
        ...call,
        onEvent(event) {
          if (event.final || response.destroyed) return;
          alive ??= setInterval(() => {
            begin(event.run_id);
            response.write(': still running\n\n');
          }, aliveEvery);
          const text = live.take(event);
          if (text !== '') write(chatChunk(begin(event.run_id), { content: text }));
        },
      });
      const answer = result.status === 'completed' ? live.rest(answerText(result)) : undefined;
      if (answer === undefined) {
        const failure = result.status === 'completed' ? undefined : runFailure(errorOf(result));
        if (head === undefined && failure !== undefined) return send(response, failure);
        write(chatErrorBody(covered(failure ?? changedAnswer)));
        return;
      }
      const own = begin(result.run_id);
      if (answer !== '') write(chatChunk(own, { content: answer }));
      write(chatChunk(own, {}, 'stop'));
      if (asked.include_usage) write(usageChunk(own, result));
      write('[DONE]');
    } finally {
      clearInterval(alive);
      if (head !== undefined) response.end();
    }
  }

  function findModel({ exposed, index }: CatalogState, model: string): Exposed | ChatError {
    const found = findExposed(exposed, model);
    if (found?.refusal !== undefined) return runFailure({ ...toRunError(found.refusal), message: refusalWords(found.refusal) });
    if (found !== undefined) return found;
    const isKnown = index.versions(model).length > 0 || index.ids('agent').has(model) || index.ids('orchestration').has(model);
    return unknownModel(unknownWords(exposed, model, isKnown));
  }

  function covered(error: ChatError): ChatError {
    return { ...error, message: coverText(error.message, knownSecrets) };
  }
}

function headOf(run_id: string, { model }: ChatRequest): AnswerHead {
  return { id: `chatcmpl-${run_id}`, created: Math.floor(Date.now() / 1000), model };
}

function errorOf({ status, error }: RunResult): RunError {
  return error ?? { code: 'internal', message: `The run ended ${status}.`, recoverable: false };
}

const changedAnswer = runFailure({
  code: 'output-invalid',
  message: 'The answer was corrected after a part of it was sent. Ask without "stream" for the whole answer.',
  recoverable: true,
});

function wrongMethod(method: string | undefined, right: string): ChatError {
  return refusedRequest(405, `${method} is not served here; use ${right}.`);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
