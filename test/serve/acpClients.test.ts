import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentBlock, InitializeRequest, McpServer, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { describe, expect, test } from 'vitest';
import { listFiles, read } from '../cli/command.js';
import type { LoopbackScript } from '../support/loopbackOpenAi.js';
import { type Answer, calls, choose, editor, project, toolUpdates } from './acpEditor.js';
import { exposedProject } from './support.js';

/** What clients say of themselves, as their sources of August 2026 have it. */
const clients: Readonly<Record<string, Partial<InitializeRequest>>> = {
  Zed: {
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      auth: { terminal: true },
      _meta: { terminal_output: true, 'terminal-auth': true },
    },
    clientInfo: { name: 'zed', title: 'Preview', version: '1.20.2' },
  },
  CodeCompanion: {
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
    clientInfo: { name: 'CodeCompanion.nvim', version: '1.0.0' },
  },
  Avante: { clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } } },
  'a client that has nothing': { clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false } },
  // Lua writes an empty table as a list, other languages what is absent as null.
  'a client that writes empty objects as lists': { clientCapabilities: [] as never },
  'a client that writes null': { clientCapabilities: { fs: null, terminal: null } as never, clientInfo: null },
  'a client of a later protocol': {
    protocolVersion: 2,
    clientCapabilities: { session: { configOptions: { boolean: {} } }, elicitation: { form: {} }, shiny: [1] } as never,
  },
};

describe.each(Object.keys(clients))('%s', (name) => {
  test('opens a session, sends what it sends, and loads the session later', async () => {
    const { cwd, model } = await project(({ body }) => ({ text: `Answer ${(body.messages as []).length}.` }));
    const hello = clients[name]!;
    const first = await editor(cwd, { hello });
    expect(first.initialized).toMatchObject({ protocolVersion: 1, authMethods: [] });
    const mcpServers: McpServer[] = [{ name: 'fs', command: '/bin/false', args: [], env: [] }];
    const { sessionId, modes } = await first.agent.request('session/new', { cwd, mcpServers });
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(['Helper', 'Talk', 'Tone']);
    await first.agent.request('session/set_mode', { sessionId, modeId: 'Talk' });
    // Zed's mentions, CodeCompanion's shared files and Avante's selected files.
    const prompt: ContentBlock[] = [
      { type: 'text', text: 'See ' },
      { type: 'resource_link', uri: `file://${cwd}/a.ts`, name: 'a.ts' },
      { type: 'text', text: ' and ' },
      {
        type: 'resource',
        resource: { uri: `file://${cwd}/b.ts?symbol=f#L1:3`, text: 'f()' },
        annotations: { audience: ['assistant'], priority: 1 },
      },
      { type: 'text', text: '.' },
      { type: 'text', text: 'Sharing the following file as context: c.ts' },
    ];
    expect(await first.agent.request('session/prompt', { sessionId, prompt })).toMatchObject({ stopReason: 'end_turn' });
    const sent = JSON.stringify(model.requests[0]?.body);
    for (const part of ['[a.ts](file://', '[b.ts](file://', 'f()', 'as context: c.ts']) expect(sent).toContain(part);
    first.child.stdin.end();
    await first.outcome;

    const second = await editor(cwd, { hello });
    expect(await second.agent.request('session/list', { cwd })).toMatchObject({ sessions: [{ sessionId }] });
    await second.agent.request('session/load', { sessionId, cwd, mcpServers });
    expect(second.text(sessionId)).toBe('Answer 2.');
    // No client is asked for what it did not offer, and the files of the editor are not read.
    expect(second.unexpected).toEqual([]);
  });
});

test('a session is listed for the folder of the project, one around it and one inside, and for no other', async () => {
  const { cwd } = await project({ text: 'Yes.' });
  const inside = join(cwd, 'packages', 'one');
  mkdirSync(inside, { recursive: true });
  const { agent, begin, say } = await editor(cwd);
  await say(await begin('Talk'), 'Hi');
  const listed = async (folder: string) => (await agent.request('session/list', { cwd: folder })).sessions.length;
  expect(await Promise.all([cwd, `${cwd}/`, inside, join(cwd, '..')].map(listed))).toEqual([1, 1, 1, 1]);
  expect(await Promise.all([`${cwd}-other`, join(cwd, '..', 'other'), '/elsewhere'].map(listed))).toEqual([0, 0, 0]);
});

test('what the protocol does not know of this agent is refused as not found, and the rest goes on', async () => {
  const { agent, begin } = await editor(exposedProject());
  const sessionId = await begin();
  for (const method of ['session/set_model', 'session/fork', 'authenticate', 'made/up'])
    await expect(agent.request(method as never, { sessionId } as never), method).rejects.toMatchObject({ code: -32_601 });
  await expect(agent.request('session/prompt', { sessionId } as never)).rejects.toMatchObject({ code: -32_602 });
  await expect(agent.request('session/load', { sessionId: 7, cwd: '/', mcpServers: [] } as never)).rejects.toMatchObject({ code: -32_602 });
  await agent.notify('session/cancel', { sessionId: 'acp-none' });
  expect(await begin()).not.toBe(sessionId);
});

