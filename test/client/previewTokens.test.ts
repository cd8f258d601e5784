import { expect, test } from 'vitest';
import { TokenCache } from '../../client/panels/preview/promptTokens.js';
import { countMessageTokens, loadTokenCounter } from '../../core/llm/countTokens.js';
import type { PromptMessage } from '../../core/prompt/types.js';

const model = 'gpt-4.1-mini';
const words = Array.from({ length: 60_000 }, (_, index) => `word${index % 977} and`).join(' ');

test('a long text counted in parts has the tokens of the whole', async () => {
  const messages: readonly PromptMessage[] = [
    { role: 'system', content: 'You count.' },
    { role: 'user', content: words },
  ];
  const counted = await new TokenCache().count(model, { messages, tools: [] }, () => false);
  const whole = countMessageTokens(await loadTokenCounter([model]), model, messages);
  expect(counted).toMatchObject({ total: whole.tokens, estimated: !whole.exact });
  expect(whole.exact).toBe(true);
});

test('counting yields between two parts, and ends when it is cancelled', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  });
  const isStale = () => turns > 0;
  const counted = await new TokenCache().count(model, { messages: [{ role: 'user', content: words.repeat(4) }], tools: [] }, isStale);
  clearInterval(timer);
  expect(counted).toBeUndefined();
});
