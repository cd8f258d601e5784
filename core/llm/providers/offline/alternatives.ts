import { isObject, type JsonObject } from '../../../json.js';
import { isSchema } from '../../../schema/schemaPlaces.js';
import { type Checks, listOf, type Schema } from './fits.js';

/**
 * The ways to satisfy a list of schemas at once: each way is a list of plain schemas that must all hold, with references and
 * `allOf` expanded and one member chosen of every `anyOf`, `oneOf` and `if`. Whether a value built for one way satisfies the
 * whole (exactly one member of a `oneOf`, no `not`) is up to the caller to check.
 */
export function* alternatives(
  schemas: readonly Schema[],
  targetsOf: Checks['targetsOf'],
): Generator<readonly JsonObject[], void, undefined> {
  yield* open(schemas, [], new Set());

  function* open(
    pending: readonly Schema[],
    plain: readonly JsonObject[],
    followed: ReadonlySet<Schema>,
  ): Generator<readonly JsonObject[], void, undefined> {
    const [schema, ...rest] = pending;
    if (schema === undefined) {
      yield plain;
      return;
    }
    if (!isObject(schema)) {
      if (schema) yield* open(rest, plain, followed);
      return;
    }
    const joined = [...listOf(schema.allOf)];
    let seen = followed;
    const targets = targetsOf(schema);
    if (targets === undefined) return;
    for (const target of targets) {
      // A cycle of references that never descends adds nothing new.
      if (seen.has(target)) continue;
      joined.unshift(target);
      seen = new Set(seen).add(target);
    }
    yield* choose(choicesIn(schema), [...joined, ...rest], [...plain, schema], seen);
  }

  function* choose(
    choices: readonly (readonly Schema[])[],
    pending: readonly Schema[],
    plain: readonly JsonObject[],
    followed: ReadonlySet<Schema>,
  ): Generator<readonly JsonObject[], void, undefined> {
    const [members, ...others] = choices;
    if (members === undefined) {
      yield* open(pending, plain, followed);
      return;
    }
    for (const member of members) yield* choose(others, [member, ...pending], plain, followed);
  }
}

function choicesIn(schema: JsonObject): (readonly Schema[])[] {
  const choices: (readonly Schema[])[] = [];
  if (Array.isArray(schema.anyOf)) choices.push(listOf(schema.anyOf));
  if (Array.isArray(schema.oneOf)) choices.push(listOf(schema.oneOf));
  if (isSchema(schema.if)) {
    const whenTrue: Schema = { allOf: [schema.if, isSchema(schema.then) ? schema.then : true] };
    choices.push([whenTrue, isSchema(schema.else) ? schema.else : true]);
  }
  return choices;
}
