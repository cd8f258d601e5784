import type { Fetch } from '../../../ports.js';
import type { VendorServer } from '../types.js';
import { toRefusal } from '../vendorRefusal.js';
import type { BaseAnthropic } from './anthropicClient.js';
import { toErrorBody } from './messagesFailure.js';
import type { MessagesBody } from './messagesRequest.js';

/** With anthropicClient.ts the only file that imports `@anthropic-ai/sdk`; all code above sees requests, responses and `VendorRefusal`. */

export interface MessagesServerOptions {
  /** Up to `/v1/messages`, e.g. `https://api.anthropic.com`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: Fetch;
}

/** The version of the wire format that the types of the SDK describe. */
const apiVersion = '2023-06-01';
/** The SDK requires a time limit; requests end by the caller's signal, so this one is never reached. In ms. */
const noLimit = 2 ** 31 - 1;

/** Loads the SDK, without its helpers and resources, and points it at a server. Nothing is sent. */
export async function connectMessagesServer({ baseUrl, key, fetch }: MessagesServerOptions): Promise<VendorServer<MessagesBody>['post']> {
  const sdk = await import('./anthropicClient.js');
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/(v1\/?)?$/, '')}/v1/messages`;

  /**
   * The SDK with requests built here. Its own carry headers that describe the machine, and those in ANTHROPIC_CUSTOM_HEADERS.
   */
  class MessagesClient extends sdk.BaseAnthropic {
    override async buildRequest({ body, signal }: Parameters<BaseAnthropic['buildRequest']>[0]): ReturnType<BaseAnthropic['buildRequest']> {
      const request = body as unknown as MessagesBody;
      // The SDK requires a Headers object in its requests but never looks at it; the code that sends them accepts this as well.
      const headers = {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'agent-stack',
        'anthropic-version': apiVersion,
        ...(request.betas.length > 0 && { 'anthropic-beta': request.betas.join(',') }),
        'x-api-key': key,
      } as unknown as Headers;
      return {
        url: url.href,
        timeout: noLimit,
        req: { method: 'POST', headers, body: JSON.stringify(request.body), ...(signal && { signal }) },
      };
    }

    override async fetchWithTimeout(...[address, init]: Parameters<BaseAnthropic['fetchWithTimeout']>): Promise<Response> {
      try {
        const response = await fetch(address as string, init);
        if (response.status >= 300) throw await toRefusal(response, (answer) => ({ body: toErrorBody(answer) }));
        return response;
      } catch (error) {
        throw new NoAnswer(error);
      }
    }
  }
  const client = new MessagesClient({
    // Every value it would otherwise take from the environment is set, so that nothing is configured in two places.
    baseURL: baseUrl,
    apiKey: key,
    authToken: null,
    webhookKey: null,
    openTelemetry: false,
    logLevel: 'off',
    maxRetries: 0,
    // It refuses to start beside a DOM, as in an editor's extension host; the key is as safe there as the host is.
    dangerouslyAllowBrowser: true,
  });

  return async (body, { signal }) => {
    try {
      return await client.post('/v1/messages', { body, ...(signal && { signal }) }).asResponse();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error instanceof Error && error.cause instanceof NoAnswer ? error.cause.failure : error;
    }
  };
}

/** Carries the original error through the SDK, whose own errors keep only a part of it. */
class NoAnswer extends Error {
  readonly failure: unknown;

  constructor(failure: unknown) {
    super('no answer');
    this.failure = failure;
  }
}
