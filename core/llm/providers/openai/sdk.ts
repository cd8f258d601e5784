import type { ChatCompletionCreateParamsNonStreaming, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Fetch } from '../../../ports.js';
import { createRequestWriter } from './requestText.js';

/** The one file that knows the `openai` package; everything above it sees requests, responses and `ChatRefusal`. */

export type ChatBody = ChatCompletionCreateParamsNonStreaming | ChatCompletionCreateParamsStreaming;

/** The server answered with a status of 300 or above. */
export class ChatRefusal extends Error {
  override readonly name = 'ChatRefusal';
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** What the answer holds under `error`, else the whole parsed answer, else its text. */
  readonly body: unknown;

  constructor(status: number, header: (name: string) => string | null, body: unknown) {
    super(`status ${status}`);
    this.status = status;
    this.header = header;
    this.body = body;
  }
}

export interface ChatServer {
  /** Posts one request; the body of the answer is still to be read. @throws ChatRefusal, the error of `fetch`, or the signal's reason */
  post(body: ChatBody, signal: AbortSignal | undefined): Promise<Response>;
}

export interface ChatServerOptions {
  /** With the path up to `/chat/completions`, e.g. `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly fetch: Fetch;
}

/** Loads the SDK and points it at a server. Nothing is sent. */
export async function connectChatServer({ baseUrl, key, fetch }: ChatServerOptions): Promise<ChatServer> {
  const sdk = await import('openai');
  const write = createRequestWriter();
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/chat/completions`;
  const address = url.href;
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'agent-stack',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };

  /**
   * The SDK with a way of its own to the server. The SDK's adds headers that describe the machine and whatever OPENAI_CUSTOM_HEADERS
   * holds, and for retries, time limits and logs that are ours or off takes three times the CPU time of sending the request.
   */
  class ChatClient extends sdk.OpenAI {
    /** @throws APIError for a status of 300 or above, else the error of `fetch` */
    async send(body: ChatBody, signal: AbortSignal | undefined): Promise<Response> {
      const response = await fetch(address, { method: 'POST', headers, body: write(body), ...(signal && { signal }) });
      if (response.ok) return response;
      // Half an error still says which status it came with.
      const text = await response.text().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
      const parsed = parseJson(text);
      throw this.makeStatusError(response.status, parsed as object, parsed === undefined ? text : undefined, response.headers);
    }
  }
  const client = new ChatClient({
    // Every value it would otherwise take from the environment is given, so that nothing is configured in two places.
    baseURL: baseUrl,
    apiKey: key ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    // It refuses to start beside a DOM, as in an editor's extension host; the key is as safe there as the host is.
    dangerouslyAllowBrowser: true,
  });

  return {
    post: async (body, signal) => {
      try {
        return await client.send(body, signal);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof sdk.APIError && typeof error.status === 'number') throw refusalOf(error.status, error);
        throw error;
      }
    },
  };
}

/** Undefined for what is no JSON, and for values that say nothing about an error. */
function parseJson(text: string): unknown {
  try {
    return (JSON.parse(text) as unknown) || undefined;
  } catch {
    return undefined;
  }
}

function refusalOf(
  status: number,
  { headers, error, message }: { headers: Headers | undefined; error: unknown; message: string },
): ChatRefusal {
  return new ChatRefusal(status, (name) => headers?.get(name) ?? null, error ?? message.replace(/^\d+ (status code \(no body\)$)?/, ''));
}
