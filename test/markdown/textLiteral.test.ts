import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applied, changeLiteral, showLiteral, shownOffset } from '../../core/markdown/textLiteral.js';

/** The literal after its text has been edited. */
function edit(literal: string, change: (text: string) => string): string {
  const shown = showLiteral(literal);
  if (shown === undefined) throw new Error(`No JSON string: ${literal}`);
  return applied(literal, changeLiteral(literal, shown, change(shown.text)));
}

/** Every way to write a character in JSON, mixed, as many hands have left it. */
const unit = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'ab \n\n"\\/\tä漢{}') },
  { weight: 1, arbitrary: fc.constantFrom('\r', '\r\n', '\0', '\ufeff', '\u2028', '\ufffd', '😀', '😁', '\ud83d', '\ude00') },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }) },
);
const value = fc.array(unit, { maxLength: 60 }).map((units) => units.join(''));
const literals = fc.tuple(value, fc.infiniteStream(fc.boolean())).map(([text, choices]) => {
  const write = (part: string) => {
    const isPlain = choices.next().value === true;
    const short = JSON.stringify(part).slice(1, -1);
    if (isPlain || short.length > 1) return part === '/' && !isPlain ? '\\/' : short;
    return `\\u${part.charCodeAt(0).toString(16).padStart(4, '0')}`;
  };
  return `"${text.split('').map(write).join('')}"`;
});
/** What an editor can hold: no half of a pair. */
const edited = fc
  .array(fc.constantFrom(...'abc \n\n"\\ä漢', '😀', '😁', '\ufffd', '\r\n'), { maxLength: 60 })
  .map((units) => units.join(''));

describe('the text of a JSON string', () => {
  test('has real line breaks and the characters that are meant', () => {
    expect(showLiteral('"One\\n\\tTwo \\"three\\" \\u00e4 \\/ \\\\n"')?.text).toBe('One\n\tTwo "three" ä / \\n');
  });

  test('has line breaks of one kind', () => {
    expect(showLiteral('"a\\r\\nb\\nc\\rd"')?.text).toBe('a\nb\nc\nd');
  });

  test.each(['"', 'a', '"a', '"a\\x"', '"a\nb"', '"\\u12"', '{}', '""""'])('is none for %j', (literal) => {
    expect(showLiteral(literal)).toBeUndefined();
  });

  test('is the value, save for what no file can hold', () => {
    fc.assert(
      fc.property(literals, (literal) => {
        const parsed: string = JSON.parse(literal);
        const holdable = parsed
          .replace(/\r\n?/g, '\n')
          .replace(/^\ufeff|\0/g, '\ufffd')
          .toWellFormed();
        expect(showLiteral(literal)?.text).toBe(holdable);
      }),
    );
  });
});

describe('a text written back', () => {
  test('changes nothing when nothing was edited', () => {
    fc.assert(
      fc.property(literals, (literal) => {
        const shown = showLiteral(literal)!;
        expect(changeLiteral(literal, shown, shown.text)).toEqual([]);
        expect(changeLiteral(literal, shown, shown.text.replaceAll('\n', '\r\n'))).toEqual([]);
      }),
    );
  });

  test('shows any edit', () => {
    fc.assert(
      fc.property(literals, edited, (literal, text) => {
        expect(showLiteral(edit(literal, () => text))?.text).toBe(text.replace(/\r\n?/g, '\n'));
      }),
    );
  });

  test('keeps every untouched line as it was written', () => {
    fc.assert(
      fc.property(literals, fc.nat(), edited, (literal, at, added) => {
        const lines = showLiteral(literal)!.text.split('\n');
        const line = at % lines.length;
        const result = edit(literal, () => lines.with(line, `<${added.replaceAll(/\s/g, '')}>`).join('\n'));
        const writtenLines = (text: string) => text.slice(1, -1).split(/\\r\\n|(?:\\u000d|\\r)(?:\\u000a|\\n)|\\u000[ad]|\\[nr]/);
        const isPlain = !/\\\\|\\u005c/.test(literal + result);
        if (isPlain) expect(writtenLines(result).toSpliced(line, 1)).toEqual(writtenLines(literal).toSpliced(line, 1));
      }),
    );
  });

  test('keeps the two ends around an edit as they were written', () => {
    fc.assert(
      fc.property(literals, literals, literals, edited, (left, right, middle, text) => {
        const around = [left, right].map((literal) => `\\u0041${literal.slice(1, -1)}\\u0042`);
        const literal = `"${around[0]}${middle.slice(1, -1)}${around[1]}"`;
        const before = showLiteral(`"${around[0]}"`)!.text;
        const after = showLiteral(`"${around[1]}"`)!.text;
        const result = edit(literal, () => before + text + after);
        expect(result.startsWith(`"${around[0]}`)).toBe(true);
        expect(result.endsWith(`${around[1]}"`)).toBe(true);
      }),
    );
  });

  test('leaves the lines between two edits alone', () => {
    const literal = '"first\\u0020line\\nthe \\ud83d middle\\nthird\\u0020line"';
    expect(edit(literal, (text) => text.replace('first', '1st').replace('third', '3rd'))).toBe(
      '"1st\\u0020line\\nthe \\ud83d middle\\n3rd\\u0020line"',
    );
  });

  test('breaks lines as the text does', () => {
    expect(edit('"a\\r\\nb"', (text) => `${text}\nc`)).toBe('"a\\r\\nb\\r\\nc"');
    expect(edit('"a"', (text) => `${text}\r\nc`)).toBe('"a\\nc"');
  });

  test('stays ASCII where the text was', () => {
    expect(edit('"Gr\\u00fc\\u00dfe"', (text) => `${text} aus Köln 😀`)).toBe('"Gr\\u00fc\\u00dfe aus K\\u00f6ln \\ud83d\\ude00"');
    expect(edit('"Grüße"', (text) => `${text} aus Köln`)).toBe('"Grüße aus Köln"');
  });

  test('keeps half a surrogate pair in a line that was edited, until it is deleted', () => {
    expect(edit('"a \\ud83d b"', (text) => text.replace('a', 'A').replace('b', 'B'))).toBe('"A \\ud83d B"');
    expect(edit('"a \\ud83d b"', (text) => text.replace('\ufffd', ''))).toBe('"a  b"');
  });

  test('never makes one character of two that were apart', () => {
    expect(edit('"\\ud83dx\\ude00"', (text) => text.replace('x', ''))).toBe('"\ufffd\ufffd"');
    expect(JSON.parse(edit('"a\\rx\\nb"', (text) => text.replace('x', '')))).toBe('a\n\nb');
  });

  test('takes whole characters: an emoji is not halved', () => {
    const shown = showLiteral('"😀"')!;
    expect(changeLiteral('"😀"', shown, '😁')).toEqual([{ start: 1, end: 3, text: '😁' }]);
  });

  test('of a megabyte takes no noticeable time', () => {
    const line = 'A line of a very long prompt, with "quotes" and ümlauts.';
    const text = Array.from({ length: 18_000 }, (_, index) => `${index} ${line}`).join('\n');
    const literal = JSON.stringify(text);
    const started = performance.now();
    const wanted = text.replace('100 A', '100 The').replace('17000 A', '17000 The');
    const result = edit(literal, () => wanted);
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(result).toBe(JSON.stringify(wanted));
  });
});

test('the caret goes to the same character', () => {
  const literal = '"a\\n\\u00e4b"';
  const shown = showLiteral(literal)!;
  expect([...literal].map((_, offset) => shownOffset(shown, offset))).toEqual([0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 3, 4]);
});
