import { LlmError } from '../errors.js';
import { providers as builtIn } from '../generated/providers.js';
import type { Ports } from '../ports.js';
import { beginTry } from './oneTry.js';
import type { LlmProvider } from './providers/provider.js';
import { inWords, longestWait, tooLongToWait, waitAfter } from './retry.js';
import { addUsage, noUsage } from './tokenUsage.js';
import type {
  Completion,
  LlmClient,
  LlmRequest,
  LlmSettings,
  ProviderCompletion,
  ProviderConnection,
  ProviderPart,
  StreamPart,
  TokenUsage,
} from './types.js';

export type LlmPorts = Pick<Ports, 'clock' | 'random' | 'logger' | 'secrets' | 'knownSecrets' | 'environment' | 'fetch'>;

export interface LlmClientExtra {
  /** Parameters the model refuses, by their config names (`temperature`, `top_p`, `max_output_tokens`): they are left out and reported. */
  readonly unsupported?: readonly string[];
  /** Providers beside the built-in ones, tried first; an editor passes its own. */
  readonly providers?: readonly LlmProvider[];
}

/**
 * Calls one model of any vendor: finds the provider, retries where that can help, enforces time limits, and reports
 * tokens, times and failures (never texts, never keys) to the logger. It knows nothing of agents and keeps nothing between calls
 * but connections and the parameters that a model has refused.
 *
 * Tries: `retry_attempts` in all, after rate limits, 408, 409, 5xx and broken connections, never after other failures nor,
 * in a stream, once text has arrived. Each try may take `request_timeout_ms` from request to the end of the answer; one that takes
 * longer counts as a broken connection. The client does not start a wait over 60 s, or one past the request's deadline.
 */
