import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { LlmError } from '../../core/errors.js';
import { providers } from '../../core/generated/providers.js';
import type { LlmProvider } from '../../core/llm/providers/provider.js';
import type { LlmRequest, LlmSettings, ProviderCompletion, ProviderPart } from '../../core/llm/types.js';
import { readStream, request, type TestClientOptions, testClient } from './testClient.js';

type Step = ProviderPart | LlmError | Error | 'hang';

const completion: ProviderCompletion = {
  text: 'hello',
  finish_reason: 'stop',
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, cached_tokens: 1 },
  model: 'answering-model',
  id: 'id-1',
  left_out: ['top_p'],
  simulated: false,
};
const text = (piece: string): ProviderPart => ({ type: 'text', text: piece });
const done: ProviderPart = { type: 'completion', completion };
const broken = () => new LlmError('server', 'broken', { status: 503, recoverable: true });
const denied = () => new LlmError('auth', 'denied', { status: 401 });

/** A provider whose n-th try plays the n-th list of steps, the last one again and again. */
function scripted(...tries: Step[][]) {
  const requests: LlmRequest[] = [];
  let returned = 0;
  async function* play(asked: LlmRequest): AsyncGenerator<ProviderPart, void, undefined> {
    const steps = tries[Math.min(requests.push(asked) - 1, tries.length - 1)]!;
    try {
      for (const step of steps) {
        if (step === 'hang') await new Promise(() => undefined);
        else if (step instanceof Error) throw step;
        else yield step as ProviderPart;
      }
    } finally {
      returned++;
    }
  }
  const provider: LlmProvider = {
    name: 'scripted',
    connect: () => ({
      stream: play,
      call: async (asked) => {
        for await (const part of play(asked)) if (part.type === 'completion') return part.completion;
        throw new Error('the script has no completion');
      },
    }),
  };
  return { provider, requests, returned: () => returned };
}

function clientOf(script: ReturnType<typeof scripted>, settings: Partial<LlmSettings> = {}, options: TestClientOptions = {}) {
  return testClient({ provider: 'scripted', ...settings }, { ...options, providers: [script.provider] });
}

describe('a call', () => {
  test('returns the answer with the number of tries and the time they took', async () => {
    const client = clientOf(scripted([broken()], [done]));
    const answer = await client.call(request);
    expect(answer).toMatchObject({ ...completion, attempts: 2 });
    expect(answer.latency_ms).toBeGreaterThan(0);
  });

  test('is tried three times, with growing waits, then fails with the last error', async () => {
    const script = scripted([broken()]);
    const client = clientOf(script);
    await expect(client.call(request)).rejects.toMatchObject({
      code: 'llm',
      reason: 'server',
      status: 503,
      attempts: 3,
      recoverable: true,
    });
    expect(script.requests).toHaveLength(3);
    expect(client.waits).toEqual([500, 1000]);
  });

  test.each([
    [1, 1],
    [5, 5],
    [0, 1],
  ])('with retry_attempts %i is tried %i times', async (retry_attempts, expected) => {
    const script = scripted([broken()]);
    await expect(clientOf(script, { retry_attempts }).call(request)).rejects.toMatchObject({ attempts: expected });
    expect(script.requests).toHaveLength(expected);
  });

  test('that cannot succeed is not tried again', async () => {
    const script = scripted([denied()]);
    const client = clientOf(script);
    await expect(client.call(request)).rejects.toMatchObject({ reason: 'auth', attempts: 1 });
    expect(client.waits).toEqual([]);
  });

  test('that meets a bug lets the bug through as it is', async () => {
    const bug = new TypeError('x is not a function');
    await expect(clientOf(scripted([bug])).call(request)).rejects.toBe(bug);
  });

  test('waits as long as the server asks, up to 60 s, and fails at once when it asks for more', async () => {
    const limited = (retryAfter: number) => new LlmError('rate-limit', 'Slow down.', { status: 429, retryAfter, recoverable: true });
    const patient = clientOf(scripted([limited(60)], [limited(0)], [done]));
    await patient.call(request);
    expect(patient.waits).toEqual([60_000, 0]);
    const hasty = clientOf(scripted([limited(7200)], [done]));
    await expect(hasty.call(request)).rejects.toMatchObject({
      reason: 'rate-limit',
      status: 429,
      attempts: 1,
      message: 'Slow down. The next try would have to wait 2 h, and a call waits 60 s at most.',
    });
    expect(hasty.waits).toEqual([]);
  });

  test('does not begin a wait that ends after its deadline', async () => {
    const client = clientOf(scripted([broken()], [done]));
    const inTime = await client.call({ ...request, deadline: performance.now() + 5000 });
    expect(inTime.attempts).toBe(2);
    const late = clientOf(scripted([broken()], [done]));
    await expect(late.call({ ...request, deadline: performance.now() + 400 })).rejects.toMatchObject({
      attempts: 1,
      message: 'broken The next try would have to wait 500 ms, which is past the deadline of this call.',
    });
  });

  test('takes a try that hangs for a broken connection, tries again, and says how long it waited', async () => {
    const script = scripted(['hang'], ['hang'], [done]);
    expect(await clientOf(script, { request_timeout_ms: 30 }).call(request)).toMatchObject({ attempts: 3 });
    expect(script.requests.map(({ signal }) => signal?.aborted)).toEqual([true, true, false]);
    await expect(clientOf(scripted(['hang']), { request_timeout_ms: 30, retry_attempts: 2 }).call(request)).rejects.toMatchObject({
      reason: 'network',
      attempts: 2,
      message: 'No complete answer came within 30 ms (request_timeout_ms). Raise request_timeout_ms for long answers, or request less.',
    });
  });

  test('to an unknown provider names those there are', async () => {
    await expect(testClient({ provider: 'opnai' }).call(request)).rejects.toMatchObject({
      reason: 'no-provider',
      message: `The provider "opnai" is not available here. Available: ${providers.map(({ name }) => name).join(', ')}. A program registers its own with openProject({ providers }); run the agent in that program.`,
    });
  });
});

