import { describe, expect, test } from 'vitest';
import { CacheForecast } from '../../core/agent/cacheForecast.js';
import type { LlmRequest, Message } from '../../core/llm/types.js';

const system = 'x'.repeat(7000);
const first = (user: string, stable_system?: number): LlmRequest => ({
  model: 'gpt-4.1',
  messages: [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ],
  cache: { key: 'k', ...(stable_system !== undefined && { stable_system }) },
});

function forecast(provider = 'openai', model = 'gpt-4.1', options = {}) {
  return new CacheForecast({ provider, options }, model);
}

describe('what a cache gives', () => {
  test('is the stable share of the first request, by the count of the provider and in its steps', () => {
    const watch = forecast();
    watch.called(first('y'.repeat(700)));
    watch.answered({ prompt_tokens: 2200 });
    // 10 of 11 parts are the system text: 2,000 tokens, in steps of 128.
    expect(watch.tokens).toBe(1920);
  });

  test('ends where the system text differs', () => {
    const watch = forecast();
    watch.called(first('', 3500));
    watch.answered({ prompt_tokens: 2000 });
    expect(watch.tokens).toBe(0);
    const longer = forecast();
    longer.called(first('', 3500));
    longer.answered({ prompt_tokens: 4000 });
    expect(longer.tokens).toBe(1920);
  });

  test('is all that was sent before, in the calls of a loop', () => {
    const watch = forecast();
    const messages: Message[] = [...first('').messages];
    for (const prompt_tokens of [2000, 2600, 2100]) {
      watch.called({ ...first(''), messages });
      watch.answered({ prompt_tokens });
      messages.push({ role: 'user', content: 'more' });
    }
    // The third has less than the second: something was left out, and only the system text is the same.
    expect(watch.tokens).toBe(1920 + 1920 + 1920);
  });

  test.each([
    ['of a provider that is not known to cache', forecast('openai_compatible', 'm')],
    ['of a model that does not cache', forecast('openai', 'gpt-4')],
    ['where the options turn it off', forecast('anthropic', 'claude-opus-5', { cache_control: 'none' })],
  ])('is nothing %s', (_, watch) => {
    watch.called(first(''));
    watch.answered({ prompt_tokens: 100_000 });
    expect(watch.tokens).toBe(0);
  });
});
