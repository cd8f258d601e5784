import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerStart, separateThoughts, ThoughtReader } from '../../core/llm/thoughtTags.js';
import type { Completion } from '../../core/llm/types.js';
import { runs } from '../support/effort.js';

const completion = (text: string): Completion => ({
  text,
  finish_reason: 'stop',
  usage: undefined,
  model: 'm',
  id: undefined,
  left_out: [],
  simulated: false,
  attempts: 1,
  latency_ms: 1,
});

/** What is said in all, by what it is; text that comes once more as a thought counts as the thought. */
function streamed(pieces: readonly string[]): { readonly text: string; readonly thought: string } {
  const reader = new ThoughtReader();
  let text = '';
  let thought = '';
  for (const part of [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]) {
    if (part.type === 'text') text += part.text;
    else if (text === '') thought += part.text;
    else {
      thought = part.text;
      text = '';
    }
  }
  return { text, thought };
}

describe.each([
  [
    'a closing tag alone',
    'Hmm, maybe {"label":"question"}? No.\n</think>\n{"label":"bug"}',
    '{"label":"bug"}',
    'Hmm, maybe {"label":"question"}? No.',
  ],
  ['both tags', '<think>\nHm.\n</think>\n\nYes.', 'Yes.', 'Hm.'],
  ['another word', '<reasoning>Hm.</reasoning>Yes.', 'Yes.', 'Hm.'],
  ['capital letters', '<THINKING>Hm.</THINKING>Yes.', 'Yes.', 'Hm.'],
  ['the tags of Mistral', '[THINK]Hm.[/THINK]Yes.', 'Yes.', 'Hm.'],
  ['thoughts without an end', '<think>Hm, and', '', 'Hm, and'],
  ['channels', '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>', 'Yes.', 'Hm.'],
])('thoughts with %s', (_, whole, answer, thought) => {
  test('are no part of the answer', () => {
    expect(separateThoughts(completion(whole))).toMatchObject({
      text: answer,
      blocks: [
        { type: 'thinking', text: thought },
        { type: 'text', text: answer },
      ],
    });
  });

  test('are thoughts however they arrive', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: whole.length, maxLength: whole.length });
    fc.assert(
      fc.property(sizes, (each) => {
        const pieces: string[] = [];
        for (let at = 0, index = 0; at < whole.length; index++) {
          pieces.push(whole.slice(at, at + each[index]!));
          at += each[index]!;
        }
        const got = streamed(pieces);
        expect(got.text.replace('<|return|>', '')).toBe(answer);
        expect(got.thought.trim()).toBe(thought);
      }),
      { numRuns: runs(50, 1000) },
    );
  });
});

test.each([
  ['{"text": "Write </think> behind it."}'],
  ['In the prompt, `</think>` ends a thought.'],
  ['Use the tag "</think>" there.'],
  ['a < b and b > c, [1] of [2]'],
  [''],
])('%j has none', (whole) => {
  expect(answerStart(whole)).toBe(0);
  expect(separateThoughts(completion(whole))).toEqual(completion(whole));
  expect(streamed([...whole])).toEqual({ text: whole, thought: '' });
});

test('any text without a tag arrives as it is, in its order', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (pieces) => {
      const whole = pieces.join('');
      fc.pre(answerStart(whole) === 0);
      expect(streamed(pieces)).toEqual({ text: whole, thought: '' });
    }),
    { numRuns: runs(200, 5000) },
  );
});