describe('a stream', () => {
  test('yields the texts, then the completion, once and last', async () => {
    const { texts, completion: last, error } = await readStream(clientOf(scripted([text('hel'), text(''), text('lo'), done])));
    expect(texts).toEqual(['hel', 'lo']);
    expect(last).toMatchObject({ ...completion, attempts: 1 });
    expect(error).toBeUndefined();
  });

  test('says before each wait that it tries again', async () => {
    const { texts, retries, completion: last } = await readStream(clientOf(scripted([broken()], [broken()], [text('hello'), done])));
    expect(retries).toEqual([
      { type: 'retry', attempt: 1, wait_ms: 500, reason: 'server', message: expect.any(String) },
      { type: 'retry', attempt: 2, wait_ms: 1000, reason: 'server', message: expect.any(String) },
    ]);
    expect(texts).toEqual(['hello']);
    expect(last?.attempts).toBe(3);
  });

  test('is not tried again once text has come', async () => {
    const script = scripted([text('hel'), broken()], [text('hello'), done]);
    const { texts, retries, completion: last, error } = await readStream(clientOf(script));
    expect({ texts, retries, last }).toEqual({ texts: ['hel'], retries: [], last: undefined });
    expect(error).toMatchObject({ reason: 'server', attempts: 1 });
    expect(script.requests).toHaveLength(1);
  });

  test('that ends without a completion is an error, and tried again when nothing had come', async () => {
    const { error } = await readStream(clientOf(scripted([text('hel')])));
    expect(error).toMatchObject({ reason: 'network', message: 'The stream ended before the answer was complete.' });
    expect((await readStream(clientOf(scripted([], [text('hello'), done])))).completion?.attempts).toBe(2);
  });

  test('that hangs in the middle ends after the time limit', async () => {
    const { texts, error } = await readStream(clientOf(scripted([text('hel'), 'hang']), { request_timeout_ms: 30 }));
    expect(texts).toEqual(['hel']);
    expect(error).toMatchObject({ reason: 'network', attempts: 1 });
  });

  test('that is not read to the end is closed and its signal aborted', async () => {
    const script = scripted([text('a'), text('b'), text('c'), done]);
    for await (const part of clientOf(script).stream(request)) if (part.type === 'text' && part.text === 'b') break;
    await expect.poll(script.returned).toBe(1);
    expect(script.requests[0]?.signal?.aborted).toBe(true);
  });
});

