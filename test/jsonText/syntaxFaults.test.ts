import { describe, expect, test } from 'vitest';
import { parseJson } from '../../core/jsonText/parseJson.js';
import { findSyntaxFaults } from '../../core/jsonText/syntaxFaults.js';
import { drawMarks, readMarks } from '../support/markedText.js';

/** Draws every fault with its whole message below the text it is about. */
function check(fixture: string): void {
  const { text } = readMarks(fixture);
  const faults = parseJson(text).syntax;
  expect(
    drawMarks(
      text,
      faults.map(({ range, code, message }) => ({ range, code, words: message })),
    ),
  ).toBe(fixture);
}

describe('brackets', () => {
  test('an empty file', () =>
    check(`
^ json-syntax The file is empty. A config is an object: write { } at least.`));

  test('white space alone', () =>
    check(` 
^ json-syntax The file is empty. A config is an object: write { } at least.
\t
`));

  test('an object that is never closed names the line it begins on', () =>
    check(`{
  "a": [
    {"b": 1}
  ],
  "c": {
    "d": 1
//       ^ json-syntax The file ends while the { of line 5 is still open (2 brackets are open in all): expected a comma or }.
`));

  test('several open brackets are counted', () =>
    check(`{
  "a": [
    {"b": 1
//        ^ json-syntax The file ends while the { of line 3 is still open (3 brackets are open in all): expected a comma or }.`));

  test('a list closed by a brace', () =>
    check(`{
  "a": [
    1,
    2
  }
//^ json-syntax Found } where the [ of line 2 is still open: expected ] before it.
}`));

  test('an object closed by a bracket', () =>
    check(`[{"a": 1]]
//      ^ json-syntax Found ] where the { of line 1 is still open: expected } before it.`));

  test('a bracket too many', () =>
    check(`{"a": 1}}
//      ^ json-syntax A } that closes nothing: no bracket is open here. Remove it.`));

  test('a second value', () =>
    check(`{"a": 1}
{"b": 2}
^ json-syntax Found { after the end of the file's value. A file holds one value; remove the rest.`));

  test('an object where a key belongs', () =>
    check(`{"a": 1, {"b": 2}}
//       ^ json-syntax Found { where a key in double quotes was expected.`));
});

describe('commas and colons', () => {
  test('commas before closing brackets', () =>
    check(`{
  "a": [1, 2,],
//          ^ trailing-comma A comma before the closing ]: JSON allows none. Remove it.
//            ^ trailing-comma A comma before the closing }: JSON allows none. Remove it.
}`));

  test('a missing comma between members', () =>
    check(`{
  "a": "b"
  "c": "d"
//^^^ json-syntax A comma is missing before "c".
}`));

  test('a missing comma between items', () =>
    check(`[1 {"a": 2} "b"]
// ^ json-syntax A comma is missing before {.
//          ^^^ json-syntax A comma is missing before "b".`));

  test('a comma too many', () =>
    check(`[1,, 2]
// ^ json-syntax A comma with nothing before it. Remove it, or write the missing value.`));

  test('a comma at the start', () =>
    check(`{, "a": 1}
 ^ json-syntax A comma with nothing before it. Remove it, or write the missing value.`));

  test('a comma after everything', () =>
    check(`{"a": 1},
//      ^ json-syntax A comma after the end of the file's value. Remove it.`));

  test('a missing colon', () =>
    check(`{"a" 1, "b" {}}
//   ^ json-syntax A colon is missing between the key "a" and its value.
//          ^ json-syntax A colon is missing between the key "b" and its value.`));

  test('an equals sign for a colon', () =>
    check(`{"a" = 1, "b"=2, "c" => 3}
//   ^ json-syntax Found = after a key: JSON writes a colon there.
//           ^ json-syntax Found = after a key: JSON writes a colon there.
//                   ^^ json-syntax Found => after a key: JSON writes a colon there.`));

  test('keys without values', () =>
    check(`{"a", "b": , "c": }
//  ^ json-syntax The key "a" has no value.
//         ^ json-syntax The key "b" has no value.
//                ^ json-syntax The key "c" has no value.`));

  test('a colon in a list', () =>
    check(`["a": 1]
//  ^ json-syntax Found : in a list, which has no keys. Write {"key": value} for an object in it.`));

  test('a second colon', () =>
    check(`{"a": "b": 1}
//       ^ json-syntax Found : where a comma or } was expected.`));

  test('a semicolon', () =>
    check(`{"a": 1; "b": 2}
//     ^ json-syntax Found ; where a comma or } was expected.`));
});