export function createLlmClient(settings: LlmSettings, ports: LlmPorts, extra: LlmClientExtra = {}): LlmClient {
  const { clock, random } = ports;
  const tries = Math.max(1, settings.retry_attempts ?? 3);
  const limit = settings.request_timeout_ms ?? 60_000;
  let connection: ProviderConnection | undefined;

  const connect = (): ProviderConnection => {
    connection ??= findProvider(settings.provider, extra.providers ?? []).connect(settings, ports, extra.unsupported ?? []);
    return connection;
  };

  /** Waits before the next try. @param billed the tries so far @throws the failure when it is final */
  const judge = (error: unknown, attempt: number, request: LlmRequest, canRetry: boolean, started: number, billed: Billed) => {
    const { logger = ports.logger } = request;
    const reported = (final: unknown): unknown => {
      if (final instanceof LlmError) Object.assign(final, { attempts: attempt, usage: billed.usage });
      const fields = { provider: settings.provider, model: request.model, attempts: attempt, latency_ms: clock.monotonic() - started };
      if (request.signal?.aborted) logger.log('info', 'model call cancelled', fields);
      else logger.log('error', 'model call failed', { ...fields, ...describeFailure(final) });
      return final;
    };
    if (error instanceof LlmError) billed.add(error.usage);
    if (request.signal?.aborted) throw reported(request.signal.reason);
    if (!(error instanceof LlmError) || !error.recoverable || !canRetry || attempt >= tries) throw reported(error);
    const wait_ms = waitAfter(attempt, error, random);
    if (wait_ms > longestWait) throw reported(tooLongToWait(error, wait_ms, `and a call waits ${inWords(longestWait)} at most`));
    const isTooLate = request.deadline !== undefined && clock.monotonic() + wait_ms >= request.deadline;
    if (isTooLate) throw reported(tooLongToWait(error, wait_ms, 'which is past the deadline of this call'));
    logger.log('warn', 'model call will be tried again', {
      provider: settings.provider,
      model: request.model,
      attempt,
      wait_ms,
      ...describeFailure(error),
    });
    return { type: 'retry', attempt, wait_ms, reason: error.reason, message: error.message } as const;
  };

  const finish = (answer: ProviderCompletion, attempts: number, request: LlmRequest, started: number, billed: Billed): Completion => {
    const { logger = ports.logger } = request;
    request.signal?.throwIfAborted();
    const { usage: failed_usage } = billed;
    const latency_ms = clock.monotonic() - started;
    const completion = { ...answer, ...(failed_usage && { failed_usage }), attempts, latency_ms };
    const { usage, blocks = [] } = completion;
    const tool_calls = blocks.filter(({ type }) => type === 'tool_use').length;
    logger.log('info', 'model call completed', {
      provider: settings.provider,
      model: completion.model,
      finish_reason: completion.finish_reason,
      ...(tool_calls > 0 && { tool_calls }),
      prompt_tokens: usage?.prompt_tokens,
      completion_tokens: usage?.completion_tokens,
      total_tokens: usage?.total_tokens,
      cached_tokens: usage?.cached_tokens,
      ...(usage?.cache_write_tokens !== undefined && { cache_write_tokens: usage.cache_write_tokens }),
      ...(usage?.reasoning_tokens !== undefined && { reasoning_tokens: usage.reasoning_tokens }),
      ...(failed_usage && { failed_tokens: failed_usage.total_tokens }),
      left_out: completion.left_out,
      simulated: completion.simulated,
      attempts,
      latency_ms,
    });
    return completion;
  };

  const call = async (request: LlmRequest): Promise<Completion> => {
    const started = clock.monotonic();
    const billed = new Billed();
    for (let attempt = 1; ; attempt++) {
      request.signal?.throwIfAborted();
      const timedTry = beginTry(clock, limit, request.signal);
      let failure: unknown;
      try {
        const answer = await timedTry.guard(connect().call({ ...request, signal: timedTry.signal }));
        timedTry.done();
        return finish(answer, attempt, request, started, billed);
      } catch (error) {
        failure = error;
      } finally {
        timedTry.end();
      }
      const { wait_ms } = judge(failure, attempt, request, true, started, billed);
      await clock.sleep(wait_ms, request.signal);
    }
  };

  async function* stream(request: LlmRequest): AsyncGenerator<StreamPart, void, undefined> {
    const started = clock.monotonic();
    const billed = new Billed();
    for (let attempt = 1; ; attempt++) {
      request.signal?.throwIfAborted();
      const timedTry = beginTry(clock, limit, request.signal);
      let parts: AsyncIterator<ProviderPart> | undefined;
      let hasText = false;
      let failure: unknown;
      try {
        parts = connect()
          .stream({ ...request, signal: timedTry.signal })
          [Symbol.asyncIterator]();
        for (let step = await timedTry.guard(parts.next()); !step.done; step = await timedTry.guard(parts.next())) {
          const part = step.value;
          if (part.type === 'completion') {
            timedTry.done();
            yield { type: 'completion', completion: finish(part.completion, attempt, request, started, billed) };
            return;
          }
          if (part.text === '') continue;
          hasText = true;
          yield part;
        }
        failure = new LlmError('network', 'The stream ended before the answer was complete.', { recoverable: true });
      } catch (error) {
        failure = error;
      } finally {
        timedTry.end();
        // The result is no longer needed, so how its clean-up ends does not matter.
        parts?.return?.().catch(() => undefined);
      }
      const retry = judge(failure, attempt, request, !hasText, started, billed);
      yield retry;
      await clock.sleep(retry.wait_ms, request.signal);
    }
  }

  return { call, stream };
}

/** What failed tries of one call were billed for, as far as the provider reported it. */
class Billed {
  usage: TokenUsage | undefined;

  add(usage: TokenUsage | undefined): void {
    if (usage !== undefined) this.usage = addUsage(this.usage ?? noUsage, usage);
  }
}

function findProvider(name: string, injected: readonly LlmProvider[]): LlmProvider {
  const providers = [...injected, ...builtIn];
  const provider = providers.find((each) => each.name === name);
  if (provider !== undefined) return provider;
  if (name === 'vscode') {
    throw new LlmError(
      'no-provider',
      'The provider "vscode" uses the language models of VS Code, so it works in VS Code only. Run the agent there, or choose another llm profile here.',
    );
  }
  const names = providers.map((each) => each.name).join(', ');
  throw new LlmError(
    'no-provider',
    `The provider ${JSON.stringify(name)} is not available here. Available: ${names}. A program registers its own with openProject({ providers }); run the agent in that program.`,
  );
}

function describeFailure(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof LlmError)) return { error: error instanceof Error ? error.name : typeof error };
  return { reason: error.reason, ...(error.status !== undefined && { status: error.status }) };
}