describe('an abort', () => {
  const reason = new Error('enough');

  test('before the call sends nothing', async () => {
    const script = scripted([done]);
    const signal = AbortSignal.abort(reason);
    await expect(clientOf(script).call({ ...request, signal })).rejects.toBe(reason);
    expect((await readStream(clientOf(script), { ...request, signal })).error).toBe(reason);
    expect(script.requests).toEqual([]);
  });

  test('ends a call at once, even when the provider does not listen', async () => {
    const controller = new AbortController();
    const client = clientOf(scripted(['hang']));
    const calling = client.call({ ...request, signal: controller.signal });
    setTimeout(() => controller.abort(reason), 10);
    await expect(calling).rejects.toBe(reason);
    expect(client.log).toEqual([
      { level: 'info', message: 'model call cancelled', fields: expect.objectContaining({ attempts: 1 }) as object },
    ]);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('ends a stream between two texts', async () => {
    const controller = new AbortController();
    const script = scripted([text('a'), text('b'), 'hang']);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const part of clientOf(script).stream({ ...request, signal: controller.signal })) {
        if (part.type === 'text') seen.push(part.text);
        if (seen.length === 2) setTimeout(() => controller.abort(reason), 10);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(seen).toEqual(['a', 'b']);
  });

  test('during the last step turns a finished stream into an aborted one', async () => {
    const controller = new AbortController();
    const script = scripted([text('a'), done]);
    const reading = (async () => {
      for await (const part of clientOf(script).stream({ ...request, signal: controller.signal })) {
        if (part.type === 'text') controller.abort(reason);
        else expect.fail('a completion came after the abort');
      }
    })();
    await expect(reading).rejects.toBe(reason);
  });

  test('ends the wait between two tries', async () => {
    const controller = new AbortController();
    const script = scripted([broken()], [done]);
    const client = clientOf(script);
    const reading = (async () => {
      for await (const part of client.stream({ ...request, signal: controller.signal })) {
        if (part.type === 'retry') controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(script.requests).toHaveLength(1);
  });

  test('signal shared by a thousand calls at a time has at most one listener, and none when they are done', async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error) => warnings.push(warning);
    process.on('warning', warned);
    const { signal } = new AbortController();
    const client = clientOf(scripted([broken()], [done]));
    const calls = Array.from({ length: 1000 }, () => client.call({ ...request, signal }));
    expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
    await Promise.all(calls);
    expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
    await new Promise(setImmediate);
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });
});

describe('the log', () => {
  test('holds provider, model, tokens, time and tries of a call that worked', async () => {
    const client = clientOf(scripted([broken()], [done]));
    await client.call(request);
    expect(client.log).toEqual([
      {
        level: 'warn',
        message: 'model call will be tried again',
        fields: { provider: 'scripted', model: 'gpt-4.1-mini', attempt: 1, wait_ms: 500, reason: 'server', status: 503 },
      },
      {
        level: 'info',
        message: 'model call completed',
        fields: {
          provider: 'scripted',
          model: 'answering-model',
          finish_reason: 'stop',
          ...completion.usage,
          left_out: ['top_p'],
          simulated: false,
          attempts: 2,
          latency_ms: expect.any(Number) as number,
        },
      },
    ]);
  });

  test('counts the tools that were asked for, and says nothing of what they are', async () => {
    const use = { type: 'tool_use', id: 'id-1', name: 'secret_tool', input: { secret: 1 } } as const;
    const client = clientOf(
      scripted([{ type: 'completion', completion: { ...completion, blocks: [use, use], finish_reason: 'tool_use' } }]),
    );
    await client.call(request);
    expect(client.log).toMatchObject([{ fields: { finish_reason: 'tool_use', tool_calls: 2 } }]);
    expect(JSON.stringify(client.log)).not.toContain('secret');
  });

  test('holds reason and status of one that failed, and never what was said', async () => {
    const client = clientOf(scripted([text('secret answer'), denied()]));
    await readStream(client, { ...request, messages: [{ role: 'user', content: 'secret question' }] });
    expect(client.log).toEqual([
      {
        level: 'error',
        message: 'model call failed',
        fields: {
          provider: 'scripted',
          model: 'gpt-4.1-mini',
          attempts: 1,
          latency_ms: expect.any(Number) as number,
          reason: 'auth',
          status: 401,
        },
      },
    ]);
    expect(JSON.stringify(client.log)).not.toContain('secret');
  });
});
