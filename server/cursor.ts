import type { TextRange } from '../core/finding.js';
import { isColonNext, readTokens, type TokenReader } from './jsonTokens.js';

/** What stands at an offset of a JSON text, broken or not, found by one scan without building a tree. */
export interface Cursor {
  /**
   * Object keys (decoded) and list indices from the root to what the cursor is about: the value it is on or would begin, or the member whose
   * key it is on or would begin. For a key not yet written the last segment is the empty string.
   */
  readonly path: readonly (string | number)[];
  /**
   * `key`: on a key, or where one may begin. `value`: on a scalar, or where a value may begin. `none`: nothing can begin here (right after a finished
   * value, after a key before its colon, in a comment, after the root).
   */
  readonly place: 'key' | 'value' | 'none';
  /** The whole key or scalar around the cursor or touching it, quotes included; empty at the cursor where there is none. What a completion replaces. */
  readonly token: TextRange;
  /** Decoded text of the token up to the cursor, without quotes. */
  readonly typed: string;
  /** `none`: the token is no string. `open`: a string without its closing quote. */
  readonly quotes: 'none' | 'closed' | 'open';
  /** Keys of the enclosing object, in order, without the one at the cursor; empty in a list. */
  readonly siblings: readonly string[];
  /** Whether a colon follows the key. */
  readonly hasColon: boolean;
  /** Whether a comma is missing between what stands before and the token, and between it and what follows. */
  readonly needsComma: { readonly before: boolean; readonly after: boolean };
  /** Offset of the innermost `{` or `[` around the cursor; undefined at the root. */
  readonly container: number | undefined;
}

/**
 * Scans a text up to an offset and on to the end of the object or list around it. Works in any text: what is missing (a quote, a comma, a
 * colon, a bracket) is taken as still to be typed.
 *
 * @param offset UTF-16 units, 0 to the length of the text
 */
export function cursorAt(text: string, offset: number): Cursor {
  const scan = new Scan(text, Math.max(0, Math.min(offset, text.length)));
  return scan.run();
}

/** What comes next in a container. */
type State = 'key' | 'colon' | 'value' | 'comma';

/** An object or list that is open, or the root. */
interface Frame {
  readonly type: 'root' | 'object' | 'list';
  readonly start: number;
  state: State;
  /** Of a list. */
  index: number;
  /** Of an object: where its keys are, start and end in turns. The last is the current one. */
  readonly keys: number[];
  /** A comma is missing before what has been read last. */
  gap: boolean;
}

type Spot = Omit<Cursor, 'siblings' | 'needsComma'> & { readonly before: boolean };

class Scan {
  private readonly text: string;
  private readonly offset: number;
  private readonly token: TokenReader;
  private readonly frames: Frame[] = [frame('root', 0, 'value')];
  private spot: Spot | undefined;
  /** The innermost container of the spot, and how deep it lies. */
  private around: Frame | undefined;
  private depth = 0;
  /** Where the key at the cursor is among the keys of its object. */
  private ownKey = -1;
  private after: boolean | undefined;
  private lastEnd = 0;

  constructor(text: string, offset: number) {
    this.text = text;
    this.offset = offset;
    this.token = readTokens(text);
  }

  run(): Cursor {
    const { token } = this;
    token.read(this.text.charCodeAt(0) === 0xfeff ? 1 : 0);
    for (; ; token.read(token.end)) {
      if (this.spot === undefined && this.isPast()) this.findGap();
      if (token.type === 'end') break;
      if (token.type === 'comment') {
        if (this.spot === undefined && token.start < this.offset && this.offset <= token.end) this.findGap('none');
        continue;
      }
      if (this.spot !== undefined) this.after ??= startsSomething(token);
      this.take();
      this.lastEnd = token.end;
      const isComplete = this.after !== undefined && (this.around?.type !== 'object' || this.frames[this.depth] !== this.around);
      if (this.spot !== undefined && isComplete) break;
    }
    return this.cursor();
  }

  private cursor(): Cursor {
    const { before, ...spot } = this.spot as Spot;
    const keys = this.around?.type === 'object' ? this.around.keys : [];
    const siblings: string[] = [];
    for (let at = 0; at < keys.length; at += 2) {
      const isWritten = keys[at] !== keys[at + 1];
      if (at !== this.ownKey && isWritten) siblings.push(keyText(this.text, keys[at] as number, keys[at + 1] as number));
    }
    const after = (this.after ?? false) && !spot.hasColon && spot.place !== 'none';
    return { ...spot, siblings, needsComma: { before, after } };
  }

  /** The cursor is before the token: before a bracket, comma or colon also where it touches it. */
  private isPast(): boolean {
    const { token, offset } = this;
    const touches = token.type === 'string' || token.type === 'word' || token.type === 'comment';
    return token.type === 'end' || offset < token.start || (offset === token.start && !touches);
  }

  private take(): void {
    const { token } = this;
    const top = this.frames[this.frames.length - 1] as Frame;
    switch (token.type) {
      case '{':
      case '[':
        this.beginValue(top);
        this.frames.push(token.type === '{' ? frame('object', token.start, 'key') : frame('list', token.start, 'value'));
        break;
      case '}':
      case ']':
        this.close(token.type === '}' ? 'object' : 'list');
        break;
      case ',':
        if (top.type === 'list') top.index += 1;
        if (top.type !== 'root') top.state = top.type === 'list' ? 'value' : 'key';
        top.gap = false;
        break;
      case ':':
        // A colon without a key: what is typed is a value all the same.
        if (top.type === 'object') {
          if (top.state === 'key') top.keys.push(token.start, token.start);
          top.state = 'value';
        }
        break;
      default:
        this.takeScalar(top);
    }
  }

