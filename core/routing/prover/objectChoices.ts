import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import { childOf, namesIn } from '../../schema/schemaChild.js';
import { anyGuess, type Choices, type Chooser, type Guess, landmarksOf, noQuestion, type Question } from './question.js';

/** More combinations than this are not listed. */
const mostObjects = 500;

/** Objects: every combination of the choices for the compared fields, with the other fields that the schema requires. */
export function chooseObjects(chooser: Chooser, schema: Json, question: Question): Choices {
  const { atoms, children } = question;
  const base = requiredFields(chooser, schema, children);
  if (base === undefined) return { values: [], guesses: [anyGuess] };
  const guesses: Guess[] = [];
  let objects: JsonObject[] = [base];
  for (const [key, child] of children) {
    const { schema: inner, required } = childOf(chooser.contract, schema, key);
    const choices = chooser.choose(child, inner, !required);
    if (choices.guesses.length > 0 || objects.length * choices.values.length > mostObjects) guesses.push(anyGuess);
    if (objects.length * choices.values.length > mostObjects) return { values: objects, guesses };
    objects = objects.flatMap((object) => choices.values.map((value) => (value === undefined ? object : withField(object, key, value))));
  }
  if (atoms.length === 0) return { values: objects, guesses };

  // Atoms on the object itself distinguish empty objects and those compared as wholes from the others.
  const whole = landmarksOf(question).filter((value) => isObject(value) && Object.keys(value).length > 0);
  if (whole.length > 0) guesses.push(anyGuess);
  const fuller = objects.map((object) => withOther(chooser, schema, question, object)).filter((object) => object !== undefined);
  const canHold = namesIn(chooser.contract, schema).length > 0 || !isObject(schema) || schema.additionalProperties !== false;
  if (canHold && ![...objects, ...fuller].some((object) => Object.keys(object).length > 0)) guesses.push(anyGuess);
  return { values: [...objects, ...fuller, ...whole], guesses };
}

/** Required fields that no condition asks about, each with some value; undefined if one has no value. */
function requiredFields(chooser: Chooser, schema: Json, children: Question['children']): JsonObject | undefined {
  let object: JsonObject = {};
  for (const key of isObject(schema) ? listOf(schema.required) : []) {
    if (typeof key !== 'string' || children.has(key)) continue;
    const value = chooser.choose(noQuestion, childOf(chooser.contract, schema, key).schema, false).values[0];
    if (value === undefined) return undefined;
    object = withField(object, key, value);
  }
  return object;
}

/** The object with one more field that no condition asks about. */
function withOther(chooser: Chooser, schema: Json, { children }: Question, object: JsonObject): JsonObject | undefined {
  const listed = namesIn(chooser.contract, schema).filter((name) => !children.has(name) && !Object.hasOwn(object, name));
  for (const key of [...listed, 'other']) {
    if (children.has(key)) continue;
    const value = chooser.choose(noQuestion, childOf(chooser.contract, schema, key).schema, false).values[0];
    if (value !== undefined) return withField(object, key, value);
  }
  return undefined;
}

/** A copy with the field set, whatever its name. */
export function withField(object: JsonObject, key: string, value: Json): JsonObject {
  // A computed key defines a field, `__proto__` too.
  return { ...object, [key]: value };
}