const script: LoopbackScript = ({ body }) => {
  const last = (body.messages as { role: string }[]).at(-1)?.role;
  return last === 'tool' ? { text: 'Done.' } : calls('echo', { text: 'hello' });
};

/** Answers that the test gives when it wants to. */
function held() {
  const waiting: ((answer: RequestPermissionResponse) => void)[] = [];
  const answer: Answer = () => new Promise((resolve) => void waiting.push(resolve));
  return { answer, waiting };
}

const allow: RequestPermissionResponse = { outcome: { outcome: 'selected', optionId: 'allow' } };
const cancelled: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

describe('while the user is asked', () => {
  test.each([
    ['cancelled', cancelled],
    ['allowed too late', allow],
  ])('a turn that is cancelled ends, and the question, answered as %s, calls nothing', async (_, late) => {
    const { cwd, model } = await project(script);
    const { answer, waiting } = held();
    const { begin, say, agent, updates } = await editor(cwd, { answer });
    const session = await begin('Helper');
    const turn = say(session, 'Go');
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(1);
    await agent.notify('session/cancel', { sessionId: session });
    waiting[0]?.(late);
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    expect(toolUpdates(updates(session))).toEqual(['tool_call in_progress', 'tool_call_update failed']);
    expect(model.requests.length).toBe(1);
    const again = say(session, 'Again');
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(2);
    waiting[1]?.(allow);
    expect(await again).toMatchObject({ stopReason: 'end_turn' });
  });

  test('a session that is loaded again can still be cancelled', async () => {
    const { cwd } = await project(script);
    const { answer, waiting } = held();
    const { begin, say, agent } = await editor(cwd, { answer });
    const session = await begin('Helper');
    const turn = say(session, 'Go');
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(1);
    await agent.request('session/load', { sessionId: session, cwd, mcpServers: [] });
    await agent.notify('session/cancel', { sessionId: session });
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
  });

  test('each of two sessions gets its own answer', async () => {
    const { cwd } = await project(script);
    const { answer, waiting } = held();
    const { begin, say, asked, updates } = await editor(cwd, { answer });
    const [one, two] = [await begin('Helper'), await begin('Helper')];
    const turns = [say(one, 'Go'), say(two, 'Go')];
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(2);
    const first = asked.findIndex(({ sessionId }) => sessionId === one);
    waiting[first]?.(allow);
    waiting[1 - first]?.({ outcome: { outcome: 'selected', optionId: 'reject' } });
    expect((await Promise.all(turns)).map(({ stopReason }) => stopReason)).toEqual(['end_turn', 'end_turn']);
    expect([toolUpdates(updates(one)).at(-1), toolUpdates(updates(two)).at(-1)]).toEqual([
      'tool_call_update completed',
      'tool_call_update failed',
    ]);
  });

  test('a session that is closed ends its turn alone', async () => {
    const { cwd } = await project(script);
    const { answer, waiting } = held();
    const { begin, say, agent, asked } = await editor(cwd, { answer });
    const [one, two] = [await begin('Helper'), await begin('Helper')];
    const turns = [say(one, 'Go'), say(two, 'Go')];
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(2);
    await agent.request('session/close', { sessionId: one });
    waiting[asked.findIndex(({ sessionId }) => sessionId === two)]?.(allow);
    expect((await Promise.all(turns)).map(({ stopReason }) => stopReason)).toEqual(['cancelled', 'end_turn']);
  });

  test.each(['closes its pipes', 'is killed with them'])('a client that %s leaves nothing running', async (how) => {
    const { cwd } = await project(script);
    const { answer, waiting } = held();
    const { begin, say, child, outcome } = await editor(cwd, { answer });
    const turn = say(await begin('Helper'), 'Go').catch((error: Error) => error);
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(1);
    child.stdin.end();
    if (how !== 'closes its pipes') child.stdout.destroy();
    expect((await outcome).code).toBe(0);
    await turn;
    const [result] = listFiles(cwd).filter((file) => file.endsWith('result.json'));
    expect(JSON.parse(read(cwd, result!)).status).toBe('cancelled');
  });

  test('an answer that is none denies the call', async () => {
    const { cwd } = await project(script);
    for (const answer of [{}, { outcome: {} }, { outcome: { outcome: 'selected' } }, { outcome: 'allow' }, null]) {
      const { begin, say } = await editor(cwd, { answer: async () => answer as never });
      const turn = await say(await begin('Helper'), 'Go').then(
        ({ stopReason }) => stopReason,
        (error: Error) => error.message,
      );
      expect(turn, JSON.stringify(answer)).toMatch(/^end_turn$|Not allowed \(denied\)/);
    }
  });
});

test('a tool that the user allows for the session is allowed in it alone', async () => {
  const { cwd } = await project(script);
  const { begin, say, asked } = await editor(cwd, { answer: choose('allow_session') });
  const [one, two] = [await begin('Helper'), await begin('Helper')];
  await Promise.all([say(one, 'Go'), say(two, 'Go')]);
  await say(one, 'Again');
  expect(asked.map(({ sessionId }) => sessionId).sort()).toEqual([one, two].sort());
});
