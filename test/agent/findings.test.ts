import { describe, expect, test } from 'vitest';
import type { FindingStop, Gate } from '../../core/agent/gate.js';
import { runAgent } from '../../core/agent/runAgent.js';
import { CancelledError, LlmError } from '../../core/errors.js';
import { type ScriptedAnswer, scriptedModel } from '../support/scriptedModel.js';
import { collectRun } from './collectRun.js';
import { asks, good, reactRun, says } from './react/reactRun.js';
import { sampleProject } from './sampleProject.js';

function findingGate() {
  const order: string[] = [];
  const findings: FindingStop[] = [];
  const gate: Gate = (stop) => {
    order.push(stop.at === 'finding' ? stop.finding.kind : stop.at);
    if (stop.at === 'finding') findings.push(stop);
    return undefined;
  };
  return { gate, order, findings };
}

async function shot(answers: readonly ScriptedAnswer[], fields = {}, options = {}) {
  const { factory, ports } = sampleProject(fields);
  const agent = await factory.load('Labels', 'v1');
  return collectRun(runAgent({ agent, payload: { title: 'It crashes' }, llm: scriptedModel(...answers), ports, ...options }));
}

describe('what a run finds stops it', () => {
  test('at a retry before it waits, and at a repair before the answer is taken', async () => {
    const { gate, order, findings } = findingGate();
    const retries = [{ attempt: 1, wait_ms: 5, reason: 'The provider says 429.' }];
    const { result } = await shot([says(`Here it is: ${good}`, { retries })], {}, { gate });
    expect(result.status).toBe('completed');
    expect(order).toEqual(['model', 'retry', 'answer', 'repair']);
    expect(findings[0]).toMatchObject({ step: 1, locked: expect.any(String), finding: { message: 'The provider says 429.' } });
    expect(findings[1]?.finding.issues?.length).toBeGreaterThan(0);
  });

  test('at a refused answer with the words of the schema, and at the error that ends the run', async () => {
    const { gate, order, findings } = findingGate();
    const bad = says('{"label": "none"}');
    expect((await shot([bad, says(good)], { retry_invalid: 1 }, { gate })).result.status).toBe('completed');
    expect(order).toEqual(['model', 'answer', 'refused', 'model', 'answer']);
    const { result } = await shot([bad], {}, { gate });
    expect(order.slice(5)).toEqual(['model', 'answer', 'refused', 'error']);
    expect(findings.at(-1)?.finding).toMatchObject({ code: 'output-invalid', message: result.error?.message });
    expect(findings[0]?.finding.issues?.[0]).toHaveProperty('path');
  });

  test('at an error of the provider, with its reason, and never at a cancelled run', async () => {
    const { gate, findings, order } = findingGate();
    const error = new LlmError('auth', 'The key is not valid.');
    await shot([{ chunks: [], error }], {}, { gate });
    expect(findings[0]?.finding).toEqual({ kind: 'error', code: 'llm', reason: 'auth', message: 'The key is not valid.' });
    const over = new AbortController();
    const ending: Gate = (stop) => {
      if (stop.at === 'model') over.abort(new CancelledError('Enough.'));
      return gate(stop);
    };
    const before = order.length;
    const { result } = await shot([says(good)], {}, { gate: ending, signal: over.signal });
    expect(result.status).toBe('cancelled');
    expect(order.slice(before)).toEqual(['model']);
  });

  test('a person who ends the run at its error has cancelled it', async () => {
    const over = new AbortController();
    const gate: Gate = (stop) => {
      if (stop.at === 'finding') over.abort(new CancelledError('Enough.'));
      return undefined;
    };
    const { result } = await shot([{ chunks: [], error: new LlmError('auth', 'No.') }], {}, { gate, signal: over.signal });
    expect(result.status).toBe('cancelled');
  });

  test('at a denied call before the model reads it, at an unreadable reply, and when the loop gives up', async () => {
    const { gate, order, findings } = findingGate();
    const tools = [{ name: 'look', needs_approval: true }];
    const { result } = await reactRun({
      answers: [asks('look'), says('no'), says(good)],
      tools,
      options: { gate, approve: async () => 'deny' },
    });
    expect(result.status).toBe('completed');
    expect(order).toEqual(['model', 'answer', 'tool', 'denied', 'tool_answer', 'model', 'answer', 'refused', 'model', 'answer']);
    expect(findings[0]?.finding).toMatchObject({ tool: 'look', message: expect.stringContaining('The user did not allow this call.') });
  });

  test('once, at the call with which 80 % of the budget are spent', async () => {
    const { gate, order, findings } = findingGate();
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000, cached_tokens: 0 };
    const { result } = await reactRun({
      answers: [asks('look', {}, { usage }), asks('look', { q: 'y' }, { usage }), says(good, { usage })],
      tools: [{ name: 'look' }],
      agent: { model_name: 'gpt-4o-mini', max_output_tokens: 10, budget: { max_cost: 0.5 } },
      options: { gate },
    });
    expect(result.status).toBe('completed');
    expect(order.filter((each) => each !== 'tool' && each !== 'tool_answer')).toEqual([
      ...['model', 'answer', 'model', 'answer', 'model', 'answer', 'budget'],
    ]);
    expect(findings[0]?.finding.message).toBe('90 % of the budget is spent.');
  });
});
