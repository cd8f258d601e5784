import type { OpenAI } from 'openai';
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

/** Where requests go and what shows the key there. */
export interface ChatAddress {
  /** Whole address of the calls of a model. */
  urlFor(model: string): string;
  keyHeader(key: string): Readonly<Record<string, string>>;
}

export interface ChatServerOptions {
  readonly address: ChatAddress;
  readonly key: string | undefined;
  readonly fetch: Fetch;
}

/** The SDK asks for a time limit; the caller's signal ends a request, so this one is never reached. In ms. */
const noLimit = 2 ** 31 - 1;

/** Loads the SDK and points it at a server. Nothing is sent. */
export async function connectChatServer({ address, key, fetch }: ChatServerOptions): Promise<ChatServer> {
  const sdk = await import('openai');
  const write = createRequestWriter();
  // The SDK wants its requests to hold a Headers object and never looks at it; what sends them takes this as well.
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'agent-stack',
    ...(key !== undefined && address.keyHeader(key)),
  } as unknown as Headers;

  /**
   * The SDK with requests of our own making. Its own carry headers that describe the machine and whatever
   * OPENAI_CUSTOM_HEADERS holds, and take three times the CPU time of sending them.
   */
  class ChatClient extends sdk.OpenAI {
    override async buildRequest({ body, signal }: Parameters<OpenAI['buildRequest']>[0]): ReturnType<OpenAI['buildRequest']> {
      const asked = body as ChatBody;
      return {
        url: address.urlFor(asked.model),
        timeout: noLimit,
        req: { method: 'POST', headers, body: write(asked), ...(signal && { signal }) },
      };
    }

    override fetchWithTimeout(...[url, init]: Parameters<OpenAI['fetchWithTimeout']>): Promise<Response> {
      return fetch(url, init);
    }
  }
  const client = new ChatClient({
    // Every value it would otherwise take from the environment is given, so that nothing is configured in two places; requests get their
    // address and key from the methods above.
    baseURL: 'http://127.0.0.1/v1',
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
        // The raw response: what the SDK reads for a caller it reads with more ceremony than an answer needs.
        return await client.post('/chat/completions', { body, ...(signal && { signal }) }).asResponse();
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof sdk.APIConnectionError) throw error.cause ?? error;
        if (error instanceof sdk.APIError && typeof error.status === 'number') throw refusalOf(error.status, error);
        throw error;
      }
    },
  };
}

function refusalOf(
  status: number,
  { headers, error, message }: { headers: Headers | undefined; error: unknown; message: string },
): ChatRefusal {
  return new ChatRefusal(status, (name) => headers?.get(name) ?? null, error ?? message.replace(/^\d+ (status code \(no body\)$)?/, ''));
}
