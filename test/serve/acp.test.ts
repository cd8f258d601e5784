import { describe, expect, test, vi } from 'vitest';
import { agentstack, listFiles, read, toneAgent, write } from '../cli/command.js';
import type { LoopbackReply, LoopbackScript } from '../support/loopbackOpenAi.js';
import { type Answer, calls, choose, editor, project, talk, toolUpdates } from './acpEditor.js';
import { exposedProject, key } from './support.js';

describe('an editor', () => {
  test('learns what can answer, as an option and as modes, and that agents take text', async () => {
    const { agent, initialized, outcome, child } = await editor(exposedProject());
    expect(initialized).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'agent-stack', title: expect.stringContaining('Agent Stack: ') },
      agentCapabilities: { loadSession: true, promptCapabilities: { image: false, audio: false, embeddedContext: true } },
    });
    const opened = await agent.request('session/new', { cwd: '/', mcpServers: [] });
    expect(opened.modes).toEqual({
      currentModeId: 'Tone',
      availableModes: [{ id: 'Tone', name: 'Tone@v1', description: 'Says how a text sounds.' }],
    });
    expect(opened.configOptions).toMatchObject([{ id: 'agent', category: 'mode', currentValue: 'Tone', options: [{ value: 'Tone' }] }]);
    child.stdin.end();
    expect(await outcome).toMatchObject({ code: 0, stderr: 'Serving 1 agent over stdio: Tone\n' });
  });

  test('gets text as the model writes it, and what the turn took', async () => {
    const { cwd } = await project({ text: ['Hel', 'lo.'], usage: { prompt_tokens: 10, completion_tokens: 5 } });
    const { begin, say, text, updates } = await editor(cwd);
    const session = await begin('Talk');
    const answer = await say(session, 'Hi');
    expect(answer).toMatchObject({ stopReason: 'end_turn', _meta: { 'agent-stack/run': { status: 'completed', agent_name: 'Talk' } } });
    expect(text(session)).toBe('Hello.');
    const chunks = updates(session).filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    expect(chunks.length).toBe(2);
    expect(updates(session).at(-1)).toMatchObject({
      sessionUpdate: 'usage_update',
      used: 15,
      size: 1_047_576,
      cost: { amount: expect.any(Number), currency: 'USD' },
    });
    expect(listFiles(cwd).some((file) => /^\.agentstack\/runs\/[0-9a-f]{32}\/result\.json$/.test(file))).toBe(true);
  });

  test('gets an output that a schema describes once it has been checked, from text in the only key', async () => {
    const { begin, say, text } = await editor(exposedProject());
    const session = await begin();
    expect(await say(session, 'A friendly hello')).toMatchObject({ stopReason: 'end_turn' });
    expect(text(session)).toBe('```json\n{\n  "tone": "friendly"\n}\n```');
    expect(await say(session, '{"text": "A friendly hello"}')).toMatchObject({ stopReason: 'end_turn' });
    await expect(say(session, '{"text": ')).rejects.toThrow('begins like a JSON object but is invalid at line 1');
    await expect(say(session, '{"txt": "a"}')).rejects.toThrow('The key "text" is missing.');
  });

  test('sends links and texts, and is told that agents cannot see images', async () => {
    const { cwd, model } = await project({ text: 'Yes.' });
    const { begin, agent } = await editor(cwd);
    const sessionId = await begin('Talk');
    const uri = 'file:///work/a%20b.ts';
    await agent.request('session/prompt', {
      sessionId,
      prompt: [
        { type: 'text', text: 'Is ' },
        { type: 'resource', resource: { uri, text: 'const a = 1;', mimeType: 'text/plain' } },
        { type: 'text', text: ' like ' },
        { type: 'resource_link', uri: 'file:///work/c.ts', name: 'c.ts' },
        { type: 'text', text: '?' },
      ],
    });
    const sent = (model.requests[0]!.body.messages as { content: string }[]).at(-1)!.content;
    expect(sent).toContain(`Is [a%20b.ts](${uri}) like [c.ts](file:///work/c.ts)?\n\n<resource uri="${uri}">\nconst a = 1;\n</resource>`);
    const image = { type: 'image' as const, data: 'aGk=', mimeType: 'image/png' };
    await expect(agent.request('session/prompt', { sessionId, prompt: [image] })).rejects.toThrow('An image cannot be sent');
    const blob = { type: 'resource' as const, resource: { uri, blob: 'aGk=' } };
    await expect(agent.request('session/prompt', { sessionId, prompt: [blob] })).rejects.toThrow('cannot be sent: agents take only text');
    expect(model.requests.length).toBe(1);
  });

  test('that names an agent there is not is told the nearest one, and nothing of what is not exposed', async () => {
    const { begin, agent } = await editor(exposedProject());
    const sessionId = await begin();
    await expect(agent.request('session/set_mode', { sessionId, modeId: 'Tome' })).rejects.toThrow('Did you mean "Tone"?');
    await expect(agent.request('session/set_mode', { sessionId, modeId: 'Hidden' })).rejects.toThrow(
      'There is no "Hidden". There are: Tone.',
    );
    const option = { sessionId, configId: 'model', value: 'Tone' };
    await expect(agent.request('session/set_config_option', option)).rejects.toThrow('There is no option "model"');
    await expect(agent.request('session/set_mode', { sessionId: 'acp-1', modeId: 'Tone' })).rejects.toThrow('no open session "acp-1"');
  });

  test('chooses the agent of each of two sessions, which answer at the same time', async () => {
    const { cwd, model } = await project(({ body }) => {
      const isTone = JSON.stringify(body).includes('how a text sounds');
      return { text: isTone ? '{"tone": "formal"}' : 'Talking.', delay_ms: 300 };
    });
    const { begin, say, text, agent, updates } = await editor(cwd);
    const [one, two] = [await begin('Talk'), await begin()];
    const { configOptions } = await agent.request('session/set_config_option', { sessionId: two, configId: 'agent', value: 'Tone' });
    expect(configOptions).toMatchObject([{ currentValue: 'Tone' }]);
    expect(updates(two)).toEqual([{ sessionUpdate: 'current_mode_update', currentModeId: 'Tone' }]);
    const first = say(one, 'Hi');
    const second = say(two, 'Hi');
    await expect(say(one, 'Again')).rejects.toThrow('This session is answering a message.');
    expect([(await first).stopReason, (await second).stopReason]).toEqual(['end_turn', 'end_turn']);
    expect([text(one), text(two)]).toEqual(['Talking.', '```json\n{\n  "tone": "formal"\n}\n```']);
    expect(model.requests.length).toBe(2);
  });

  test('that sends a line that is no message, or a batch, is told so, and served on', async () => {
    const { begin, child } = await editor(exposedProject());
    // The client's SDK logs errors that answer no request.
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const lines: string[] = [];
    child.stdout.on('data', (chunk: Buffer) => void lines.push(...chunk.toString('utf8').trim().split('\n')));
    child.stdin.write('this is not JSON\n[]\n');
    expect(await begin()).toMatch(/^acp-[0-9a-f]{32}$/);
    const messages = lines.map((line) => JSON.parse(line));
    expect(messages.map(({ error }) => error?.code).filter(Boolean)).toEqual([-32700, -32600]);
    for (const message of messages) expect(message).toMatchObject({ jsonrpc: '2.0' });
  });
});

