import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { vscodeModels } from '../../client/ports/languageModelProvider.js';
import type { LlmRequest, Message, StreamPart, ToolDefinition } from '../../core/llm/types.js';
import * as fake from '../support/fakeVscode.js';
import { canonical, conversations, normalized } from './conformance/conversation.js';
import { type TestClient, testClient } from './testClient.js';

vi.mock('vscode', () => import('../support/fakeVscode.js'));

afterEach(() => {
  fake.scripted.requests.splice(0);
});

const weather: ToolDefinition = {
  name: 'get_weather',
  description: 'The weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};
const ask: LlmRequest = {
  model: 'scripted-1',
  messages: [
    { role: 'system', content: 'You help.' },
    { role: 'user', content: 'Weather in Paris?' },
  ],
  tools: [weather],
};
const says = (text: string) => new fake.LanguageModelTextPart(text);
const calls = (id: string, input: object, name = 'get_weather') => new fake.LanguageModelToolCallPart(id, name, input);

function answering(...parts: readonly unknown[]): TestClient {
  fake.scripted.answer = async function* () {
    yield* parts;
  };
  return testClient({ provider: 'vscode' }, { providers: [vscodeModels] });
}

async function partsOf(client: TestClient, request: LlmRequest = ask): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const part of client.stream(request)) parts.push(part);
  return parts;
}

describe('a model of VS Code', () => {
  test('is told of the tools, in its own form', async () => {
    await answering(says('Hi')).call(ask);
    expect(fake.scripted.requests[0]?.options).toMatchObject({
      tools: [{ name: 'get_weather', description: 'The weather of a place.', inputSchema: weather.parameters }],
    });
    await answering(says('Hi')).call({ ...ask, tools: [] });
    expect(fake.scripted.requests[1]?.options).not.toHaveProperty('tools');
  });

  test('asks for several tools after words and thoughts', async () => {
    const client = answering(
      new fake.LanguageModelThinkingPart('Two places.'),
      says('I '),
      says('look.'),
      calls('a', { place: 'Paris' }),
      calls('b', { place: 'Rome' }),
      { mimeType: 'stateful_marker', data: new Uint8Array() },
    );
    const parts = await partsOf(client);
    expect(parts.map((part) => ('text' in part ? `${part.type} ${part.text}` : part.type))).toEqual([
      'thinking Two places.',
      'text I ',
      'text look.',
      'completion',
    ]);
    expect(parts.at(-1)).toMatchObject({
      completion: {
        text: 'I look.',
        finish_reason: 'tool_use',
        blocks: [
          { type: 'thinking', text: 'Two places.' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'a', name: 'get_weather', input: { place: 'Paris' } },
          { type: 'tool_use', id: 'b', name: 'get_weather', input: { place: 'Rome' } },
        ],
      },
    });
    expect(await client.call(ask)).toMatchObject({ text: 'I look.', finish_reason: 'tool_use' });
  });

  test('whose answer has an image is not complete', async () => {
    const client = answering(says('See:'), { mimeType: 'image/png', data: new Uint8Array() });
    await expect(client.call(ask)).rejects.toMatchObject({ reason: 'incomplete', details: { finish_reason: 'image/png' } });
  });

  test('that says nothing but text has an answer of text alone', async () => {
    const completion = await answering(says('It is '), says('sunny.')).call(ask);
    expect(completion).toMatchObject({ text: 'It is sunny.', finish_reason: 'stop', isUsageEstimated: true });
    expect(completion.blocks).toBeUndefined();
    // One token a word: the messages, the tools as JSON, the answer.
    expect(completion.usage).toMatchObject({ completion_tokens: 3 });
    expect(completion.usage?.prompt_tokens).toBeGreaterThan(5);
  });

  test.each([
    ['a text', '{"place"', { input: {}, input_text: '{"place"' }],
    ['a list', ['Paris'], { input: {}, input_text: '["Paris"]' }],
    ['nothing', undefined, { input: {} }],
  ])('that gives %s for an input is told so later', async (_, input, expected) => {
    const { blocks } = await answering(calls('a', input as unknown as object)).call(ask);
    expect(blocks).toEqual([{ type: 'tool_use', id: 'a', name: 'get_weather', ...expected }]);
  });

  test('gets any conversation as it is, but for thoughts and the system role', async () => {
    const client = answering(says('ok'));
    await fc.assert(
      fc.asyncProperty(conversations, async (messages) => {
        await client.call({ ...ask, messages });
        expect(canonical(heard())).toBe(canonical(normalized(carried(messages))));
      }),
      { numRuns: 60 },
    );
  });

  test('that is cancelled is told, and the reason is the error', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    fake.scripted.answer = async function* ({ token }) {
      yield says('It ');
      controller.abort(reason);
      for (let turn = 0; turn < 100 && !token.isCancellationRequested; turn++) await new Promise(setImmediate);
      yield calls('a', { place: 'Paris' });
    };
    const client = testClient({ provider: 'vscode' }, { providers: [vscodeModels] });
    await expect(partsOf(client, { ...ask, signal: controller.signal })).rejects.toBe(reason);
    await expect.poll(() => fake.scripted.requests[0]?.token.isCancellationRequested).toBe(true);
  });
});

