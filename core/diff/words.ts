import { type DiffLine, diffLines, stretchesOf } from '../diffLines.js';
import { coverSecrets } from '../secrets/secretPatterns.js';
import type { DiffHunk, DiffWord } from './types.js';

/** Words around a change. */
const contextWords = 8;
const mostHunks = 40;
/** Lines with more different words are shown as rewritten. */
const mostDifferentWords = 300;
/** So are those that keep less than this share of their words. */
const leastKept = 1 / 3;

/** How the words of a text changed. */
export interface WordDiff {
  readonly hunks: readonly DiffHunk[];
  readonly more_hunks: number;
  /** Where new words begin and end in the text after, and removed ones in the text before; UTF-16 units. */
  readonly added: readonly Range[];
  readonly removed: readonly Range[];
}

type Range = readonly [start: number, end: number];

/** Line by line first, and inside of the changed lines word by word. Secrets are covered. @param context words around a change */
export function diffWords(before: string, after: string, context = contextWords): WordDiff {
  const words: DiffLine[] = [];
  let [old, current] = ['', ''];
  const flush = () => {
    words.push(...wordsOfLines(old, current));
    [old, current] = ['', ''];
  };
  for (const { mark, text } of diffLines(linesOf(coverSecrets(before)), linesOf(coverSecrets(after)))) {
    if (mark === '-') old += text;
    else if (mark === '+') current += text;
    else {
      flush();
      words.push(...wordsOf(text).map((word): DiffLine => ({ mark: ' ', text: word })));
    }
  }
  flush();
  const stretches = stretchesOf(words, context);
  const hunks = stretches.slice(0, mostHunks).map(({ start, end }) => ({ words: joined(words.slice(start, end)) }));
  return { hunks, more_hunks: stretches.length - hunks.length, added: rangesOf(words, '+'), removed: rangesOf(words, '-') };
}

/** Between unchanged lines, as many after as before are changed one by one. */
function wordsOfLines(before: string, after: string): readonly DiffLine[] {
  const [lines, others] = [linesOf(before), linesOf(after)];
  if (lines.length > 1 && lines.length === others.length) return lines.flatMap((line, index) => wordsOfLines(line, others[index] ?? ''));
  const [old, current] = [wordsOf(before), wordsOf(after)];
  const words = diffLines(old, current, mostDifferentWords);
  const isWord = (text: string) => /[\p{L}\p{N}]/u.test(text);
  const kept = words.filter(({ mark, text }) => mark === ' ' && isWord(text)).length;
  if (kept >= Math.min(old.filter(isWord).length, current.filter(isWord).length) * leastKept) return words;
  return [...old.map((text): DiffLine => ({ mark: '-', text })), ...current.map((text): DiffLine => ({ mark: '+', text }))];
}

/** Each with its line break, which may be missing at the end. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * The words of a text, each with the white space before it; line breaks, brackets around a word and punctuation after it are words too, and so is
 * each character of a script without spaces.
 */
function wordsOf(text: string): readonly string[] {
  return (text.match(word) ?? []).flatMap((whole) => {
    let [start, end] = [0, whole.length];
    while (end > 1 && ',.;:!?)]'.includes(whole.charAt(end - 1))) end -= 1;
    while (start < end - 1 && /[\s([]/.test(whole.charAt(start))) start += 1;
    // White space alone stays with its word.
    if (whole.slice(0, start).trim() === '') start = 0;
    return [whole.slice(0, start), whole.slice(start, end), whole.slice(end)].filter((part) => part !== '');
  });
}

const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}`;
/** Longer words are cut, so that a change in one that is a whole file is found. */
const word = new RegExp(`[^\\S\\n]*(?:[${unspaced}]|[^\\s${unspaced}]{1,80}|\\n)|[^\\S\\n]+`, 'gu');

/** Neighbours of one mark as one; between unchanged words, what was removed comes before what was added. */
function joined(words: readonly DiffLine[]): readonly DiffWord[] {
  const runs: DiffWord[] = [];
  let [removed, added, same] = ['', '', ''];
  const flush = () => {
    if (same !== '') runs.push({ mark: ' ', text: same });
    if (removed !== '') runs.push({ mark: '-', text: removed });
    if (added !== '') runs.push({ mark: '+', text: added });
    [removed, added, same] = ['', '', ''];
  };
  for (const { mark, text } of words) {
    if (mark === '-') removed += text;
    else if (mark === '+') added += text;
    else {
      if (removed !== '' || added !== '') flush();
      same += text;
    }
  }
  flush();
  return runs;
}

function rangesOf(words: readonly DiffLine[], wanted: '+' | '-'): readonly Range[] {
  const ranges: Range[] = [];
  let at = 0;
  for (const { mark, text } of words) {
    if (mark !== ' ' && mark !== wanted) continue;
    if (mark === wanted) ranges.push([at, at + text.length]);
    at += text.length;
  }
  return ranges;
}
