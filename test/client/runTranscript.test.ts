import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMessage } from '../../client/panels/messages.js';
import { discardsText, fromPage } from '../../client/panels/run/messages.js';
import { type FieldCheck, newFacts, Transcript } from '../../client/panels/run/transcript.js';
import type { Json, JsonObject } from '../../core/json.js';

const facts = newFacts({
  agent: 'A2',
  version: 'v1',
  project: 'sample',
  root: '/sample',
  status: 'running',
  started: 0,
  provider: 'openai',
});

const chunk = (text: string): JsonObject => ({ type: 'chunk', text });
const final = (result: JsonObject): JsonObject => ({ type: 'final', final: true, result });

function transcriptOf(events: readonly JsonObject[], check?: FieldCheck): Transcript {
  const transcript = new Transcript(facts, { check });
  for (const event of events) transcript.add(event);
  return transcript;
}

const fieldsOf = ({ facts: { fields } }: Transcript) => fields.map(({ name, text, verdict }) => `${name}=${text} ${verdict}`);

describe('a run as its panel shows it', () => {
  test('has each field as soon as it is whole, with what the schema thinks of it', () => {
    const events = [{ type: 'step_start', step: 1 }, chunk('{"tone": "dir'), chunk('ect", "depth": 3, "au')];
    expect(fieldsOf(transcriptOf(events, (name) => name === 'tone'))).toEqual(['tone=direct valid', 'depth=3 invalid']);
  });

  test('takes text before a tool call or another try for no answer', () => {
    const call = { type: 'tool_call', tool_calls: [{ id: '1', name: 'search', input: {} }] };
    const retry = { type: 'retry', attempt: 1, wait_ms: 5, reason: 'server' };
    const { events } = transcriptOf([{ type: 'step_start', step: 1 }, chunk('a'), call, retry, chunk('b')]);
    expect(events.map((event) => [event.type, discardsText(event)])).toEqual([
      ['step', true],
      ['text', false],
      ['tool_call', true],
      ['retry', true],
      ['text', false],
    ]);
  });

  test('begins the answer anew with another try, and has nothing of the first', () => {
    const retry = { type: 'retry', attempt: 1, wait_ms: 5, reason: 'server' };
    const transcript = transcriptOf([{ type: 'step_start', step: 1 }, chunk('{"tone": "x", "dep'), retry, chunk('{"area": "y", ')]);
    expect(fieldsOf(transcript)).toEqual(['area=y unchecked']);
    expect(transcript.result).toBe('{"area": "y", ');
  });

  test('joins text that came in pieces', () => {
    const { events } = transcriptOf([
      { type: 'step_start', step: 1 },
      chunk('a'),
      chunk('b'),
      { type: 'retry', attempt: 1, wait_ms: 5, reason: 'server' },
      chunk('c'),
    ]);
    expect(events.map((event) => ('text' in event ? event.text : event.type))).toEqual(['step', 'ab', 'retry', 'c']);
  });

  test('says what the budget left for an answer, and for which models it was not enforced', () => {
    const transcript = transcriptOf([
      { type: 'step_start', step: 1 },
      { type: 'output_limit', max_output_tokens: 120 },
      final({ status: 'completed', metadata: { unpriced_models: ['llama'] } }),
    ]);
    expect(transcript.events.at(-1)).toMatchObject({ type: 'output_limit', tokens: 120 });
    expect(transcript.facts.unpriced).toEqual(['llama']);
  });

  test('keeps what was seen where the result does not say it, and what was used stays unknown', () => {
    const call = { type: 'tool_call', tool_calls: [{ id: '1', name: 'search', input: {} }] };
    const { facts: found } = transcriptOf([{ type: 'step_start', step: 1 }, call, final({ status: 'failed', metadata: {} })]);
    expect(found).toMatchObject({ status: 'failed', tools: ['search'], tokens: null, cost: null, provider: 'openai' });
  });

  test('has no fields where the answer is free text with JSON in it', () => {
    const text = 'Write this: { "tone": "direct" }';
    const events = [{ type: 'step_start', step: 1 }, chunk(text), final({ status: 'completed', output: null, text, metadata: {} })];
    expect(transcriptOf(events).facts.fields).toEqual([]);
  });

  test('stays the same object while nothing is new', () => {
    const transcript = transcriptOf([{ type: 'step_start', step: 1 }]);
    const before = transcript.facts;
    transcript.add({ type: 'chunk', text: 'no field yet' });
    transcript.set({ isPinned: before.isPinned });
    expect(transcript.facts).toBe(before);
    transcript.set({ isPinned: !before.isPinned });
    expect(transcript.facts).not.toBe(before);
  });

  test('calls a step of a plan by its name', () => {
    const { events } = transcriptOf([
      { type: 'step_start', step: 1, plan_step: 'collect' },
      { type: 'step_start', step: 2 },
    ]);
    expect(events).toEqual([
      { type: 'step', place: '', step: 1, name: 'collect' },
      { type: 'step', place: '', step: 2, name: null },
    ]);
  });

  test('begins the fields anew with each step', () => {
    const events = [
      { type: 'step_start', step: 1 },
      chunk('{"tone": "x"} and then'),
      { type: 'step_start', step: 2 },
      chunk('{"tone": "y"}'),
    ];
    expect(fieldsOf(transcriptOf(events))).toEqual(['tone=y unchecked']);
  });

  test('ends with the checked output, where defaults are marked', () => {
    const transcript = transcriptOf([
      chunk('{"tone": "direct"}'),
      final({
        status: 'completed',
        text: '{"tone": "direct"}',
        output: { tone: 'direct', depth: 'short' },
        metadata: { repairs: [{ path: '/depth', keyword: 'default', message: 'filled in' }], execution_time_ms: 12 },
      }),
    ]);
    expect(transcript.facts).toMatchObject({ status: 'completed', duration_ms: 12 });
    expect(transcript.facts.fields.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['tone', false],
      ['depth', true],
    ]);
    expect(JSON.parse(transcript.result)).toEqual({ tone: 'direct', depth: 'short' });
  });

  test('of a failed run keeps the fields and marks those that were refused', () => {
    const issues = [{ path: '/tone', keyword: 'enum', message: 'must be one of ...' }];
    const transcript = transcriptOf([
      chunk('{"tone": "loud", "depth": 1}'),
      final({
        status: 'failed',
        text: '{"tone": "loud", "depth": 1}',
        output: null,
        error: { code: 'output-invalid', message: 'No.', details: { issues } },
      }),
    ]);
    expect(fieldsOf(transcript)).toEqual(['tone=loud invalid', 'depth=1 unchecked']);
    expect(transcript.facts.error?.issues).toEqual(issues);
    expect(transcript.result).toBe('{"tone": "loud", "depth": 1}');
  });

  test('of a partial orchestration says so, with what it lacks', () => {
    const error = { code: 'llm', message: 'A required task did not complete: "x" of team "a".' };
    const transcript = transcriptOf([final({ status: 'partial', output: { teams: [], context: {} }, error })]);
    expect(transcript.facts).toMatchObject({ status: 'partial', error: { message: error.message }, canResume: false });
  });

  test('shows tools, thoughts and events of kinds that it does not know', () => {
    const { events } = transcriptOf([
      { type: 'tool_call', team: 't', task: 'k', tool_calls: [{ id: '1', name: 'search', input: { q: 'x' } }] },
      { type: 'tool_result', team: 't', task: 'k', tool_results: [{ id: '1', name: 'search', output: 'found', is_error: false }] },
      { type: 'made_up', seq: 3, team: 't', some_field: 'u', rule: 0 },
    ]);
    expect(events.map(({ type, place }) => `${type} ${place}`)).toEqual(['tool_call t / k', 'tool_result t / k', 'other t']);
    expect(events[2]).toMatchObject({ name: 'made up', text: 'some field: u\nrule: 0' });
  });

  describe('with tools', () => {
    const long = 'x'.repeat(1_000_000);
    const call = { type: 'tool_call', tool_calls: [{ id: '1', name: 'search_files', input: { query: 'budget', limit: 5, in: ['docs'] } }] };
    const result = (value: Json, is_error = false): JsonObject => ({
      type: 'tool_result',
      tool_results: [{ id: '1', name: 'search_files', output: value, is_error }],
    });

    test('tells of a call in a line, and who offers the tool', () => {
      const transcript = new Transcript(facts, { originOf: (name) => (name === 'search_files' ? 'built-in' : '') });
      transcript.add(call);
      expect(transcript.events[0]).toMatchObject({ origin: 'built-in', input: { excerpt: 'query: "budget", limit: 5, in: […]' } });
      expect(transcript.facts.tools).toEqual(['search_files']);
    });

    test('sends of a long result its beginning, and the rest when it is asked for', () => {
      const transcript = transcriptOf([call, result(long)]);
      const [, event] = transcript.events;
      expect(JSON.stringify(transcript.events).length).toBeLessThan(2_000);
      if (event?.type !== 'tool_result') throw new Error('no result');
      expect(event.output).toMatchObject({ text: null, units: 1_000_000 });
      expect(event.output.excerpt).toMatch(/^x+…$/);
      expect(transcript.whole(event.output.part)).toEqual({ text: long, more: 0 });
      expect(transcript.whole(99)).toBeUndefined();
    });

    test('says of each step what it took', () => {
      const transcript = new Transcript(facts, { price: { input: 1, output: 2 } });
      transcript.add({
        type: 'step_end',
        step: 1,
        usage: { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500, cached_tokens: 0 },
      });
      expect(transcript.events[0]).toMatchObject({ tokens: 1_500, cost: 0.002 });
    });

    test('shows a thought once, whether it came in pieces or at the end of its step', () => {
      const start = { type: 'step_start', step: 1 };
      const end = { type: 'step_end', step: 1, thought: 'I look.', usage: null };
      const thoughts = (events: readonly JsonObject[]) =>
        transcriptOf(events).events.map((event) => (event.type === 'step_end' ? event.thought : 'text' in event ? event.text : ''));
      expect(thoughts([start, { type: 'thinking', text: 'I ' }, { type: 'thinking', text: 'look.' }, end])).toEqual(['', 'I look.', '']);
      expect(thoughts([start, end])).toEqual(['', 'I look.']);
    });

    test('tells a correction from what tools have answered', () => {
      const end = { type: 'step_end', step: 1, observation: 'told', usage: null };
      const isCorrection = (events: readonly JsonObject[]) =>
        transcriptOf([{ type: 'step_start', step: 1 }, ...events]).events.flatMap((event) =>
          event.type === 'step_end' ? [event.isCorrection] : [],
        );
      expect(isCorrection([call, result('a'), end])).toEqual([false]);
      expect(isCorrection([chunk('{"tone": 1}'), end])).toEqual([true]);
    });

    test('says nothing of its own about how sure the answer is, where the model does', () => {
      for (const output of [{ confidence: 'low' }, { tone: 'x', confidence: 0.2 }, { certainty: 1 }]) {
        const transcript = transcriptOf([final({ status: 'completed', output, reasoning: { smoothness: 1, confidence: 1 } })]);
        expect(transcript.facts.smoothness).toBeNull();
      }
    });

    test('offers to continue only a conversation whose run has completed', () => {
      for (const [status, expected] of [
        ['completed', true],
        ['failed', false],
        ['cancelled', false],
      ] as const) {
        const transcript = new Transcript({ ...facts, session: 's', canContinue: true });
        transcript.add(final({ status }));
        expect(transcript.facts.canContinue).toBe(expected);
      }
    });

    test('tells of a run that was broken off what it used at least', () => {
      const token_usage = { prompt_tokens: 180, completion_tokens: 1240 };
      const metadata = { token_usage, token_usage_incomplete: true, estimated_cost_usd: 0.002 };
      const { tokens, cost } = transcriptOf([final({ status: 'cancelled', metadata })]).facts;
      expect({ tokens, cost }).toEqual({
        tokens: { prompt: 180, completion: 1240, cached: 0, written: 0, predicted: 0, isEstimated: false, isIncomplete: true },
        cost: 0.002,
      });
    });

    test('shows what tools say about their own results', () => {
      const observation = 'Risks: old data\nSource quality: low\nThe budget is 5.\nRisks:';
      const { events } = transcriptOf([{ type: 'step_start', step: 1 }, call, result('a'), { type: 'step_end', step: 1, observation }]);
      expect(events.at(-1)).toMatchObject({ hints: ['Risks: old data', 'Source quality: low'] });
    });

    test('ends with sources, how smoothly it went and why, and the text of an answer without fields', () => {
      const transcript = transcriptOf([
        call,
        result('a'),
        call,
        result('b', true),
        call,
        result('c'),
        call,
        result('a'),
        final({
          status: 'completed',
          text: 'The budget is 5.',
          output: null,
          source_documents: [
            { id: 'docs/budget.md', uri: 'docs/budget.md', text: 'Budget: 5' },
            { id: '../secret.md' },
            { id: 'x', uri: 'javascript:1', title: 'X' },
          ],
          reasoning: { smoothness: 0.8, confidence: 0.8 },
          metadata: { iterations: 3, tools_used: ['search_files'] },
        }),
      ]);
      expect(transcript.facts).toMatchObject({ iterations: 3, tools: ['search_files'], answer: { text: 'The budget is 5.' } });
      expect(transcript.facts.smoothness).toEqual({
        value: 0.8,
        reasons: [
          { word: 'iterations', count: 3 },
          { word: 'calls', count: 3 },
          { word: 'failed', count: 1 },
          { word: 'contradictions', count: 1 },
        ],
      });
      expect(transcript.facts.sources.map(({ id, isLinked }) => [id, isLinked])).toEqual([
        ['docs/budget.md', true],
        ['../secret.md', false],
        ['x', false],
      ]);
    });
  });

  test('of text only has it from the result when the events are lost', () => {
    const transcript = transcriptOf([final({ status: 'completed', text: '{"a": 1}', output: { a: 1 } })]);
    expect(transcript.events).toEqual([{ type: 'text', place: '', text: '{"a": 1}' }]);
  });

  test('keeps a field of any name', () => {
    expect(fieldsOf(transcriptOf([chunk('{"__proto__": "a", "constructor": "b"}')]))).toEqual([
      '__proto__=a unchecked',
      'constructor=b unchecked',
    ]);
  });

  test('can be built from any folder content, and is then a message like any other', () => {
    const types = ['chunk', 'step_start', 'tool_call', 'tool_result', 'retry', 'repair', 'step_end', 'final', 'route', 'run_start', ''];
    const anyEvent = fc.record(
      {
        type: fc.constantFrom(...types),
        text: fc.jsonValue(),
        issues: fc.jsonValue(),
        tool_calls: fc.jsonValue(),
        result: fc.jsonValue(),
        step: fc.jsonValue(),
        team: fc.jsonValue(),
      },
      { requiredKeys: ['type'] },
    );
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 8 }), (events) => {
        const transcript = transcriptOf(JSON.parse(JSON.stringify(events)));
        const { facts: known, events: shown } = transcript;
        expect(JSON.parse(JSON.stringify({ known, shown }))).toEqual({ known, shown });
      }),
    );
  });

  test('takes a megabyte of small pieces in without growing slower', () => {
    const transcript = new Transcript(facts);
    const began = performance.now();
    for (let at = 0; at < 250_000; at++) transcript.add({ type: 'chunk', text: at === 0 ? '{"a": "' : 'word' });
    expect(transcript.result.length).toBeGreaterThan(999_000);
    expect(performance.now() - began).toBeLessThan(60_000);
  });
});

describe('what the page says', () => {
  test.each([
    { type: 'act', action: 'cancel' },
    { type: 'openIssue', path: '/a', keyword: 'enum' },
    { type: 'decide', id: 1, decision: 'deny' },
    { type: 'whole', part: 0 },
  ])('is understood: $type', (message) => {
    expect(isMessage(fromPage, message)).toBe(true);
  });

  test.each([
    null,
    'cancel',
    [],
    {},
    { type: 'delete' },
    { type: 'act', action: 'delete' },
    { type: 'openIssue', path: 1, keyword: 'enum' },
    { type: 'toString' },
    { type: 'decide', id: 1, decision: 'all' },
  ])('is turned away when it is %j', (message) => {
    expect(isMessage(fromPage, message)).toBe(false);
  });
});
