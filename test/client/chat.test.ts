import { describe, expect, test } from 'vitest';
import { chatFields, readChatInput } from '../../client/panels/chat/chatInput.js';
import { chatTotals, conversationText } from '../../client/panels/chat/conversation.js';
import { fromPage } from '../../client/panels/chat/messages.js';
import { isMessage } from '../../client/panels/messages.js';
import { newFacts, toFields } from '../../client/panels/run/transcript.js';
import type { EffectiveAgent } from '../../core/snapshot/effective.js';

const configOf = (fields: object) => fields as EffectiveAgent;
const turn = (known: Partial<ReturnType<typeof newFacts>> = {}) =>
  newFacts({ agent: 'Guide', version: 'v1', project: 'p', root: '/p', status: 'completed', ...known });
const tokens = { prompt: 100, completion: 20, cached: 0, written: 0, predicted: 0, isEstimated: false, isIncomplete: false };

describe('a message', () => {
  test('is a free text for an agent that names no keys, or an object', () => {
    const config = configOf({});
    expect(chatFields(config)).toEqual([{ key: '', description: '', isRequired: true, kind: 'text' }]);
    expect(readChatInput(config, { '': 'Hello' })).toEqual({ message: 'Hello' });
    expect(readChatInput(config, { '': ' {"a": 1}' })).toEqual({ a: 1 });
    expect(readChatInput(config, { '': '{broken' })).toEqual({ message: '{broken' });
  });

  test('has a field for each key of the input', () => {
    const input_schema = { properties: { question: { type: 'string', description: 'What?' }, depth: { type: 'integer' } } };
    const config = configOf({ input_keys: ['question'], input_schema });
    expect(chatFields(config).map(({ key, kind, isRequired }) => [key, kind, isRequired])).toEqual([
      ['question', 'text', true],
      ['depth', 'json', false],
    ]);
    expect(readChatInput(config, { question: 'Why?', depth: '3' })).toEqual({ question: 'Why?', depth: 3 });
    expect(readChatInput(config, { question: 'Why?', depth: '' })).toEqual({ question: 'Why?' });
    expect(readChatInput(config, { question: 'Why?', depth: 'three' })).toMatchObject({ wrong: expect.stringMatching(/^depth: /) });
  });
});

describe('what a conversation has used', () => {
  test('is the sum of its turns', () => {
    expect(chatTotals([turn({ tokens, cost: 0.5 }), turn({ tokens, cost: 0.25 })])).toEqual({
      prompt: 200,
      completion: 40,
      cost: 0.75,
      isWhole: true,
      isSimulated: false,
    });
  });

  test.each([
    ['has no price', turn({ tokens })],
    ['does not say what it used', turn({ cost: 0.1 })],
    ['was cut off', turn({ tokens: { ...tokens, isIncomplete: true }, cost: 0.1, status: 'cancelled' })],
  ])('is at least that where a turn %s', (_why, other) => {
    expect(chatTotals([turn({ tokens, cost: 0.5 }), other]).isWhole).toBe(false);
  });

  test('is nothing where no model was asked', () => {
    expect(chatTotals([turn({ tokens, simulated: true })])).toMatchObject({ isSimulated: true, isWhole: true, cost: 0 });
    expect(chatTotals([turn({ tokens, cost: null })])).toMatchObject({ cost: null, isWhole: false });
    expect(chatTotals([turn({ tokens, cost: null }), turn({ tokens, cost: 0.5 })])).toMatchObject({ cost: 0.5, isWhole: false });
    expect(chatTotals([])).toMatchObject({ isSimulated: false, isWhole: true });
  });
});

test('a conversation is copied as Markdown', () => {
  const facts = turn({ input: toFields({ message: 'Why?' }, 'unchecked') });
  const failed = turn({
    input: toFields({ question: 'Why?', depth: 3 }, 'unchecked'),
    error: { code: 'llm', message: 'The server is away.', reason: '', issues: [] },
  });
  const text = conversationText([
    { facts, result: 'Because.' },
    { facts: failed, result: '' },
  ]);
  expect(text).toBe('## You\n\nWhy?\n\n## Guide\n\nBecause.\n\n## You\n\nquestion: Why?\n\ndepth: 3\n\n## Guide\n\nThe server is away.\n');
});

describe('messages of the page', () => {
  test.each([
    { type: 'act', action: 'stop' },
    { type: 'send', values: { '': 'x' }, from: null },
    { type: 'send', values: {}, from: 2 },
    { type: 'decide', id: 1, decision: 'deny' },
    { type: 'whole', turn: 1, part: 2 },
    { type: 'openRun', turn: 1 },
  ])('are taken: %j', (message) => expect(isMessage(fromPage, message)).toBe(true));

  test.each([
    null,
    'ready',
    { type: 'send', values: { a: 1 }, from: null },
    { type: 'send', values: {} },
    { type: 'decide', id: 1, decision: 'all' },
    { type: 'x' },
  ])('are refused: %j', (message) => expect(isMessage(fromPage, message)).toBe(false));
});
