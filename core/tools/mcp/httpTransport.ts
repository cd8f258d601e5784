// biome-ignore lint/style/noRestrictedImports: a part of the SDK, no face of ours.
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isObject } from '../../json.js';
import type { Clock, Fetch } from '../../ports.js';
import { longestAnswer } from './limits.js';

/** How long to go on after an answer has ended, in ms, before it counts as incomplete: its last message may still be on its way. */
const afterEnd = 200;
/** How long the end of a session may take, in ms. */
const goodbye = 1000;

export interface HttpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The SDK's streamable HTTP transport over our own `fetch` (proxies, certificates), with two things it does not do: an answer is bounded, and
 * a request whose answer breaks off fails at once instead of running into its time limit.
 */
export async function createHttpTransport(
  { url, headers }: HttpTarget,
  { fetch, clock }: { readonly fetch: Fetch; readonly clock: Clock },
): Promise<{ transport: StreamableHTTPClientTransport; close: () => Promise<void> }> {
  const { StreamableHTTPClientTransport } = await import('./mcpSdk.js');
  /** By id of a request that has no answer yet, how to take back what was to happen to it. */
  const waiting = new Map<unknown, () => void>();
  const answered = (id: unknown) => {
    waiting.get(id)?.();
    return waiting.delete(id);
  };
  const fail = (id: unknown, words: string) => {
    if (!answered(id)) return;
    transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: lostCode, message: words } } as JSONRPCMessage);
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: async (input, init) => {
      const id = requestId(init?.body);
      if (id !== undefined) waiting.set(id, () => undefined);
      const response = await fetch(input, init);
      if (id === undefined || response.status !== 200 || response.body === null) return response;
      let isResumable = false;
      const body = watched(response.body, {
        chunk: (text) => {
          isResumable ||= /^id:/m.test(text);
        },
        tooLong: () => fail(id, `The answer has more than ${longestAnswer / 1024 / 1024} MB`),
        end: () => {
          if (isResumable || !waiting.has(id)) return;
          waiting.set(
            id,
            clock.after(afterEnd, () => fail(id, 'The answer ended before it was complete')),
          );
        },
      });
      const type = response.headers.get('content-type') ?? '';
      return new Response(body, { status: 200, headers: { 'content-type': type, ...session(response) } });
    },
  });
  // The protocol keeps what is here and calls it first.
  transport.onmessage = (message) => {
    if ('id' in message && !('method' in message)) answered(message.id);
  };
  return {
    transport,
    async close() {
      let cancel: () => void = () => undefined;
      const time = new Promise<void>((resolve) => {
        cancel = clock.after(goodbye, resolve);
      });
      await Promise.race([transport.terminateSession().catch(() => undefined), time]);
      cancel();
      for (const id of [...waiting.keys()]) answered(id);
      await transport.close();
    },
  };
}

/** Code of an answer that was lost on its way; outside of what JSON-RPC lets servers use. */
export const lostCode = -1_000_000;

function session(response: Response): Record<string, string> {
  const id = response.headers.get('mcp-session-id');
  return id === null ? {} : { 'mcp-session-id': id };
}

/** The id of a request that wants an answer. */
function requestId(body: unknown): unknown {
  if (typeof body !== 'string') return undefined;
  const message: unknown = JSON.parse(body);
  return isObject(message) && 'method' in message ? message.id : undefined;
}

interface Watcher {
  /** The first bytes of each chunk, as text. */
  readonly chunk: (text: string) => void;
  readonly tooLong: () => void;
  readonly end: () => void;
}

function watched(body: ReadableStream<Uint8Array>, { chunk, tooLong, end }: Watcher): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let length = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await reader.read();
        if (next.done) {
          controller.close();
          end();
          return;
        }
        length += next.value.length;
        if (length > longestAnswer) {
          await reader.cancel();
          tooLong();
          controller.close();
          return;
        }
        chunk(new TextDecoder().decode(next.value.subarray(0, 4096)));
        controller.enqueue(next.value);
      } catch (error) {
        controller.error(error);
        end();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
