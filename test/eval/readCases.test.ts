import { describe, expect, test } from 'vitest';
import { readCases } from '../../core/eval/readCases.js';

const tone = { output_field: 'tone', operator: 'equals', value: 'formal' };
const cheap = { measure: 'cost_usd', operator: 'less_than', value: 0.01 };

describe('a payload file', () => {
  test('is one case, by default of one repeat that has to pass', () => {
    expect(readCases('letter', { input: { task: 'x' }, expect: [tone] })).toEqual([
      {
        name: 'letter',
        pointer: '',
        turns: [{ pointer: '', input: { task: 'x' }, expect: [{ pointer: '/expect/0', entry: tone }], expected: undefined }],
        repeats: 1,
        pass_rate: 1,
        tags: [],
      },
    ]);
  });

  test('of an orchestration has a context', () => {
    expect(readCases('login', { context: { issue: 'x' } })[0]?.turns).toMatchObject([{ input: { issue: 'x' } }]);
    expect(readCases('login', { expect: [tone] })).toMatchObject([{ turns: [{ input: {}, expect: [{ entry: tone }] }] }]);
    expect(readCases('set', { cases: [{ expect: [tone] }, { context: 1, expect: [tone] }] })).toMatchObject([
      { name: 'set/1', turns: [{ input: {} }] },
    ]);
  });

  test('with cases is a data set: what stands at the top holds for all', () => {
    const cases = readCases('labels', {
      expect: [cheap],
      repeats: 3,
      pass_rate: 0.6,
      tags: ['nightly'],
      cases: [
        { name: 'bug', input: { issue: 'a' }, expect: [tone], tags: ['smoke', 'nightly'] },
        { input: { issue: 'b' }, repeats: 1, expected: { tone: 'casual' } },
      ],
    });
    expect(cases.map(({ name, pointer, repeats, pass_rate, tags }) => [name, pointer, repeats, pass_rate, tags])).toEqual([
      ['labels/bug', '/cases/0', 3, 0.6, ['nightly', 'smoke']],
      ['labels/2', '/cases/1', 1, 0.6, ['nightly']],
    ]);
    expect(cases[0]?.turns[0]?.expect.map(({ pointer }) => pointer)).toEqual(['/expect/0', '/cases/0/expect/0']);
    expect(cases[1]?.turns).toMatchObject([{ expect: [{ pointer: '/expect/0' }], expected: { tone: 'casual' } }]);
  });

  test('may be a conversation: what stands at the top of a data set holds for each turn', () => {
    const turns = [{ input: { text: 'a' } }, { input: { text: 'b' }, expect: [tone], expected: { tone: 'formal' } }];
    expect(readCases('talk', { turns }).map((tested) => tested.turns)).toEqual([
      [
        { pointer: '/turns/0', input: { text: 'a' }, expect: [], expected: undefined },
        {
          pointer: '/turns/1',
          input: { text: 'b' },
          expect: [{ pointer: '/turns/1/expect/0', entry: tone }],
          expected: { tone: 'formal' },
        },
      ],
    ]);
    const [only] = readCases('talks', { expect: [cheap], cases: [{ name: 'one', turns }] });
    expect(only?.turns.map(({ expect: all }) => all.map(({ pointer }) => pointer))).toEqual([
      ['/expect/0'],
      ['/expect/0', '/cases/0/turns/1/expect/0'],
    ]);
    expect(only?.pointer).toBe('/cases/0');
  });

  test.each([
    [null],
    [[]],
    [{ turns: [] }],
    [{ turns: [1], input: {} }],
    [{}],
    [{ input: 'text' }],
    [{ cases: 'none' }],
    [{ cases: [null, 1, { input: [] }] }],
  ])('%j has no cases', (value) => {
    expect(readCases('x', value)).toEqual([]);
  });

  test('with settings of wrong types has the defaults', () => {
    const [only] = readCases('x', { input: {}, repeats: 0, pass_rate: 2, tags: [1, 'a'], expect: {} });
    expect(only).toMatchObject({ repeats: 1, pass_rate: 1, tags: ['a'], turns: [{ expect: [] }] });
    expect(readCases('x', { input: {}, repeats: 1e15 })).toMatchObject([{ repeats: 1 }]);
  });
});
