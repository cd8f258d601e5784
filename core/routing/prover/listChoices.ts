import type { Json } from '../../json.js';
import { isEqual, isUnique } from '../../jsonText/jsonCompare.js';
import { listIndex } from '../fieldAt.js';
import { equals } from '../operators/equals.js';
import { meets } from '../operators/operator.js';
import type { ListPart } from './domain.js';
import {
  type Atom,
  anyGuess,
  type ChoiceContext,
  type Choices,
  type Chooser,
  type Guess,
  landmarksOf,
  noQuestion,
  type Question,
} from './question.js';

/** Shorter lists of listed values are all written out, up to this many. */
const mostLists = 300;
/** More compared items than this are not distinguished. */
const mostItems = 6;

/** Lists: all of them if they are few, otherwise one for each set of the compared items. */
export function chooseLists(chooser: Chooser, part: ListPart, question: Question): Choices {
  const all = everyList(chooser, part);
  if (all !== undefined) return { values: all, guesses: [], complete: true };
  // Conditions on a single place of a longer list are not decided beside others; a list has no other fields.
  if ([...question.children.keys()].some((key) => listIndex.test(key))) return { values: [], guesses: [anyGuess] };

  const landmarks = uniqueValues(question.atoms.flatMap(({ cut }) => (cut.part === undefined ? [] : [cut.part]))).filter(
    (item) => chooser.fits(part.items, item) !== false,
  );
  const whole = landmarksOf(question).filter((value) => Array.isArray(value) && value.length > 0);
  if (landmarks.length > mostItems) return { values: whole, guesses: [anyGuess] };
  const values: Json[] = [...whole];
  // Lists equal to a compared one have their own answers; which of the other lists exist is not computed.
  const guesses: Guess[] = whole.length > 0 ? [anyGuess] : [];
  const filler = otherItem(chooser, part.items, landmarks);
  for (let set = 0; set < 1 << landmarks.length; set++) {
    const held = landmarks.filter((_, index) => set & (1 << index));
    if (held.length > part.maxItems) continue;
    if (set === 0 && part.minItems === 0) values.push([]);
    const list = padded(held.length === 0 && filler.value !== undefined ? [filler.value] : held, part, filler.value);
    if (list !== undefined && list.length <= part.maxItems) values.push(list);
    else if ((set !== 0 || filler.value !== undefined || !filler.sure) && part.maxItems > 0) guesses.push(guessFor(question, held));
  }
  return { values, guesses };
}

export function everyList({ domain, fits }: ChoiceContext, { items, minItems, maxItems, unique }: ListPart): readonly Json[] | undefined {
  if (maxItems > 8) return undefined;
  const { parts } = domain(items);
  if (!parts.every((part) => part.type === 'values')) return undefined;
  const values = parts.flatMap((part) => (part.type === 'values' ? part.values : [])).filter((value) => fits(items, value) !== false);
  const lists: Json[][] = [[]];
  for (let start = 0, length = 1; length <= maxItems; length++) {
    const end = lists.length;
    if (end + (end - start) * values.length > mostLists) return undefined;
    for (; start < end; start++) for (const value of values) lists.push([...(lists[start] as Json[]), value]);
  }
  return lists.filter((list) => list.length >= minItems && (!unique || isUnique(list)));
}

/** An item other than the compared ones; `sure`: if undefined, no such item exists. */
function otherItem(chooser: Chooser, items: Json, landmarks: readonly Json[]): { value: Json | undefined; sure: boolean } {
  const atoms: Atom[] = landmarks.map((expected) => ({ segments: [], operator: equals, expected, cut: equals.cut(expected) }));
  const { values, guesses } = chooser.choose(landmarks.length === 0 ? noQuestion : { atoms, children: new Map() }, items, false);
  const value = values.find((candidate) => candidate !== undefined && !landmarks.some((item) => isEqual(item, candidate)));
  return { value, sure: guesses.length === 0 };
}

function padded(held: readonly Json[], { minItems, unique }: ListPart, filler: Json | undefined): Json[] | undefined {
  const list = [...held];
  if (list.length === 0) return undefined;
  const isFree = filler !== undefined && !held.some((item) => isEqual(item, filler));
  if (list.length < minItems && isFree) list.push(filler);
  if (list.length < minItems && (unique || minItems > 1_000)) return undefined;
  while (list.length < minItems) list.push(list[0] as Json);
  return list;
}

function guessFor({ atoms }: Question, held: readonly Json[]): Guess {
  const guess = new Map<Atom, boolean>();
  for (const atom of atoms) {
    const { part } = atom.cut;
    if (part !== undefined) guess.set(atom, held.some((item) => isEqual(item, part)) !== (atom.cut.negated === true));
    else if (atom.cut.named === undefined) {
      const answer = meets(atom.operator, [null], atom.expected);
      if (answer !== undefined) guess.set(atom, answer);
    }
  }
  return guess;
}

function uniqueValues(values: readonly Json[]): readonly Json[] {
  return values.filter((value, index) => values.findIndex((other) => isEqual(other, value)) === index);
}
