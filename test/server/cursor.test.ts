import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ASTNode, getLanguageService, TextDocument } from 'vscode-json-languageservice';
import { type Cursor, cursorAt } from '../../server/cursor.js';
import { parseTree } from '../../server/jsonTree.js';
import { somewhere } from '../support/somewhere.js';

/** The cursor is the `|`. */
function at(marked: string): Cursor {
  const offset = marked.indexOf('|');
  return cursorAt(parseTree(marked.slice(0, offset) + marked.slice(offset + 1)), offset);
}

/** The text with what a completion would replace in brackets, and where it is. */
function drawn(marked: string): string {
  const text = marked.replace('|', '');
  const { token, place, path } = at(marked);
  return `${text.slice(0, token.start)}«${text.slice(token.start, token.end)}»${text.slice(token.end)} ${place} ${path.join('/')}`;
}

describe('in JSON that is whole', () => {
  test('a key is known by its path, with its quotes as what to replace', () => {
    expect(drawn('{"a": {"bc|d": 1}}')).toBe('{"a": {«"bcd"»: 1}} key a/bcd');
    expect(at('{"a": {"bc|d": 1}}')).toMatchObject({ typed: 'bc', quotes: 'closed', hasColon: true, container: { offset: 6 } });
  });

  test('a value is known by its path', () => {
    expect(drawn('{"a": [1, {"b": "x|y"}]}')).toBe('{"a": [1, {"b": «"xy"»}]} value a/1/b');
    expect(drawn('{"a": [tr|ue]}')).toBe('{"a": [«true»]} value a/0');
    expect(drawn('"x|"')).toBe('«"x"» value ');
  });

  test('a token is touched at both of its ends', () => {
    expect(drawn('{"a": |1.5}')).toBe('{"a": «1.5»} value a');
    expect(drawn('{"a": 1.5|}')).toBe('{"a": «1.5»} value a');
    expect(drawn('{|"a": 1.5}')).toBe('{«"a"»: 1.5} key a');
  });

  test('the other keys of the object are known, before and after, not those inside or around', () => {
    expect(at('{"z": 0, "o": {"a": {"x": 1}, "|": 0, "b": [{"y": 1}], "c": 2}, "w": 0}').siblings).toEqual(['a', 'b', 'c']);
    expect(at('{"z": 0, "o": {"a": 1, "k": |2, "c": 2}}').siblings).toEqual(['a', 'k', 'c']);
    expect(at('{"a": [|]}').siblings).toEqual([]);
  });

  test('where something may begin, an empty stretch is replaced', () => {
    expect(drawn('{|}')).toBe('{«»} key ');
    expect(drawn('{"a": |}')).toBe('{"a": «»} value a');
    expect(drawn('[1, |]')).toBe('[1, «»] value 1');
    expect(drawn('|')).toBe('«» value ');
    expect(drawn('{"a": 1, | }')).toBe('{"a": 1, «» } key ');
  });

  test('a value behind the cursor is known, so that there are not two', () => {
    const hasValue = (text: string) => at(text).hasValue;
    expect(['{"a": | 1}', '{"a": | {}}', '{"a":| "b"}', '| {}'].map(hasValue)).toEqual([true, true, true, true]);
    expect(['{"a": |}', '{"a": 1, |}', '{"a": |1}', '{"a": |\n "b": 1}', '[1, |]', '|'].map(hasValue)).toEqual(Array(6).fill(false));
  });

  test('nothing begins after a value, after a key, before the root or behind it', () => {
    expect(at('{"a": 1 | }').place).toBe('none');
    expect(at('{"a" | : 1}').place).toBe('none');
    expect(at('{} | ').place).toBe('none');
    expect(at('[[1]|]').place).toBe('none');
  });

  test('keys are decoded, and names of Object.prototype are ordinary keys', () => {
    expect(at('{"a\\u0041\\"": {"__proto__": {"": |0}}}').path).toEqual(['aA"', '__proto__', '']);
    expect(at('{"__proto__": 1, "constructor": 2, "|": 3}').siblings).toEqual(['__proto__', 'constructor']);
  });
});

