import { describe, expect, test } from 'vitest';
import { offlineProfile, temporaryProject, toneAgent, toneProject } from '../cli/command.js';
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

  test('from a route leads into its tasks, whose threads are listed again', async () => {
    const task = { name: 'one', agent: 'Tone@v1', input: { text: '{{context.text}}' } };
    const cwd = temporaryProject({
      'config/agents/Tone/v1.json': toneAgent,
      'config/llms/offline.json': offlineProfile,
      'config/orchestrations/judge.json': {
        name: 'judge',
        entry_team: 'a',
        context: { text: 'A friendly hello' },
        teams: { a: { name: 'a', tasks: [task], routing: { default: null } } },
      },
    });
    const client = await debuggerIn(cwd);
    const run = await launchPaused(client, { orchestration: 'judge', llm: 'offline' });
    await run.stop();
    expect(await run.go('stepOut')).toBe('At the route of team a: the default ends the run');
    expect(await run.go('stepBack')).toBe('In the past, after the answer of call 1 of Tone@v1 (a/one)');
    const named = async () => (await client.threadsRequest()).body.threads.map(({ name }) => name);
    expect(await named()).toEqual(['judge', 'a/one (ended)']);
    expect((await run.frames()).map(({ name }) => name).slice(-3)).toEqual(['task one', 'team a', 'judge']);
    expect(await run.value('story.teams.0.tasks.0.state')).toBe('running');
    expect(await run.go('continue')).toBe('At the route of team a: the default ends the run');
    expect(await run.value('story.teams.0.tasks.0.state')).toBe('completed');
    expect(await named()).toEqual(['judge']);
    expect(await run.go('continue')).toBe('ended');
  });
});
