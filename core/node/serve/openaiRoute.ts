import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RunError, RunResult } from '../../agent/events.js';
import { toRunError } from '../../agent/runResult.js';
import type { JsonObject } from '../../json.js';
import { readTraceparent } from '../../runContext.js';
import { coverText } from '../../secrets/coverValue.js';
import { refusalWords } from '../../serve/describe.js';
import { type Exposed, findExposed, unknownWords } from '../../serve/exposed.js';
import {
  type AnswerHead,
  answerText,
  chatChunk,
  chatCompletion,
  LiveText,
  modelEntry,
  modelList,
  usageChunk,
} from '../../serve/openai/chatAnswer.js';
import { ChatError, refusedRequest, runFailure, unknownModel } from '../../serve/openai/chatError.js';
import { type ChatRequest, payloadOf, readChatRequest } from '../../serve/openai/readChatRequest.js';
import type { ExposedCall, Served } from '../../serve/served.js';
import { type Route, readBody, sendJson } from './http/route.js';

/** The base URL of OpenAI clients. */
export const openaiPath = '/v1';

/** A comment of the stream as often as this, in ms, so that nothing on the way takes a long run for a dead connection. */
const aliveEvery = 15_000;

/** `POST /v1/chat/completions` and `GET /v1/models`, where the model is an agent or an orchestration. */
export function createOpenaiRoute(served: Served): Route {
  const { catalog, knownSecrets } = served;
  const started = Math.floor(Date.now() / 1000);
  const send = (response: ServerResponse, error: ChatError): void =>
    sendJson(response, error.status, bodyOf(error), { 'x-should-retry': String(error.retry) });

  return {
    path: openaiPath,

    async handle(request, response, signal) {
      try {
        await answer(request, response, signal);
      } catch (error) {
        if (!(error instanceof ChatError)) throw error;
        send(response, error);
      }
    },

    refuse: (response, status, message) => send(response, refusedRequest(status, message)),
  };

  async function answer(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const path = (request.url ?? '').split('?')[0]?.slice(openaiPath.length) ?? '';
    if (path === '/models') {
      checkMethod(request, 'GET');
      sendJson(response, 200, modelList((await catalog.current()).exposed, started));
    } else if (path.startsWith('/models/')) {
      checkMethod(request, 'GET');
      const name = decoded(path.slice('/models/'.length));
      await findModel(name);
      sendJson(response, 200, modelEntry(name, started));
    } else if (path === '/chat/completions') {
      checkMethod(request, 'POST');
      const { traceparent } = request.headers;
      const trace = typeof traceparent === 'string' ? readTraceparent(traceparent) : undefined;
      await complete(readChatRequest(await readBody(request)), response, { signal, trace });
    } else throw refusedRequest(404, 'Only /v1/chat/completions and /v1/models are served.');
  }

  async function complete(asked: ChatRequest, response: ServerResponse, call: Pick<ExposedCall, 'signal' | 'trace'>): Promise<void> {
    const exposed = await findModel(asked.model);
    const whole: ExposedCall = { ...call, exposed, payload: payloadOf(asked.text, exposed), session_id: asked.session_id };
    if (asked.stream) return stream(whole, asked, response);
    const result = await served.run(whole);
    if (result.status !== 'completed') throw runFailure(errorOf(result));
    sendJson(response, 200, chatCompletion(headOf(result.run_id, asked), result));
  }

  /** The status is sent with the first text, or when the run takes long: until then a failure has its own. */
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
      if (result.status !== 'completed') throw runFailure(errorOf(result));
      const rest = live.rest(answerText(result));
      if (rest === undefined) throw changedAnswer;
      const own = begin(result.run_id);
      if (rest !== '') write(chatChunk(own, { content: rest }));
      write(chatChunk(own, {}, 'stop'));
      if (asked.include_usage) write(usageChunk(own, result));
      write('[DONE]');
    } catch (error) {
      if (head === undefined || !(error instanceof ChatError)) throw error;
      write(bodyOf(error));
    } finally {
      clearInterval(alive);
      if (head !== undefined) response.end();
    }
  }

  /** @throws ChatError where there is none of this name, or it cannot run */
  async function findModel(name: string): Promise<Exposed> {
    const state = await catalog.current();
    const found = findExposed(state.exposed, name);
    if (found === undefined) throw unknownModel(unknownWords(state, name));
    if (found.refusal !== undefined) throw runFailure({ ...toRunError(found.refusal), message: refusalWords(found.refusal) });
    return found;
  }

  function bodyOf(error: ChatError): JsonObject {
    return error.body(coverText(error.message, knownSecrets));
  }
}

/** @throws ChatError */
function checkMethod({ method }: IncomingMessage, right: 'GET' | 'POST'): void {
  if (method !== right) throw refusedRequest(405, `${method} is not served here; use ${right}.`);
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

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
