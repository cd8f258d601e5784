import { describe, expect, test } from 'vitest';
import { suggestExpect } from '../../core/eval/suggestExpect.js';

describe('suggestExpect', () => {
  test('offers the plain fields of an answer and the tools, choices before texts and numbers', () => {
    const found = suggestExpect(
      { tone: 'formal', reply: 'Dear all', score: 3, ok: true, list: [], 'a.b': 'x' },
      ['search', 'search'],
      'agent',
    );
    expect(found.map(({ entry, isLikely }) => `${JSON.stringify(entry)} ${isLikely}`)).toEqual([
      '{"output_field":"tone","operator":"equals","value":"formal"} true',
      '{"output_field":"reply","operator":"equals","value":"Dear all"} false',
      '{"output_field":"score","operator":"equals","value":3} false',
      '{"output_field":"ok","operator":"equals","value":true} true',
      '{"tool":"search","operator":"greater_than","value":0} true',
    ]);
  });

  test('offers the way that an orchestration took', () => {
    const output = {
      teams: [
        { team: 'triage', tasks: {} },
        { team: 'reply', tasks: {} },
      ],
    };
    expect(suggestExpect(output, [], 'orchestration')).toEqual([
      { entry: { route: true, operator: 'equals', value: ['triage', 'reply'] }, isLikely: true },
    ]);
  });

  test('has nothing to offer for a text', () => expect(suggestExpect('Hello', [], 'agent')).toEqual([]));
});
