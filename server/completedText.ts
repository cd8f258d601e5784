import { createScanner, type ScanError } from 'jsonc-parser';
import { maxDepth } from '../core/jsonText/jsonShape.js';

/** A text completed with the quotes, brackets and commas that are not typed yet. */
export interface CompletedText {
  readonly text: string;
  /** Where in the original text an offset of the completed one is. */
  toOriginal(offset: number): number;
  /** Offsets in the original text where objects, lists and strings without an end begin. */
  readonly open: ReadonlySet<number>;
}

/**
 * Inserts what is not typed yet. On anything unexpected, the JSON parser skips to the next comma or bracket, and so loses members that are
 * written out; in the completed text it finds them all:
 * - A string ends with its line at the latest, before the commas and brackets at the end of the line.
 * - A closing bracket closes the brackets that were opened inside. One that closes nothing is blanked out.
 * - There is a comma before each key, and a list ends before a key of the object around it.
 *
 * @returns undefined for a text that is nested more deeply than a config may be
 */
export function completeText(text: string): CompletedText | undefined {
  const scanner = createScanner(text, true);
  const edits: Edit[] = [];
  const open = new Set<number>();
  const brackets: Bracket[] = [];
  const insert = (at: number, inserted: string) => edits.push({ start: at, end: at, text: inserted });
  const blank = (at: number) => edits.push({ start: at, end: at + 1, text: ' ' });
  /** The closing brackets of everything opened since; it ends at `at`. */
  const closeAbove = (level: number, at: number) => {
    for (const { start, closing } of brackets.splice(level).reverse()) {
      open.add(start);
      insert(at, closing);
    }
  };
  let before: Token | undefined;
  let last: Token | undefined;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const start = scanner.getTokenOffset();
    let end = start + scanner.getTokenLength();
    const sign = text.charAt(start);
    switch (sign) {
      case '\ufeff':
        blank(start);
        continue;
      case '{':
      case '[':
        brackets.push({ start, closing: sign === '{' ? '}' : ']' });
        if (brackets.length > maxDepth) return undefined;
        break;
      case '}':
      case ']': {
        const level = brackets.findLastIndex(({ closing }) => closing === sign);
        if (level < 0) {
          blank(start);
          continue;
        }
        closeAbove(level + 1, start);
        brackets.pop();
        break;
      }
      case '"': {
        const missingAt = missingQuote(text, start, end, scanner.getTokenError() === unterminated);
        if (missingAt === undefined) break;
        end = missingAt;
        open.add(start);
        insert(end, '"');
        scanner.setPosition(end);
        break;
      }
      case ':': {
        if (last === undefined || before === undefined || /[{}[\],:]/.test(last.sign)) break;
        const around = brackets.findLastIndex(({ closing }) => closing === '}');
        if (around >= 0) closeAbove(around + 1, last.start);
        if (before.sign !== '{' && before.sign !== ',') insert(before.end, ',');
        break;
      }
      default:
    }
    before = last;
    last = { sign, start, end };
  }
  if (brackets.length > 0 && !/[\r\n]$/.test(text)) insert(text.length, '\n');
  closeAbove(0, text.length);
  return { ...applied(text, edits), open };
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Bracket {
  readonly start: number;
  readonly closing: '}' | ']';
}

interface Token {
  /** Its first character. */
  readonly sign: string;
  readonly start: number;
  readonly end: number;
}

/** `ScanError.UnexpectedEndOfString`, which is a const enum. */
const unterminated: ScanError = 2;

/**
 * Where the closing quote of a string belongs; undefined when it exists. A quote right before a word opens the next string, and so does not
 * close this one: `{"a": ", "b": 1}`.
 */
function missingQuote(text: string, start: number, end: number, isUnterminated: boolean): number | undefined {
  if (!isUnterminated && !/[A-Za-z_$]/.test(text.charAt(end))) return undefined;
  const last = isUnterminated ? end : end - 1;
  const delimiter = isUnterminated ? /[\s,}\]]/ : /[\s,}\]:]/;
  let at = last;
  while (at > start + 1 && delimiter.test(text.charAt(at - 1))) at -= 1;
  return isUnterminated || at < last ? at : undefined;
}

function applied(text: string, edits: readonly Edit[]): Pick<CompletedText, 'text' | 'toOriginal'> {
  if (edits.length === 0) return { text, toOriginal: (offset) => offset };
  const parts: string[] = [];
  /** Offsets in the completed text at which something is inserted. */
  const inserted: number[] = [];
  let copied = 0;
  let length = 0;
  for (const edit of edits.toSorted((left, right) => left.start - right.start)) {
    parts.push(text.slice(copied, edit.start), edit.text);
    length += edit.start - copied + edit.text.length;
    copied = edit.end;
    if (edit.end === edit.start) inserted.push(length - 1);
  }
  parts.push(text.slice(copied));
  return { text: parts.join(''), toOriginal: (offset) => offset - countBelow(inserted, offset) };
}

/** How many of the ascending numbers are below a limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
