import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentstack, listFiles, offlineProfile, read, temporaryProject, toneAgent, toneProject } from '../cli/command.js';
import { copyOfCrash } from '../run/durableProject.js';
import { debuggerIn, launch, lineOf, variables } from './debugClient.js';

const agentFile = (cwd: string) => join(cwd, 'config/agents/Tone/v1.json');
const call = { agent: 'Tone', case: 'greeting' };

describe('the debug adapter', () => {
  test('stops before the call that sends a text, shows where and what, and goes on to the end', async () => {
    const cwd = toneProject();
    const file = agentFile(cwd);
    const client = await debuggerIn(cwd);
    const line = lineOf(file, '"purpose_text"');
    const { breakpoints, stopped } = await launch(client, call, file, [{ line }, { line: lineOf(file, '"input_keys"') }]);
    expect(breakpoints).toEqual([
      expect.objectContaining({ verified: true, line }),
      expect.objectContaining({ verified: false, message: expect.stringContaining('The input is checked before') }),
    ]);
    expect((await stopped)?.body).toMatchObject({ reason: 'breakpoint', description: 'Before call 1 of Tone@v1' });
    const { body } = await client.stackTraceRequest({ threadId: 1 });
    expect(body.stackFrames).toEqual([
      expect.objectContaining({
        name: 'Tone@v1: before call 1',
        line,
        source: expect.objectContaining({ path: file }),
      }),
      expect.objectContaining({ name: 'Tone@v1', line: lineOf(file, '"agent_name"') }),
    ]);
    const messages = await variables(client, 'messages');
    expect(messages.members).toHaveLength(2);
    const value = await client.evaluateRequest({ expression: '{{input.text}}' });
    expect(value.body.result).toBe('A friendly hello to all of you');
    await expect(client.evaluateRequest({ expression: 'nothing.here' })).rejects.toThrow('There is no nothing.here here.');
    const over = client.waitForEvent('terminated');
    await client.continueRequest({ threadId: 1 });
    await over;
  });

  test('sends what is changed, and refuses what the run would refuse', async () => {
    const cwd = toneProject();
    const client = await debuggerIn(cwd);
    const outputs: string[] = [];
    client.on('output', ({ body }) => outputs.push(body.output));
    const { stopped } = await launch(client, { ...call, stopBefore: ['model'] }, agentFile(cwd), []);
    await stopped;
    const { members } = await variables(client, 'messages');
    const message = members[1]!.variablesReference;
    await expect(client.setVariableRequest({ variablesReference: message, name: 'content', value: ' ' })).rejects.toThrow(
      'is empty, which providers refuse',
    );
    await expect(client.setVariableRequest({ variablesReference: message, name: 'role', value: 'system' })).rejects.toThrow(
      'must stay one of the role "user"',
    );
    const set = await client.setVariableRequest({ variablesReference: message, name: 'content', value: 'A formal letter' });
    expect(set.body.value).toBe('A formal letter');
    expect((await client.evaluateRequest({ expression: 'messages.1.content' })).body.result).toBe('A formal letter');
    const over = client.waitForEvent('terminated');
    await client.continueRequest({ threadId: 1 });
    await over;
    expect(outputs.join('')).toContain('completed, 1 changed by hand');
    const { stdout } = await agentstack(['runs', 'list', '--json'], { cwd });
    expect(JSON.parse(stdout).runs).toMatchObject([{ state: 'completed', case: 'greeting', edits: 1 }]);
  });

  test('keeps its runs, so that one whose process ended at a stop resumes there', async () => {
    const cwd = toneProject();
    const client = await debuggerIn(cwd);
    const { stopped } = await launch(client, { ...call, stopBefore: ['answer'] }, agentFile(cwd), []);
    await stopped;
    const copy = copyOfCrash(cwd);
    const resumed = await agentstack(['runs', 'resume', 'last'], { cwd: copy });
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('tone') });
    const events = listFiles(copy).find((path) => path.endsWith('events.jsonl')) ?? '';
    expect(read(copy, events)).toMatch(/"resumed":[1-9]/);
  });

  test('keeps nothing where the launch says so', async () => {
    const cwd = toneProject();
    const client = await debuggerIn(cwd);
    const { stopped } = await launch(client, { ...call, stopBefore: ['model'], keep: false }, agentFile(cwd), []);
    await stopped;
    expect(existsSync(join(cwd, '.agentstack'))).toBe(false);
  });

  test('steps to the answer, where a value of an enum has stopped too', async () => {
    const cwd = toneProject();
    const file = agentFile(cwd);
    const client = await debuggerIn(cwd);
    const { stopped } = await launch(client, { ...call, stopBefore: ['model'] }, file, [
      { line: lineOf(file, '"enums"') + 2, logMessage: 'said {{answer.text}}' },
    ]);
    await stopped;
    const logged = new Promise<string>((resolve) =>
      client.on('output', ({ body }) => body.output.startsWith('said') && resolve(body.output)),
    );
    const next = client.waitForEvent('stopped');
    await client.nextRequest({ threadId: 1 });
    expect((await next).body).toMatchObject({ reason: 'step' });
    expect(await logged).toContain('friendly');
    expect((await client.evaluateRequest({ expression: 'answer.finish_reason' })).body.result).toBe('stop');
  });

  test('debugs a recording, which costs nothing and cannot be changed', async () => {
    const cwd = toneProject();
    await agentstack(['run', 'Tone', '--case', 'greeting', '--record', 'tone.jsonl'], { cwd });
    const client = await debuggerIn(cwd);
    const { stopped } = await launch(client, { agent: 'Tone', recording: 'tone.jsonl', stopBefore: ['model'] }, agentFile(cwd), []);
    await stopped;
    const { members } = await variables(client, 'messages');
    const change = client.setVariableRequest({ variablesReference: members[1]!.variablesReference, name: 'content', value: 'Other' });
    await expect(change).rejects.toThrow('A replay answers what was recorded');
    const over = client.waitForEvent('terminated');
    await client.continueRequest({ threadId: 1 });
    await over;
  });

  test('debugs a kept run with the config that it had', async () => {
    const cwd = toneProject();
    const file = agentFile(cwd);
    await agentstack(['run', 'Tone', '--case', 'greeting', '--durable'], { cwd });
    const before = readFileSync(file, 'utf8');
    const [text = ''] = /(?<="purpose_text": ")[^"]+/.exec(before) ?? [];
    writeFileSync(file, before.replace(text, 'Something else.'));
    const client = await debuggerIn(cwd);
    const line = lineOf(file, '"purpose_text"');
    const { stopped } = await launch(client, { run: 'last' }, file, [{ line }]);
    await stopped;
    expect((await client.evaluateRequest({ expression: 'messages.0.content' })).body.result).toContain(text);
    const { body } = await client.stackTraceRequest({ threadId: 1 });
    expect(body.stackFrames[0]).toMatchObject({ source: { path: file } });
    const { members } = await variables(client, 'messages');
    const change = client.setVariableRequest({ variablesReference: members[1]!.variablesReference, name: 'content', value: 'Other' });
    await expect(change).rejects.toThrow('A replay answers what was recorded');
    const over = client.waitForEvent('terminated');
    await client.continueRequest({ threadId: 1 });
    await over;
  });

  test('stops in tasks and at routes of an orchestration', async () => {
    const cwd = temporaryProject({
      'config/agents/Tone/v1.json': toneAgent,
      'config/llms/offline.json': offlineProfile,
      'config/orchestrations/judge.json': {
        name: 'judge',
        entry_team: 'a',
        context: { text: 'A friendly hello', level: 1 },
        teams: {
          a: { name: 'a', tasks: [{ name: 'tone', agent: 'Tone@v1', input: { text: '{{context.text}}' } }], routing: { default: null } },
        },
      },
    });
    const file = join(cwd, 'config/orchestrations/judge.json');
    const client = await debuggerIn(cwd);
    const { breakpoints, stopped } = await launch(client, { orchestration: 'judge', llm: 'offline' }, file, [
      { line: lineOf(file, '"name": "tone"') },
      { line: lineOf(file, '"default"') },
      { line: lineOf(file, '"level"') },
    ]);
    expect(breakpoints.map(({ verified }) => verified)).toEqual([true, true, false]);
    const { threadId = 0 } = (await stopped)!.body;
    const { body } = await client.stackTraceRequest({ threadId });
    expect(body.stackFrames.map(({ name }) => name)).toEqual(['Tone@v1: before call 1', 'Tone@v1', 'task tone', 'team a', 'judge']);
    expect(body.stackFrames[2]?.line).toBe(lineOf(file, '"name": "tone"'));
    expect((await client.evaluateRequest({ expression: '{{context.text}}' })).body.result).toBe('A friendly hello');
    const route = client.waitForEvent('stopped');
    await client.continueRequest({ threadId: 1 });
    await route;
    const context = await variables(client, 'context');
    await client.setVariableRequest({ variablesReference: context.reference, name: 'level', value: '2' });
    const over = client.waitForEvent('terminated');
    await client.continueRequest({ threadId: 1 });
    await over;
  });

  test.each([
    [{}, 'Say what to debug'],
    [{ run: 'last', agent: 'Tone', llm: 'offline' }, 'leave out "agent", "llm"'],
    [{ run: 'last' }, 'There are no runs yet'],
    [{ run: 'abc' }, 'There is no run "abc"'],
    [{ agent: 'Tone', stopBefore: 'model' }, '"stopBefore" must be a list of texts.'],
    [{ agent: 7 }, '"agent" must be a text.'],
    [{ agent: 'Tone', stopBefore: ['lunch'] }, 'There are: model, tool, answer, route.'],
    [{ agent: 'Tone', case: 'none' }, 'There is no case none of Tone. There are: greeting.'],
    [{ agent: 'Tone', case: 'greeting/first' }, 'has no case greeting/first. There are: greeting.'],
    [{ agent: 'Tone', recording: 'none.jsonl' }, 'none.jsonl'],
  ])('refuses to launch %j', async (args, message) => {
    const client = await debuggerIn(toneProject());
    await expect(client.launchRequest(args as never)).rejects.toThrow(message);
  });

  test('ends the run when the editor disconnects at a stop', async () => {
    const cwd = toneProject();
    const client = await debuggerIn(cwd);
    const { stopped } = await launch(client, { ...call, stopBefore: ['model'] }, agentFile(cwd), []);
    await stopped;
    const over = client.waitForEvent('terminated');
    await client.disconnectRequest({});
    await over;
  });
});
