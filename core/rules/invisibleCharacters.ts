import { pointerOf } from '../json.js';
import { quoted } from '../words.js';
import { visitStrings } from './facts/visitStrings.js';
import type { Rule } from './rule.js';

/**
 * Zero-width, direction-changing and tag characters: a model reads what no reviewer sees. Keys are checked too, since a key that only looks
 * like a field is worse than any text. Payloads are data, and skipped.
 */
export const invisibleCharacters: Rule = {
  code: 'invisible-characters',
  severity: 'warning',
  kinds: ['agent', 'persona', 'llm', 'prompt', 'system', 'mcp', 'rootMcp', 'vscodeMcp', 'lock', 'orchestration'],
  on: 'value',
  check({ text, value }, _context, report) {
    // A BOM at the start of the file is allowed; an escape can stand for any character.
    if (!mayHoldInvisible(text.startsWith('\uFEFF') ? text.slice(1) : text) && !text.includes('\\u')) return;
    visitStrings(value, (string, half, segments) => {
      for (const run of findInvisible(string)) {
        const place = half === 'key' ? { target: 'key' as const } : { within: { start: run.start, end: run.end } };
        const codes = run.codePoints.slice(0, 50).map((codePoint) => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`);
        report({
          pointer: pointerOf(...segments()),
          ...place,
          message: messageFor(run),
          data: { codes, start: run.start, end: run.end },
        });
      }
    });
  },
};

function messageFor(run: Invisible): string {
  const [first = 0] = run.codePoints;
  const count = run.codePoints.length;
  const hidden = hiddenText(run);
  const what = count === 1 ? `An invisible character: ${nameOf(first)}` : `${count} invisible characters, the first ${nameOf(first)}`;
  return `${what}.${hidden === '' ? '' : ` A model may read ${quoted(hidden)} here.`} Remove ${count === 1 ? 'it' : 'them'}.`;
}

/** A run of characters that show nothing, or that change the order in which others show. */
interface Invisible {
  /** UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Code points, in order. */
  readonly codePoints: readonly number[];
}

/** Whether a text may hold any: nearly free for ASCII text. */
function mayHoldInvisible(text: string): boolean {
  return text.includes('\u00ad') || suspicious.test(text);
}

/**
 * Runs of invisible characters without a legitimate use. Legitimate are joiners between emoji
 * and in scripts that need them, direction marks in right-to-left text, line-break hints in scripts without spaces, flags made
 * of tags, and variation selectors after the character that they vary.
 */
export function findInvisible(text: string): readonly Invisible[] {
  if (!mayHoldInvisible(text)) return [];
  const runs: { start: number; end: number; codePoints: number[] }[] = [];
  const isRightToLeft = rightToLeft.test(text);
  for (const { 0: character, index } of text.matchAll(each)) {
    if (isLegitimate(text, index, character, isRightToLeft)) continue;
    const codePoint = character.codePointAt(0) ?? 0;
    const last = runs.at(-1);
    if (last?.end === index) {
      last.end += character.length;
      last.codePoints.push(codePoint);
    } else if (runs.length === mostRuns) break;
    else runs.push({ start: index, end: index + character.length, codePoints: [codePoint] });
  }
  return runs;
}

/** Maximum runs in a text. More would not help the reader, and a text may consist of nothing else. */
const mostRuns = 200;

/** `U+200B ZERO WIDTH SPACE`, by the names of the Unicode standard. */
export function nameOf(codePoint: number): string {
  const code = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = names.get(codePoint);
  if (name !== undefined) return `${code} ${name}`;
  if (isTag(codePoint)) {
    if (codePoint === cancelTag) return `${code} CANCEL TAG`;
    const letter = String.fromCharCode(codePoint - tagStart);
    return `${code} TAG ${/[!-~]/.test(letter) ? letter : codePoint === tagStart + 0x20 ? 'SPACE' : 'CHARACTER'}`;
  }
  if (0xfe00 <= codePoint && codePoint <= 0xfe0f) return `${code} VARIATION SELECTOR-${codePoint - 0xfe00 + 1}`;
  if (0xe0100 <= codePoint && codePoint <= 0xe01ef) return `${code} VARIATION SELECTOR-${codePoint - 0xe0100 + 17}`;
  return code;
}

/** The text that a run of tag characters spells to a model; may be empty. */
export function hiddenText({ codePoints }: Invisible): string {
  const letters = codePoints.filter((codePoint) => tagStart + 0x20 <= codePoint && codePoint < cancelTag);
  return letters.map((codePoint) => String.fromCharCode(codePoint - tagStart)).join('');
}

const names: ReadonlyMap<number, string> = new Map([
  [0x00ad, 'SOFT HYPHEN'],
  [0x034f, 'COMBINING GRAPHEME JOINER'],
  [0x061c, 'ARABIC LETTER MARK'],
  [0x115f, 'HANGUL CHOSEONG FILLER'],
  [0x1160, 'HANGUL JUNGSEONG FILLER'],
  [0x17b4, 'KHMER VOWEL INHERENT AQ'],
  [0x17b5, 'KHMER VOWEL INHERENT AA'],
  [0x180e, 'MONGOLIAN VOWEL SEPARATOR'],
  [0x200b, 'ZERO WIDTH SPACE'],
  [0x200c, 'ZERO WIDTH NON-JOINER'],
  [0x200d, 'ZERO WIDTH JOINER'],
  [0x200e, 'LEFT-TO-RIGHT MARK'],
  [0x200f, 'RIGHT-TO-LEFT MARK'],
  [0x202a, 'LEFT-TO-RIGHT EMBEDDING'],
  [0x202b, 'RIGHT-TO-LEFT EMBEDDING'],
  [0x202c, 'POP DIRECTIONAL FORMATTING'],
  [0x202d, 'LEFT-TO-RIGHT OVERRIDE'],
  [0x202e, 'RIGHT-TO-LEFT OVERRIDE'],
  [0x2060, 'WORD JOINER'],
  [0x2061, 'FUNCTION APPLICATION'],
  [0x2062, 'INVISIBLE TIMES'],
  [0x2063, 'INVISIBLE SEPARATOR'],
  [0x2064, 'INVISIBLE PLUS'],
  [0x2066, 'LEFT-TO-RIGHT ISOLATE'],
  [0x2067, 'RIGHT-TO-LEFT ISOLATE'],
  [0x2068, 'FIRST STRONG ISOLATE'],
  [0x2069, 'POP DIRECTIONAL ISOLATE'],
  [0x206a, 'INHIBIT SYMMETRIC SWAPPING'],
  [0x206b, 'ACTIVATE SYMMETRIC SWAPPING'],
  [0x206c, 'INHIBIT ARABIC FORM SHAPING'],
  [0x206d, 'ACTIVATE ARABIC FORM SHAPING'],
  [0x206e, 'NATIONAL DIGIT SHAPES'],
  [0x206f, 'NOMINAL DIGIT SHAPES'],
  [0x3164, 'HANGUL FILLER'],
  [0xfeff, 'ZERO WIDTH NO-BREAK SPACE'],
  [0xffa0, 'HALFWIDTH HANGUL FILLER'],
  [0xfff9, 'INTERLINEAR ANNOTATION ANCHOR'],
  [0xfffa, 'INTERLINEAR ANNOTATION SEPARATOR'],
  [0xfffb, 'INTERLINEAR ANNOTATION TERMINATOR'],
]);

const characters =
  '\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb';

/** By UTF-16 units, so that the engine can rule out a one-byte text at once. Tags and late variation selectors begin with the unit DB40. */
const suspicious = new RegExp(`[${characters}]|\\udb40`);
const each = new RegExp(`[\\u00ad${characters}]|[\\u{e0000}-\\u{e007f}]|[\\u{e0100}-\\u{e01ef}]`, 'gu');

const tagStart = 0xe0000;
const cancelTag = 0xe007f;
const blackFlag = '\u{1f3f4}';

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Scripts in which joiners choose the form of a letter. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** Scripts written without spaces, where a zero-width space marks a possible line break. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Javanese}]/u;
const hangul = /\p{Script=Hangul}/u;

function isLegitimate(text: string, index: number, character: string, isRightToLeft: boolean): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  const before = characterBefore(text, index);
  const after = characterAt(text, index + character.length);
  if (isTag(codePoint)) return isFlag(text, index);
  if (0xe0100 <= codePoint) return /\p{Script=Han}/u.test(before);
  if (0xfe00 <= codePoint && codePoint <= 0xfe0f) return /[^\p{ASCII}\p{Default_Ignorable_Code_Point}]|[0-9#*]/u.test(before);
  switch (codePoint) {
    case 0x200d:
      return joining.test(before) || joining.test(after) || (isEmojiEnd(text, index) && /\p{Extended_Pictographic}/u.test(after));
    case 0x200c:
      return joining.test(before) || joining.test(after);
    case 0x200b:
      return unspaced.test(before) && unspaced.test(after);
    case 0x061c:
    case 0x200e:
    case 0x200f:
    case 0x2066:
    case 0x2067:
    case 0x2068:
    case 0x2069:
    case 0x202a:
    case 0x202b:
    case 0x202c:
      return isRightToLeft;
    case 0x180e:
      return /\p{Script=Mongolian}/u.test(before);
    case 0x115f:
    case 0x1160:
      return hangul.test(before) || hangul.test(after);
    case 0x17b4:
    case 0x17b5:
      return /\p{Script=Khmer}/u.test(before);
    default:
      return false;
  }
}

/** An emoji with its modifiers. */
function isEmojiEnd(text: string, index: number): boolean {
  let at = index;
  let character = characterBefore(text, at);
  while (/^[\ufe0f\u20e3\u{1f3fb}-\u{1f3ff}]$/u.test(character)) {
    at -= character.length;
    character = characterBefore(text, at);
  }
  return /\p{Extended_Pictographic}/u.test(character);
}

/** Tags after a black flag, up to a cancel tag, make a flag such as that of Scotland: at most six letters or digits. */
function isFlag(text: string, index: number): boolean {
  let start = index;
  for (let step = 0; step < 8 && isTag(characterBefore(text, start).codePointAt(0) ?? 0); step++) start -= 2;
  if (characterBefore(text, start) !== blackFlag) return false;
  return /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}/u.test(text.slice(start, start + 14));
}

function isTag(codePoint: number): boolean {
  return tagStart <= codePoint && codePoint <= cancelTag;
}

function characterBefore(text: string, index: number): string {
  const unit = text.charCodeAt(index - 1);
  const isLow = 0xdc00 <= unit && unit <= 0xdfff;
  return text.slice(Math.max(0, index - (isLow ? 2 : 1)), index);
}

function characterAt(text: string, index: number): string {
  const codePoint = text.codePointAt(index);
  return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
}
