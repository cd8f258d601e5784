import { createLlmClient, type LlmClientExtra } from '../../core/llm/llmClient.js';
import type { Completion, LlmClient, LlmRequest, LlmSettings, StreamPart } from '../../core/llm/types.js';
import { createNodeFetch } from '../../core/node/nodeFetch.js';
import type { Clock, Fetch, LogLevel } from '../../core/ports.js';

export interface TestClient extends LlmClient {
  /** Waits between tries, in ms, none of which was really waited for. */
  readonly waits: readonly number[];
  /** Ends every time limit now, however far away its end is. */
  expire(): void;
  readonly log: readonly { readonly level: LogLevel; readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];
}

export interface TestClientOptions extends LlmClientExtra {
  readonly variables?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** 0 <= x < 1, what the random port always says. Default 0.5: no jitter. */
  readonly chance?: number;
  /** Default 2026-01-02T03:04:05Z. */
  readonly now?: number;
  readonly fetch?: Fetch;
}

const nodeFetch = createNodeFetch();

/**
 * A client on Node's real HTTP whose waits between tries take no time and are kept. Time limits below a second are real,
 * longer ones come with `expire`.
 */
export function testClient(given: LlmSettings, options: TestClientOptions = {}): TestClient {
  const {
    variables = { OPENAI_API_KEY: 'sk-test-key' },
    secrets = {},
    chance = 0.5,
    now = Date.UTC(2026, 0, 2, 3, 4, 5),
    ...extra
  } = options;
  const waits: number[] = [];
  const log: TestClient['log'][number][] = [];
  const limits = new Set<() => void>();
  const clock: Clock = {
    now: () => now,
    monotonic: () => performance.now(),
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const abort = () => reject(signal?.reason);
        if (signal?.aborted) abort();
        signal?.addEventListener('abort', abort, { once: true });
        waits.push(milliseconds);
        resolve();
      }),
    after: (milliseconds, then) => {
      const timer = milliseconds < 1000 ? setTimeout(then, milliseconds) : undefined;
      limits.add(then);
      return () => {
        clearTimeout(timer);
        limits.delete(then);
      };
    },
  };
  const client = createLlmClient(
    given,
    {
      clock,
      random: { next: () => chance, id: () => 'unused' },
      logger: { log: (level, message, fields = {}) => void log.push({ level, message, fields }) },
      secrets: { get: (name) => secrets[name] },
      environment: { get: (name) => variables[name] },
      fetch: options.fetch ?? nodeFetch,
    },
    extra,
  );
  const expire = () => {
    for (const end of [...limits]) end();
  };
  return { ...client, waits, log, expire };
}

export const request: LlmRequest = {
  model: 'gpt-4.1-mini',
  messages: [
    { role: 'system', content: 'You choose.' },
    { role: 'user', content: 'task = "x"' },
  ],
};

export interface Streamed {
  readonly texts: readonly string[];
  readonly retries: readonly Extract<StreamPart, { type: 'retry' }>[];
  readonly completion: Completion | undefined;
  readonly error: unknown;
}

/** A stream to its end, with the error it threw. */
export async function readStream(client: LlmClient, asked: LlmRequest = request): Promise<Streamed> {
  const texts: string[] = [];
  const retries: Streamed['retries'][number][] = [];
  let completion: Completion | undefined;
  let error: unknown;
  try {
    for await (const part of client.stream(asked)) {
      if (part.type === 'text') texts.push(part.text);
      else if (part.type === 'retry') retries.push(part);
      else if (part.type === 'completion') completion = part.completion;
    }
  } catch (caught) {
    error = caught;
  }
  return { texts, retries, completion, error };
}
