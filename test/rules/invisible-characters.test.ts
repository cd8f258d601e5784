import { describe, expect, test } from 'vitest';
import { findInvisible, hiddenText, nameOf } from '../../core/rules/invisibleCharacters.js';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('invisible-characters');

test('a zero-width space is marked with its code and name', () =>
  check(`{
  "system_text": "You are\u200b brief."
//                       ^ invisible-characters An invisible character: U+200B ZERO WIDTH SPACE. Remove it.
}`));

test('a direction override, written as an escape, is marked too', () =>
  check(`{ "purpose_text": "a\\u202eb" }
//                  ^^^^^^ invisible-characters U+202E RIGHT-TO-LEFT OVERRIDE
`));

test('text hidden in tag characters is marked whole and spelt out', async () => {
  const hidden = [...'ignore all'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
  const [finding] = await findingsOf(`{ "system_text": "Be kind.${hidden}" }`, ['invisible-characters']);
  expect(finding?.message).toBe('10 invisible characters, the first U+E0069 TAG i. A model may read "ignore all" here. Remove them.');
  expect(finding?.within).toEqual({ start: 8, end: 28 });
});

test('a key with one in it is marked on the key', () =>
  check(`{ "enums": { "to\u200bne": ["a"] } }
//           ^^^^^^^ invisible-characters
`));

test('enum values, templates and personas are looked at, payloads are not', () =>
  check(`{ "enums": { "tone": ["direct\u2060"] } }
//                           ^ invisible-characters U+2060 WORD JOINER
--- config/payloads/A2/spaced.json
{ "input": { "text": "a\u200bb" } }
--- config/personas/critic.json
{ "system_text": "a\ufeffb" }
//                 ^ invisible-characters U+FEFF
--- config/prompts/p/v1.json
{ "name": "p", "version": "v1", "template": "a\u00adb" }
//                                            ^ invisible-characters U+00AD SOFT HYPHEN
`));

test('a BOM at the start of a file is none', () => check(`{ "system_text": "plain" }`, { start: '\uFEFF' }));

test.each([
  ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['a technologist with a skin tone', '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}'],
  ['a rainbow flag', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
  ['a heart, a keycap, a telephone', '❤\ufe0f 1\ufe0f\u20e3 ☎\ufe0f'],
  ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['Persian', 'می\u200cخواهم'],
  ['Hindi', 'क्\u200dष'],
  ['Hebrew with a mark', 'שלום\u200f!'],
  ['a Japanese variant', '葛\u{e0100}'],
  ['Thai line breaks', 'ก\u200bข'],
])('legitimate use stays: %s', (_what, text) => {
  expect(findInvisible(text)).toEqual([]);
});

test.each([
  ['a joiner between letters', 'a\u200db', 'U+200D ZERO WIDTH JOINER'],
  ['a joiner after an emoji and before a letter', '\u{1f600}\u200da', 'U+200D ZERO WIDTH JOINER'],
  ['an isolate in plain English', 'a\u2066b', 'U+2066 LEFT-TO-RIGHT ISOLATE'],
  ['an override even in Hebrew', 'שלום\u202e', 'U+202E RIGHT-TO-LEFT OVERRIDE'],
  ['a variation selector after a letter', 'a\ufe0fb', 'U+FE0F VARIATION SELECTOR-16'],
  ['a late variation selector after a letter', 'a\u{e0101}', 'U+E0101 VARIATION SELECTOR-18'],
  ['tags after a flag that make no flag', '\u{1f3f4}\u{e0067}x', 'U+E0067 TAG g'],
  ['a non-joiner in Latin', 'auf\u200clage', 'U+200C ZERO WIDTH NON-JOINER'],
])('anything else is found: %s', (_what, text, name) => {
  const [found] = findInvisible(text);
  expect(found && nameOf(found.codePoints[0] ?? 0)).toBe(name);
});

test('neighbours are one find', () => {
  const [found, ...rest] = findInvisible('a\u200b\u200c\u{e0041}b');
  expect(rest).toEqual([]);
  expect(found).toEqual({ start: 1, end: 5, codePoints: [0x200b, 0x200c, 0xe0041] });
  expect(found && hiddenText(found)).toBe('A');
});

// Quadratic time would take minutes; the bound leaves room for a busy machine.
describe('hostile text takes seconds', { timeout: 30_000 }, () => {
  test.each(['\u200b', '\u{e0041}', '\u{1f3f4}\u{e0067}', 'a\u200d', '\udb40', '\u{1f3fb}\u200d'])('%j repeated', (unit) => {
    const started = performance.now();
    expect(findInvisible(unit.repeat(3e5 / unit.length)).length).toBeLessThanOrEqual(200);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

test('servers and orchestrations are looked at too', async () => {
  const found = await findingsOf(
    `--- config/mcp.json
{ "servers": { "git\\u200bhub": { "command": "gh" } } }
--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [{ "config": { "system_text": "a\\u202eb" } }] } } }
`,
    ['invisible-characters'],
  );
  expect(found.map(({ file }) => file)).toEqual(['config/mcp.json', 'config/orchestrations/flow.json']);
});

test('a server that hides something in the description of a tool is found out', () =>
  check(`--- config/mcp.lock.json
{ "format": 1, "servers": { "docs": { "tools": { "search": { "description": "Finds\u200b pages.", "parameters": {}, "hash": "0" } } } } }
//                                                                                ^ invisible-characters
`));
