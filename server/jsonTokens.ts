/** Punctuation by its character; `string` closed or not; `word` is any other run of characters. */
export type TokenType = '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'word' | 'comment' | 'end';

/** One token of a text that need not be JSON. Made once and moved along, since a text may have a million. */
export interface TokenReader {
  readonly type: TokenType;
  readonly start: number;
  readonly end: number;
  /** Of a string: whether its closing quote is there. */
  readonly closed: boolean;
  /** Moves to the first token at or after an offset. */
  read(from: number): void;
}

/**
 * Reads the tokens of a text as somebody means it who is still typing: a string ends with its line at the latest, and the commas and brackets
 * at the end of that line are not taken for text; a string right before a name, where none can be, has got the next string's opening quote for its end.
 */
export function readTokens(text: string): TokenReader {
  return new Reader(text);
}

/**
 * Whether a colon is the next token at or after an offset, comments left out. Asked of nearly every string of a text, so it looks at the
 * characters themselves.
 */
export function isColonNext(text: string, from: number): boolean {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  if (text.charCodeAt(at) !== 0x2f) return text.charCodeAt(at) === 0x3a;
  const token = readTokens(text);
  for (token.read(at); token.type === 'comment'; token.read(token.end));
  return token.type === ':';
}

class Reader implements TokenReader {
  type: TokenType = 'end';
  start = 0;
  end = 0;
  closed = false;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  read(from: number): void {
    const { text } = this;
    let at = from;
    while (isSpace(text.charCodeAt(at))) at += 1;
    this.start = at;
    if (at >= text.length) {
      this.type = 'end';
      this.end = text.length;
      this.start = text.length;
      return;
    }
    const unit = text.charCodeAt(at);
    if (unit === 0x22) {
      this.readString(at);
      return;
    }
    const type = punctuation[unit];
    if (type !== undefined) {
      this.type = type;
      this.end = at + 1;
    } else if (unit === 0x2f && (text.charCodeAt(at + 1) === 0x2f || text.charCodeAt(at + 1) === 0x2a)) this.readComment(at);
    else this.readWord(at);
  }

  private readString(start: number): void {
    const { text } = this;
    this.type = 'string';
    let at = start + 1;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 0x22) {
        this.closed = true;
        this.end = at + 1;
        if (isWord(text.charCodeAt(this.end))) this.endBeforeNext(at);
        return;
      }
      if (unit === 0x0a || unit === 0x0d) break;
      if (unit !== 0x5c) continue;
      const next = text.charCodeAt(at + 1);
      if (next !== 0x0a && next !== 0x0d) at += 1;
    }
    this.endOpen(Math.min(at, text.length));
  }

  /** `{"a": ", "b": 1}`: what ends with punctuation before the quote was left open. */
  private endBeforeNext(quote: number): void {
    const { text, start } = this;
    let end = quote;
    while (end > start + 1 && (isDelimiter(text.charCodeAt(end - 1)) || text.charCodeAt(end - 1) === 0x3a)) end -= 1;
    if (end === quote) return;
    this.closed = false;
    this.end = end;
  }

  private endOpen(limit: number): void {
    this.closed = false;
    let end = limit;
    while (end > this.start + 1 && isDelimiter(this.text.charCodeAt(end - 1))) end -= 1;
    this.end = end;
  }

  private readComment(start: number): void {
    const { text } = this;
    this.type = 'comment';
    if (text.charCodeAt(start + 1) === 0x2a) {
      const close = text.indexOf('*/', start + 2);
      this.end = close < 0 ? text.length : close + 2;
      return;
    }
    let at = start;
    while (at < text.length && text.charCodeAt(at) !== 0x0a && text.charCodeAt(at) !== 0x0d) at += 1;
    this.end = at;
  }

  private readWord(start: number): void {
    const { text } = this;
    this.type = 'word';
    let at = start + 1;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 0x22 || isSpace(unit) || punctuation[unit] !== undefined) break;
    }
    this.end = at;
  }
}

const punctuation: readonly (TokenType | undefined)[] = (() => {
  const table: (TokenType | undefined)[] = new Array(128).fill(undefined);
  for (const type of ['{', '}', '[', ']', ',', ':'] as const) table[type.charCodeAt(0)] = type;
  return table;
})();

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function isDelimiter(unit: number): boolean {
  return isSpace(unit) || unit === 0x2c || unit === 0x7d || unit === 0x5d;
}

function isWord(unit: number): boolean {
  return (0x61 <= unit && unit <= 0x7a) || (0x41 <= unit && unit <= 0x5a) || unit === 0x5f || unit === 0x24;
}
