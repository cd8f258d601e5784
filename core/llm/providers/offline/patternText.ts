/**
 * Texts that match a regular expression, shortest first, made from its syntax; none where that is impossible (look-around,
 * back references). Anchors and boundaries are not checked, so the caller has to check the texts.
 *
 * @param pattern ECMAScript syntax
 * @param least also aim at texts of at least this length
 * @param variant other values give other texts where the pattern has a choice
 */
export function* patternTexts(pattern: string, least: number, variant = 0): Generator<string, void, undefined> {
  const node = parse(pattern);
  if (node === undefined) return;
  let seen = -1;
  for (const extra of [0, 1, 2, 3, 5, 8, 13, 21, 34, least]) {
    const text = write(node, Math.min(extra, longest), variant);
    if (text.length > seen && text.length <= longest) yield text;
    seen = Math.max(seen, text.length);
  }
}

const longest = 20_000;

type Node =
  | { readonly kind: 'characters'; readonly choices: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number };

function write(node: Node, extra: number, variant: number): string {
  switch (node.kind) {
    case 'characters':
      return node.choices.charAt(variant % node.choices.length);
    case 'sequence':
      return node.parts.map((part) => write(part, extra, variant)).join('');
    case 'choice':
      return write(node.parts[variant % node.parts.length]!, extra, Math.floor(variant / node.parts.length));
    case 'repeat': {
      let text = '';
      const count = Math.min(node.most, node.least + extra, longest);
      for (let index = 0; index < count && text.length <= longest; index++) text += write(node.part, extra > 34 ? 0 : extra, variant);
      return text;
    }
  }
}

class Unsupported extends Error {}

function parse(pattern: string): Node | undefined {
  const reader = new Reader(pattern);
  try {
    const node = reader.choice();
    return reader.isAtEnd ? node : undefined;
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
/** The characters a class or a dot may match, likeliest first. */
const printable = `${letters}${letters.toUpperCase()}${digits} _-.,:;/+*=?!@#$%&|<>()[]{}'"\`~^\\`;
const classes: Readonly<Record<string, string>> = {
  d: digits,
  w: `${letters}${letters.toUpperCase()}${digits}_`,
  s: ' ',
  D: without(digits),
  W: without(`${letters}${letters.toUpperCase()}${digits}_`),
  S: without(' '),
};
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };
const nothing: Node = { kind: 'sequence', parts: [] };

function without(excluded: string): string {
  return [...printable].filter((character) => !excluded.includes(character)).join('');
}

/** Parses the syntax of ECMAScript's regular expressions, as far as it determines what a text looks like. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  choice(): Node {
    const parts = [this.#sequence()];
    while (this.#skip('|')) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (!this.isAtEnd && this.#peek() !== '|' && this.#peek() !== ')') parts.push(this.#repeated(this.#single()));
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  #single(): Node {
    const character = this.#take();
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '.':
        return { kind: 'characters', choices: printable };
      case '^':
      case '$':
        return nothing;
      case '\\':
        return this.#escape();
      default:
        return { kind: 'characters', choices: character };
    }
  }

  #group(): Node {
    if (this.#skip('?') && !this.#skip(':')) {
      const name = /^P?<[A-Za-z_$][\w$]*>/.exec(this.#text.slice(this.#at));
      if (name === null) throw new Unsupported();
      this.#at += name[0].length;
    }
    const node = this.choice();
    if (!this.#skip(')')) throw new Unsupported();
    return node;
  }

  #repeated(part: Node): Node {
    const counts = /^\{(\d+)(,(\d*))?\}/.exec(this.#text.slice(this.#at, this.#at + 24));
    let range: readonly [number, number] | undefined;
    if (this.#skip('*')) range = [0, Number.POSITIVE_INFINITY];
    else if (this.#skip('+')) range = [1, Number.POSITIVE_INFINITY];
    else if (this.#skip('?')) range = [0, 1];
    else if (counts !== null) {
      this.#at += counts[0].length;
      const least = Number(counts[1]);
      range = [least, counts[2] === undefined ? least : counts[3] === '' ? Number.POSITIVE_INFINITY : Number(counts[3])];
    }
    if (range === undefined) return part;
    this.#skip('?');
    return { kind: 'repeat', part, least: range[0], most: range[1] };
  }

  #class(): Node {
    const isNegated = this.#skip('^');
    let choices = '';
    while (!this.#skip(']')) {
      const from = this.#classMember();
      const isRange = from.length === 1 && this.#peek() === '-' && this.#text[this.#at + 1] !== ']';
      if (!isRange) {
        choices += from;
        continue;
      }
      this.#take();
      const to = this.#classMember();
      if (to.length !== 1) throw new Unsupported();
      const last = Math.min(to.charCodeAt(0), from.charCodeAt(0) + 255);
      for (let code = from.charCodeAt(0); code <= last; code++) choices += String.fromCharCode(code);
    }
    const allowed = isNegated ? without(choices) : choices;
    if (allowed === '') throw new Unsupported();
    return { kind: 'characters', choices: allowed };
  }

  #classMember(): string {
    const character = this.#take();
    if (character !== '\\') return character;
    const node = this.#escape('class');
    if (node.kind !== 'characters') throw new Unsupported();
    return node.choices;
  }

  #escape(place: 'class' | 'outside' = 'outside'): Node {
    const character = this.#take();
    if (place === 'class' && character === 'b') return { kind: 'characters', choices: '\b' };
    if (character === 'b' || character === 'B') return nothing;
    if (Object.hasOwn(classes, character)) return { kind: 'characters', choices: classes[character]! };
    if (Object.hasOwn(controls, character)) return { kind: 'characters', choices: controls[character]! };
    if (character === 'p') return this.#property();
    const code = character === 'x' ? /^[0-9a-f]{2}/i : /^(?:[0-9a-f]{4}|\{[0-9a-f]{1,6}\})/i;
    const digits = character === 'x' || character === 'u' ? code.exec(this.#text.slice(this.#at, this.#at + 8)) : null;
    if (digits !== null) {
      this.#at += digits[0].length;
      const value = Number.parseInt(digits[0].replaceAll(/[{}]/g, ''), 16);
      if (value > 0xffff) throw new Unsupported();
      return { kind: 'characters', choices: String.fromCharCode(value) };
    }
    if (/[A-Za-z1-9]/.test(character)) throw new Unsupported();
    return { kind: 'characters', choices: character };
  }

  /** `\p{L}` and similar, for the categories of plain letters and digits. */
  #property(): Node {
    const name = /^\{(?:General_Category=|gc=)?([A-Za-z_]+)\}/.exec(this.#text.slice(this.#at, this.#at + 40));
    const samples: Readonly<Record<string, string>> = {
      L: letters,
      Letter: letters,
      Alphabetic: letters,
      Ll: letters,
      Lu: letters.toUpperCase(),
      N: digits,
      Nd: digits,
    };
    const choices = samples[name?.[1] ?? ''];
    if (name === null || choices === undefined) throw new Unsupported();
    this.#at += name[0].length;
    return { kind: 'characters', choices };
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #take(): string {
    const character = this.#text[this.#at++];
    if (character === undefined) throw new Unsupported();
    return character;
  }

  #skip(expected: string): boolean {
    if (this.#peek() !== expected) return false;
    this.#at++;
    return true;
  }
}