describe('comments and wrappings', () => {
  test('comments of three kinds', () =>
    check(`{
  "a": 1, // why
//        ^^^^^^ json-comment A comment: JSON has none. Remove it, or keep the words in "description".
  /* how */
//^^^^^^^^^ json-comment A comment: JSON has none. Remove it, or keep the words in "description".
  "b": 2 # what
//       ^^^^^^ json-comment A comment: JSON has none. Remove it, or keep the words in "description".
}`));

  test('a comment that never ends', () =>
    check(`{"a": 1} /* open
//       ^^^^^^^ json-comment A comment: JSON has none. Remove it, or keep the words in "description".`));

  test('a Markdown fence around the file', () =>
    check(`\`\`\`json
^^^^^^^ json-syntax A Markdown fence around the file. Remove the lines that begin with \`\`\`.
{"a": 1}
\`\`\``));

  test('a Markdown fence around nothing', () =>
    check(`\`\`\`
^^^ json-syntax A Markdown fence around the file. Remove the lines that begin with \`\`\`.
\`\`\`
^^^ json-syntax There is nothing in the Markdown fence. Write { } at least.`));

  test('a Markdown fence in the middle', () =>
    check(`{"a":
\`\`\`
^^^ json-syntax A Markdown fence in the middle of the file. Remove this line.
1}`));

  test('a merge conflict', () =>
    check(`{
  "a": 1,
<<<<<<< HEAD
^^^^^^^^^^^^ json-syntax An unresolved merge conflict. Choose one side and remove the marker lines.
  "b": 2
=======
  "b": 3
>>>>>>> theirs
}`));

  test('YAML', () =>
    check(`agent_name: A2
^^^^^^^^^^ json-syntax Found agent_name where { was expected. A config is JSON, not YAML.
version: v1`));

  test('YAML with a document mark', () =>
    check(`---
^^^ json-syntax Found --- where { was expected. A config is JSON, not YAML.
agent_name: A2`));

  test('HTML', () =>
    check(`<html></html>
^^^^^^^ json-syntax Found <html>< where { was expected.`));
});

describe('quotes', () => {
  test('single quotes', () =>
    check(`{'a': 'b'}
 ^^^ json-syntax Single quotes around a: JSON takes double quotes only (").
//    ^^^ json-syntax Single quotes around b: JSON takes double quotes only (").`));

  test('typographic quotes', () =>
    check(`{“a”: ”b”}
 ^^^ json-syntax Typographic quotes around a: JSON takes double quotes only (").
//    ^^^ json-syntax Typographic quotes around b: JSON takes double quotes only (").`));

  test('backticks', () =>
    check(`{"a": \`b\`}
//    ^^^ json-syntax Backticks around b: JSON takes double quotes only (").`));

  test('keys without quotes', () =>
    check(`{a: 1, agent-name: 2, 1: 3}
 ^ json-syntax The key a needs double quotes: "a".
//     ^^^^^^^^^^ json-syntax The key agent-name needs double quotes: "agent-name".
//                    ^ json-syntax The key 1 needs double quotes: "1".`));

  test('texts without quotes', () =>
    check(`{"a": hello world, "b": https://example.com/x}
//    ^^^^^^^^^^^ json-syntax The text hello world needs double quotes.
//                      ^^^^^^^^^^^^^^^^^^^^^ json-syntax The text https://example.com/x needs double quotes.`));

  test('a text that loses its end', () =>
    check(`{"a": "open,
//    ^^^^^^ json-syntax The text that begins here has no closing " on its line. A line break in a text is written \\n.
  "b": 1}`));

  test('a line break in a text', () =>
    check(`{"a": "one
//    ^^^^ json-syntax The text that begins here has no closing " on its line. A line break in a text is written \\n.
two"}`));

  test('quotes inside a text', () =>
    check(`{"a": "say "hi" now"}
//         ^^^ json-syntax The text before hi ends at its quote: a " inside a text is written \\".`));

  test('a text added to another', () =>
    check(`{"a": "x" + "y"}
//        ^ json-syntax Found + where a comma or } was expected.`));
});

describe('words and numbers', () => {
  test('words of other languages', () =>
    check(`{"a": NaN, "b": -Infinity, "c": undefined, "d": None, "e": True}
//    ^^^ json-syntax NaN is not a JSON value. Write a number, or null for none.
//              ^^^^^^^^^ json-syntax -Infinity is not a JSON value. Write a number, or null for none.
//                              ^^^^^^^^^ json-syntax Found undefined: JSON writes null, or leaves the key out.
//                                              ^^^^ json-syntax Found None: JSON writes null, or leaves the key out.
//                                                         ^^^^ json-syntax Found True: JSON writes true in small letters.`));

  test('a misspelt literal', () =>
    check(`{"a": ture, "b": nul}
//    ^^^^ json-syntax The text ture needs double quotes. Or was true meant?
//               ^^^ json-syntax The text nul needs double quotes. Or was null meant?`));

  test('numbers of other languages', () =>
    check(`[01, .5, 5., +1, 0xff, 1_000, 12abc]
 ^^ json-syntax The number 01 begins with a zero. Write 1.
//   ^^ json-syntax The number .5 needs a digit before its point. Write 0.5.
//       ^^ json-syntax The number 5. needs a digit after its point. Write 5.
//           ^^ json-syntax The number +1 begins with +, which JSON does not know. Remove the sign.
//               ^^^^ json-syntax 0xff is not a JSON number: only decimal digits count.
//                     ^^^^^ json-syntax The number 1_000 has underscores, which JSON does not know. Remove them.
//                            ^^^^^ json-syntax Found 12abc where a value was expected.`));

  test('a minus alone', () =>
    check(`[-]
 ^ json-syntax Found - where a value or ] was expected.`));

  test('an invisible character', () =>
    check(`{"a":\u00a01}
//   ^ json-syntax Found an invisible character (U+00A0) where a value was expected.`));

  test('an invisible character before everything', () =>
    check(`\u200b{"a": 1}
^ json-syntax Found an invisible character (U+200B) where { was expected.`));

  test('a control character after everything', () =>
    check(`{"a": 1}\u0000
//      ^ json-syntax Found an invisible character (U+0000) where the end of the file was expected.`));

  test('three dots', () =>
    check(`{"a": 1, ...}
//       ^^^ json-syntax Found ... where a key in double quotes was expected.`));
});

