import { describe, expect, onTestFinished, test } from 'vitest';
import { toneProject } from '../cli/command.js';
import { type LoopbackScript, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { debuggerIn, Followed, launch, launchPaused } from './debugClient.js';

const words = { text: ['{"tone": ', '"friendly"}'] } as const;

/** A project whose model is a server on this machine. */
async function projectWith(script: LoopbackScript) {
  const server = await startLoopbackOpenAi(script, { lenient: true });
  onTestFinished(() => server.close());
  const llm = { llm_id: 'local', provider: 'openai_compatible', model_name: 'm', base_url: server.url, api_key_env: 'LOCAL_KEY' };
  return { server, cwd: toneProject({ 'config/llms/local.json': llm }) };
}

const call = { agent: 'Tone', case: 'greeting', llm: 'local' };

/** Asks until the value is there. */
async function until(value: () => Promise<string>, expected: string): Promise<void> {
  await expect.poll(value, { timeout: 20_000 }).toBe(expected);
}

describe('a pause', () => {
  test('in a call that hangs shows what was sent and the answer so far, and the run can be ended', async () => {
    const { cwd, server } = await projectWith({ ...words, fault: 'hang-mid-body' });
    const client = await debuggerIn(cwd, { LOCAL_KEY: 'key-of-this-test' });
    const run = new Followed(client);
    await launch(client, call, 'nowhere.json', []);
    await expect.poll(() => server.requests.length).toBe(1);
    await client.pauseRequest({ threadId: 1 });
    expect(await run.stop()).toBe('In call 1 of Tone@v1');
    expect((await run.frames()).map(({ name }) => name)).toEqual(['Tone@v1: in call 1', 'Tone@v1']);
    expect(await run.value('messages.1.content')).toContain('A friendly hello');
    await until(() => run.value('answer'), '{"tone": ');
    const messages = (await client.scopesRequest({ frameId: 1 })).body.scopes.find(({ name }) => name === 'messages')!;
    const [, user] = (await client.variablesRequest(messages)).body.variables;
    const change = client.setVariableRequest({ variablesReference: user!.variablesReference, name: 'content', value: 'x' });
    await expect(change).rejects.toThrow('The call is being made');
    expect(await run.go('stepBack')).toBe('In the past, before call 1 of Tone@v1');
    expect(await run.go('next')).toBe('In call 1 of Tone@v1');
    await client.terminateRequest();
    expect(await run.stop()).toBe('ended');
  });

  test('in a call goes on to its answer by itself, and waits there', async () => {
    const { cwd, server } = await projectWith({ ...words, pause_ms: 300 });
    const client = await debuggerIn(cwd, { LOCAL_KEY: 'key-of-this-test' });
    const run = new Followed(client);
    await launch(client, call, 'nowhere.json', []);
    await expect.poll(() => server.requests.length).toBe(1);
    await client.pauseRequest({ threadId: 1 });
    expect(await run.stop()).toBe('In call 1 of Tone@v1');
    expect(await run.stop()).toBe('After the answer of call 1 of Tone@v1');
    expect(await run.value('answer.text')).toBe('{"tone": "friendly"}');
    expect(await run.go('continue')).toBe('ended');
  });

  test('before anything has begun stops before the first call', async () => {
    const client = await debuggerIn(toneProject());
    const run = await launchPaused(client, { ...call, llm: 'offline' });
    expect(await run.stop()).toBe('Before call 1 of Tone@v1');
    expect(await run.go('continue')).toBe('ended');
  });
});