  private takeScalar(top: Frame): void {
    if (top.type === 'object' && (top.state !== 'value' || this.isFollowedByColon())) this.takeKey(top);
    else this.takeValue(top);
  }

  private takeKey(top: Frame): void {
    const { token } = this;
    // After a key, a finished value, or a colon with nothing behind it, a comma is missing here.
    top.gap = top.state !== 'key';
    top.keys.push(token.start, token.end);
    top.state = 'colon';
    if (!this.isOnToken()) return;
    this.ownKey = top.keys.length - 2;
    this.foundToken('key', top, this.isFollowedByColon());
  }

  private takeValue(top: Frame): void {
    const isAfterRoot = top.type === 'root' && top.state === 'comma';
    this.beginValue(top);
    if (this.isOnToken()) this.foundToken(isAfterRoot ? 'none' : 'value', top, false);
  }

  /** A value begins: the container goes on after it. */
  private beginValue(top: Frame): void {
    top.gap = top.state === 'comma';
    if (top.type === 'list' && top.gap) top.index += 1;
    // An object in the place of a key belongs to nothing that has a name.
    if (top.type === 'object' && top.state === 'key') top.keys.push(this.token.start, this.token.start);
    top.state = 'comma';
  }

  /** The nearest container of that type ends, and with it those in it whose own bracket is missing. */
  private close(type: Frame['type']): void {
    const { frames } = this;
    let at = frames.length - 1;
    while (at > 0 && (frames[at] as Frame).type !== type) at -= 1;
    if (at > 0) frames.length = at;
  }

  private isOnToken(): boolean {
    const { token, offset } = this;
    return this.spot === undefined && token.start <= offset && offset <= token.end;
  }

  private isFollowedByColon(): boolean {
    return isColonNext(this.text, this.token.end);
  }

  private foundToken(place: Cursor['place'], top: Frame, hasColon: boolean): void {
    const { start, end, type, closed } = this.token;
    const quotes = type !== 'string' ? 'none' : closed ? 'closed' : 'open';
    const token = { start, end };
    this.found(top, { place, token, typed: typedText(this.text, token, quotes, this.offset), quotes, hasColon, before: top.gap });
  }

  /** No token is at the cursor: what may begin there depends on what came before. */
  private findGap(forced?: 'none'): void {
    const { offset, text } = this;
    const top = this.frames[this.frames.length - 1] as Frame;
    const token = { start: offset, end: offset };
    const isOnNewLine = /[\r\n]/.test(text.slice(this.lastEnd, offset));
    const place = forced ?? placeIn(top, isOnNewLine);
    const before = place !== 'none' && top.state === 'comma';
    // A new member or item begins, other than the one before.
    const at: Frame = { ...top, index: before ? top.index + 1 : top.index };
    this.found(at, { place, token, typed: '', quotes: 'none', hasColon: false, before, isNewKey: place === 'key' });
  }

  private found(top: Frame, spot: Omit<Spot, 'path' | 'container'> & { readonly isNewKey?: boolean }): void {
    const { isNewKey = false, ...rest } = spot;
    const path: (string | number)[] = [];
    for (let at = 1; at < this.frames.length - 1; at++) path.push(this.segment(this.frames[at] as Frame));
    if (top.type === 'list') path.push(top.index);
    else if (top.type === 'object') path.push(isNewKey || top.keys.length === 0 ? '' : this.segment(top));
    this.spot = { ...rest, path, container: top.type === 'root' ? undefined : top.start };
    this.depth = this.frames.length - 1;
    this.around = this.frames[this.depth];
  }

  private segment({ type, index, keys }: Frame): string | number {
    if (type === 'list') return index;
    return keyText(this.text, keys[keys.length - 2] as number, keys[keys.length - 1] as number);
  }
}

function frame(type: Frame['type'], start: number, state: State): Frame {
  return { type, start, state, index: 0, keys: [], gap: false };
}

/** What may begin in a container. On a new line the comma may still be to come, and with it the next member or item. */
function placeIn({ type, state }: Frame, isOnNewLine: boolean): Cursor['place'] {
  if (state === 'key' || state === 'value') return state;
  if (state === 'colon' || type === 'root' || !isOnNewLine) return 'none';
  return type === 'list' ? 'value' : 'key';
}

function startsSomething({ type }: TokenReader): boolean {
  return type === 'string' || type === 'word' || type === '{' || type === '[';
}

/** A key as it is meant: decoded, whatever its quotes are like. */
function keyText(text: string, start: number, end: number): string {
  const raw = text.slice(start, end);
  if (!raw.startsWith('"')) return raw;
  const isClosed = /[^\\](?:\\\\)*"$/.test(raw);
  return decode(isClosed ? raw.slice(1, -1) : raw.slice(1));
}

function typedText(text: string, { start, end }: TextRange, quotes: Cursor['quotes'], offset: number): string {
  if (quotes === 'none') return text.slice(start, offset);
  const last = quotes === 'closed' ? end - 1 : end;
  return decode(text.slice(start + 1, Math.max(start + 1, Math.min(offset, last))));
}

/** The inside of a string; an escape that is wrong or not yet finished stays as it is written. */
export function decode(inside: string): string {
  if (!inside.includes('\\')) return inside;
  return inside.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, (_whole, hex: string | undefined, short: string | undefined) =>
    hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : (shortEscapes[short as string] ?? (short as string)),
  );
}

const shortEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
