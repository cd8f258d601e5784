import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { answerBound, cautiousTokens, inputBound } from '../../core/prompt/tokenBounds.js';

const bound = (properties: JsonObject | undefined, path: readonly string[], max_output_tokens?: number, more: JsonObject = {}) =>
  answerBound(
    {
      config: {
        agent_type: 'single_shot',
        ...(properties && { output_schema: { type: 'object', additionalProperties: false, properties, ...more } }),
        ...(max_output_tokens !== undefined && { max_output_tokens }),
      },
      model: undefined,
    },
    path,
  );

describe('what an agent may answer at most', () => {
  const text = { type: 'string', maxLength: 100 };

  test('is what its schema allows, where that is less than its longest answer', () => {
    expect(bound({ a: text }, ['a'], 5000)).toBe(102);
    expect(bound({ a: text }, ['a'], 50)).toBe(50);
    expect(bound({ a: text }, ['a'])).toBe(102);
    expect(bound({ a: { type: 'string' } }, ['a'], 5000)).toBe(5000);
    expect(bound({ a: { type: 'string' } }, ['a'])).toBe(undefined);
    expect(bound(undefined, [], 300)).toBe(300);
  });

  test('is the longest of an enum, a few tokens of a number, and the sum of lists and objects', () => {
    expect(bound({ a: { enum: ['x', 'a much longer label'] } }, ['a'])).toBe(cautiousTokens('"a much longer label"'));
    expect(bound({ a: { type: 'integer' }, b: { type: ['boolean', 'null'] } }, ['a'])).toBe(24);
    expect(bound({ a: { type: 'array', maxItems: 3, items: text } }, ['a'])).toBe(3 * 103 + 2);
    expect(bound({ a: text, b: { type: 'boolean' } }, [])).toBe(2 + (1 + 102 + 2) + (1 + 2 + 2));
    expect(bound({ a: { type: 'array', items: text } }, ['a'])).toBe(undefined);
    expect(bound({ a: text }, [], undefined, { additionalProperties: true })).toBe(undefined);
  });

  test('follows local references, and gives up on those that never end', () => {
    const $defs = { t: text, loop: { type: 'array', maxItems: 2, items: { $ref: '#/$defs/loop' } }, self: { $ref: '#/$defs/self' } };
    const defined = { $defs } as unknown as JsonObject;
    expect(bound({ a: { $ref: '#/$defs/t' } }, ['a'], undefined, defined)).toBe(102);
    expect(bound({ a: { $ref: '#/$defs/loop' } }, ['a'], undefined, defined)).toBe(undefined);
    expect(bound({ a: { $ref: '#/$defs/self' } }, ['a'], 7, defined)).toBe(7);
    expect(bound({ a: text }, ['b'], 900)).toBe(900);
  });
});

describe('what a template makes', () => {
  const answers = (segments: readonly string[]) => ({ tokens: 1000, isAssumed: segments[0] === 'input' });

  test('is its own words and what its paths may lead to; inside a text twice', () => {
    expect(inputBound({ a: 'b' }, answers, 5000)).toEqual({ tokens: cautiousTokens('{"a":"b"}'), isAssumed: false });
    const alone = { a: '{{tasks.x.output}}' };
    expect(inputBound(alone, answers, 5000)).toEqual({ tokens: cautiousTokens(JSON.stringify(alone)) + 1000, isAssumed: false });
    const inside = { a: ['see {{tasks.x.output}}'] };
    expect(inputBound(inside, answers, 5000).tokens).toBe(cautiousTokens(JSON.stringify(inside)) + 2000);
  });

  test('counts all that comes from outside once', () => {
    const template = { a: '{{input.a}}', b: '{{input.b}}' };
    expect(inputBound(template, () => ({ tokens: 0, isAssumed: true }), 5000)).toEqual({
      tokens: cautiousTokens(JSON.stringify(template)) + 5000,
      isAssumed: true,
    });
  });
});
