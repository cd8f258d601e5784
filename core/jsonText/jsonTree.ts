import { type Node, parseTree } from 'jsonc-parser';
import type { TextRange } from '../finding.js';
import { segmentsOf } from '../json.js';
import { isTooDeep } from './jsonShape.js';
import type { Located } from './locate.js';

/**
 * The nodes of a text by JSON pointer. For a duplicate key the last occurrence counts, as in `JSON.parse`. The text should be JSON: for other
 * text the tree holds what could be read, and nothing for a text nested too deeply for a config.
 */
export class JsonTree {
  readonly root: Node | undefined;
  private readonly children = new Map<Node, ReadonlyMap<string, Node>>();

  constructor(text: string) {
    // The parser treats a byte order mark as part of the next word.
    this.root = isTooDeep(text) ? undefined : parseTree(text.replace(/^\ufeff/, ' '));
  }

  find(pointer: string): Node | undefined {
    let node = this.root;
    for (const name of segmentsOf(pointer)) node = node && this.childrenOf(node).get(name);
    return node;
  }

  locate(pointer: string): Located | undefined {
    const node = this.find(pointer);
    if (node === undefined) return undefined;
    const key = keyOf(node);
    return { ...(key !== undefined && { key: rangeOf(key) }), value: rangeOf(node) };
  }

  private childrenOf(node: Node): ReadonlyMap<string, Node> {
    const members = this.children.get(node) ?? namedChildren(node);
    this.children.set(node, members);
    return members;
  }
}

export function rangeOf({ offset, length }: Node): TextRange {
  return { start: offset, end: offset + length };
}

/** The key of a value that is an object's member. */
export function keyOf({ parent }: Node): Node | undefined {
  return parent?.type === 'property' ? parent.children?.[0] : undefined;
}

function namedChildren({ type, children = [] }: Node): ReadonlyMap<string, Node> {
  if (type === 'array') return new Map(children.map((item, index) => [String(index), item]));
  return new Map(
    children.flatMap(({ children: [key, value] = [] }) => (value === undefined ? [] : [[key?.value as string, value] as const])),
  );
}
