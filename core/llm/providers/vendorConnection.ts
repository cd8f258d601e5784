import { LlmError } from '../../errors.js';
import type { LlmRequest, LlmSettings, ProviderCompletion, ProviderConnection, ProviderPart } from '../types.js';
import { findApiKey } from './apiKey.js';
import { type FailureContext, toLlmError, toNetworkError } from './openai/chatFailure.js';
import type { ProviderPorts } from './provider.js';
import { VendorRefusal } from './vendorRefusal.js';

export type Delivery = 'call' | 'stream';

/** What of a completion does not stand in the answer itself. */
export interface VendorContext extends FailureContext {
  readonly request: LlmRequest;
  readonly left_out: readonly string[];
}

/** Posts one request; the body of the answer is still to be read. @throws VendorRefusal, or whatever `fetch` threw */
export type VendorPost<Body> = (body: Body, options: VendorPostOptions) => Promise<Response>;

export interface VendorPostOptions {
  readonly model: string;
  readonly delivery: Delivery;
  readonly signal: AbortSignal | undefined;
}

/** One vendor's wire format and SDK: what is different from one vendor to the next. */
export interface VendorWire<Body> {
  /** Loads the SDK and points it at the server. Nothing is sent. */
  connect(key: string): Promise<VendorPost<Body>>;
  /** `refused` and `left_out` are config names of parameters; `response_format` and `stop` may be among them. */
  toBody(
    request: LlmRequest,
    delivery: Delivery,
    refused: ReadonlySet<string>,
  ): { readonly body: Body; readonly left_out: readonly string[] };
  /** Config name of what the model does not take by the server's word, where the request can be sent without it. */
  refusedParameter(refusal: VendorRefusal, body: Body): string | undefined;
  toCompletion(text: string, context: VendorContext): ProviderCompletion;
  readStream(response: Response, context: VendorContext): AsyncIterable<ProviderPart>;
}

export interface VendorOptions<Body> {
  readonly settings: LlmSettings;
  readonly ports: ProviderPorts;
  /** Config names of parameters the model refuses. */
  readonly unsupported: readonly string[];
  /** Environment variable that holds the key where the profile names no other place. */
  readonly keyVariable: string;
  readonly baseUrl: string;
  readonly wire: VendorWire<Body>;
}

/** Most characters of one answer; what is longer comes from a server gone mad. */
export const longestAnswer = 64 * 1024 * 1024;

/** Calls of a vendor that wants a key: finds it for every call, loads the SDK with the first, and learns what a model does not take. */
export function connectVendor<Body>({ settings, ports, unsupported, keyVariable, baseUrl, wire }: VendorOptions<Body>): ProviderConnection {
  const server = settings.base_url === undefined ? settings.provider : `${settings.provider} at ${new URL(baseUrl).origin}`;
  /** By model, as far as known; they are asked only once. */
  const refusedBy = new Map<string, ReadonlySet<string>>();
  let connected: { readonly key: string; readonly post: Promise<VendorPost<Body>> } | undefined;

  const postWith = (key: string): Promise<VendorPost<Body>> => {
    if (connected === undefined || connected.key !== key) connected = { key, post: wire.connect(key) };
    return connected.post;
  };

  /** Sends the request, again without each parameter that the model says it does not take. */
  const send = async (request: LlmRequest, delivery: Delivery): Promise<{ response: Response; context: VendorContext }> => {
    const key = await findApiKey(settings, ports, keyVariable);
    // There is a variable to fall back on, so a key that is missing has been an error by now.
    const post = await postWith(key.value ?? '');
    const { model, signal } = request;
    for (;;) {
      const refused = refusedBy.get(model) ?? new Set(unsupported);
      const { body, left_out } = wire.toBody(request, delivery, refused);
      const context: VendorContext = { server, model, key, now: () => ports.clock.now(), request, left_out };
      try {
        return { response: await post(body, { model, delivery, signal }), context };
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof VendorRefusal)) throw toNetworkError(error, context);
        const name = wire.refusedParameter(error, body);
        if (name === undefined || refused.has(name)) throw toLlmError(error, context);
        refusedBy.set(model, new Set([...refused, name]));
      }
    }
  };
  const readWhole = async (response: Response, context: VendorContext): Promise<ProviderCompletion> => {
    const text = await response.text().catch((error: unknown) => {
      context.request.signal?.throwIfAborted();
      throw toNetworkError(error, context);
    });
    if (text.length > longestAnswer) throw new LlmError('server', `The answer of ${server} is longer than ${longestAnswer} characters.`);
    return wire.toCompletion(text, context);
  };

  const call = async (request: LlmRequest): Promise<ProviderCompletion> => {
    const { response, context } = await send(request, 'call');
    return readWhole(response, context);
  };
  async function* stream(request: LlmRequest): AsyncGenerator<ProviderPart, void, undefined> {
    const { response, context } = await send(request, 'stream');
    const type = response.headers.get('content-type') ?? '';
    if (response.body === null || /^(application\/json|text\/html)\b/i.test(type)) {
      // Not the vendor itself but something in between: it answers whole, or with a page.
      const completion = await readWhole(response, context);
      yield { type: 'texts', texts: [completion.text] };
      yield { type: 'completion', completion };
    } else yield* wire.readStream(response, context);
    request.signal?.throwIfAborted();
  }
  return { call, stream };
}
