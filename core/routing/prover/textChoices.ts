import { isShorter } from '../../jsonText/jsonCompare.js';
import { meets } from '../operators/operator.js';
import type { StringPart } from './domain.js';
import { type Atom, anyGuess, type Choices, type Chooser, type Guess, isLandmark, landmarksOf, type Question } from './question.js';
import { areDisjoint } from './simplePattern.js';

/** Something a text can contain or match; any number of traits may hold at once. */
interface Trait {
  readonly holds: (text: string) => boolean;
  /** A text that likely has it. */
  readonly sample: string;
  readonly part: string | undefined;
  readonly pattern: string | undefined;
}

/** More traits than this are not distinguished. */
const mostTraits = 6;
const fillers = ['other', 'x', 'y', '~', 'another text'];

/** Every compared text, and one text for each set of traits (`contains`, `matches`) that some other text might have. */
export function chooseTexts(chooser: Chooser, part: StringPart, question: Question): Choices {
  const landmarks = landmarksOf(question).filter((value) => typeof value === 'string');
  const isLong = (text: string) =>
    !isShorter(text, part.minLength) && (part.maxLength === Number.POSITIVE_INFINITY || isShorter(text, part.maxLength + 1));
  const values: string[] = [...new Set(landmarks)].filter(isLong);
  const { traits, traitOf } = traitsOf(question, chooser);
  if (traits.length > mostTraits) return { values, guesses: [anyGuess] };

  const samples = new Map<number, string>();
  for (const text of candidates(traits, part)) {
    if (!isLong(text) || isLandmark(text, landmarks)) continue;
    const held = traits.reduce((set, trait, index) => (trait.holds(text) ? set | (1 << index) : set), 0);
    if (!samples.has(held)) samples.set(held, text);
    if (samples.size === 1 << traits.length) break;
  }
  const guesses: Guess[] = [];
  for (let held = 0; held < 1 << traits.length; held++) {
    if (isImpossible(traits, held, part)) continue;
    const text = samples.get(held);
    if (text !== undefined) values.push(text);
    else guesses.push(guessFor(question, traitOf, held, chooser));
  }
  return { values, guesses };
}

function traitsOf({ atoms }: Question, { patterns }: Chooser): { traits: readonly Trait[]; traitOf: ReadonlyMap<Atom, number> } {
  const traits: Trait[] = [];
  const numbers = new Map<string, number>();
  const traitOf = new Map<Atom, number>();
  for (const atom of atoms) {
    const { part, pattern } = atom.cut;
    const key = typeof part === 'string' ? `part ${part}` : `pattern ${pattern}`;
    if (typeof part !== 'string' && (pattern === undefined || patterns === undefined)) continue;
    let number = numbers.get(key);
    if (number === undefined) {
      number = traits.length;
      numbers.set(key, number);
      if (typeof part === 'string') traits.push({ holds: (text) => text.includes(part), sample: part, part, pattern: undefined });
      else {
        const compiled = patterns?.(pattern as string);
        traits.push({
          holds: (text) => compiled?.ok === true && compiled.test(text),
          sample: literalOf(pattern as string),
          part: undefined,
          pattern,
        });
      }
    }
    traitOf.set(atom, number);
  }
  return { traits, traitOf };
}

/** Texts to try: the samples of each set of traits, joined in some ways, alone and beside other text. */
function* candidates(traits: readonly Trait[], { minLength, samples }: StringPart): Generator<string> {
  const padded = (text: string) => text.padEnd(Math.min(minLength, 1_000), 'x');
  for (const filler of [...fillers, ...samples]) yield padded(filler);
  for (let index = 0; index < 16; index++) yield padded(`other ${index}`);
  for (let code = 97; code < 123; code++) yield padded(String.fromCharCode(code));
  for (let set = 1; set < 1 << traits.length; set++) {
    const chosen = traits.filter((_, index) => set & (1 << index)).map(({ sample }) => sample);
    for (const joint of ['', ' ', '~']) {
      const text = chosen.join(joint);
      yield* [padded(text), padded(`${text}~`), padded(`~${text}`), padded(`${text} x`), chosen.toReversed().join(joint)];
    }
  }
}

/** No text holds a long part without the shorter one inside it, more than fits into its length, or what its pattern leaves out. */
function isImpossible(traits: readonly Trait[], held: number, { maxLength, pattern: ofAll }: StringPart): boolean {
  const has = (index: number) => (held & (1 << index)) !== 0;
  if (!mayMatch(traits, has, ofAll)) return true;
  const parts = traits.filter(({ part }, index) => part !== undefined && has(index)).map(({ part }) => part as string);
  if (parts.some((part) => !isShorter(part, maxLength + 1) && maxLength !== Number.POSITIVE_INFINITY)) return true;
  return traits.some(({ part }, index) => part !== undefined && !has(index) && (part === '' || parts.some((held) => held.includes(part))));
}

function guessFor({ atoms }: Question, traitOf: ReadonlyMap<Atom, number>, held: number, { patterns }: Chooser): Guess {
  const guess = new Map<Atom, boolean>();
  for (const atom of atoms) {
    const trait = traitOf.get(atom);
    // A text that no condition compares with: every whole value differs from it.
    const answer =
      trait === undefined
        ? meets(atom.operator, '\u0000', atom.expected, patterns)
        : ((held & (1 << trait)) !== 0) !== (atom.cut.negated === true);
    if (answer !== undefined) guess.set(atom, answer);
  }
  return guess;
}

/** The letters of a regular expression without its signs: often a text that matches. */
function literalOf(pattern: string): string {
  return (
    pattern
      .replace(/\\([^\w])/g, '$1')
      .replace(/^\^|\$$|\(\?:|[()]|[+*?](?!\w)/g, '')
      .split('|')[0] ?? ''
  );
}

/** Whether one text may match all patterns that are held and none of the others, as far as their beginnings tell, or their only class of characters. */
function mayMatch(traits: readonly Trait[], has: (index: number) => boolean, ofAll: string | undefined): boolean {
  const patterns = traits.flatMap(({ pattern }, index) => (pattern !== undefined && has(index) ? [pattern] : []));
  const matched = ofAll === undefined ? patterns : [...patterns, ofAll];
  if (matched.some((pattern, index) => matched.slice(index + 1).some((other) => areDisjoint(pattern, other)))) return false;
  const beginnings = matched.map((pattern) => beginningOf(pattern).text);
  const longest = beginnings.reduce((one, other) => (other.length > one.length ? other : one), '');
  if (!beginnings.every((beginning) => longest.startsWith(beginning))) return false;
  return !traits.some(({ pattern }, index) => {
    if (pattern === undefined || has(index)) return false;
    const { text, isAll } = beginningOf(pattern);
    return matched.includes(pattern) || (isAll && text !== '' && longest.startsWith(text));
  });
}

/** The letters with which every text begins that a regular expression matches, and whether any text that begins so matches. */
function beginningOf(pattern: string): { readonly text: string; readonly isAll: boolean } {
  const [whole = '', letters = ''] = /^\^((?:[\w \-:/@#%&=,;"'~!]|\\[^\w\s])*)/.exec(pattern) ?? [];
  const afterLetters = pattern.slice(whole.length);
  // Of alternatives each begins in its own way, and what may be repeated may be left out.
  if (whole === '' || pattern.includes('|')) return { text: '', isAll: false };
  const text = letters.replace(/\\(.)/g, '$1');
  return /^[?*{]/.test(afterLetters) ? { text: text.slice(0, -1), isAll: false } : { text, isAll: afterLetters === '' };
}
