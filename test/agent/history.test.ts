import { describe, expect, test } from 'vitest';
import { runAgent } from '../../core/agent/runAgent.js';
import type { SessionMessage, SessionStore } from '../../core/agent/types.js';
import { StorageError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import { scriptedModel } from '../support/scriptedModel.js';
import { collectRun } from './collectRun.js';
import { asks, good, type ReactCase, reactRun, says } from './react/reactRun.js';
import { sampleProject } from './sampleProject.js';

function memorySessions(stored: readonly SessionMessage[] = [], fail?: 'load' | 'append') {
  const kept: SessionMessage[] = [...stored];
  const appends: number[] = [];
  const sessions: SessionStore = {
    async load() {
      if (fail === 'load') throw new StorageError('The session cannot be read.');
      return [...kept];
    },
    async append(_id, _run, messages) {
      if (fail === 'append') throw new StorageError('The disk is full.');
      appends.push(messages.length);
      kept.push(...messages);
    },
  };
  return { kept, appends, sessions };
}

const inSession = (sessions: SessionStore): NonNullable<ReactCase['options']> => ({ sessions, context: { session_id: 'chat-1' } });
const history = { include_history: true };

const toolTurn: readonly SessionMessage[] = [
  { role: 'user', content: 'first question' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'old_1', name: 'a', input: { q: '1' } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'old_1', name: 'a', content: 'found' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'first answer' }] },
];

describe('a session', () => {
  test('keeps what a run adds as it happens, without thoughts and marks', async () => {
    const { kept, appends, sessions } = memorySessions();
    await reactRun({
      answers: [{ thoughts: ['Hm.'], chunks: ['I look.'], calls: [{ name: 'a', input: { q: '1' } }] }, says(good)],
      tools: [{ name: 'a', call: () => 'found' }],
      agent: history,
      options: inSession(sessions),
    });
    expect(appends).toEqual([2, 1, 1]);
    expect(kept).toMatchObject([
      { role: 'user', content: expect.stringContaining('It crashes') },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'use_1_1' },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', content: 'found' }] },
      { role: 'assistant', content: [{ type: 'text', text: good }] },
    ]);
    expect(JSON.stringify(kept)).not.toMatch(/Hm\.|signature/);
  });

  test('comes between the system message and the prompt', async () => {
    const { sessions } = memorySessions(toolTurn);
    const { model, result } = await reactRun({
      answers: [says(good)],
      tools: [{ name: 'a' }],
      agent: history,
      options: inSession(sessions),
    });
    const sent = model.requests[0]!.messages;
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user']);
    expect(sent.slice(1, 5)).toEqual(toolTurn);
    expect(result.conversation).toHaveLength(7);
    expect(result.final_response?.content).toMatchObject([{ text: good }]);
  });

  test('is said without tools where a run has none, and in words in the text protocol', async () => {
    const { sessions } = memorySessions(toolTurn);
    const plain = await reactRun({ answers: [says(good)], agent: history, options: inSession(sessions) });
    expect(plain.model.requests[0]?.messages.slice(1, 3)).toEqual([
      { role: 'user', content: 'first question' },
      { role: 'assistant', content: 'first answer' },
    ]);
    const spoken = await reactRun({
      answers: [says(`Final Answer: ${good}`)],
      tools: [{ name: 'a' }],
      agent: { ...history, tool_protocol: 'text' },
      options: inSession(memorySessions(toolTurn).sessions),
    });
    expect(spoken.model.requests[0]?.messages.slice(2, 5)).toEqual([
      { role: 'assistant', content: 'Thought: I look.\nAction: a\nAction Input: {"q":"1"}' },
      { role: 'user', content: 'Observation: found' },
      { role: 'assistant', content: 'Final Answer: first answer' },
    ]);
  });

  test('of an agent without include_history, or without an id, is left alone', async () => {
    for (const one of [
      { options: inSession(memorySessions(toolTurn, 'load').sessions) },
      { agent: history, options: { sessions: memorySessions([], 'load').sessions } },
    ]) {
      const { result, model } = await reactRun({ answers: [says(good)], ...one });
      expect(result.success).toBe(true);
      expect(model.requests[0]?.messages).toHaveLength(2);
    }
  });

  test('that cannot be read ends the run before the first call', async () => {
    const { result, model } = await reactRun({ answers: [], agent: history, options: inSession(memorySessions([], 'load').sessions) });
    expect(result.error?.code).toBe('storage');
    expect(model.requests).toEqual([]);
  });

  test('that cannot be written hands the paid answer on, and says that it was not kept', async () => {
    const { result } = await reactRun({
      answers: [asks('a'), says(good)],
      tools: [{ name: 'a' }],
      agent: history,
      options: inSession(memorySessions([], 'append').sessions),
    });
    expect(result).toMatchObject({ status: 'failed', output: { label: 'bug' }, text: good, error: { code: 'storage' } });
  });

  test('that is too long for the model loses its oldest exchanges', async () => {
    const long = 'word '.repeat(500);
    const stored = [1, 2, 3, 4, 5, 6].flatMap((number): SessionMessage[] => [
      { role: 'user', content: `question ${number} ${long}` },
      { role: 'assistant', content: `answer ${number}` },
    ]);
    const { model, result } = await reactRun({
      answers: [says(good)],
      agent: { ...history, model_name: 'tiny', max_output_tokens: 500 },
      files: { 'agentstack.json': JSON.stringify({ models: { tiny: { context_window: 3000 } } }) },
      options: inSession(memorySessions(stored).sessions),
    });
    const sent = model.requests[0]!.messages;
    expect(sent[1]).toMatchObject({ role: 'user', content: expect.stringMatching(/^question [456]/) });
    expect(sent.at(-1)?.content).toContain('It crashes');
    expect(result.metadata.context_dropped).toEqual({ tool_results: 0, messages: 14 - sent.length });
  });
});

describe('a session of single_shot agents', () => {
  async function shot(sessions: SessionStore, fields: JsonObject = history) {
    const { factory, ports } = sampleProject(fields);
    const agent = await factory.load('Labels', 'v1');
    const model = scriptedModel(says(good));
    const run = runAgent({ agent, payload: { title: 'It crashes' }, llm: model, ports, sessions, context: { session_id: 'chat-1' } });
    return { model, ...(await collectRun(run)) };
  }

  test('remembers question and answer', async () => {
    const { kept, appends, sessions } = memorySessions();
    await shot(sessions);
    const { model } = await shot(sessions);
    expect(appends).toEqual([2, 2]);
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(kept).toHaveLength(4);
  });

  test('is said without tools', async () => {
    const { model } = await shot(memorySessions(toolTurn).sessions);
    expect(model.requests[0]?.messages.slice(1, 3).map(({ content }) => content)).toEqual(['first question', 'first answer']);
  });

  test('that cannot be written hands the answer on', async () => {
    const { result } = await shot(memorySessions([], 'append').sessions);
    expect(result).toMatchObject({ status: 'failed', output: { label: 'bug' }, error: { code: 'storage' } });
  });
});
