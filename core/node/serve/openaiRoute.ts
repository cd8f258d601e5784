import { createChatApi } from '../../serve/openai/chatApi.js';
import { refusedRequest } from '../../serve/openai/chatError.js';
import type { Served } from '../../serve/served.js';
import { type Route, readBody, sendJson } from './http/route.js';

/** The base URL of OpenAI clients. */
export const openaiPath = '/v1';

/** OpenAI's API over HTTP. */
export function createOpenaiRoute(served: Served): Route {
  const api = createChatApi(served);
  return {
    path: openaiPath,

    handle(request, response, signal) {
      const { traceparent } = request.headers;
      return api.answer({
        method: request.method,
        path: (request.url ?? '').split('?')[0]?.slice(openaiPath.length) ?? '',
        traceparent: typeof traceparent === 'string' ? traceparent : undefined,
        signal,
        readBody: () => readBody(request),
        sendJson: (status, value, headers) => sendJson(response, status, value, headers),
        write(text) {
          if (response.destroyed) return;
          if (!response.headersSent)
            response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
          response.write(text);
        },
        end: () => void response.end(),
      });
    },

    refuse: (response, status, message) =>
      sendJson(response, status, api.bodyOf(refusedRequest(status, message)), { 'x-should-retry': 'false' }),
  };
}
