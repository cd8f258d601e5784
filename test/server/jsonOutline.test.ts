import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cursorAt } from '../../server/cursor.js';
import { findNode, mostNodes, type OutlineNode, outlineOf, toValue } from '../../server/jsonOutline.js';
import { damaged } from './damagedText.js';

/** `key:value` of every node, inner ones in brackets. */
function drawn(text: string): string {
  const draw = (node: OutlineNode): string => {
    const key = node.key === undefined ? '' : `${node.key.name}:`;
    const inner = node.children.map(draw).join(' ');
    const value = node.type === 'object' ? `{${inner}}` : node.type === 'array' ? `[${inner}]` : text.slice(node.start, node.end);
    return key + value + (node.isClosed ? '' : '…');
  };
  const { root } = outlineOf(text);
  return root === undefined ? '' : draw(root);
}

test('any JSON is read as it is', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const { root, isPartial } = outlineOf(text);
      expect(isPartial).toBe(false);
      expect(JSON.stringify(toValue(root!, text))).toBe(JSON.stringify(JSON.parse(text)));
      expect([root!.start, root!.end]).toEqual([text.indexOf(text.trim()), text.trimEnd().length]);
    }),
    { numRuns: 300 },
  );
});

test('keys like __proto__ are keys', () => {
  const text = '{"__proto__": {"a": 1}, "constructor": 2}';
  expect(JSON.stringify(toValue(outlineOf(text).root!, text))).toBe('{"__proto__":{"a":1},"constructor":2}');
});

test('of broken text what there is is found', () => {
  expect(drawn('{"a": 1 "b": [1 2, {"c"')).toBe('{a:1 b:[1 2 {c:}…]…}…');
  expect(drawn('{"a": "x\n, "b": tru}')).toBe('{a:"x… b:tru}');
  expect(drawn('{"a": , "b" , "c": 1')).toBe('{a: b: c:1}…');
  expect(drawn(']}{"a": 1]')).toBe('{a:1}…');
  expect(drawn('{"a": [1 } "b": 2')).toBe('{a:[1]…}');
  expect(drawn('// x\n{/* y */ "a": 1,}')).toBe('{a:1}');
  expect(drawn('')).toBe('');
});

test('of a key given twice the last counts', () => {
  const text = '{"a": 1, "a": 2}';
  expect(findNode(outlineOf(text), ['a'])).toMatchObject({ start: 14 });
});

test('deep and long texts are cut, and that is said', () => {
  const deep = outlineOf('['.repeat(100_000));
  expect(deep.isPartial).toBe(true);
  const long = outlineOf(`[${'1,'.repeat(mostNodes + 10)}1]`);
  expect(long.isPartial).toBe(true);
  expect(long.root!.children).toHaveLength(mostNodes);
});

test('the outline and the cursor agree on where a scalar belongs, in damaged text too', () => {
  fc.assert(
    fc.property(damaged(fc.json({ maxDepth: 4 })), (text) => {
      const visit = (node: OutlineNode, path: readonly (string | number)[]) => {
        if (node.type === 'string') expect(cursorAt(text, node.start + 1).path, `${text} at ${node.start}`).toEqual(path);
        for (const [index, child] of node.children.entries()) visit(child, [...path, child.key?.name ?? index]);
      };
      const { root } = outlineOf(text);
      if (root !== undefined) visit(root, []);
    }),
    { numRuns: 500 },
  );
});
