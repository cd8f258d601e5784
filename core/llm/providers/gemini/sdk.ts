import type { Fetch } from '../../../ports.js';
import type { VendorPostOptions, VendorServer } from '../types.js';
import { toRefusal } from '../vendorRefusal.js';
import { readGeminiError } from './geminiFailure.js';
import type { GeminiBody } from './geminiRequest.js';

/** With geminiClient.ts the only file that imports `@google/genai`; all code above sees requests, responses and `VendorRefusal`. */

export interface GeminiServerOptions {
  /** With or without the version, e.g. `https://generativelanguage.googleapis.com/v1beta`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: Fetch;
}

/** Default version of a base URL that has none: the one with tools, thoughts and schemas. */
const defaultVersion = 'v1beta';

/** Loads the SDK and points it at a server. Nothing is sent. */
export async function connectGeminiServer({ baseUrl, key, fetch }: GeminiServerOptions): Promise<VendorServer<GeminiBody>['post']> {
  const sdk = await import('./geminiClient.js');
  const { address, version, query } = splitBaseUrl(baseUrl);

  /** The SDK without its reading of bodies and answers: `generateContent` drops fields its types do not know, and its stream drops the end. */
  class GeminiClient extends sdk.GoogleGenAI {
    async post(body: GeminiBody, { model, delivery, signal }: VendorPostOptions): Promise<Response> {
      const isStream = delivery === 'stream';
      const answer = await this.apiClient.request({
        path: `${modelPath(model)}:${isStream ? 'streamGenerateContent' : 'generateContent'}`,
        queryParams: { ...query, ...(isStream && { alt: 'sse' }) },
        body: JSON.stringify(body),
        httpMethod: 'POST',
        httpOptions: { fetch: (url, init) => send(url, init, signal) },
      });
      return answer.responseInternal;
    }
  }

  const send: (url: Parameters<Fetch>[0], init: RequestInit | undefined, signal: AbortSignal | undefined) => Promise<Response> = async (
    url,
    init,
    signal,
  ) => {
    // Its own headers describe the library and the machine.
    const headers = { 'content-type': 'application/json', 'user-agent': 'agent-stack', 'x-goog-api-key': key };
    const response = await fetch(url, { method: 'POST', headers, body: init?.body ?? null, ...(signal && { signal }) });
    // Thrown here, since the SDK's error has no headers.
    if (response.status >= 300) throw await toRefusal(response, readGeminiError);
    return response;
  };
  const client = new GeminiClient({ apiKey: key, vertexai: false, apiVersion: version, httpOptions: { baseUrl: address } });
  return (body, options) => client.post(body, options);
}

function splitBaseUrl(baseUrl: string): { address: string; version: string; query: Record<string, string> } {
  const url = new URL(baseUrl);
  const query = Object.fromEntries(url.searchParams);
  const [, path = '', version = defaultVersion] = /^(.*?)(?:\/(v\d\w*))?\/?$/.exec(url.pathname) ?? [];
  return { address: `${url.origin}${path}`, version, query };
}

/** A name as in a config, or with its collection: `models/...`, `tunedModels/...`. */
function modelPath(model: string): string {
  const path = model.includes('/') ? model : `models/${model}`;
  return path.split('/').map(encodeURIComponent).join('/');
}
