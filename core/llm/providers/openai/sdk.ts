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
  /** What the answer holds under `error`, else its text. */
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

/**
 * A server, asked through nothing but `fetch`. The SDK says what a request holds (its types) and what a refusal means (its errors), and is
 * loaded with the first refusal. Sent through its client a request would also carry headers that describe the machine and whatever
 * OPENAI_CUSTOM_HEADERS holds, and cost more CPU time than all the rest of a call: its retries, time limits and log lines are ours.
 */
export function connectChatServer({ address, key, fetch }: ChatServerOptions): ChatServer {
  const write = createRequestWriter();
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'agent-stack',
    ...(key !== undefined && address.keyHeader(key)),
  };
  return {
    post: async (body, signal) => {
      const response = await fetch(address.urlFor(body.model), { method: 'POST', headers, body: write(body), ...(signal && { signal }) });
      if (!response.ok) throw await toRefusal(response);
      return response;
    },
  };
}

async function toRefusal(response: Response): Promise<ChatRefusal> {
  const { status, headers } = response;
  const [{ APIError }, text] = await Promise.all([import('openai'), response.text()]);
  const { error } = APIError.generate(status, parsed(text), text, headers);
  return new ChatRefusal(status, (name) => headers.get(name), error ?? text);
}

function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
