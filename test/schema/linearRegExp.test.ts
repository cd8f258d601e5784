import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linearRegExp } from '../../core/schema/linearRegExp.js';

function matches(pattern: string, text: string): boolean | string {
  const compiled = linearRegExp(pattern);
  return compiled.ok ? compiled.test(text) : compiled.message;
}

describe('linearRegExp', () => {
  const alphabet = [
    'a',
    'b',
    'Z',
    '_',
    '0',
    '9',
    ' ',
    '-',
    '.',
    '\t',
    '\n',
    '\r',
    '\v',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '\u200b',
    'é',
    'ß',
    '\u0130',
    '😀',
    '[',
    ']',
    '{',
    '}',
    '/',
    '\\',
    '\0',
  ];
  const text = fc.array(fc.constantFrom(...alphabet), { maxLength: 8 }).map((parts) => parts.join(''));
  const atom = fc.constantFrom(
    ...[
      'a',
      'b',
      'Z',
      '0',
      ' ',
      '-',
      '😀',
      'é',
      '.',
      '\\d',
      '\\D',
      '\\w',
      '\\W',
      '\\s',
      '\\S',
      '\\b',
      '\\B',
      '^',
      '$',
      '\\/',
      '\\.',
      '\\[',
      '\\]',
      '\\\\',
      '\\{',
      '\\}',
    ],
    ...[
      '\\t',
      '\\n',
      '\\v',
      '\\f',
      '\\r',
      '\\0',
      '\\x41',
      '\\u0061',
      '\\u{1F600}',
      '\\ud83d\\ude00',
      '\\cJ',
      '\\p{L}',
      '\\P{Lu}',
      '\\p{Script=Latin}',
      '\\p{Letter}',
    ],
    ...[
      '[ab]',
      '[^ab]',
      '[a-zA-Z]',
      '[\\s]',
      '[^\\s]',
      '[\\S]',
      '[^\\S]',
      '[\\d-]',
      '[-a]',
      '[a-]',
      '[\\w.]',
      '[^\\W]',
      '[[:alpha:]]',
      '[]',
      '[^]',
      '[\\]]',
      '[\\b]',
      '[😀-😂]',
      '[\\u{1F600}-\\u{1F602}]',
      '[.$^]',
      '[\\-a]',
      '[\\x00-\\x1f]',
      '[\\D9]',
    ],
  );
  const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '+?', '{2}?');
  const pattern = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.tuple(atom, quantifier).map((parts) => parts.join('')),
      fc.tuple(tie('node'), tie('node')).map((parts) => parts.join('')),
      fc.tuple(tie('node'), tie('node')).map((parts) => parts.join('|')),
      fc.tuple(fc.constantFrom('(', '(?:', '(?<x>'), tie('node'), quantifier).map(([open, inner, times]) => `${open}${inner})${times}`),
    ),
  })).node;

  test('matches whatever ECMAScript matches', () => {
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        let expected: RegExp;
        try {
          expected = new RegExp(source, 'u');
        } catch {
          return;
        }
        expect({ source, subject, matched: matches(source, subject) }).toEqual({ source, subject, matched: expected.test(subject) });
      }),
      { numRuns: 5000 },
    );
  });

  test('takes patterns that are valid with or without the u flag, and reads both by code points', () => {
    expect(matches('^\\d{3}\\-\\d{4}$', '555-1234')).toBe(true);
    expect(matches('^[\\w-.]+$', 'a-b.c')).toBe(true);
    expect(matches('^\\a\\Z\\_$', 'aZ_')).toBe(true);
    expect(matches('^{a}$', '{a}')).toBe(true);
    expect(matches('^[\\-😀]$', '😀')).toBe(true);
    expect(matches('^.$', '\ud83d')).toBe(true);
    expect(matches('\\ud83d', '😀')).toBe(false);
    expect(matches('', 'anything')).toBe(true);
  });

  test.each([
    ['(?=a)b', /looks ahead or behind/],
    ['a(?!b)', /looks ahead or behind/],
    ['(?<=a)b', /looks ahead or behind/],
    ['(?<!a)b', /looks ahead or behind/],
    ['(a)\\1', /refers back/],
    ['(?<x>a)\\k<x>', /refers back/],
    ['a{1001}', /more than 1000 times/],
    ['^.{1,5000}$', /use minLength and maxLength/],
    ['((a{100}){100}){100}', /the linear-time engine refuses it/],
    ['\\p{Script_Extensions=Greek}', /the linear-time engine refuses it/],
    ['a(', /is not a regular expression/],
    ['a'.repeat(10_001), /longer than 10000 characters/],
  ])('says why it cannot run %s', (pattern, reason) => {
    expect(matches(pattern, 'a')).toMatch(reason);
  });

  test('takes time in proportion to the text, whatever the pattern', () => {
    const text = 'ab'.repeat(250_000);
    for (const pattern of ['(a+)+$', '^(a|a|ab)*$', '(.*a){12}c', '(x+x+)+y', '^(([a-z])+.)+[A-Z]', '(a?b?){30}[cd]']) {
      const started = process.cpuUsage();
      matches(pattern, `${text}!`);
      matches(pattern, text);
      expect(process.cpuUsage(started).user / 1_000, pattern).toBeLessThan(3_000);
    }
  }, 60_000);
});
