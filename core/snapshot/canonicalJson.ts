import type { Json } from '../json.js';

/**
 * Canonical JSON, RFC 8785: no white space, object keys sorted by UTF-16 units, numbers and strings as ECMAScript writes them; so
 * equal values have equal bytes on every machine. Any depth of nesting.
 *
 * One deviation: RFC 8785 wants an error for a string with a lone surrogate, which has no UTF-8 form. Config files may hold one, and
 * losing a run over half an emoji helps nobody; it is written as its escape (`\ud83d`), as `JSON.stringify` does since ECMAScript
 * 2019. The text stays ASCII there, is as unambiguous, and reads back as the same value.
 * @throws TypeError for what is not JSON (undefined, a function, NaN, an infinity) and for a value that contains itself
 */
export function canonicalJson(value: Json): string {
  const open: Frame[] = [];
  let text = '';

  function write(item: unknown): void {
    if (typeof item !== 'object' || item === null) {
      text += scalar(item);
      return;
    }
    const isArray = Array.isArray(item);
    const keys = isArray ? undefined : Object.keys(item).sort();
    open.push({ node: item, keys, length: keys ? keys.length : (item as readonly unknown[]).length, at: 0 });
    if (open.length % depthBetweenChecks === 0) refuseCircle(open);
    text += isArray ? '[' : '{';
  }

  write(value);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const { node, keys, length, at } = frame;
    if (at === length) {
      text += keys ? '}' : ']';
      open.pop();
      continue;
    }
    frame.at = at + 1;
    if (at > 0) text += ',';
    if (keys) {
      const key = keys[at] as string;
      text += `${quote(key)}:`;
      write((node as Record<string, unknown>)[key]);
    } else write((node as readonly unknown[])[at]);
  }
  return text;
}

/** An array or object whose members are being written; the depth lives here rather than on the call stack. */
interface Frame {
  readonly node: object;
  /** Sorted; undefined for an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  at: number;
}

const depthBetweenChecks = 1024;

/** Only what contains itself goes on for ever, so it is enough to look now and then. */
function refuseCircle(open: readonly Frame[]): void {
  if (new Set(open.map(({ node }) => node)).size < open.length) throw new TypeError('A value that contains itself has no JSON form.');
}

/** Nearly every key is a plain word, which needs no escapes. */
function quote(text: string): string {
  return plainWord.test(text) ? `"${text}"` : JSON.stringify(text);
}

const plainWord = /^[A-Za-z0-9_]*$/;

function scalar(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (value === null || typeof value === 'boolean') return String(value);
  // `String` and RFC 8785 agree on numbers but for minus zero, which both write as 0.
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw new TypeError(`${typeof value === 'number' ? String(value) : `A value of type ${typeof value}`} has no JSON form.`);
}
