import type { TextRange } from '../core/finding.js';
import type { Json } from '../core/json.js';
import { decode } from './cursor.js';
import { isColonNext, readTokens, type TokenReader } from './jsonTokens.js';

type Path = readonly (string | number)[];

/** Deeper levels are left out: they take stack. */
const mostLevels = 256;

/**
 * The value at a path of a text that need not be JSON, as somebody means it who is still typing: a member without a value is left out, a
 * missing comma, quote or bracket is taken as still to come. One scan of the text up to the end of the value, which builds what is asked for
 * and nothing else; of a key given twice on the way there the first counts. Undefined where there is nothing.
 *
 * @param path object keys and list indices from the root; default the root
 * @param from offset to begin at, where the value stands that the path begins in; default the start of the text
 */
export function readLoosely(text: string, path: Path = [], from = 0): Json | undefined {
  const reader = new LooseReader(text, path);
  return reader.read(from === 0 && text.charCodeAt(0) === 0xfeff ? 1 : from);
}

/** Where that value stands, of a list or object with its brackets; `undefined` where nothing is there. */
export function locateLoosely(text: string, path: Path): TextRange | undefined {
  const reader = new LooseReader(text, path);
  reader.read(text.charCodeAt(0) === 0xfeff ? 1 : 0);
  return reader.place;
}

/** What a member of the object that begins at `from` is, by key: scalars as they are, undefined for a list, an object or nothing yet. */
export function readMembers(text: string, from: number): ReadonlyMap<string, Json | undefined> {
  const members = new Map<string, Json | undefined>();
  new LooseReader(text, [], members).read(from);
  return members;
}

/** Below the path nothing is built. */
const skipped = -1;

class LooseReader {
  place: TextRange | undefined;
  private readonly token: TokenReader;
  private readonly text: string;
  private readonly path: Path;
  private readonly members: Map<string, Json | undefined> | undefined;
  private found: Json | undefined;
  /** Open lists and objects around the place, for a bracket that closes more than one. */
  private lists = 0;
  private lastEnd = 0;
  private objects = 0;
  /** The path has been walked to its end, or to where it breaks off. */
  private isDone = false;

  constructor(text: string, path: Path, members?: Map<string, Json | undefined>) {
    this.text = text;
    this.path = path;
    this.members = members;
    this.token = readTokens(text);
  }

  read(from: number): Json | undefined {
    this.token.read(from);
    this.skipComments();
    this.found = undefined;
    this.value(0, 0);
    return this.found;
  }

  private next(): void {
    this.lastEnd = this.token.end;
    this.token.read(this.token.end);
    this.skipComments();
  }

  private skipComments(): void {
    const { token } = this;
    while (token.type === 'comment') token.read(token.end);
  }

  /** Reads the value at the token and moves behind it. `at`: how much of the path has been walked, or `skipped`. */
  private value(at: number, level: number): Json | undefined {
    const { token } = this;
    const isWanted = at >= this.path.length;
    const { start } = token;
    let value: Json | undefined;
    if (level >= mostLevels) this.skip();
    else if (at === skipped && this.skipBalanced()) return undefined;
    else if (token.type === '{') value = this.object(at, level);
    else if (token.type === '[') value = this.list(at, level);
    else {
      if (isWanted) value = this.scalar();
      this.next();
    }
    if (at === this.path.length) {
      this.found = value;
      this.place = { start, end: this.lastEnd };
    }
    return value;
  }

  /** Past a value without recursion. */
  private skip(): void {
    const { token } = this;
    let depth = 0;
    do {
      if (token.type === '{' || token.type === '[') depth += 1;
      else if (token.type === '}' || token.type === ']') depth -= 1;
      this.next();
    } while (depth > 0 && token.type !== 'end');
  }

