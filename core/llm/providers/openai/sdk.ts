import type { ChatCompletionCreateParamsNonStreaming, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Fetch } from '../../../ports.js';

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

/** The SDK wants a limit of its own; ours ends a request long before. The longest a timer takes, in ms. */
const noLimit = 2 ** 31 - 1;

/** Loads the SDK and points it at a server. Nothing is sent. */
export async function connectChatServer({ baseUrl, key, fetch }: ChatServerOptions): Promise<ChatServer> {
  const { APIConnectionError, APIError, OpenAI } = await import('openai');

  // The SDK adds headers that describe the machine and those of OPENAI_CUSTOM_HEADERS; only what a request needs leaves here.
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'agent-stack',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  const client = new OpenAI({
    // Every value it would otherwise take from the environment is given, so that nothing is configured in two places.
    baseURL: baseUrl,
    apiKey: key ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: noLimit,
    fetch: (url, init) => fetch(url, { ...init, headers }),
    // It refuses to start beside a DOM, as in an editor's extension host; the key is as safe there as the host is.
    dangerouslyAllowBrowser: true,
  });

  return {
    post: async (body, signal) => {
      try {
        // `post` with the raw response is the SDK's short road: `chat.completions.create` would look at the body once more.
        return await client.post('/chat/completions', { body, stream: body.stream ?? false, ...(signal && { signal }) }).asResponse();
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof APIConnectionError) throw error.cause ?? error;
        if (error instanceof APIError && typeof error.status === 'number') throw refusalOf(error.status, error);
        throw error;
      }
    },
  };
}

function refusalOf(
  status: number,
  { headers, error, message }: { headers: Headers | undefined; error: unknown; message: string },
): ChatRefusal {
  return new ChatRefusal(status, (name) => headers?.get(name) ?? null, error ?? message.replace(/^\d+ /, ''));
}
