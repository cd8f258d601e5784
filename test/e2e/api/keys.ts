import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { goodAnswer, runWith, streamed } from './models.js';

describe('Keys', () => {
  const sent: (string | undefined)[] = [];
  let server: Server;

  before(async () => {
    server = createServer((request, response) => {
      sent.push(request.headers.authorization);
      request.resume().once('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed(goodAnswer)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => server.close());

  it('come from the environment variable that a profile names', async () => {
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    process.env.AGENT_STACK_E2E_KEY = 'sk-of-the-environment';
    try {
      const named = { provider: 'openai', model_name: 'gpt-4.1-mini', base_url };
      assert.deepEqual((await runWith({ ...named, api_key_env: 'AGENT_STACK_E2E_KEY' })).output, goodAnswer);
      // A secret that is not stored is looked for there too.
      const result = await runWith({ ...named, api_key: 'secret://agent-stack-e2e-key' });
      assert.deepEqual(result.output, goodAnswer);
      assert.deepEqual(sent, ['Bearer sk-of-the-environment', 'Bearer sk-of-the-environment']);
      assert.ok(!JSON.stringify(result).includes('sk-of-the-environment'));
    } finally {
      delete process.env.AGENT_STACK_E2E_KEY;
    }
  });
});
