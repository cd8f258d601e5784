import type { Json } from '../../json.js';
import { addUsage } from '../tokenUsage.js';
import type { LlmRequest, LlmSettings, ProviderCompletion, ProviderConnection } from '../types.js';
import { unlimitedModel } from '../unlimitedModel.js';
import { findApiKey } from './apiKey.js';
import type { ProviderPorts } from './provider.js';
import type { Delivery, VendorContext, VendorPart, VendorServer, VendorWire } from './types.js';
import { incompleteAnswer } from './vendorAnswer.js';
import { readText } from './vendorBody.js';
import { toLlmError, toNetworkError } from './vendorFailure.js';
import { VendorRefusal } from './vendorRefusal.js';

export interface VendorOptions<Body> {
  readonly settings: LlmSettings;
  readonly ports: ProviderPorts;
  /** Config names of parameters the model refuses. */
  readonly unsupported: readonly string[];
  /** Environment variable that holds the key where the profile names no other place. Without it a key is optional. */
  readonly keyVariable?: string;
  readonly baseUrl: string;
  readonly wire: VendorWire<Body>;
}

/** Calls of any vendor: finds the key for each, loads the SDK with the first, and remembers which parameters a model refuses. */
export function connectVendor<Body>({ settings, ports, unsupported, keyVariable, baseUrl, wire }: VendorOptions<Body>): ProviderConnection {
  const name = settings.base_url === undefined ? settings.provider : `${settings.provider} at ${new URL(baseUrl).origin}`;
  /** By model, so that each refusal is met once. */
  const refusedBy = new Map<string, ReadonlySet<string>>();
  let connected: { readonly key: string | undefined; readonly server: Promise<VendorServer<Body>> } | undefined;

  const connectWith = (key: string | undefined): Promise<VendorServer<Body>> => {
    if (connected === undefined || connected.key !== key) connected = { key, server: wire.connect(key) };
    return connected.server;
  };

  /** Sends the request, and again without each parameter that the model refuses. */
  const send = async (request: LlmRequest, delivery: Delivery, sentContent: readonly Json[]) => {
    const key = await findApiKey(settings, ports, keyVariable);
    const server = await connectWith(key.value);
    const { model, signal } = request;
    for (;;) {
      const refused = refusedBy.get(model) ?? new Set(unsupported);
      const { body: first, left_out } = wire.toBody(request, delivery, refused);
      const body = sentContent.length === 0 || wire.resume === undefined ? first : wire.resume(first, sentContent);
      if (request.isBudgetLimit && left_out.includes('max_output_tokens')) throw unlimitedModel(model);
      const context: VendorContext = { server: name, model, key, now: () => ports.clock.now(), request, left_out };
      try {
        return { server, response: await server.post(body, { model, delivery, signal }), context };
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof VendorRefusal)) throw toNetworkError(error, context);
        const parameter = wire.refusedParameter(error, body, refused);
        if (parameter === undefined || refused.has(parameter)) throw toLlmError(error, context);
        refusedBy.set(model, new Set([...refused, parameter]));
      }
    }
  };

  async function* answer(request: LlmRequest, delivery: Delivery): AsyncGenerator<VendorPart, void, undefined> {
    const sentContent: Json[] = [];
    let before: ProviderCompletion | undefined;
    for (let pauses = 0; ; pauses++) {
      const { server, response, context } = await send(request, delivery, sentContent);
      for await (const part of delivery === 'stream' ? streamed(server, response, context) : wholeAnswer(response, context)) {
        if (part.type !== 'completion') {
          yield part;
          continue;
        }
        const { paused, ...latest } = part.completion;
        before = before === undefined ? latest : continued(before, latest);
        if (paused === undefined) {
          yield { type: 'completion', completion: before };
          return;
        }
        // Each continuation is a request of its own.
        const refusal = request.hasBudget ? 'A call with a budget is not continued.' : undefined;
        if (refusal !== undefined || pauses === mostPauses)
          throw incompleteAnswer({ word: 'pause_turn', usage: before.usage, vendorWords: refusal }, context);
        sentContent.push(...paused);
      }
    }
  }

  async function* wholeAnswer(response: Response, context: VendorContext): AsyncGenerator<VendorPart, void, undefined> {
    yield { type: 'completion', completion: wire.toCompletion(await readText(response, context), context) };
  }

  async function* streamed(
    server: VendorServer<Body>,
    response: Response,
    context: VendorContext,
  ): AsyncGenerator<VendorPart, void, undefined> {
    const type = response.headers.get('content-type') ?? '';
    if (response.body !== null && !/^(application\/json|text\/html)\b/i.test(type)) {
      yield* server.readStream(response, context);
      return;
    }
    // The server does not stream, or a proxy answers with a page.
    const completion = wire.toCompletion(await readText(response, context), context);
    for (const block of completion.blocks ?? []) if (block.type === 'thinking') yield { type: 'thinking', text: block.text };
    yield { type: 'text', text: completion.text };
    yield { type: 'completion', completion };
  }

  const call = async (request: LlmRequest): Promise<ProviderCompletion> => {
    for await (const part of answer(request, 'call')) if (part.type === 'completion') return part.completion;
    throw new Error('The answer has no end.');
  };
  return { call, stream: (request) => answer(request, 'stream') };
}

/** Most continuations of one turn. */
const mostPauses = 8;

/** Joins two parts of one answer. */
function continued(first: ProviderCompletion, second: ProviderCompletion): ProviderCompletion {
  const blocksOf = ({ blocks, text }: ProviderCompletion) => blocks ?? (text === '' ? [] : [{ type: 'text', text } as const]);
  const blocks = [...blocksOf(first), ...blocksOf(second)];
  return {
    ...second,
    text: first.text + second.text,
    ...(blocks.some(({ type }) => type !== 'text') && { blocks }),
    usage: first.usage && second.usage ? addUsage(first.usage, second.usage) : undefined,
  };
}