describe('in JSON that is still being typed', () => {
  test('a dangling quote opens a key', () => {
    expect(drawn('{\n  "|\n}')).toBe('{\n  «"»\n} key ');
    expect(drawn('{\n  "per|\n  "a": 1\n}')).toBe('{\n  «"per»\n  "a": 1\n} key per');
    expect(at('{\n  "per|\n  "a": 1\n}')).toMatchObject({
      typed: 'per',
      quotes: 'open',
      hasColon: false,
      siblings: ['a'],
      needsComma: { after: true },
    });
  });

  test('a dangling quote opens a value and leaves the comma behind it alone', () => {
    expect(drawn('{"a": "|, "b": 1}')).toBe('{"a": «"», "b": 1} value a');
    expect(drawn('{"a": "x|, "b": 1}')).toBe('{"a": «"x», "b": 1} value a');
    expect(drawn('{"a": "|,\n"b": 1}')).toBe('{"a": «"»,\n"b": 1} value a');
    expect(drawn('{"a": "|}')).toBe('{"a": «"»} value a');
    expect(drawn('{"ke|: "v", "b": 1}')).toBe('{«"ke»: "v", "b": 1} key ke');
    expect(at('{"a": "|, "b": 1}').siblings).toEqual(['a', 'b']);
  });

  test('after a dangling comma comes the next key or item', () => {
    expect(drawn('{"a": 1,|')).toBe('{"a": 1,«» key ');
    expect(drawn('{"a": 1,|\n}')).toBe('{"a": 1,«»\n} key ');
    expect(drawn('["a",|')).toBe('["a",«» value 1');
    expect(at('{"a": 1,|\n "b": 2}')).toMatchObject({ siblings: ['a', 'b'], needsComma: { before: undefined, after: true } });
  });

  test('after a dangling colon comes the value, though another key follows', () => {
    expect(drawn('{"a": |\n  "b": 1}')).toBe('{"a": «»\n  "b": 1} value a');
    expect(drawn('{"a":|')).toBe('{"a":«» value a');
    expect(at('{"a": |\n  "b": 1}')).toMatchObject({ siblings: ['a', 'b'], needsComma: { after: true } });
    expect(drawn('{"a":\n  "b|": 1}')).toBe('{"a":\n  «"b"»: 1} key b');
  });

  test('on a new line a comma may be missing', () => {
    expect(drawn('{\n  "a": 1\n  |\n}')).toBe('{\n  "a": 1\n  «»\n} key ');
    expect(at('{\n  "a": 1\n  |\n}').needsComma).toEqual({ before: 10, after: false });
    expect(drawn('[\n  1\n  |\n]')).toBe('[\n  1\n  «»\n] value 1');
    expect(at('{"a": 1\n  "b|"}')).toMatchObject({ path: ['b'], place: 'key', needsComma: { before: 7, after: false } });
  });

  test('a name without quotes is a key where a key belongs', () => {
    expect(drawn('{ persona| }')).toBe('{ «persona» } key persona');
    expect(at('{ persona| }')).toMatchObject({ typed: 'persona', quotes: 'none', hasColon: false });
  });

  test('brackets that are missing or too many do not confuse what is around', () => {
    expect(drawn('{"a": [{"b": 1, "c": "|')).toBe('{"a": [{"b": 1, "c": «"» value a/0/c');
    expect(drawn('{"a": {"x": [1, 2}, "b": |}')).toBe('{"a": {"x": [1, 2}, "b": «»} value b');
    expect(drawn(']}{"a": |')).toBe(']}{"a": «» value a');
  });

  test('a string ends with its line, be it ended by CR, LF or both', () => {
    for (const eol of ['\n', '\r\n', '\r']) {
      expect(at(`{${eol}  "a": "x|${eol}  "b": 1${eol}}`)).toMatchObject({ path: ['a'], typed: 'x', quotes: 'open', siblings: ['a', 'b'] });
    }
  });

  test('emoji are counted as the editor counts them', () => {
    expect(drawn('{"a": "😀", "b": "😀x|"}')).toBe('{"a": "😀", "b": «"😀x"»} value b');
    expect(at('{"a": "😀x|').typed).toBe('😀x');
  });

  test('comments are stepped over, and nothing begins in one', () => {
    expect(drawn('{ // "a": 1\n  /* , */ "b": |1}')).toBe('{ // "a": 1\n  /* , */ "b": «1»} value b');
    expect(at('{"a": 1, // say |so\n "b": 2}').place).toBe('none');
    expect(at('{"a": 1, /* | */ "b": 2}').place).toBe('none');
  });

  test('an escape that is cut by the cursor stays as it is written', () => {
    expect(at('{"a": "x\\|n"}').typed).toBe('x\\');
    expect(at('{"a": "x\\u00|e9"}').typed).toBe('x\\u00');
  });

  test('a BOM is not a part of the text', () => {
    expect(drawn('\uFEFF{|}')).toBe('\uFEFF{«»} key ');
  });
});

