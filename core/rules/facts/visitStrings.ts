import type { Json } from '../../json.js';

/** `segments` computes the path of the value, or of the value that the key belongs to. */
export type StringVisit = (text: string, half: 'key' | 'value', segments: () => readonly string[]) => void;

/** Visits every string of a value, keys included. Not recursive, so any depth is safe. Not in file order: findings are sorted later. */
export function visitStrings(root: Json | undefined, visit: StringVisit): void {
  const stack: Node[] = [{ value: root, parent: undefined, key: '' }];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { value } = node;
    if (typeof value === 'string') {
      visit(value, 'value', pathTo(node));
      continue;
    }
    if (typeof value !== 'object' || value === null) continue;
    const hasKeys = !Array.isArray(value);
    for (const [key, member] of Object.entries(value)) {
      const child: Node = { value: member as Json, parent: node, key };
      if (hasKeys) visit(key, 'key', pathTo(child));
      stack.push(child);
    }
  }
}

interface Node {
  readonly value: Json | undefined;
  readonly parent: Node | undefined;
  readonly key: string;
}

function pathTo(node: Node): () => readonly string[] {
  return () => {
    const segments: string[] = [];
    for (let at = node; at.parent !== undefined; at = at.parent) segments.push(at.key);
    return segments.reverse();
  };
}
