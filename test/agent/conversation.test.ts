import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Conversation, type Part } from '../../core/agent/conversation.js';
import { sizeOfMessage, sizeOfText } from '../../core/llm/callCost.js';
import { loadTokenCounter } from '../../core/llm/countTokens.js';
import type { Message } from '../../core/llm/types.js';

const answer = (id: string): Message => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'a', input: {} }] });
const results = (id: string, content: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, name: 'a', content }],
});

/** A conversation with `history` exchanges before its prompt and a turn for each length. */
function conversationOf(history: readonly number[], turns: readonly number[]): Conversation {
  const conversation = new Conversation();
  const add = (message: Message, part: Part) => conversation.add(message, part);
  add({ role: 'system', content: 'system' }, 'system');
  history.forEach((length, index) => {
    add({ role: 'user', content: `old ${index}` }, 'prompt');
    add(answer(`old${index}`), 'answer');
    add(results(`old${index}`, 'o'.repeat(length)), 'results');
    add({ role: 'assistant', content: 'old answer' }, 'answer');
  });
  add({ role: 'user', content: 'the prompt' }, 'prompt');
  turns.forEach((length, index) => {
    add(answer(`new${index}`), 'answer');
    add(results(`new${index}`, 'n'.repeat(length)), 'results');
  });
  return conversation;
}

const lengths = fc.array(fc.nat({ max: 3000 }), { maxLength: 6 });

describe('making room', () => {
  test('keeps the system message, the prompt and the last turn, and every tool call with its result', () => {
    fc.assert(
      fc.property(lengths, lengths, fc.nat({ max: 5000 }), (history, turns, limit) => {
        const conversation = conversationOf(history, turns);
        const before = conversation.messages.length;
        const last = conversation.messages.at(-1);
        const dropped = conversation.fit(limit);
        const { messages } = conversation;
        expect(messages).toHaveLength(before - dropped.messages);
        expect(messages[0]).toEqual({ role: 'system', content: 'system' });
        expect(messages).toContainEqual({ role: 'user', content: 'the prompt' });
        expect(messages.at(-1)).toBe(last);
        messages.forEach((message, index) => {
          const use = typeof message.content === 'object' && message.content[0]?.type === 'tool_use' ? message.content[0].id : undefined;
          if (use !== undefined) expect(messages[index + 1]).toMatchObject({ content: [{ type: 'tool_result', tool_use_id: use }] });
        });
        const afresh = messages.reduce((sum, message) => sum + sizeOfMessage(message).likely, 0);
        expect(conversation.likely).toBe(afresh);
      }),
    );
  });

  test('begins with results, and drops nothing while it fits', () => {
    const conversation = conversationOf([2000], [2000, 2000, 50]);
    expect(conversation.fit(10_000)).toEqual({ tool_results: 0, messages: 0 });
    expect(conversation.fit(conversation.likely - 100)).toEqual({ tool_results: 1, messages: 0 });
    expect(conversation.fit(200)).toMatchObject({ tool_results: 2 });
  });

  test('goes by what the provider counted, once it did', () => {
    const conversation = conversationOf([], [2000]);
    conversation.counted({ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, cached_tokens: 0 });
    expect(conversation.likely).toBe(120);
    expect(conversation.most).toBeLessThan(200);
    conversation.add({ role: 'user', content: 'é'.repeat(10) }, 'note');
    expect(conversation.most).toBeGreaterThanOrEqual(140);
  });
});

test('no text has more tokens than we say', async () => {
  const counter = await loadTokenCounter(['gpt-4o']);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.array(fc.nat({ max: 0xffff })).map((units) => String.fromCharCode(...units)),
      ),
      (text) => {
        const { most } = sizeOfText(text);
        expect(most).toBeGreaterThanOrEqual(new TextEncoder().encode(text).length);
        expect(counter.count('gpt-4o', text).tokens).toBeLessThanOrEqual(most);
      },
    ),
  );
});
