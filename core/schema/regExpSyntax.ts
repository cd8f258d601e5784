/** The pattern uses something that no linear-time engine supports; the message names it. */
export class UnsupportedRegExp extends Error {
  override readonly name = 'UnsupportedRegExp';
}

/** Maximum repetitions in RE2, `x{1000}`. */
const mostRepeats = 1000;

/** `\s` of ECMAScript; RE2's own is ASCII only. */
const space = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const notSpace =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
const anything = '\\x{0}-\\x{10ffff}';

/**
 * Translates a regular expression of ECMAScript, as in JSON Schema's `pattern`, to the syntax of RE2, with the same meaning. Groups
 * lose their numbers and names, since only the existence of a match matters. The pattern must be valid ECMAScript, with or
 * without the `u` flag; it is read by code points, as with the flag.
 * @throws UnsupportedRegExp for lookaround, backreferences and repetition beyond 1000.
 */
export function toRe2Syntax(pattern: string): string {
  const source = new Source(pattern);
  let translated = '';
  while (!source.atEnd) translated += nextTerm(source);
  return translated;
}

/** The pattern as code points, read from left to right. */
class Source {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  get atEnd(): boolean {
    return this.#at >= this.#characters.length;
  }

  next(): string {
    return this.#characters[this.#at++] ?? '';
  }

  /** The next characters, as many as a token may have. */
  get ahead(): string {
    return this.#characters.slice(this.#at, this.#at + 80).join('');
  }

  /** Consumes the text that `wanted` (anchored at its start) matches at the current position, or nothing. */
  take(wanted: RegExp): RegExpExecArray | null {
    const match = wanted.exec(this.ahead);
    if (match) this.#at += [...match[0]].length;
    return match;
  }
}

function nextTerm(source: Source): string {
  const character = source.next();
  switch (character) {
    case '\\':
      return escapeOutside(source);
    case '[':
      return characterClass(source);
    case '(':
      return groupStart(source);
    case '.':
      return '[^\\n\\r\\x{2028}\\x{2029}]';
    case '{':
      return repetition(source);
    case '*':
    case '+':
    case '?':
    case '|':
    case ')':
    case '^':
    case '$':
      return character;
    default:
      return literal(character);
  }
}

function groupStart(source: Source): string {
  if (source.take(/^\?<?[=!]/)) {
    throw new UnsupportedRegExp('it looks ahead or behind (?= ?! ?<= ?<!), which takes more than linear time');
  }
  if (source.take(/^\?[a-z-]+:/)) throw new UnsupportedRegExp('it changes flags inside, which JSON Schema does not know');
  source.take(/^\?(?::|<[^>]*>)/);
  return '(?:';
}

function repetition(source: Source): string {
  const match = source.take(/^(\d+)(?:,(\d*))?\}/);
  if (!match) return literal('{');
  const [text, least, most = ''] = match;
  if (Number(least) > mostRepeats || Number(most) > mostRepeats) {
    throw new UnsupportedRegExp(`it repeats something more than ${mostRepeats} times; use minLength and maxLength for lengths`);
  }
  return `{${text}`;
}

/** An escape outside brackets, the backslash already read. */
function escapeOutside(source: Source): string {
  const simple = source.take(/^[bBdDwW]/);
  if (simple) return `\\${simple[0]}`;
  if (source.take(/^s/)) return `[${space}]`;
  if (source.take(/^S/)) return `[^${space}]`;
  return unicodeProperty(source) ?? literal(escapedCharacter(source));
}

/** The class after its opening bracket. Every member is written as a number, so that none has a special meaning. */
function characterClass(source: Source): string {
  const negated = source.take(/^\^/) !== null;
  let members = '';
  while (!source.take(/^\]/)) {
    const first = classMember(source);
    const range = typeof first === 'number' && source.take(/^-(?!\])/) !== null;
    if (!range) {
      members += typeof first === 'number' ? hex(first) : first;
      continue;
    }
    const last = classMember(source);
    // Without the u flag, `[a-\d]` is three members.
    members += typeof last === 'number' ? `${hex(first)}-${hex(last)}` : `${hex(first)}${hex(0x2d)}${last}`;
  }
  if (members === '') return negated ? `[${anything}]` : `[^${anything}]`;
  return `[${negated ? '^' : ''}${members}]`;
}

/** A code point, or the text of a set. */
function classMember(source: Source): number | string {
  const character = source.next();
  if (character !== '\\') return character.codePointAt(0) ?? 0;
  const simple = source.take(/^[dDwW]/);
  if (simple) return `\\${simple[0]}`;
  if (source.take(/^s/)) return space;
  if (source.take(/^S/)) return notSpace;
  if (source.take(/^b/)) return 8;
  return unicodeProperty(source) ?? escapedCharacter(source).codePointAt(0) ?? 0;
}

/** `\p{Script=Greek}` is `\p{Greek}` in RE2, which also knows categories by their short names only. */
function unicodeProperty(source: Source): string | undefined {
  const match = source.take(/^([pP])\{(?:(?:Script|sc|General_Category|gc)=)?([^}]*)\}/);
  if (!match) return undefined;
  const [, sign, name = ''] = match;
  return `\\${sign}{${categories.get(name) ?? name}}`;
}

const categories: ReadonlyMap<string, string> = new Map(
  [
    'L Letter, Lu Uppercase_Letter, Ll Lowercase_Letter, Lt Titlecase_Letter, Lm Modifier_Letter, Lo Other_Letter',
    'M Mark, Mn Nonspacing_Mark, Mc Spacing_Mark, Me Enclosing_Mark',
    'N Number, Nd Decimal_Number, Nl Letter_Number, No Other_Number',
    'P Punctuation, Pc Connector_Punctuation, Pd Dash_Punctuation, Ps Open_Punctuation, Pe Close_Punctuation',
    'Pi Initial_Punctuation, Pf Final_Punctuation, Po Other_Punctuation',
    'S Symbol, Sm Math_Symbol, Sc Currency_Symbol, Sk Modifier_Symbol, So Other_Symbol',
    'Z Separator, Zs Space_Separator, Zl Line_Separator, Zp Paragraph_Separator',
    'C Other, Cc Control, Cf Format, Co Private_Use',
  ]
    .flatMap((group) => group.split(', '))
    .map((pair) => pair.split(' ').reverse() as [string, string]),
);

/** The character that an escape stands for, the backslash already read. */
function escapedCharacter(source: Source): string {
  const pair = source.take(/^u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/);
  if (pair) return String.fromCharCode(Number.parseInt(pair[1] ?? '', 16), Number.parseInt(pair[2] ?? '', 16));
  const number = source.take(/^(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/);
  if (number) return String.fromCodePoint(Number.parseInt(number[1] ?? number[2] ?? number[3] ?? '', 16));
  const control = source.take(/^c([A-Za-z])/);
  if (control) return String.fromCharCode((control[1] ?? '').charCodeAt(0) % 32);
  if (source.take(/^0(?![0-9])/)) return '\0';
  if (source.take(/^(?:[0-9]|k<)/))
    throw new UnsupportedRegExp('it refers back to what a group matched, which takes more than linear time');
  const character = source.next();
  return controls.get(character) ?? character;
}

const controls: ReadonlyMap<string, string> = new Map([
  ['t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
]);

function literal(character: string): string {
  return /^[A-Za-z0-9_]$/.test(character) ? character : hex(character.codePointAt(0) ?? 0);
}

const hex = (codePoint: number) => `\\x{${codePoint.toString(16)}}`;
