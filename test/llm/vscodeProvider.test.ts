import { expect, test } from 'vitest';
import { createLlmClient } from '../../core/llm/llmClient.js';
import type { LlmProvider } from '../../core/llm/providers/provider.js';
import { testPorts } from '../support/testPorts.js';

const closed = {
  secrets: { get: () => expect.fail('a key was looked for') },
  environment: { get: () => expect.fail('the environment was looked at') },
  fetch: () => expect.fail('the network was used'),
};
const request = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] } as const;

test('outside VS Code the provider vscode is refused with where it runs', async () => {
  const client = createLlmClient({ provider: 'vscode' }, { ...testPorts(), ...closed });
  await expect(client.call(request)).rejects.toMatchObject({
    reason: 'no-provider',
    message: expect.stringMatching(/works in VS Code only.*choose another llm profile/),
  });
});

test('a provider that is passed in is used by its name', async () => {
  const completion = {
    text: 'Hi',
    finish_reason: 'stop',
    usage: undefined,
    model: 'm',
    id: undefined,
    left_out: [],
    simulated: false,
  } as const;
  const mine: LlmProvider = {
    name: 'vscode',
    connect: () => ({
      call: async () => completion,
      async *stream() {
        yield { type: 'completion', completion };
      },
    }),
  };
  const client = createLlmClient({ provider: 'vscode' }, { ...testPorts(), ...closed }, { providers: [mine] });
  expect((await client.call(request)).text).toBe('Hi');
});
