import type { RunError, RunResult } from '../../agent/events.js';
import { toRunError } from '../../agent/runResult.js';
import { InputInvalidError } from '../../errors.js';
import type { Json, JsonObject } from '../../json.js';
import { readTraceparent } from '../../runContext.js';
import { coverText } from '../../secrets/coverValue.js';
import { refusalWords } from '../describe.js';
import { type Exposed, findExposed, unknownWords } from '../exposed.js';
import { payloadOf } from '../payloadOf.js';
import type { ExposedCall, Served } from '../served.js';
import { type AnswerHead, answerText, chatChunk, chatCompletion, LiveText, modelEntry, modelList, usageChunk } from './chatAnswer.js';
import { ChatError, refusedRequest, requestError, runFailure, unknownModel } from './chatError.js';
import { type ChatRequest, readChatRequest } from './readChatRequest.js';

/** An HTTP request and its response. Writing to a disconnected client does nothing. */
export interface HttpExchange {
  readonly method: string | undefined;
  /** Below the base URL of the API. */
  readonly path: string;
  readonly traceparent: string | undefined;
  /** Aborts when the connection closes before the answer, or the server shuts down. */
  readonly signal: AbortSignal;
  /** The JSON value of the body. */
  readBody(): Promise<Json>;
  sendJson(status: number, value: JsonObject, headers?: Readonly<Record<string, string>>): void;
  /** Writes to a stream of server-sent events, which the first call starts with status 200. */
  write(text: string): void;
  end(): void;
}

/** Interval of keep-alive comments in the stream, in ms, so that proxies do not close the connection of a long run. */
const keepAliveInterval = 15_000;

/** `POST /chat/completions` and `GET /models`, whose models are agents and orchestrations. */
export function createChatApi(served: Served): { answer(exchange: HttpExchange): Promise<void>; bodyOf(error: ChatError): JsonObject } {
  const { catalog, clock, knownSecrets } = served;
  const started = seconds();

  return { answer, bodyOf };

  async function answer(exchange: HttpExchange): Promise<void> {
    try {
      await handle(exchange);
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      exchange.sendJson(error.status, bodyOf(error), { 'x-should-retry': String(error.retry) });
    }
  }

  async function handle(exchange: HttpExchange): Promise<void> {
    const { path, signal, traceparent } = exchange;
    if (path === '/models') {
      checkMethod(exchange, 'GET');
      exchange.sendJson(200, modelList((await catalog.current()).exposed, started));
    } else if (path.startsWith('/models/')) {
      checkMethod(exchange, 'GET');
      const name = decoded(path.slice('/models/'.length));
      await findModel(name);
      exchange.sendJson(200, modelEntry(name, started));
    } else if (path === '/chat/completions') {
      checkMethod(exchange, 'POST');
      const trace = traceparent === undefined ? undefined : readTraceparent(traceparent);
      await complete(readChatRequest(await exchange.readBody()), exchange, { signal, trace });
    } else throw refusedRequest(404, 'Only /v1/chat/completions and /v1/models are served.');
  }

  async function complete(request: ChatRequest, exchange: HttpExchange, call: Pick<ExposedCall, 'signal' | 'trace'>): Promise<void> {
    const exposed = await findModel(request.model);
    const whole: ExposedCall = { ...call, exposed, payload: inputOf(request, exposed), session_id: request.session_id };
    if (request.stream) return stream(whole, request, exchange);
    const result = await served.run(whole);
    if (result.status !== 'completed') throw runFailure(errorOf(result));
    exchange.sendJson(200, chatCompletion(headOf(result.run_id, request), result));
  }

  /** The status is sent with the first text or keep-alive comment: until then, a failure has its own status. */
  async function stream(call: ExposedCall, request: ChatRequest, exchange: HttpExchange): Promise<void> {
    const live = new LiveText(call.exposed.streams_text);
    let head: AnswerHead | undefined;
    let stopBeat: (() => void) | undefined;
    const write = (value: JsonObject | '[DONE]') => exchange.write(`data: ${value === '[DONE]' ? value : JSON.stringify(value)}\n\n`);
    const begin = (run_id: string): AnswerHead => {
      if (head !== undefined) return head;
      head = headOf(run_id, request);
      write(chatChunk(head, { role: 'assistant', content: '' }));
      return head;
    };
    const beat = (run_id: string) => {
      stopBeat = clock.after(keepAliveInterval, () => {
        begin(run_id);
        exchange.write(': still running\n\n');
        beat(run_id);
      });
    };
    try {
      const result = await served.run({
        ...call,
        onEvent(event) {
          if (event.final || call.signal.aborted) return;
          if (stopBeat === undefined) beat(event.run_id);
          const text = live.take(event);
          if (text !== '') write(chatChunk(begin(event.run_id), { content: text }));
        },
      });
      if (result.status !== 'completed') throw runFailure(errorOf(result));
      const remaining = live.remaining(answerText(result));
      if (remaining === undefined) throw changedAnswer;
      const begun = begin(result.run_id);
      if (remaining !== '') write(chatChunk(begun, { content: remaining }));
      write(chatChunk(begun, {}, 'stop'));
      if (request.include_usage) write(usageChunk(begun, result));
      write('[DONE]');
    } catch (error) {
      if (head === undefined || !(error instanceof ChatError)) throw error;
      write(bodyOf(error));
    } finally {
      stopBeat?.();
      if (head !== undefined) exchange.end();
    }
  }

  /** @throws ChatError if the name is unknown, or it cannot run */
  async function findModel(name: string): Promise<Exposed> {
    const state = await catalog.current();
    const exposed = findExposed(state.exposed, name);
    if (exposed === undefined) throw unknownModel(unknownWords(state.exposed, name));
    if (exposed.refusal !== undefined) throw runFailure({ ...toRunError(exposed.refusal), message: refusalWords(exposed.refusal) });
    return exposed;
  }

  function bodyOf(error: ChatError): JsonObject {
    return error.body(coverText(error.message, knownSecrets));
  }

  function headOf(run_id: string, { model }: ChatRequest): AnswerHead {
    return { id: `chatcmpl-${run_id}`, created: seconds(), model };
  }

  function seconds(): number {
    return Math.floor(clock.now() / 1000);
  }
}

/** @throws ChatError */
function inputOf({ text }: ChatRequest, exposed: Exposed): JsonObject {
  try {
    return payloadOf(text, exposed);
  } catch (error) {
    throw error instanceof InputInvalidError ? requestError(error.message, 'messages', error.code) : error;
  }
}

/** @throws ChatError */
function checkMethod({ method }: HttpExchange, allowed: 'GET' | 'POST'): void {
  if (method !== allowed) throw refusedRequest(405, `${method} is not served here; use ${allowed}.`);
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
