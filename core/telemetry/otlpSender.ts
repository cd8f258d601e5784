import type { Ports } from '../ports.js';
import type { SignalSettings } from './settings.js';

export interface OtlpSender {
  /** Sends one batch. @throws if it was not accepted, with the reason in words and nothing from the headers */
  send(body: Uint8Array): Promise<void>;
  /** For when the program waits to exit: an unreachable collector is not retried. */
  hurry(isLast: boolean): void;
  /** Aborts all pending requests. Sending again afterwards is allowed. */
  abort(): void;
}

/** Statuses that the OTLP specification calls retryable. */
const retryable = new Set([429, 502, 503, 504]);

// The exporters of OpenTelemetry's SDK 0.223 would add 32 kB to 94 kB (minified, 2026-11-27) and bypass the HTTP port (proxies) and the clock.

/**
 * Posts batches of OTLP/JSON. If a collector is unavailable or busy, it is tried again after 1 s, doubled each time with up to 20 % on top, or after
 * the delay it requests, until the batch times out.
 */
export function createOtlpSender(
  { url, headers, timeout_ms, compression }: SignalSettings,
  { clock, fetch, random }: Pick<Ports, 'clock' | 'fetch' | 'random'>,
): OtlpSender {
  const under = new Set<AbortController>();
  let isHurried = false;

  async function post(body: Uint8Array, signal: AbortSignal): Promise<{ readonly failure?: string; readonly wait_ms?: number }> {
    let response: Response;
    try {
      response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(compression === 'gzip' && { 'content-encoding': 'gzip' }),
          ...headers,
        },
        body: body as Uint8Array<ArrayBuffer>,
        signal,
      });
      // Read to its end, so that the connection can be reused.
      await response.arrayBuffer();
    } catch (error) {
      if (signal.aborted) throw error;
      return { failure: 'the collector cannot be reached', ...(!isHurried && { wait_ms: 0 }) };
    }
    if (response.ok) return {};
    const failure = `the collector answered ${response.status}`;
    if (!retryable.has(response.status)) return { failure };
    const seconds = Number(response.headers.get('retry-after') ?? '0');
    return { failure, wait_ms: Number.isFinite(seconds) ? seconds * 1000 : 0 };
  }

  return {
    async send(plain) {
      const body = compression === 'gzip' ? process.getBuiltinModule('node:zlib').gzipSync(plain) : plain;
      const over = new AbortController();
      under.add(over);
      const deadline = clock.monotonic() + timeout_ms;
      const cancel = clock.after(timeout_ms, () => over.abort(new Error(`the collector took longer than ${timeout_ms} ms`)));
      let failure: string | undefined;
      try {
        for (let backOff = 1000; ; backOff *= 2) {
          const result = await post(body, over.signal);
          failure = result.failure;
          if (failure === undefined) return;
          const { wait_ms } = result;
          const wait = Math.max(wait_ms ?? 0, backOff * (1 + 0.2 * random.next()));
          if (wait_ms === undefined || clock.monotonic() + wait >= deadline) throw new Error(failure);
          await clock.sleep(wait, over.signal);
        }
      } catch (error) {
        if (!over.signal.aborted) throw error;
        throw failure === undefined ? over.signal.reason : new Error(failure);
      } finally {
        cancel();
        under.delete(over);
      }
    },
    hurry(isLast) {
      isHurried = isLast;
    },
    abort() {
      for (const each of under) each.abort(new Error('the collector is no longer waited for'));
    },
  };
}
