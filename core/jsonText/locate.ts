import { JsonTree, type Located } from './jsonTree.js';

export type { Located };

/** Where values are written, by JSON pointer; pointers to nothing are absent from the answer. */
export function locate(text: string, pointers: Iterable<string>): ReadonlyMap<string, Located> {
  const tree = new JsonTree(text);
  const found = new Map<string, Located>();
  for (const pointer of pointers) {
    const place = tree.locate(pointer);
    if (place !== undefined) found.set(pointer, place);
  }
  return found;
}

/** The pointer of the value around `pointer`, or undefined for the root. */
export function parentPointer(pointer: string): string | undefined {
  return pointer === '' ? undefined : pointer.slice(0, pointer.lastIndexOf('/'));
}
