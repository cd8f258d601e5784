import { type Node, parseTree } from 'jsonc-parser';
import { escapeSegment } from '../../core/json.js';

/** A key or a value without parts of its own, as it is written. */
export interface Part {
  /** Of the value; of a key that of its member. */
  readonly pointer: string;
  readonly text: string;
  readonly isKey: boolean;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

/** All keys and values of a text that is JSON, those of repeated keys too. */
export function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  const visit = (node: Node, pointer: string) => {
    const { type, children = [], offset, length } = node;
    if (type === 'array') for (const [index, item] of children.entries()) visit(item, `${pointer}/${index}`);
    else if (type === 'object') {
      for (const { children: [key, value] = [] } of children) {
        if (key === undefined || value === undefined) continue;
        const at = `${pointer}/${escapeSegment(String(key.value))}`;
        parts.push({ pointer: at, text: String(key.value), isKey: true });
        visit(value, at);
      }
    } else
      parts.push({ pointer, text: type === 'string' ? JSON.stringify(node.value) : text.slice(offset, offset + length), isKey: false });
  };
  const root = parseTree(text.replace(/^\ufeff/, ' '));
  if (root !== undefined) visit(root, '');
  return parts;
}

/** Pointers of members whose key is given twice in its object. */
export function duplicateKeys(text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: Node, pointer: string) => {
    const { type, children = [] } = node;
    if (type === 'array') for (const [index, item] of children.entries()) visit(item, `${pointer}/${index}`);
    if (type !== 'object') return;
    const seen = new Set<string>();
    for (const { children: [key, value] = [] } of children) {
      const at = `${pointer}/${escapeSegment(String(key?.value))}`;
      if (seen.has(at)) found.push(at);
      seen.add(at);
      if (value !== undefined) visit(value, at);
    }
  };
  const root = parseTree(text.replace(/^\ufeff/, ' '));
  if (root !== undefined) visit(root, '');
  return found;
}

/** What is written less often than before, other than at the pointers where that is allowed. */
export function lostParts(before: readonly Part[], after: readonly Part[], allowed: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const { text } of before) left.set(text, (left.get(text) ?? 0) + 1);
  for (const { text } of after) left.set(text, (left.get(text) ?? 0) - 1);
  for (const { pointer, text } of before) {
    if (allowed.some((around) => pointer === around || pointer.startsWith(`${around}/`))) left.set(text, (left.get(text) ?? 0) - 1);
  }
  return [...left].flatMap(([text, count]) => (count > 0 ? [text] : []));
}

/** The letters and digits of a text, in small letters: what a repair of its marks leaves as it is. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
