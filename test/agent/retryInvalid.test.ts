import { describe, expect, test } from 'vitest';
import { runAgent } from '../../core/agent/runAgent.js';
import type { RunRequest, SessionMessage, SessionStore } from '../../core/agent/types.js';
import { LlmError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import { type ScriptedAnswer, scriptedModel } from '../support/scriptedModel.js';
import { collectRun } from './collectRun.js';
import { sampleProject } from './sampleProject.js';

const good: ScriptedAnswer = { chunks: ['{"label": "bug", "reason": "it crashes"}'] };
const wrong: ScriptedAnswer = { chunks: ['{"label": "wish"}'] };
const correction = 'The answer does not fit the output schema:\n- /label: must be "bug" or "feature"\nGive the whole answer again.';

async function run(answers: readonly ScriptedAnswer[], fields: JsonObject = { retry_invalid: 1 }, options: Partial<RunRequest> = {}) {
  const { factory, ports } = sampleProject(fields);
  const agent = await factory.load('Labels', 'v1');
  const model = scriptedModel(...answers);
  const { events, result } = await collectRun(runAgent({ agent, payload: { title: 'It crashes' }, llm: model, ports, ...options }));
  return { events, result, model };
}

describe('an answer that its schema refuses', () => {
  test('is asked for again with what is wrong, and every call is in the trace', async () => {
    const { result, events, model } = await run([wrong, good]);
    expect(result).toMatchObject({ status: 'completed', output: { label: 'bug', reason: 'it crashes' }, metadata: { iterations: 2 } });
    expect(model.requests[1]!.messages.slice(-2)).toEqual([
      { role: 'assistant', content: '{"label": "wish"}' },
      { role: 'user', content: correction },
    ]);
    expect(events.filter(({ type }) => type === 'step_end')).toMatchObject([{ step: 1, observation: correction }, { step: 2 }]);
    expect(result.reasoning.steps).toMatchObject([{ step: 1, observation: correction }, { step: 2 }]);
    expect(result.reasoning.decision).toContain('after 1 answer that did not fit');
    expect(result.conversation.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant']);
  });

  test('ends the run when it was asked for as often as the config allows', async () => {
    const { result, model } = await run([wrong, wrong, wrong], { retry_invalid: 2 });
    expect(model.requests).toHaveLength(3);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'output-invalid' }, metadata: { iterations: 3 } });
  });

  test('is not asked for again without retry_invalid', async () => {
    const { result, model } = await run([wrong], {});
    expect(model.requests).toHaveLength(1);
    expect(result.error?.code).toBe('output-invalid');
  });

  test('is asked for again where it was cut off, or where there was none', async () => {
    const cut: ScriptedAnswer = { chunks: ['{"label": "bu'], finish_reason: 'length' };
    const { result, model } = await run([cut, { chunks: [' '] }, good], { retry_invalid: 2 });
    expect(result.status).toBe('completed');
    expect(model.requests[1]!.messages.at(-1)!.content).toContain('Your reply was cut off at the output limit. Be shorter.');
    expect(model.requests[2]!.messages.at(-2)!.content).toBe('(no answer)');
  });

  test('is paid for, so a budget ends that', async () => {
    const usage = { prompt_tokens: 10_000, completion_tokens: 1000, total_tokens: 11_000, cached_tokens: 0 };
    const { result, model } = await run([{ ...wrong, usage }], { retry_invalid: 5, budget: { max_cost: 0.006 } });
    expect(model.requests).toHaveLength(1);
    expect(result.error?.code).toBe('budget-exceeded');
  });

  test('is kept in the session with what was said to it', async () => {
    const kept: SessionMessage[] = [];
    const sessions: SessionStore = { load: async () => [], append: async (_id, _run, messages) => void kept.push(...messages) };
    await run([wrong, good], { retry_invalid: 1, include_history: true }, { sessions, context: { session_id: 's' } });
    expect(kept.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });
});

test('a refusal is not asked for again', async () => {
  const { result, model } = await run([{ chunks: ['I cannot help with that.'], finish_reason: 'refusal' }]);
  expect(model.requests).toHaveLength(1);
  expect(result.status).toBe('failed');
});

test('a call that fails is not asked for again', async () => {
  const { result, model } = await run([{ chunks: [], error: new LlmError('refusal', 'The model refuses.') }]);
  expect(model.requests).toHaveLength(1);
  expect(result.error).toMatchObject({ code: 'llm', details: { reason: 'refusal' } });
});
