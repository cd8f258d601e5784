import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ASTNode } from 'vscode-json-languageservice';
import { identifyFile } from '../../core/config/paths.js';
import { defaultSettings } from '../../core/config/readSettings.js';
import { diskDocument } from '../../server/configDocument.js';
import { cursorAt } from '../../server/cursor.js';
import { type JsonTree, jsonOf, locateIn, nodeAt, parseTree, pathOf, rangeOf, treeOf } from '../../server/jsonTree.js';
import { damaged } from './damagedText.js';

/** `key:value` of every node, with `…` behind what has no end. */
function drawn(text: string): string {
  const { root, open } = parseTree(text);
  const draw = (node: ASTNode | undefined): string => {
    if (node === undefined) return '';
    if (node.type === 'property') return `${node.keyNode.value}:${draw(node.valueNode)}`;
    const inner = (node.children ?? []).map(draw).join(' ');
    const value = node.type === 'object' ? `{${inner}}` : node.type === 'array' ? `[${inner}]` : cut(text, node);
    return value + (open.has(node.offset) ? '…' : '');
  };
  return draw(root);
}

function cut(text: string, node: ASTNode): string {
  const { start, end } = rangeOf(node);
  return text.slice(start, end);
}

test('any JSON is read as it is', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.boolean(), (json, spaced) => {
      const value: unknown = JSON.parse(json);
      const text = spaced ? JSON.stringify(value, null, 2) : json;
      const { root, open } = parseTree(text);
      expect(JSON.stringify(jsonOf(root))).toBe(JSON.stringify(value));
      expect(cut(text, root!)).toBe(text.trim());
      expect(open.size).toBe(0);
    }),
    { numRuns: 300 },
  );
});

test('JSON is read the same whether or not it is known to be JSON', () => {
  const identity = identifyFile('config/agents/A2/v1.json', defaultSettings);
  const nodesOf = (node: ASTNode | undefined): readonly unknown[] =>
    node === undefined
      ? []
      : [
          [node.type, node.offset, node.length, node.type === 'property' ? node.colonOffset : undefined, node.value],
          ...(node.children ?? []).flatMap(nodesOf),
        ];
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom('', '\ufeff', ' \n'), fc.constantFrom(0, 2), (json, before, indent) => {
      const text = before + JSON.stringify(JSON.parse(json), null, indent);
      const document = diskDocument('file:///x.json', text, 'config/agents/A2/v1.json', identity);
      expect(document.config?.syntax).toEqual([]);
      expect(nodesOf(treeOf(document).root)).toEqual(nodesOf(parseTree(text).root));
    }),
    { numRuns: 300 },
  );
});

test('keys like __proto__ are keys', () => {
  expect(JSON.stringify(jsonOf(parseTree('{"__proto__": {"a": 1}, "constructor": 2}').root))).toBe('{"__proto__":{"a":1},"constructor":2}');
});

test.each([
  ['a missing value', '{"a": , "b": 1}', '{a: b:1}'],
  ['a missing value before the next line', '{"a":\n "b": 1, "c": 2}', '{a: b:1 c:2}'],
  ['a key alone', '{"a", "b" "c": 1}', '{a: b: c:1}'],
  ['a missing comma', '{"a": 1 "b": [1 2]}', '{a:1 b:[1 2]}'],
  ['missing brackets at the end', '{"a": 1 "b": [1 2, {"c"', '{a:1 b:[1 2 {c:}…]…}…'],
  ['missing brackets at the end, behind a comment', '{"a": [1 // x', '{a:[1]…}…'],
  ['a list that its object closes', '{"a": [1, {"b": 2}, "c": 3}', '{a:[1 {b:2}]… c:3}'],
  ['a list that the object around it closes', '{"a": {"b": [1 }, "c": 2}', '{a:{b:[1]…} c:2}'],
  ['an object that its list closes', '[{"a": 1], 2', '[{a:1}…]'],
  ['brackets too many', ']}{"a": 1], "b": 2}', '{a:1 b:2}'],
  ['an open string', '{"a": "x\n, "b": 1}', '{a:"x… b:1}'],
  ['an open string before a bracket', '{"a": {"b": "x},\n "c": 1}', '{a:{b:"x…} c:1}'],
  ['an open string before another on its line', '{"a": ", "b": 1}', '{a:"… b:1}'],
  ['half a word', '{"a": tru, "b": [fals, 1]}', '{a: b:[1]}'],
  ['a key without quotes', '{ a: 1,\n b\n "c": 2}', '{a:1 b: c:2}'],
  ['comments and a trailing comma', '{/* x */ "a": 1, // y\n}', '{a:1}'],
  ['a byte order mark', '\ufeff{"a": 1}', '{a:1}'],
  ['nothing', '', ''],
])('broken text is read as it is meant: %s', (_name, text, tree) => {
  expect(drawn(text)).toBe(tree);
});

test('of a key given twice the last one with a value counts', () => {
  const { root } = parseTree('{"a": 1, "a": 2, "a"}');
  expect(jsonOf(nodeAt(root, ['a']))).toBe(2);
});

test('tells where values stand, those still to be typed included', () => {
  const text = '{"a": [1, { "b" : [2] } ], "c": , "d": "x';
  const tree = parseTree(text);
  const at = (pointer: string) => {
    const found = locateIn(tree, [pointer]).get(pointer);
    return found && [found.key && text.slice(found.key.start, found.key.end), text.slice(found.value.start, found.value.end)];
  };
  expect(at('/a/1')).toEqual([undefined, '{ "b" : [2] }']);
  expect(at('/a/1/b')).toEqual(['"b"', '[2]']);
  expect(at('/c')).toEqual(['"c"', '']);
  expect(at('/d')).toEqual(['"d"', '"x']);
  expect(at('')).toEqual([undefined, text]);
  expect(at('/e')).toBeUndefined();
  expect(at('/a/7')).toBeUndefined();
});

test('text that is nested without end has no tree', () => {
  for (const open of ['[', '{"a":', '"\n[', '[},']) expect(parseTree(open.repeat(100_000)).root).toBeUndefined();
});

test('in damaged text every node lies inside its parent, and the cursor in a string is at the path of the string', () => {
  const check = (node: ASTNode, tree: JsonTree) => {
    const { start, end } = rangeOf(node);
    for (const child of node.children ?? []) {
      const inner = rangeOf(child);
      expect(start <= inner.start && inner.start <= inner.end && inner.end <= end, `${tree.text} ${start}-${end}`).toBe(true);
      check(child, tree);
    }
    if (node.type === 'string') expect(cursorAt(tree, start + 1).path, `${tree.text} at ${start}`).toEqual(pathOf(node));
  };
  fc.assert(
    fc.property(damaged(fc.json({ maxDepth: 4 })), (text) => {
      const tree = parseTree(text);
      if (tree.root !== undefined) check(tree.root, tree);
    }),
    { numRuns: 500 },
  );
});
