import type { Json } from '../../json.js';
import type { LlmRequest, ProviderCompletion, ProviderPart } from '../types.js';
import type { ApiKey } from './apiKey.js';
import type { VendorRefusal } from './vendorRefusal.js';

/** What a message may say about the target of a request. */
export interface FailureContext {
  /** `openai`, or `openai_compatible at http://127.0.0.1:11434`. */
  readonly server: string;
  readonly model: string;
  readonly key: ApiKey | undefined;
  /** Milliseconds since 1970, for a `Retry-After` that is a date. */
  readonly now: () => number;
}

export type Delivery = 'call' | 'stream';

/** The parts of a completion besides the answer itself. */
export interface VendorContext extends FailureContext {
  readonly request: LlmRequest;
  readonly left_out: readonly string[];
}

/** An answer as a vendor gives it. */
export interface VendorCompletion extends ProviderCompletion {
  /** The vendor has paused within a turn: its content so far, to be sent back unchanged. */
  readonly paused?: readonly Json[];
}

export type VendorPart =
  | Exclude<ProviderPart, { readonly type: 'completion' }>
  | { readonly type: 'completion'; readonly completion: VendorCompletion };

export interface VendorPostOptions {
  readonly model: string;
  readonly delivery: Delivery;
  readonly signal: AbortSignal | undefined;
}

/** A vendor's server, with the key to use. */
export interface VendorServer<Body> {
  /** Posts one request; the body of the answer is still to be read. @throws VendorRefusal, or what `fetch` threw */
  post(body: Body, options: VendorPostOptions): Promise<Response>;
  /** @throws LlmError, or the signal's reason */
  readStream(response: Response, context: VendorContext): AsyncIterable<VendorPart>;
}

/** One vendor's wire format and SDK: the differences between vendors. */
export interface VendorWire<Body> {
  /** Loads the SDK and points it at the server. Nothing is sent. */
  connect(key: string | undefined): Promise<VendorServer<Body>>;
  /** `refused` has what `refusedParameter` returned, `left_out` the config names of what is not sent, including `response_format` and `stop`. */
  toBody(
    request: LlmRequest,
    delivery: Delivery,
    refused: ReadonlySet<string>,
  ): { readonly body: Body; readonly left_out: readonly string[] };
  /** What the server says the model does not accept, where the request can be sent without it: a config name, or a name of the wire format. */
  refusedParameter(refusal: VendorRefusal, body: Body, refused: ReadonlySet<string>): string | undefined;
  toCompletion(text: string, context: VendorContext): VendorCompletion;
  /** The request that continues a paused turn with the content sent so far. Absent for a vendor without pauses. */
  resume?(body: Body, sentContent: readonly Json[]): Body;
}