describe('a conversation', () => {
  test('goes on in a later process, with the agent that answered and what was said', async () => {
    const { cwd, model } = await project(({ body }) => ({ text: `Answer ${(body.messages as []).length}.` }));
    const first = await editor(cwd);
    const session = await first.begin('Talk');
    await first.say(session, 'My name is Ada.');
    await first.begin();
    first.child.stdin.end();
    await first.outcome;

    const { agent, say, text, updates } = await editor(cwd);
    const { sessions } = await agent.request('session/list', {});
    expect(sessions).toMatchObject([
      { sessionId: session, title: expect.stringContaining('My name is Ada.'), updatedAt: expect.any(String) },
    ]);
    expect(await agent.request('session/list', { cwd: '/elsewhere' })).toEqual({ sessions: [] });
    const loaded = await agent.request('session/load', { sessionId: session, cwd, mcpServers: [] });
    expect(loaded.modes?.currentModeId).toBe('Talk');
    expect(updates(session).map(({ sessionUpdate }) => sessionUpdate)).toEqual(['user_message_chunk', 'agent_message_chunk']);
    expect(text(session)).toBe('Answer 2.');
    await say(session, 'Who am I?');
    expect(text(session)).toBe('Answer 2.|Answer 4.');
    expect(JSON.stringify(model.requests[1]?.body)).toContain('My name is Ada.');
    await agent.request('session/close', { sessionId: session });
    await expect(say(session, 'Hello?')).rejects.toThrow('There is no open session');
  });

  test('of another program is not shown, and cannot be opened', async () => {
    const { cwd } = await project({ text: 'Yes.' });
    const args = ['run', 'Talk', '--message', 'Private', '--session', 'mine'];
    expect(await agentstack(args, { cwd, env: { OPENAI_API_KEY: key, NO_PROXY: '*' } })).toMatchObject({ code: 0 });
    const { agent } = await editor(cwd);
    expect(await agent.request('session/list', {})).toEqual({ sessions: [] });
    for (const sessionId of ['mine', '../mine', 'acp-../mine', 'acp-none'])
      await expect(agent.request('session/load', { sessionId, cwd, mcpServers: [] }), sessionId).rejects.toThrow();
  });
});

