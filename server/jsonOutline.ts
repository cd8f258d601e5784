import type { TextRange } from '../core/finding.js';
import type { Json } from '../core/json.js';
import { maxDepth } from '../core/jsonText/jsonShape.js';
import { decode } from './cursor.js';
import { readTokens, type TokenReader } from './jsonTokens.js';

/** One value of a text that need not be JSON. */
export interface OutlineNode {
  readonly type: 'object' | 'array' | 'string' | 'word';
  /** Of the value. What was never closed ends where its last part ends. */
  readonly start: number;
  readonly end: number;
  /** Of an object's member: its key with the quotes as far as they are there, and what it says. */
  readonly key: (TextRange & { readonly name: string }) | undefined;
  /** Whether the closing bracket or quote is there. */
  readonly isClosed: boolean;
  /** Members or items, in file order. A key given twice is there twice; a key without a value is a member of type `word` and no length. */
  readonly children: readonly OutlineNode[];
}

export interface Outline {
  /** Undefined for a text without a value. */
  readonly root: OutlineNode | undefined;
  /** Whether a part was left out: there are more values than `mostNodes`, or deeper ones than a config may have. */
  readonly isPartial: boolean;
}

/** More would take too much memory for what anybody can look at. */
export const mostNodes = 200_000;

type Growing = { -readonly [Key in keyof OutlineNode]: OutlineNode[Key] } & { children: OutlineNode[] };

/**
 * Reads a text as far as it is JSON and as it is meant where it is not: missing commas, colons, quotes and brackets are taken as still to be
 * typed, a bracket that closes nothing is stepped over. One pass, without recursion.
 */
export function outlineOf(text: string): Outline {
  return new OutlineReader(text).read();
}

/** The value of an outline. Of a key given twice the last counts; a key without a value, and a word that is no JSON, is null. */
export function toValue(node: OutlineNode, text: string): Json {
  switch (node.type) {
    case 'object':
      // fromEntries defines properties, so a key named __proto__ stays a key.
      return Object.fromEntries(node.children.map((child) => [child.key?.name ?? '', toValue(child, text)]));
    case 'array':
      return node.children.map((child) => toValue(child, text));
    case 'string':
      return stringText(text, node, node.isClosed);
    case 'word':
      return wordValue(text.slice(node.start, node.end));
  }
}

/** The node at the segments of a path, of a key given twice the last one. */
export function findNode({ root }: Outline, segments: readonly (string | number)[]): OutlineNode | undefined {
  let node = root;
  for (const segment of segments) {
    if (node?.type === 'array') node = node.children[Number(segment)];
    else node = node?.children.findLast(({ key }) => key?.name === String(segment));
  }
  return node;
}

class OutlineReader {
  private readonly text: string;
  private readonly token: TokenReader;
  private readonly ahead: TokenReader;
  private readonly open: Growing[] = [];
  private root: Growing | undefined;
  /** The key that waits for its value. */
  private key: OutlineNode['key'];
  private hasColon = false;
  /** A member or item begins here: after an opening bracket or a comma. */
  private begins = false;
  private lastEnd = 0;
  private count = 0;
  private isPartial = false;

  constructor(text: string) {
    this.text = text;
    this.token = readTokens(text);
    this.ahead = readTokens(text);
  }

  read(): Outline {
    const { token } = this;
    for (token.read(this.text.charCodeAt(0) === 0xfeff ? 1 : 0); token.type !== 'end'; token.read(token.end)) {
      if (token.type === 'comment') continue;
      if (this.root !== undefined && this.open.length === 0) break;
      this.take();
      this.lastEnd = token.end;
    }
    while (this.open.length > 0) this.close(false);
    return { root: this.root, isPartial: this.isPartial };
  }

  private take(): void {
    const { token } = this;
    const top = this.open.at(-1);
    switch (token.type) {
      case '{':
      case '[':
        this.open.push(this.add(token.type === '{' ? 'object' : 'array', false));
        this.begins = true;
        break;
      case '}':
      case ']':
        this.closeTo(token.type === '}' ? 'object' : 'array');
        break;
      case ',':
        this.finishKey();
        // Between two commas of a list an item is missing.
        if (top?.type === 'array' && this.begins) this.recordMissing(top, undefined, token.start);
        this.begins = true;
        break;
      case ':':
        // A colon without a key: what follows is a value all the same.
        if (top?.type === 'object') this.key ??= this.keyOfMisplaced(top);
        this.hasColon = true;
        break;
      default:
        if (top?.type === 'object' && (this.key === undefined || !this.hasColon || this.isFollowedByColon())) this.takeKey();
        else this.add(token.type === 'string' ? 'string' : 'word', token.type !== 'string' || token.closed);
    }
  }

  private takeKey(): void {
    this.finishKey();
    const { start, end, type, closed } = this.token;
    const name = type === 'string' ? stringText(this.text, { start, end }, closed) : this.text.slice(start, end);
    this.key = { start, end, name };
    this.hasColon = false;
  }

  /** A key whose value has not been typed. */
  private finishKey(): void {
    const top = this.open.at(-1);
    const { key } = this;
    this.key = undefined;
    if (key === undefined || top === undefined) return;
    this.recordMissing(top, key, key.end);
  }

  private recordMissing(top: Growing, key: OutlineNode['key'], at: number): void {
    this.record(top, { type: 'word', start: at, end: at, key, isClosed: true, children: [] });
  }

  private add(type: OutlineNode['type'], isClosed: boolean): Growing {
    const { start, end } = this.token;
    const top = this.open.at(-1);
    const key = this.key ?? (top?.type === 'object' ? this.keyOfMisplaced(top) : undefined);
    const node: Growing = { type, start, end, key, isClosed, children: [] };
    this.key = undefined;
    if (top === undefined) this.root = node;
    else this.record(top, node);
    return node;
  }

  /** An object in the place of a key belongs to nothing that has a name, one right after a value to the key of that. */
  private keyOfMisplaced(top: Growing): NonNullable<OutlineNode['key']> {
    const { start } = this.token;
    return { start, end: start, name: this.begins ? '' : (top.children.at(-1)?.key?.name ?? '') };
  }

  private record(top: Growing, node: Growing): void {
    this.count += 1;
    this.begins = false;
    if (this.count > mostNodes || this.open.length > maxDepth) this.isPartial = true;
    else top.children.push(node);
  }

  /** Closes the innermost container of a type and what is open inside; when there is none, the bracket means nothing. */
  private closeTo(type: 'object' | 'array'): void {
    const at = this.open.findLastIndex((node) => node.type === type);
    if (at < 0) return;
    while (this.open.length > at + 1) this.close(false);
    this.close(true);
  }

  private close(isClosed: boolean): void {
    this.finishKey();
    const node = this.open.pop();
    if (node === undefined) return;
    this.begins = false;
    node.isClosed = isClosed;
    node.end = isClosed ? this.token.end : Math.max(node.end, this.lastEnd);
  }

  private isFollowedByColon(): boolean {
    this.ahead.read(this.token.end);
    return this.ahead.type === ':';
  }
}

function stringText(text: string, { start, end }: TextRange, isClosed: boolean): string {
  return decode(text.slice(start + 1, isClosed ? end - 1 : end));
}

function wordValue(word: string): Json {
  try {
    return JSON.parse(word) as Json;
  } catch {
    // What somebody is still typing.
    return null;
  }
}
