import type { Json } from '../../json.js';
import { childOf } from '../../schema/schemaChild.js';
import { fieldAt, listIndex } from '../fieldAt.js';
import { meets } from '../operators/operator.js';
import { chooseValues } from './choices.js';
import type { ListPart } from './domain.js';
import { everyList } from './listChoices.js';
import type { Atom, ChoiceContext, Question } from './question.js';

/** 0: does not hold, 1: holds, 2: not known. */
export type Truth = 0 | 1 | 2;

/** Values of a variable for which every atom gives the same answer. */
export interface ValueClass {
  readonly truth: readonly Truth[];
  /** One of them; undefined where none was found. Its `value` is undefined for a missing field. */
  readonly example: { readonly value: Json | undefined } | undefined;
}

/** A field that is independent of all other variables, with all questions about it and its values. */
export interface Variable {
  /** Number of the task it belongs to; -1 for the context. */
  readonly task: number;
  /** Where it is in the output or the context. */
  readonly segments: readonly string[];
  readonly atoms: readonly Atom[];
  readonly classes: readonly ValueClass[];
  /** The answers if there is no output at all. */
  readonly whenMissing: readonly Truth[];
}

/** A question that grows while conditions are read. */
export interface OpenQuestion {
  readonly atoms: Atom[];
  readonly children: Map<string, OpenQuestion>;
}

/**
 * The variables of one output or context. A field of a required object is a separate variable if no condition compares the whole object;
 * fields whose values depend on each other are one variable.
 * @param task its number, -1 for the context
 * @param filled fields that are never missing, even where the schema allows it
 */
export function findVariables(
  context: ChoiceContext,
  task: number,
  question: Question,
  schema: Json,
  filled: readonly string[] = [],
): readonly Variable[] {
  const variables: Variable[] = [];
  const walk = (inner: Question, part: Json, path: readonly string[]) => {
    for (const [key, child] of inner.children) {
      const { schema: held, required } = childOf(context.contract, part, key);
      const isThere = required || (path.length === 0 && filled.includes(key));
      const list = child.atoms.length === 0 && isThere ? listOnly(child, held, context) : undefined;
      if (child.atoms.length === 0 && isThere && isObjectOnly(held, context)) walk(child, held, [...path, key]);
      // Places of a list stand for themselves; which of them follow from others is not worked out.
      else if (list !== undefined)
        for (const [place, item] of child.children) {
          const isPlace = Number(place) < list.maxItems;
          const classes = findClasses(context, path.length + 2, item, isPlace ? list.items : false, Number(place) >= list.minItems);
          variables.push({ task, segments: [...path, key, place], ...classes });
        }
      else variables.push({ task, segments: [...path, key], ...findClasses(context, path.length + 1, child, held, !isThere) });
    }
  };
  walk(question, schema, []);
  return variables;
}

function isObjectOnly(schema: Json, { domain }: ChoiceContext): boolean {
  const { types } = domain(schema);
  return types.length === 1 && types[0] === 'object';
}

/** The list that a field is, where only single places of it are asked about, and not all such lists can be tried. */
function listOnly({ children }: Question, schema: Json, context: ChoiceContext): ListPart | undefined {
  const [part, ...others] = context.domain(schema).parts;
  const isAsked = children.size > 0 && [...children.keys()].every((key) => listIndex.test(key));
  return isAsked && part?.type === 'array' && others.length === 0 && everyList(context, part) === undefined ? part : undefined;
}

function findClasses(
  context: ChoiceContext,
  depth: number,
  question: Question,
  schema: Json,
  mayMiss: boolean,
): Pick<Variable, 'atoms' | 'classes' | 'whenMissing'> {
  const atoms = [...atomsIn(question)];
  const inner = atoms.map((atom) => atom.segments.slice(depth));
  const { values, guesses } = chooseValues(context, question, schema, mayMiss);
  const classes = new Map<string, ValueClass>();
  const add = (truth: readonly Truth[], example: ValueClass['example']) => {
    const key = truth.join('');
    if (!classes.has(key)) classes.set(key, { truth, example });
  };
  for (const value of values)
    add(
      atoms.map((atom, index) => answer(atom, fieldAt(value, inner[index] as string[]), context)),
      { value },
    );
  for (const guess of guesses)
    add(
      atoms.map((atom) => toTruth(guess.get(atom))),
      undefined,
    );
  return { atoms, classes: [...classes.values()], whenMissing: atoms.map((atom) => answer(atom, undefined, context)) };
}

function* atomsIn({ atoms, children }: Question): Generator<Atom> {
  yield* atoms;
  for (const child of children.values()) yield* atomsIn(child);
}

function answer({ operator, expected }: Atom, actual: Json | undefined, { patterns }: ChoiceContext): Truth {
  return toTruth(meets(operator, actual, expected, patterns));
}

function toTruth(holds: boolean | undefined): Truth {
  return holds === undefined ? 2 : holds ? 1 : 0;
}
