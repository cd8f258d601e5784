import type { Fetch } from '../../../ports.js';
import type { VendorServer } from '../types.js';
import { toRefusal } from '../vendorRefusal.js';
import type { BaseAnthropic } from './anthropicClient.js';
import { toErrorBody } from './messagesFailure.js';
import type { MessagesBody } from './messagesRequest.js';

/** Beside anthropicClient.ts the one file that knows `@anthropic-ai/sdk`; everything above it sees requests, responses and `VendorRefusal`. */

export interface MessagesServerOptions {
  /** Up to `/v1/messages`, e.g. `https://api.anthropic.com`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: Fetch;
}

/** The version of the wire format that the types of the SDK describe. */
const apiVersion = '2023-06-01';
/** The SDK asks for a time limit; the caller's signal ends a request, so this one is never reached. In ms. */
const noLimit = 2 ** 31 - 1;

/** Loads the SDK, without its helpers and resources, and points it at a server. Nothing is sent. */
export async function connectMessagesServer({ baseUrl, key, fetch }: MessagesServerOptions): Promise<VendorServer<MessagesBody>['post']> {
  const sdk = await import('./anthropicClient.js');
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/(v1\/?)?$/, '')}/v1/messages`;

  /**
   * The SDK with requests of our own making. Its own carry headers that describe the machine, and those in ANTHROPIC_CUSTOM_HEADERS.
   */
  class MessagesClient extends sdk.BaseAnthropic {
    override async buildRequest({ body, signal }: Parameters<BaseAnthropic['buildRequest']>[0]): ReturnType<BaseAnthropic['buildRequest']> {
      const request = body as unknown as MessagesBody;
      // The SDK wants its requests to hold a Headers object and never looks at it; what sends them takes this as well.
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
    // Every value it would otherwise take from the environment is given, so that nothing is configured in two places.
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

/** Carries what went wrong through the SDK, whose own errors would keep only a part of it. */
class NoAnswer extends Error {
  readonly failure: unknown;

  constructor(failure: unknown) {
    super('no answer');
    this.failure = failure;
  }
}