describe('inside texts', () => {
  test('a tab', () =>
    check(`{"a": "one\ttwo"}
//        ^ json-syntax A tab in a text: JSON writes it as \\t.`));

  test('a control character', () =>
    check(`{"a": "one\u0001two"}
//        ^ json-syntax A control character (U+0001) in a text: JSON writes it as \\u0001.`));

  test('escapes that are none', () =>
    check(`{"a": "C:\\Users", "b": "it\\'s", "c": "\\u12"}
//       ^^ json-syntax \\U is not an escape of JSON. Write \\\\U for a backslash.
//                        ^^ json-syntax \\' is not an escape of JSON. Write \\\\' for a backslash, or ' alone.
//                                    ^^ json-syntax \\u needs four hexadecimal digits after it, such as \\u00e9.`));

  test('a backslash before the end of the line', () =>
    check(`{"a": "one\\
//    ^^^^^ json-syntax The text that begins here has no closing " on its line. A line break in a text is written \\n.
two"}`));
});

describe('keys given twice', () => {
  test('the second occurrence is marked', () =>
    check(`{
  "a": 1,
  "b": {"a": 1},
  "a": 3
//^^^ duplicate-key The key "a" is given twice: readers keep one of the two and the other (line 2) silently vanishes.
}`));

  test('the same key in other spelling', () =>
    check(`{"ab": 1, "a\\u0062": 2}
//        ^^^^^^^^^ duplicate-key The key "ab" is given twice: readers keep one of the two and the other (line 1) silently vanishes.`));

  test('three times', () =>
    check(`{"a": 1, "a": 2, "a": 3}
//       ^^^ duplicate-key The key "a" is given twice: readers keep one of the two and the other (line 1) silently vanishes.
//               ^^^ duplicate-key The key "a" is given twice: readers keep one of the two and the other (line 1) silently vanishes.`));
});

test('the pointer of a fault is that of the innermost value around it', () => {
  const pointers = (text: string) => parseJson(text).syntax.map(({ pointer }) => pointer);
  expect(pointers('{"a": [1, {"b/c": tru}]}')).toEqual(['/a/1/b~1c']);
  expect(pointers('{"a": 1,}')).toEqual(['']);
  expect(pointers('[[1,],]')).toEqual(['/0', '']);
  expect(pointers('')).toEqual(['']);
});

test('words that were made to take long take no time', () => {
  const started = performance.now();
  expect(parseJson(`{"a": x${';'.repeat(1_000_000)}x}`).syntax[0]).toMatchObject({ pointer: '/a' });
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('a byte-order mark is skipped and counted', () => {
  expect(parseJson('\uFEFF{"a": 1,}').syntax[0]?.range).toEqual({ start: 8, end: 9 });
  expect(parseJson('\uFEFF').syntax[0]).toMatchObject({ range: { start: 1, end: 1 }, message: expect.stringContaining('empty') });
});

test('keys with an escape that JSON does not have differ', () => {
  expect(findSyntaxFaults('{"a\\x": 1, "b\\x": 2}', 0).map(({ code }) => code)).toEqual(['json-syntax', 'json-syntax']);
});

// The time is linear; the bound leaves room for a busy machine.
test('megabytes of nested values take no time', () => {
  const nested = (inner: string) => `${'['.repeat(195)}${inner}${']'.repeat(195)}`;
  const colons = Array(11_000).fill(nested('":"')).join();
  const large = Array(200)
    .fill(`${'{"a":'.repeat(190)}[${'[],'.repeat(6_000)}[]]${'}'.repeat(190)}`)
    .join();
  const repeated = Array(11_000).fill(nested('{"a":1,"a":2}')).join();
  for (const text of [`[${colons},]`, `[${large},]`, `[${repeated},]`]) {
    const started = performance.now();
    expect(findSyntaxFaults(text, 0).length).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(30_000);
  }
});

test('a text of millions of characters needs no stack', () => {
  const text = `{"a": "${'x'.repeat(8_000_000)}", "b": [${'"y", '.repeat(100_000)}], }`;
  expect(findSyntaxFaults(text, 0).map(({ code }) => code)).toEqual(['trailing-comma', 'trailing-comma']);
  expect(findSyntaxFaults(`{"a": "${'x'.repeat(8_000_000)}`, 0)).toHaveLength(1);
  expect(findSyntaxFaults(`{"a": ${'x '.repeat(4_000_000)}}`, 0)).toHaveLength(1);
});