describe('a VS Code before 1.95', () => {
  const nothing = { LanguageModelTextPart: undefined, LanguageModelToolCallPart: undefined, LanguageModelToolResultPart: undefined };
  const texts = async function* () {
    yield 'It ';
    yield 'is.';
  };
  const model = {
    id: 'old',
    name: 'Old',
    family: 'old',
    vendor: 'test',
    countTokens: async () => 1,
    sendRequest: async () => ({ text: texts() }),
  };

  test('answers in text, and says what it has no tools for', async () => {
    vi.resetModules();
    vi.doMock('vscode', () => ({
      ...fake,
      ...nothing,
      LanguageModelThinkingPart: undefined,
      lm: { selectChatModels: async () => [model] },
    }));
    const { vscodeModels: old } = await import('../../client/ports/languageModelProvider.js');
    const client = testClient({ provider: 'vscode' }, { providers: [old] });
    expect(await client.call({ ...ask, model: 'old', tools: [] })).toMatchObject({ text: 'It is.', finish_reason: 'stop' });
    await expect(client.call({ ...ask, model: 'old' })).rejects.toMatchObject({
      reason: 'bad-request',
      message: expect.stringMatching(/1\.95 and later have.*"tool_protocol": "text"/) as string,
    });
  });
});

/** The last request as our own messages. */
function heard(): readonly Message[] {
  const names = new Map<string, string>();
  const blockOf = (part: object) => {
    if (part instanceof fake.LanguageModelToolCallPart) {
      names.set(part.callId, part.name);
      return { type: 'tool_use', id: part.callId, name: part.name, input: part.input };
    }
    if (part instanceof fake.LanguageModelToolResultPart) {
      const content = part.content.map((each) => (each as fake.LanguageModelTextPart).value).join('');
      return { type: 'tool_result', tool_use_id: part.callId, name: names.get(part.callId), content };
    }
    return { type: 'text', text: (part as fake.LanguageModelTextPart).value };
  };
  const messages = fake.scripted.requests.at(-1)!.messages.map(({ role, content }) => ({ role, content: content.map(blockOf) }));
  return normalized(messages as unknown as readonly Message[]);
}

function carried(messages: readonly Message[]): readonly Message[] {
  const system = messages.flatMap(({ role, content }) => (role === 'system' && typeof content === 'string' ? [content] : []));
  const rest = messages.filter(({ role }) => role !== 'system');
  return rest.map((message, index): Message => {
    if (index === 0 && system.length > 0) return { role: 'user', content: [...system, message.content as string].join('\n\n') };
    if (message.role === 'user' && typeof message.content !== 'string') {
      const content = message.content.map((block) => {
        if (block.type === 'text') return block;
        const { is_error: _, ...result } = block;
        return result;
      });
      return { role: 'user', content };
    }
    if (message.role !== 'assistant' || typeof message.content === 'string') return message;
    return { role: 'assistant', content: message.content.filter(({ type }) => type !== 'thinking') };
  });
}
