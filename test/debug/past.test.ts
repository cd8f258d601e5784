import { describe, expect, test } from 'vitest';
import { toneProject } from '../cli/command.js';
import { debuggerIn, Followed, launch, launchPaused } from './debugClient.js';

const call = { agent: 'Tone', case: 'greeting' };

describe('step back', () => {
  test('shows what was, as it was, and step forward returns to the present', async () => {
    const client = await debuggerIn(toneProject());
    const run = await launchPaused(client, call);
    await run.stop();
    await expect(run.go('stepBack')).rejects.toThrow('There is nothing before this: the run begins here.');
    const messages = (await client.scopesRequest({ frameId: 1 })).body.scopes.find(({ name }) => name === 'messages')!;
    const [, user] = (await client.variablesRequest(messages)).body.variables;
    await client.setVariableRequest({ variablesReference: user!.variablesReference, name: 'content', value: 'A formal letter' });
    expect(await run.go('stepIn')).toBe('After the answer of call 1 of Tone@v1');

    expect(await run.go('stepBack')).toBe('In the past, before call 1 of Tone@v1');
    expect((await run.frames())[0]?.name).toBe('Tone@v1: before call 1');
    expect(await run.value('messages.1.content')).toBe('A formal letter');
    const past = (await client.scopesRequest({ frameId: 1 })).body.scopes.find(({ name }) => name === 'messages')!;
    const [, then] = (await client.variablesRequest(past)).body.variables;
    const change = client.setVariableRequest({ variablesReference: then!.variablesReference, name: 'content', value: 'x' });
    await expect(change).rejects.toThrow('This is past');

    expect(await run.go('stepIn')).toBe('After the answer of call 1 of Tone@v1');
    expect(await run.value('answer.finish_reason')).toBe('stop');
    expect(await run.go('continue')).toBe('ended');
  });

  test('to the last place where the run stopped passes over the others', async () => {
    const client = await debuggerIn(toneProject());
    const run = new Followed(client);
    await launch(client, { ...call, stopBefore: ['model'] }, 'nowhere.json', []);
    await run.stop();
    await run.go('next');
    expect(await run.go('reverseContinue')).toBe('In the past, before call 1 of Tone@v1');
    expect(await run.go('continue')).toBe('After the answer of call 1 of Tone@v1');
    expect(await run.go('continue')).toBe('ended');
  });
});