describe('for every text', () => {
  const service = getLanguageService({});
  const name = fc.oneof(fc.constantFrom('a', 'b', '__proto__', ''), fc.string({ maxLength: 4 }));
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string({ unit: 'binary', maxLength: 5 })),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.uniqueArray(fc.tuple(name, tie('value')), { maxLength: 3, selector: ([key]) => key }).map((entries) => new Map(entries)),
    ),
  })).value;

  test('path, place and token are those of the tolerant tree where that has a token', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('', '\n', ' ', '\r\n\t'), somewhere, (value, space, where) => {
        const text = write(value, space);
        const offset = Math.round(where * text.length);
        const document = service.parseJSONDocument(TextDocument.create('memory:x.json', 'json', 0, text));
        const node = document.getNodeFromOffset(offset, true);
        if (node === undefined || node.type === 'object' || node.type === 'array' || node.type === 'property') return;
        const isKey = node.parent?.type === 'property' && node.parent.keyNode === node;
        const cursor = cursorAt(parseTree(text), offset);
        expect({ path: cursor.path, place: cursor.place, token: cursor.token }).toEqual({
          path: pathOf(node),
          place: isKey ? 'key' : 'value',
          token: { start: node.offset, end: node.offset + node.length },
        });
        const object = isKey ? node.parent?.parent : node.parent?.type === 'property' ? node.parent.parent : undefined;
        const others = object?.type === 'object' ? object.properties.filter(({ keyNode }) => keyNode !== node) : [];
        expect(cursor.siblings).toEqual(others.map(({ keyNode }) => keyNode.value));
      }),
      { numRuns: 500 },
    );
  });

  test('there is an answer whose token touches the cursor', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '"a"', 'b', '1', '\\', '\n', ' ', '//', '/*', '*/', '😀', '\r');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), somewhere, (pieces, where) => {
        const text = pieces.join('');
        const offset = Math.round(where * text.length);
        const { token, path } = cursorAt(parseTree(text), offset);
        expect(token.start <= offset && offset <= token.end).toBe(true);
        expect(path.length).toBeLessThanOrEqual(pieces.length);
      }),
      { numRuns: 1000 },
    );
  });

  test('a million tokens are read at the speed of one pass, and nesting without end is not gone into', () => {
    const deep = '['.repeat(200_000);
    expect(cursorAt(parseTree(deep), deep.length)).toMatchObject({ path: [], place: 'none' });
    const wide = `{"a": [${'1,'.repeat(500_000)}0], "b": }`;
    const started = performance.now();
    expect(cursorAt(parseTree(wide), wide.length - 1).path).toEqual(['b']);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

/** Like JSON.stringify, with keys of any name and white space everywhere. */
function write(value: unknown, space: string): string {
  if (value instanceof Map) {
    const members = [...value].map(([key, item]) => `${space}${JSON.stringify(key)}${space}:${space}${write(item, space)}`);
    return `{${members.join(`${space},`)}${space}}`;
  }
  if (Array.isArray(value)) return `[${value.map((item) => `${space}${write(item, space)}`).join(`${space},`)}${space}]`;
  return JSON.stringify(value);
}

function pathOf(node: ASTNode): (string | number)[] {
  const { parent } = node;
  if (parent === undefined) return [];
  if (parent.type === 'property')
    return [...pathOf(parent), ...(parent.keyNode === node || parent.valueNode === node ? [parent.keyNode.value] : [])];
  if (parent.type === 'array') return [...pathOf(parent), parent.items.indexOf(node)];
  return pathOf(parent);
}
