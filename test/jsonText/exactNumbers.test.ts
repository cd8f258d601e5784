import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseReply } from '../../core/agent/react/parseReply.js';
import { parseConfigObject } from '../../core/config/parseConfigFile.js';
import { findInexactNumbers, isExact, quoteInexactNumbers } from '../../core/jsonText/exactNumbers.js';
import { parseJson } from '../../core/jsonText/parseJson.js';
import { parseAnswer } from '../../core/llm/providers/vendorAnswer.js';
import { toToolInput } from '../../core/llm/toolCalls.js';
import { runs } from '../support/effort.js';

test.each([
  '0',
  '-0',
  '1',
  '1.0',
  '12.50',
  '125e-1',
  '1e21',
  '9007199254740991',
  '9007199254740992',
  '0.1',
  '1e308',
  '5e-324',
  '100000000000000000000',
])('%s is held as it is written', (written) => expect(isExact(written)).toBe(true));

test.each(['2512292042121000001', '9007199254740993', '0.1234567890123456789', '1e400', '-1e400', '1e-400', '123456789.123456789123'])(
  '%s is not',
  (written) => {
    expect(isExact(written)).toBe(false);
    expect(findInexactNumbers(`{"1e400": "1e400", "a": [${written}]}`).map((found) => found.written)).toEqual([written]);
  },
);

test('a file with such a number is told where it stands', () => {
  const text = '{"id": 2512292042121000001}';
  expect(parseJson(text)).toEqual({
    value: undefined,
    syntax: [
      {
        code: 'json-syntax',
        message:
          'The number 2512292042121000001 cannot be held exactly: it would become 2512292042121000000. Write it as a text, or with fewer digits.',
        range: { start: 7, end: 26 },
        pointer: '',
      },
    ],
  });
  expect(parseJson('{"maximum": 1e400}')).toMatchObject({ value: undefined, syntax: [{ message: expect.stringContaining('too large') }] });
});

test('the arguments of a call keep their digits, as a text, and what needs a number refuses it', () => {
  expect(toToolInput('{"id": 2512292042121000001}')).toEqual({ input: { id: '2512292042121000001' } });
  const [action] = parseReply('Action: get\nAction Input: {"id": 2512292042121000001}').actions;
  expect(action).toEqual({ tool: 'get', input: { id: '2512292042121000001' } });
});

test('arguments that a server has parsed already do, too', () => {
  const context = { server: 'gemini', model: 'm', key: undefined, now: () => 0 };
  expect(parseAnswer('{"functionCall": {"args": {"id": 2512292042121000001}}}', context)).toEqual({
    functionCall: { args: { id: '2512292042121000001' } },
  });
});

test('nothing goes on with a config or payload that holds one', () => {
  expect(parseConfigObject('{"input": {"id": 2512292042121000001}}')).toBeUndefined();
});

test('a value that is only passed on keeps its digits, as a text', () => {
  expect(quoteInexactNumbers('{"id":2512292042121000001,"n":[1,1e400],"text":"2512292042121000001"}')).toBe(
    '{"id":"2512292042121000001","n":[1,"1e400"],"text":"2512292042121000001"}',
  );
});

test('any number is held exactly or found', () => {
  const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,24})?([eE][+-]?\d{1,3})?$/);
  fc.assert(
    fc.property(digits, (written) => {
      const held = JSON.parse(written) as number;
      const found = findInexactNumbers(`[${written}]`);
      if (found.length > 0) expect(found).toMatchObject([{ written, range: { start: 1, end: 1 + written.length } }]);
      // Of a number that is held, every digit comes back.
      else expect(exactly(String(held))).toBe(exactly(written));
    }),
    { numRuns: runs(500, 20_000) },
  );
});

/** The value of a decimal as a fraction of integers, reduced by powers of ten. */
function exactly(written: string): string {
  const [, sign, whole, part = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written)!;
  let mantissa = BigInt(whole! + part);
  let power = Number(exponent) - part.length;
  if (mantissa === 0n) return '0';
  while (mantissa % 10n === 0n) {
    mantissa /= 10n;
    power += 1;
  }
  return `${sign}${mantissa}e${power}`;
}
