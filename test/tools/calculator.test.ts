import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CalculationFault, calculate } from '../../core/tools/builtIn/expression.js';
import { callTool } from './support.js';

describe('the calculator', () => {
  test.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['0.1 + 0.2', '0.3'],
    ['2 ^ 3 ^ 2', '512'],
    ['2 ** 10', '1024'],
    ['-2 ^ 2', '-4'],
    ['2 ^ -1', '0.5'],
    ['--3', '3'],
    ['10 / 4', '2.5'],
    ['12 / 4', '3'],
    ['-7 % 3', '-1'],
    ['1e3 + .5', '1000.5'],
    ['1_000_000 * 3', '3000000'],
    ['123456789012345678901234567890 + 1', '123456789012345678901234567891'],
    ['2 ^ 100', '1267650600228229401496703205376'],
    ['sqrt(16) + cbrt(27)', '7'],
    ['round(1.005, 2)', '1.01'],
    ['round(-2.5)', '-3'],
    ['round(1e21)', '1000000000000000000000'],
    ['floor(-1.5) + ceil(1.2) + trunc(-1.7)', '-1'],
    ['min(3, 1, 2) + max(1, 2.5)', '3.5'],
    ['sum(1, 2, 3) / mean(2, 4)', '2'],
    ['ln(e)', '1'],
    ['sin(pi / 2)', '1'],
    ['3 × 4 ÷ 2 − 1', '5'],
    ['abs(-5) * sign(-2)', '-5'],
  ])('%s is %s', async (expression, result) => {
    expect(await callTool('calculator', { expression })).toMatchObject({ content: result });
  });

  test.each([
    ['1 +', 'ends too early'],
    ['(1', '")" is missing'],
    ['1 2', '"2" was not expected'],
    ['1 / 0', 'divides by zero'],
    ['5 % 0.0', 'divides by zero'],
    ['sqrt(-1)', 'not a real number'],
    ['10 ^ 1000 ^ 3', 'too large'],
    ['9 ^ 9 ^ 9', 'too large'],
    ['foo', 'not a constant'],
    ['constructor', 'not a constant'],
    ['__proto__(1)', 'was not expected'],
    ['toString(1)', 'no function'],
    ['process.exit(1)', 'not a constant'],
    ['sqrt(1, 2)', 'takes one number'],
    ['min()', 'takes at least one'],
    ['round(1, 99)', '0 to 15'],
    ['1; 2', 'was not expected'],
    ['('.repeat(500), 'nested deeper'],
    ['2^'.repeat(499), 'nested deeper'],
  ])('%s is refused', async (expression, words) => {
    expect(await callTool('calculator', { expression })).toMatchObject({ is_error: true, content: expect.stringContaining(words) });
  });

  test('whole numbers are as exact as BigInt', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.constantFrom('+', '-', '*'), (left, right, operator) => {
        const expected = operator === '+' ? left + right : operator === '-' ? left - right : left * right;
        expect(calculate(`(${left}) ${operator} (${right})`)).toBe(expected);
      }),
    );
  });

  test('any text ends in a number or in words, at once', () => {
    const piece = fc.constantFrom(
      '1',
      '2.5',
      '+',
      '-',
      '*',
      '/',
      '^',
      '%',
      '(',
      ')',
      ',',
      ' ',
      'pi',
      'sqrt(',
      'max(',
      'e',
      '9999999',
      '**',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
        ),
        (text) => {
          try {
            const value = calculate(text);
            expect(typeof value === 'bigint' || Number.isFinite(value)).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(CalculationFault);
          }
        },
      ),
    );
  });
});
