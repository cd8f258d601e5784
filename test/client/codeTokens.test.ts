import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CodeLanguage, codeTokens } from '../../client/panels/page/codeTokens.js';

/** The code with every piece that is not plain in brackets, behind its kind. */
const show = (code: string, language: CodeLanguage) =>
  codeTokens(code, language)
    .map(({ kind, text }) => (kind === 'plain' ? text : `[${kind} ${text}]`))
    .join('');

describe('the colours of code', () => {
  test('tell keys from strings, numbers and words of JSON', () => {
    expect(show('{ "a": "say \\"b\\": c", "d": [-1.5e3, true, null] }', 'json')).toBe(
      '{ [key "a"]: [string "say \\"b\\": c"], [key "d"]: \\[[number -1.5e3], [word true], [word null]] }'.replace('\\[', '['),
    );
  });

  test('take a string without an end as a string', () => {
    expect(show('{"a": "cut of', 'json')).toBe('{[key "a"]: [string "cut of]');
  });

  test('tell options, strings and variables of a command, and read its here-document as JSON', () => {
    const command = `curl 'https://a.example/x?$no' \\\n  --header "Authorization: Bearer $KEY" \\\n  --data-binary @- <<'END'\n{"a": "$b 'c'"}\nEND`;
    expect(show(command, 'shell')).toBe(
      `[word curl] [string 'https://a.example/x?$no'] \\\n  [option --header] [string "Authorization: Bearer ][variable $KEY][string "] \\\n  ` +
        `[option --data-binary] @- [word <<][string 'END']\n{[key "a"]: [string "$b 'c'"]}\nEND`,
    );
  });

  test('tell names of headers from their values', () => {
    expect(show('accept: a: b\nx-key: $KEY', 'headers')).toBe('[key accept]: [string a: b]\n[key x-key]: [variable $KEY]');
  });

  test.each(['json', 'shell', 'headers'] as const)('leave every character of %s where it is', (language) => {
    const piece = fc.constantFrom('"', "'", '\\', '$A', '<<', "<<'E'\n", '\nE', '-', '--a', ': ', '{', 'true', '1', '\n', '\u2028', '😀');
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (code) => {
          expect(
            codeTokens(code, language)
              .map(({ text }) => text)
              .join(''),
          ).toBe(code);
        },
      ),
    );
  });

  test('take linear time', () => {
    for (const hard of ['"'.repeat(100_000), '\\'.repeat(100_000), `"${'a'.repeat(200_000)}`, '"a" '.repeat(50_000)]) {
      const started = performance.now();
      codeTokens(hard, 'json');
      codeTokens(hard, 'shell');
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });
});