describe('a tool that needs approval', () => {
  const script: LoopbackScript = ({ body }) => {
    const last = (body.messages as { role: string }[]).at(-1)?.role;
    return last === 'tool' ? { text: ['Done', '.'] } : calls('echo', { text: 'hello' });
  };

  test('is called once it is allowed, and shown before, while and after', async () => {
    const { cwd } = await project(script);
    const { begin, say, text, updates, asked } = await editor(cwd, { answer: choose('allow') });
    const session = await begin('Helper');
    expect(await say(session, 'Go')).toMatchObject({ stopReason: 'end_turn' });
    expect(asked).toMatchObject([
      {
        sessionId: session,
        toolCall: { title: 'echo {"text":"hello"}', name: 'echo', rawInput: { text: 'hello' }, status: 'pending' },
        options: [{ kind: 'allow_once' }, { kind: 'allow_always' }, { kind: 'reject_once' }],
      },
    ]);
    expect(toolUpdates(updates(session))).toEqual(['tool_call in_progress', 'tool_call_update in_progress', 'tool_call_update completed']);
    const ids = updates(session).flatMap((update) => ('toolCallId' in update ? [update.toolCallId] : []));
    expect(new Set([...ids, asked[0]?.toolCall.toolCallId]).size).toBe(1);
    expect(updates(session).find((update) => 'status' in update && update.status === 'completed')).toMatchObject({
      content: [{ content: { text: expect.stringContaining('hello') } }],
    });
    expect(text(session)).toBe('I ask.|Done.');
    await say(session, 'Again');
    expect(asked.length).toBe(2);
  });

  test('is asked about no more in a session where it was allowed for good, and in others it is', async () => {
    const { cwd } = await project(script);
    const { begin, say, asked } = await editor(cwd, { answer: choose('allow_session') });
    const session = await begin('Helper');
    await say(session, 'Go');
    await say(session, 'Again');
    expect(asked.length).toBe(1);
    await say(await begin('Helper'), 'Go');
    expect(asked.length).toBe(2);
  });

  test('is not asked about if the command line allows it', async () => {
    const { cwd } = await project(script);
    const { begin, say, asked } = await editor(cwd, { args: ['--allow-tools=echo'] });
    expect(await say(await begin('Helper'), 'Go')).toMatchObject({ stopReason: 'end_turn' });
    expect(asked).toEqual([]);
  });

  test.each(['reject', 'what the client made up'])('is not called on the answer "%s", and the model learns it', async (optionId) => {
    const { cwd, model } = await project(script);
    const { begin, say, updates } = await editor(cwd, { answer: choose(optionId) });
    const session = await begin('Helper');
    expect(await say(session, 'Go')).toMatchObject({ stopReason: 'end_turn' });
    expect(toolUpdates(updates(session))).toEqual(['tool_call in_progress', 'tool_call_update failed']);
    expect(JSON.stringify(model.requests[1]?.body)).toContain('The user did not allow this call.');
  });

  test('that nobody answers for waits until the turn is cancelled', async () => {
    const { cwd } = await project(script);
    const { begin, say, updates, asked, agent } = await editor(cwd, { answer: () => new Promise(() => undefined) });
    const session = await begin('Helper');
    const turn = say(session, 'Go');
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(1);
    await agent.notify('session/cancel', { sessionId: session });
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    expect(toolUpdates(updates(session)).at(-1)).toBe('tool_call_update failed');
    expect(await agent.request('session/list', {})).toMatchObject({ sessions: [{ sessionId: session }] });
  });

  test('ends the turn as cancelled if the question is, and as denied if the client cannot ask', async () => {
    const { cwd } = await project(script);
    let answer: Answer = async () => ({ outcome: { outcome: 'cancelled' } });
    const { begin, say } = await editor(cwd, { answer: (request) => answer(request) });
    expect(await say(await begin('Helper'), 'Go')).toMatchObject({ stopReason: 'cancelled' });
    answer = () => Promise.reject(new Error('no dialog'));
    await expect(say(await begin('Helper'), 'Go')).rejects.toThrow(/Not allowed \(denied\): .*add --allow-tools=voice\/echo/i);
  });
});

