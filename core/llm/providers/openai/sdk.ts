import type { Fetch } from '../../../ports.js';
import { VendorRefusal } from '../vendorRefusal.js';
import type {
  APIError,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionCreateParamsStreaming,
  OpenAI,
  ResponseCreateParamsNonStreaming,
  ResponseCreateParamsStreaming,
} from './openaiClient.js';

/** With openaiClient.ts the only file that imports `openai`; all code above sees requests, responses and `VendorRefusal`. */

export type ChatBody = ChatCompletionCreateParamsNonStreaming | ChatCompletionCreateParamsStreaming;
export type ResponsesBody = (ResponseCreateParamsNonStreaming | ResponseCreateParamsStreaming) & { readonly model: string };

/** Where requests go and how the key is sent. */
export interface ChatAddress {
  /** The address that `/chat/completions` or `/responses` is appended to, before its query. */
  baseUrlFor(model: string): string;
  keyHeader(key: string): Readonly<Record<string, string>>;
}

export function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

export interface ChatServerOptions {
  readonly address: ChatAddress;
  readonly key: string | undefined;
  readonly fetch: Fetch;
}

export interface ChatServer {
  /** Posts one request; the body of the answer is still to be read. @throws VendorRefusal, or what `fetch` threw */
  post(body: ChatBody, signal: AbortSignal | undefined): Promise<Response>;
  /** The same, to the Responses API. */
  postResponses(body: ResponsesBody, signal: AbortSignal | undefined): Promise<Response>;
}

/** The SDK requires a time limit; requests end by the caller's signal, so this one is never reached. In ms. */
const noLimit = 2 ** 31 - 1;

/** Loads the SDK. Nothing is sent. */
export async function connectChatServer({ address, key, fetch }: ChatServerOptions): Promise<ChatServer> {
  const sdk = await import('./openaiClient.js');
  // The SDK's own headers describe the machine and contain OPENAI_CUSTOM_HEADERS.
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'agent-stack',
    ...(key !== undefined && address.keyHeader(key)),
  };
  const connect = (baseURL: string): OpenAI =>
    new sdk.OpenAI({
      baseURL,
      // The SDK requires a key even where none is sent.
      apiKey: key ?? 'none',
      fetch: (url, init) => fetch(url, { ...init, headers }),
      maxRetries: 0,
      timeout: noLimit,
      // Every value that the SDK would otherwise take from the environment is set, so that nothing is configured in two places.
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
      // The SDK refuses to start beside a DOM, as in an editor's extension host; the key is as safe there as the host is.
      dangerouslyAllowBrowser: true,
    });
  const clients = new Map<string, OpenAI>();
  const clientFor = (model: string): OpenAI => {
    const baseURL = address.baseUrlFor(model);
    const client = clients.get(baseURL) ?? connect(baseURL);
    clients.set(baseURL, client);
    return client;
  };
  const answered = async (sent: { asResponse(): Promise<Response> }): Promise<Response> => {
    try {
      return await sent.asResponse();
    } catch (error) {
      // The SDK wraps what `fetch` threw.
      if (error instanceof sdk.APIConnectionError) throw error.cause ?? error;
      throw error instanceof sdk.APIError ? toRefusal(error) : error;
    }
  };
  return {
    post: async (body, signal) => answered(clientFor(body.model).chat.completions.create(body, { ...(signal && { signal }) })),
    postResponses: async (body, signal) => answered(clientFor(body.model).responses.create(body, { ...(signal && { signal }) })),
  };
}

function toRefusal({ status, headers, error, message }: APIError): VendorRefusal {
  // For a body that is not JSON, the SDK's message is the status followed by the body.
  const text = message === `${status} status code (no body)` ? '' : message.slice(`${status} `.length);
  return new VendorRefusal(status ?? 0, (name) => headers?.get(name) ?? null, error ?? text);
}