  /** Past a list or object whose brackets are all there; nothing moves when one is missing, or when there is none. */
  private skipBalanced(): boolean {
    const { token } = this;
    const { start, type } = token;
    if (type !== '{' && type !== '[') return false;
    const { lastEnd } = this;
    const open: string[] = [];
    do {
      if (token.type === '{') open.push('}');
      else if (token.type === '[') open.push(']');
      else if ((token.type === '}' || token.type === ']') && open.pop() !== token.type) break;
      this.lastEnd = token.end;
      token.read(token.end);
    } while (open.length > 0 && token.type !== 'end');
    if (open.length === 0 && token.start > start) {
      this.skipComments();
      return true;
    }
    this.lastEnd = lastEnd;
    token.read(start);
    return false;
  }

  private scalar(): Json | undefined {
    const { type, start, end, closed } = this.token;
    const raw = this.text.slice(start, end);
    if (type === 'string') return decode(raw.slice(1, closed ? -1 : undefined));
    try {
      return JSON.parse(raw) as Json;
    } catch {
      // A word half typed is no value yet.
      return undefined;
    }
  }

  private object(at: number, level: number): Json | undefined {
    const { token } = this;
    const builds = at >= this.path.length;
    const entries: [string, Json][] = [];
    this.objects += 1;
    this.next();
    while (token.type !== 'end' && !this.isDone) {
      if (token.type === '}') {
        this.next();
        break;
      }
      // A bracket of the list around it: this object's own is missing.
      if (token.type === ']' && this.lists > 0) break;
      if ((token.type === 'string' || token.type === 'word') && this.isKey()) {
        const key = this.key();
        this.next();
        this.next();
        const inner = this.below(at, key);
        const value = this.startsValue() ? this.value(inner, level + 1) : undefined;
        if (builds && value !== undefined) entries.push([key, value]);
        if (!builds && inner !== skipped) this.isDone = true;
        if (level === 0) this.members?.set(key, value !== null && typeof value === 'object' ? undefined : value);
      } else if (token.type === '{' || token.type === '[') this.value(skipped, level + 1);
      else {
        if (level === 0 && token.type === 'string') this.members?.set(this.key(), undefined);
        this.next();
      }
    }
    this.objects -= 1;
    // fromEntries defines properties, so a key named __proto__ stays a key.
    return builds ? Object.fromEntries(entries) : undefined;
  }

  private list(at: number, level: number): Json | undefined {
    const { token } = this;
    const builds = at >= this.path.length;
    const items: Json[] = [];
    let index = 0;
    this.lists += 1;
    this.next();
    while (token.type !== 'end' && !this.isDone) {
      if (token.type === ']') {
        this.next();
        break;
      }
      if (token.type === '}' && this.objects > 0) break;
      if (!this.startsValue()) {
        // A key in a list belongs to the object around it, and the list's own bracket is missing.
        if (this.objects > 0 && (token.type === 'string' || token.type === 'word') && this.isKey()) break;
        this.next();
        continue;
      }
      const inner = this.below(at, index);
      const value = this.value(inner, level + 1);
      if (builds && value !== undefined) items.push(value);
      if (!builds && inner !== skipped) this.isDone = true;
      index += 1;
    }
    this.lists -= 1;
    return builds ? items : undefined;
  }

  private below(at: number, segment: string | number): number {
    if (at === skipped) return skipped;
    if (at >= this.path.length) return at === this.path.length && this.members !== undefined ? this.memberLevel() : at + 1;
    return this.path[at] === segment ? at + 1 : skipped;
  }

  /** Of members only scalars are asked for, and those are read in any case. */
  private memberLevel(): number {
    const { type } = this.token;
    return type === '{' || type === '[' ? skipped : this.path.length + 1;
  }

  private startsValue(): boolean {
    const { type } = this.token;
    if (type === '{' || type === '[') return true;
    return (type === 'string' || type === 'word') && !this.isKey();
  }

  private isKey(): boolean {
    return isColonNext(this.text, this.token.end);
  }

  private key(): string {
    const { type, start, end, closed } = this.token;
    const raw = this.text.slice(start, end);
    return type === 'string' ? decode(raw.slice(1, closed ? -1 : undefined)) : raw;
  }
}
