import { expect, test } from 'vitest';
import { createLlmClient } from '../../core/llm/callDefaults.js';
import type { LlmProvider } from '../../core/llm/providers/provider.js';
import type { LlmRequest, ProviderCompletion } from '../../core/llm/types.js';
import { testPorts } from '../support/testPorts.js';

test('a call has temperature 0 unless it gives another', async () => {
  const seen: unknown[] = [];
  const completion: ProviderCompletion = {
    text: 'x',
    finish_reason: 'stop',
    usage: undefined,
    model: 'm',
    id: undefined,
    left_out: [],
    simulated: false,
  };
  const asked = ({ temperature }: LlmRequest) => void seen.push(temperature);
  const provider: LlmProvider = {
    name: 'mine',
    connect: () => ({
      call: async (request) => {
        asked(request);
        return completion;
      },
      async *stream(request) {
        asked(request);
        yield { type: 'completion', completion };
      },
    }),
  };
  const ports = { ...testPorts(), secrets: { get: () => undefined }, environment: { get: () => undefined }, fetch: () => expect.fail() };
  const client = createLlmClient({ provider: 'mine' }, ports, { providers: [provider] });
  const messages = [{ role: 'user', content: 'Hi' }] as const;
  await client.call({ model: 'm', messages });
  await client.call({ model: 'm', messages, temperature: 0.5 });
  for await (const _ of client.stream({ model: 'm', messages }));
  expect(seen).toEqual([0, 0.5, 0]);
});