describe('a turn', () => {
  test('is cancelled in the middle of the answer, with the request to the model, and the session goes on', async () => {
    let isFirst = true;
    const { cwd, model } = await project(() => {
      const reply: LoopbackReply = isFirst ? { text: ['So ', 'far ', 'so'], slice: 300, fault: 'hang-mid-body' } : { text: 'Here.' };
      isFirst = false;
      return reply;
    });
    const { begin, say, text, agent } = await editor(cwd);
    const session = await begin('Talk');
    const turn = say(session, 'Go');
    await expect.poll(() => text(session), { timeout: 10_000 }).toContain('So');
    await agent.notify('session/cancel', { sessionId: session });
    expect(await turn).toMatchObject({ stopReason: 'cancelled', _meta: { 'agent-stack/run': { status: 'cancelled' } } });
    await expect.poll(() => model.requests[0]?.aborted, { timeout: 10_000 }).toBe(true);
    expect(await say(session, 'Still there?')).toMatchObject({ stopReason: 'end_turn' });
    expect(text(session).split('|').at(-1)).toBe('Here.');
  });

  test('ends with the client: the run is cancelled, and the process ends', async () => {
    const { cwd, model } = await project({ fault: 'hang' });
    const { begin, say, child, outcome } = await editor(cwd);
    const turn = say(await begin('Talk'), 'Go').catch((error: Error) => error);
    await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(1);
    child.stdin.end();
    const { code, stdout } = await outcome;
    expect(code).toBe(0);
    expect(await turn).toBeInstanceOf(Error);
    expect(model.requests[0]?.aborted).toBe(true);
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    const [result] = listFiles(cwd).filter((file) => file.endsWith('result.json'));
    expect(JSON.parse(read(cwd, result!)).status).toBe('cancelled');
  });

  test('whose client reads no more ends the process without an error of its own', async () => {
    const { cwd } = await project({ text: ['Once', ' upon', ' a', ' time'], slice: 200, pause_ms: 50 });
    const { begin, say, text, child, outcome } = await editor(cwd);
    const session = await begin('Talk');
    const turn = say(session, 'Go').catch((error: Error) => error);
    await expect.poll(() => text(session), { timeout: 10_000 }).toContain('Once');
    child.stdout.destroy();
    child.stdin.end();
    const { code, stderr } = await outcome;
    expect(stderr).toMatch(/^Serving 3 agents over stdio: .*\n$/);
    expect(code).toBe(0);
    await turn;
  });

  test('is answered as cancelled when SIGTERM ends the command', async () => {
    const { cwd, model } = await project({ fault: 'hang' });
    const { begin, say, child, outcome } = await editor(cwd);
    const turn = say(await begin('Talk'), 'Go');
    await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(1);
    child.kill('SIGTERM');
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    expect((await outcome).code).toBe(0);
  });

  test.each([
    ['refusal', { refusal: 'I will not.' }, /declined to answer/],
    ['max_turn_requests', calls('echo', { text: 'hello' }), /No answer within the allowed turns/],
  ] as const)('that ends with %s says why', async (stopReason, reply, words) => {
    const { cwd } = await project(reply);
    const { begin, say, text } = await editor(cwd, { answer: choose('allow') });
    const session = await begin('Helper');
    expect((await say(session, 'Go')).stopReason).toBe(stopReason);
    expect(text(session)).toMatch(words);
  });

  test('that fails is an error that says what to do, without a secret', async () => {
    const { cwd } = await project({ status: 401, error: { message: `Incorrect API key provided: ${key}`, code: 'invalid_api_key' } });
    const { begin, say } = await editor(cwd);
    const failure = await say(await begin('Talk'), 'Hi').catch((error: Error) => error);
    expect(String(failure)).toMatch(/The key was refused \(llm\/auth\)/);
    expect(JSON.stringify(failure) + String(failure)).not.toContain(key);
  });

  test('shows as a thought that a model call failed and is made again', async () => {
    const { cwd } = await project([{ status: 500, error: { message: 'Overloaded.' } }, { text: 'A whole one.' }]);
    const { begin, say, text } = await editor(cwd);
    const session = await begin('Talk');
    expect((await say(session, 'Hi')).stopReason).toBe('end_turn');
    expect(text(session)).toBe('A whole one.');
    expect(text(session, 'agent_thought_chunk')).toMatch(/^Try 1 failed: /);
  });
});

