import type { Json } from '../../json.js';
import { isScalar } from '../../jsonText/jsonCompare.js';
import { fieldAt } from '../fieldAt.js';
import { meets } from '../operators/operator.js';
import type { Patterns } from '../patterns.js';
import type { Part } from './domain.js';
import { chooseLists } from './listChoices.js';
import { chooseNumbers } from './numberChoices.js';
import { chooseObjects } from './objectChoices.js';
import {
  type Atom,
  anyGuess,
  type ChoiceContext,
  type Choices,
  type Chooser,
  type Guess,
  isLandmark,
  landmarksOf,
  noQuestion,
  type Question,
} from './question.js';
import { chooseTexts } from './textChoices.js';

/** More answers than this are not computed. */
const mostAnswers = 2_000_000;
/** Longer lists of values are thinned out first. */
const manyValues = 64;

/** Stands in for every value of a schema. `mayMiss`: the field may be left out. */
export function chooseValues(context: ChoiceContext, question: Question, schema: Json, mayMiss: boolean, depth = 0): Choices {
  // Recursive schemas have values of any depth.
  if (depth > 12) return { values: mayMiss ? [undefined] : [], guesses: [anyGuess] };
  const chooser: Chooser = { ...context, choose: (inner, part, miss) => chooseValues(context, inner, part, miss, depth + 1) };
  const values: (Json | undefined)[] = mayMiss ? [undefined] : [];
  const guesses: Guess[] = [];
  const landmarks = landmarksOf(question);
  const { parts, exact } = context.domain(schema);
  for (const part of parts) {
    // If no condition asks about it, one value is as good as another.
    if (question === noQuestion && values.length > 0) break;
    const isLegal = exact && part.type !== 'array' && part.type !== 'object';
    const choices = chooseIn(chooser, part, question);
    guesses.push(...choices.guesses);
    for (const value of choices.values) {
      const fit = isLegal || (value !== undefined && context.fits(schema, value));
      if (fit === true) values.push(value);
      // A listed or compared value represents only itself; a made-up one represents others, which may fit.
      else if (fit === undefined || !(choices.complete || isLandmark(value as Json, landmarks))) {
        guesses.push(answersOf(question, value, context.patterns));
      }
    }
  }
  return { values, guesses };
}

function chooseIn(chooser: Chooser, part: Part, question: Question): Choices {
  switch (part.type) {
    case 'values':
      return chooseListed(part.values, question);
    case 'number':
      return { values: chooseNumbers(part, question), guesses: [] };
    case 'string':
      return chooseTexts(chooser, part, question);
    case 'array':
      return chooseLists(chooser, part, question);
    case 'object':
      return chooseObjects(chooser, part.schema, question);
  }
}

function chooseListed(values: readonly Json[], question: Question): Choices {
  const { atoms, children } = question;
  const onlyEqual =
    children.size === 0 && atoms.every(({ cut }) => cut.bound === undefined && cut.part === undefined && cut.pattern === undefined);
  const list = onlyEqual && values.length > manyValues ? thinned(values, question) : values;
  return list.length * atoms.length > mostAnswers ? { values: [], guesses: [anyGuess] } : { values: list, guesses: [], complete: true };
}

/** One of the values that no condition compares with represents all of them. */
function thinned(values: readonly Json[], question: Question): readonly Json[] {
  const landmarks = new Set(landmarksOf(question).filter(isScalar));
  const kept: Json[] = [];
  let hasOther = false;
  for (const value of values) {
    const isOther = isScalar(value) && !landmarks.has(value);
    if (!isOther || !hasOther) kept.push(value);
    hasOther ||= isOther;
  }
  return kept;
}

/** The answers of all atoms of a question, including those of its children, for one value. */
function answersOf(question: Question, value: Json | undefined, patterns: Patterns | undefined): Guess {
  const answers = new Map<Atom, boolean>();
  const ask = ({ atoms, children }: Question, inner: Json | undefined) => {
    for (const atom of atoms) {
      const answer = meets(atom.operator, inner, atom.expected, patterns);
      if (answer !== undefined) answers.set(atom, answer);
    }
    for (const [key, child] of children) ask(child, fieldAt(inner, [key]));
  };
  ask(question, value);
  return answers;
}
