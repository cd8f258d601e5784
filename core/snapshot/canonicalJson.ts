import type { Json } from '../json.js';

/**
 * Canonical JSON, RFC 8785: no white space, object keys sorted by UTF-16 units, numbers and strings as ECMAScript writes them; so
 * equal values have equal bytes on every machine. Any depth of nesting.
 *
 * One deviation: RFC 8785 wants an error for a string with a lone surrogate, which has no UTF-8 form. Config files may hold one, and a run
 * should not fail over half an emoji, so it is written as its escape (`\ud83d`), as `JSON.stringify` does since ECMAScript 2019. The text stays
 * ASCII there, is just as unambiguous, and reads back as the same value.
 * @throws TypeError for a value that is not JSON (undefined, a function, NaN, an infinity) and for a value that contains itself
 */
export function canonicalJson(value: Json): string {
  const parts: string[] = [];
  // A stack of what is still to be written instead of recursion: the depth is limited only by memory.
  const pending: Pending[] = [{ before: '', value }];
  const open = new Set<unknown>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('closed' in next) {
      open.delete(next.closed);
      parts.push(next.bracket);
      continue;
    }
    const { before, value: item } = next;
    if (typeof item !== 'object' || item === null) {
      parts.push(before, scalar(item));
      continue;
    }
    if (open.has(item)) throw new TypeError('A value that contains itself has no JSON form.');
    open.add(item);
    parts.push(before, Array.isArray(item) ? '[' : '{');
    pending.push({ bracket: Array.isArray(item) ? ']' : '}', closed: item });
    for (const member of membersOf(item).reverse()) pending.push(member);
  }
  return parts.join('');
}

/** The canonical JSON of an object, given that of its members. */
export function canonicalObject(members: { readonly [key: string]: string }): string {
  const keys = Object.keys(members).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${members[key]}`).join(',')}}`;
}

/** A value with the text before it, or the end of an array or object. */
type Pending = Member | { readonly bracket: string; readonly closed: object };

interface Member {
  readonly before: string;
  readonly value: unknown;
}

function membersOf(value: object): Member[] {
  const comma = (index: number) => (index === 0 ? '' : ',');
  if (Array.isArray(value)) return value.map((item: unknown, index) => ({ before: comma(index), value: item }));
  const keys = Object.keys(value).sort();
  return keys.map((key, index) => ({ before: `${comma(index)}${JSON.stringify(key)}:`, value: (value as Record<string, unknown>)[key] }));
}

function scalar(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  // `String` writes numbers as RFC 8785 does, minus zero (as 0) included.
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw new TypeError(`${typeof value === 'number' ? String(value) : `A value of type ${typeof value}`} has no JSON form.`);
}