test('an agent whose config is invalid says so, and answers once it is corrected', async () => {
  const { cwd } = await project({ text: 'Yes.' }, { 'config/agents/Talk/v1.json': { ...talk, temperature: 9 } });
  const { begin, say, text } = await editor(cwd);
  const session = await begin('Talk');
  await expect(say(session, 'Hi')).rejects.toThrow(/Talk@v1 is unavailable\. config\/agents\/Talk\/v1\.json:\d+:\d+ schema: /);
  write(cwd, 'config/agents/Talk/v1.json', talk);
  await say(session, 'Hi');
  expect(text(session)).toBe('Yes.');
});

test('what is exposed meanwhile is offered to the open sessions', async () => {
  const cwd = exposedProject();
  const { begin, updates } = await editor(cwd);
  const session = await begin();
  write(cwd, 'config/agents/Hidden/v1.json', { ...toneAgent, agent_name: 'Hidden', expose: true });
  await expect
    .poll(() => updates(session), { timeout: 10_000 })
    .toMatchObject([
      {
        sessionUpdate: 'config_option_update',
        configOptions: [{ currentValue: 'Tone', options: [{ value: 'Hidden' }, { value: 'Tone' }] }],
      },
    ]);
});

test('an orchestration shows its tasks, and answers with its last team', async () => {
  const orchestration = {
    name: 'article',
    description: 'Judges a text.',
    expose: true,
    entry_team: 'judging',
    context: { text: 'Hello' },
    teams: { judging: { name: 'Judging', tasks: [{ name: 'judge', agent: 'Tone@v1' }], routing: { default: null } } },
  };
  const { begin, say, text, updates } = await editor(exposedProject({ 'config/orchestrations/article.json': orchestration }));
  const session = await begin('article');
  expect(await say(session, 'A friendly hello')).toMatchObject({ stopReason: 'end_turn' });
  expect(updates(session).find(({ sessionUpdate }) => sessionUpdate === 'tool_call')).toMatchObject({ title: 'judging / judge' });
  expect(toolUpdates(updates(session))).toEqual(['tool_call in_progress', 'tool_call_update completed']);
  expect(text(session)).toBe('```json\n{\n  "tone": "friendly"\n}\n```');
});

test('a session begins with an agent that takes a text', async () => {
  const several = { ...toneAgent, agent_name: 'Both', expose: true, input_keys: ['text', 'place'] };
  const { agent, begin, say } = await editor(exposedProject({ 'config/agents/Both/v1.json': several }));
  const { modes } = await agent.request('session/new', { cwd: '/', mcpServers: [] });
  expect([modes?.currentModeId, modes?.availableModes.map(({ id }) => id)]).toEqual(['Tone', ['Both', 'Tone']]);
  await expect(say(await begin('Both'), 'Hi')).rejects.toThrow(
    'Both@v1 takes several values, so the message must be a JSON object: {"text": ..., "place": ...}.',
  );
});

test('a project that exposes nothing says what to write', async () => {
  const { agent } = await editor(exposedProject({ 'config/agents/Tone/v1.json': { agent_name: 'Tone', version: 'v1' } }));
  await expect(agent.request('session/new', { cwd: '/', mcpServers: [] })).rejects.toThrow('set "expose": true in the file');
});

test.each([[['--mcp']], [['--openai']], [['--port', '0']]])('--acp with %s is refused, since it takes stdin and stdout', async (args) => {
  const { code, stderr } = await agentstack(['serve', '--acp', ...args], { cwd: exposedProject() });
  expect(stderr).toContain('--acp takes stdin and stdout for one editor');
  expect(code).toBe(2);
});
