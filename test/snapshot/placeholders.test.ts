// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts hold the placeholders under test.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandPlaceholders, findPlaceholders, isExpanded } from '../../core/snapshot/placeholders.js';

function expand(text: string, variables: Record<string, string> = {}) {
  return expandPlaceholders(text, { get: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined) });
}

describe('finding placeholders', () => {
  test.each([
    ['${A}', [{ name: 'A', start: 0, end: 4 }]],
    ['x ${A_1:-b c} y', [{ name: 'A_1', fallback: 'b c', start: 2, end: 13 }]],
    ['${A:-}', [{ name: 'A', fallback: '', start: 0, end: 6 }]],
    [
      '${A}${B}',
      [
        { name: 'A', start: 0, end: 4 },
        { name: 'B', start: 4, end: 8 },
      ],
    ],
    ['${A:-${B}}', [{ name: 'A', fallback: '${B', start: 0, end: 9 }]],
    ['$${A}', [{ name: 'A', start: 1, end: 5 }]],
  ])('%s', (text, expected) => expect(findPlaceholders(text)).toEqual(expected));

  test.each(['', '$A', '${}', '${1A}', '${a.b}', '${A', '${A:-b', '${A-b}', '${A:b}', '{{A}}', '${env:A}', '${input:a}', '${ A }', '${Ä}'])(
    '%s is ordinary text',
    (text) => expect(findPlaceholders(text)).toEqual([]),
  );

  test('every placeholder found is the text between its ends', () => {
    const pieces = fc.array(fc.constantFrom('${', '}', 'A', ':-', '_', '9', '$', '{', '${B}', '${C:-d}', ' '), { maxLength: 30 });
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        let last = 0;
        for (const { name, fallback, start, end } of findPlaceholders(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(text.slice(start, end)).toBe(fallback === undefined ? `\${${name}}` : `\${${name}:-${fallback}}`);
          last = end;
        }
      }),
    );
  });

  test('a megabyte of unclosed placeholders is read in linear time', () => {
    const begun = performance.now();
    expect(findPlaceholders('${A:-'.repeat(200_000))).toEqual([]);
    expect(findPlaceholders('${A'.repeat(300_000))).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(15_000);
  });
});

describe('expanding', () => {
  test('a set variable takes the place of its placeholder', () => expect(expand('a ${X} b', { X: '1' }).text).toBe('a 1 b'));
  test('the fallback counts when the variable is unset', () => expect(expand('${X:-f}').text).toBe('f'));
  test('the fallback counts when the variable is empty', () => expect(expand('${X:-f}', { X: '' }).text).toBe('f'));
  test('an empty variable without fallback is the empty string', () =>
    expect(expand('[${X}]', { X: '' })).toMatchObject({ text: '[]', unset: [] }));
  test('an unset variable stays as written and is named once', () =>
    expect(expand('${X} ${X} ${Y}', { Y: 'y' })).toMatchObject({ text: '${X} ${X} y', unset: ['X'] }));
  test('what is put in is not expanded again', () => expect(expand('${X}', { X: '${Y}', Y: 'no' }).text).toBe('${Y}'));
  test('a literal placeholder can be written with a fallback that is a dollar sign', () =>
    expect(expand('${DOLLAR:-$}{HOME}', { HOME: 'no' }).text).toBe('${HOME}'));
  test('a secret reference stays as written', () => expect(expand('secret://${X}', { X: 'no' }).text).toBe('secret://${X}'));
  test('names of the prototype are variables like any other', () => {
    expect(expand('${constructor}').unset).toEqual(['constructor']);
    expect(expand('${__proto__}').unset).toEqual(['__proto__']);
  });
});

describe('what is expanded', () => {
  test.each([
    [['system_text'], true],
    [['model_name'], true],
    [['output_schema', 'properties', 'a', 'description'], true],
    [['output_schema', 'properties', 'a', 'pattern'], false],
    [['output_schema', 'properties', 'pattern', 'description'], true],
    [['output_schema', '$ref'], false],
    [['agent_name'], false],
    [['llm_config_id'], true],
    [['prompts', 'system_prompt'], true],
    [['client_ids', 0], true],
    [['enums', 'pattern', '0'], true],
    [['options', 'pattern'], true],
    [['api_key'], false],
  ])('%j: %j', (segments, expected) => expect(isExpanded(segments)).toBe(expected));
});
