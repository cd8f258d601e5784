import { escapeSegment, isObject, type Json, type JsonObject } from '../json.js';
import { copyForAjv, isJudging } from './ajvCopy.js';
import { metaSchemaErrors } from './kindValidators.js';
import type { LinearRegExp } from './linearRegExp.js';
import type { SchemaProblem } from './schemaCompiler.js';
import { type Dialect, dialectNamed, findPlaces, type Place, type Places } from './schemaPlaces.js';

export type AjvInput =
  | { readonly ok: true; readonly schema: JsonObject | boolean }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

export interface CompilerParts {
  readonly regExp: (pattern: string) => LinearRegExp;
  readonly hasFormat: (name: string) => boolean;
}

/**
 * Limits far above any schema written by hand: JSON levels, JSON values and schemas of one schema, alternatives of one keyword, and schemas inside
 * each other once references are followed, for which ajv needs the call stack: at 400 it overflows.
 */
const limits = { levels: 250, values: 1_000_000, schemas: 20_000, alternatives: 500, followed: 300 };

/**
 * A user's schema prepared for ajv, or all its problems. Ajv sees only the keywords of its dialect and
 * references to definitions inside, and so fetches, resolves and guesses nothing. Not for schemas that are `tooLarge`.
 */
export function toAjvInput(schema: JsonObject | boolean, dialect: Dialect, means: CompilerParts): AjvInput {
  const problems: SchemaProblem[] = metaProblems(schema, '', dialect);
  if (problems.length > 0) return { ok: false, problems };

  const places = findPlaces(schema, dialect, limits.schemas);
  const { targets, problems: placeProblems } = findPlaceProblems(places, dialect);
  problems.push(...placeProblems);
  for (const place of places.all.values()) checkPatterns(place, means.regExp, problems);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, schema: copyForAjv(places, targets, dialect, means.hasFormat) };
}

/** The problems of a valid schema's references and sizes, and the targets of its references. */
export function findPlaceProblems(
  places: Places,
  dialect: Dialect,
): { readonly targets: ReadonlySet<string>; readonly problems: SchemaProblem[] } {
  const problems: SchemaProblem[] = [];
  const targets = followReferences(places, dialect, problems);
  if (places.all.size > limits.schemas) {
    const message = `must not hold more than ${limits.schemas} schemas`;
    return { targets, problems: [{ pointer: '', kind: 'schema', message }] };
  }
  for (const place of places.all.values()) {
    checkAlternatives(place, problems);
    checkDialect(place, places, dialect, problems);
    checkUnevaluatedItems(place, places, problems);
  }
  if (targets.size > 0) {
    checkDynamicReferences(places, problems);
    checkCircles(places, problems);
    checkFollowed(places, problems);
  }
  return { targets, problems };
}

/** Why a schema is too deep or too large to check, if it is. Not recursive, since the depth has no bound yet. */
export function tooLarge(schema: Json): string | undefined {
  let level: readonly Json[] = [schema];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.levels) return `must not be nested deeper than ${limits.levels} levels`;
    values += level.length;
    if (values > limits.values) return `must not hold more than ${limits.values} values`;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return undefined;
}

function metaProblems(schema: JsonObject | boolean, pointer: string, dialect: Dialect): SchemaProblem[] {
  return metaSchemaErrors(schema, dialect).map(({ pointer: inner, message }) => ({ pointer: pointer + inner, kind: 'schema', message }));
}

/** The pointers that references lead to. Following a reference may find schemas that no keyword leads to, which may refer to more. */
function followReferences(places: Places, dialect: Dialect, problems: SchemaProblem[]): ReadonlySet<string> {
  const targets = new Set<string>();
  // Iterating a Map also visits the entries added meanwhile.
  for (const place of places.all.values()) {
    if (place.unexpected) problems.push(...metaProblems(place.schema, place.pointer, dialect));
    for (const { keyword, reference, target } of places.referencesOf(place)) {
      if (typeof target === 'object') {
        targets.add(target.pointer);
        continue;
      }
      const message =
        target === 'remote'
          ? `must refer to a place in this schema (#/$defs/name), not to ${JSON.stringify(reference)}; nothing is fetched`
          : `must refer to a schema, but nothing is at ${JSON.stringify(reference)}`;
      problems.push({ pointer: `${place.pointer}/${keyword}`, kind: 'ref', message });
    }
  }
  return targets;
}

function checkPatterns({ schema, pointer }: Place, regExp: CompilerParts['regExp'], problems: SchemaProblem[]): void {
  if (typeof schema === 'boolean') return;
  const patterns: [string, string][] = [];
  if (typeof schema.pattern === 'string') patterns.push([schema.pattern, `${pointer}/pattern`]);
  if (isObject(schema.patternProperties)) {
    for (const pattern of Object.keys(schema.patternProperties)) {
      patterns.push([pattern, `${pointer}/patternProperties/${escapeSegment(pattern)}`]);
    }
  }
  for (const [pattern, place] of patterns) {
    const compiled = regExp(pattern);
    if (!compiled.ok) problems.push({ pointer: place, kind: 'pattern', message: `cannot be used as a pattern: ${compiled.message}` });
  }
}

/** A schema is read in one dialect, which has to be known. */
function checkDialect({ schema, pointer }: Place, places: Places, dialect: Dialect, problems: SchemaProblem[]): void {
  if (typeof schema === 'boolean') return;
  const { $schema: name } = schema;
  const named = typeof name === 'string' ? dialectNamed(name) : 'unversioned';
  if (named !== 'unversioned' && named !== dialect) {
    const expected = pointer === '' ? 'must be that of draft-07 or 2020-12' : 'must be that of the whole schema, or be left out';
    problems.push({ pointer: `${pointer}/$schema`, kind: 'schema', message: `${expected}, not ${JSON.stringify(name)}` });
  }
  if (typeof schema.$ref !== 'string' || dialect === '2020-12' || !saysDialect(places)) return;
  for (const keyword of Object.keys(schema)) {
    const isName = keyword === '$id' && pointer !== '' && !String(schema.$id).startsWith('#');
    if (!isName && !isJudging(keyword, dialect)) continue;
    const message = 'has no effect beside "$ref" in draft-07; put the "$ref" into "allOf", or leave out the "$schema"';
    problems.push({ pointer: `${pointer}/${keyword}`, kind: 'schema', message });
  }
}

function saysDialect(places: Places): boolean {
  const root = places.all.get('')?.schema;
  return isObject(root) && typeof root.$schema === 'string' && dialectNamed(root.$schema) !== 'unversioned';
}

/** Ajv does not record which items `contains` has evaluated, so `unevaluatedItems` would judge them again. */
function checkUnevaluatedItems(start: Place, places: Places, problems: SchemaProblem[]): void {
  if (!isObject(start.schema) || start.schema.unevaluatedItems === undefined || start.schema.unevaluatedItems === true) return;
  const sameValue = new Set([start]);
  for (const place of sameValue) {
    if (isObject(place.schema) && place.schema.contains !== undefined) {
      const message = 'cannot be judged together with "contains"; describe the items with "items" and "prefixItems"';
      problems.push({ pointer: `${start.pointer}/unevaluatedItems`, kind: 'schema', message });
      return;
    }
    for (const { to } of stepsFrom(place, places)) sameValue.add(to);
  }
}

/** A dynamic reference leads to the outermost schema with its name on the way to the value: known only where one schema has the name. */
function checkDynamicReferences(places: Places, problems: SchemaProblem[]): void {
  const counts = new Map<Json | undefined, number>();
  for (const { schema } of places.all.values()) {
    for (const name of isObject(schema) ? [schema.$dynamicAnchor, schema.$recursiveAnchor] : [])
      counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const place of places.all.values()) {
    for (const { keyword, reference, target } of places.referencesOf(place)) {
      if (keyword === '$ref' || typeof target !== 'object' || !isObject(target.schema)) continue;
      const { $dynamicAnchor: anchor, $recursiveAnchor: isRecursive } = target.schema;
      const isDynamic = keyword === '$recursiveRef' ? isRecursive === true : reference.endsWith(`#${anchor}`);
      if (!isDynamic || counts.get(keyword === '$recursiveRef' ? true : anchor) === 1) continue;
      const message = 'leads to another schema depending on the value, which is not supported: several have its name; use "$ref"';
      problems.push({ pointer: `${place.pointer}/${keyword}`, kind: 'ref', message });
    }
  }
}

/** Ajv nests the code of each alternative inside that of the alternative before. */
function checkAlternatives({ schema, pointer }: Place, problems: SchemaProblem[]): void {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const list = typeof schema === 'boolean' ? undefined : schema[keyword];
    if (!Array.isArray(list) || list.length <= limits.alternatives) continue;
    const message = `must not list more than ${limits.alternatives} alternatives; plain values can be an enum`;
    problems.push({ pointer: `${pointer}/${keyword}`, kind: 'schema', message });
  }
}

/**
 * References that lead back to themselves without a step into the value, as `{"$ref": "#"}`: they mean nothing, and
 * checking them would never end. A depth-first search without recursion, since a chain may be long.
 */
function checkCircles(places: Places, problems: SchemaProblem[]): void {
  const state = new Map<string, 'open' | 'done'>();
  for (const start of places.all.values()) {
    if (state.has(start.pointer)) continue;
    state.set(start.pointer, 'open');
    const path = [{ place: start, steps: stepsFrom(start, places) }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const step = top.steps.pop();
      if (step === undefined) {
        state.set(top.place.pointer, 'done');
        path.pop();
        continue;
      }
      const seen = state.get(step.to.pointer);
      if (seen === undefined) {
        state.set(step.to.pointer, 'open');
        path.push({ place: step.to, steps: stepsFrom(step.to, places) });
      } else if (seen === 'open') {
        problems.push({
          pointer: step.at ?? step.to.pointer,
          kind: 'ref',
          message: 'must not lead back to itself: it never describes a value',
        });
      }
    }
  }
}

/** References that lead deeper than a compiler can follow. A depth-first search that visits each schema once, as the compiler does. */
function checkFollowed(places: Places, problems: SchemaProblem[]): void {
  const root = places.all.get('');
  if (root === undefined) return;
  const seen = new Set([root.pointer]);
  const path = [{ at: '', steps: innerSteps(root, places) }];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const step = top.steps.pop();
    if (step === undefined) {
      path.pop();
      continue;
    }
    if (seen.has(step.to.pointer)) continue;
    seen.add(step.to.pointer);
    const at = step.at ?? top.at;
    if (path.length === limits.followed) {
      const message = `leads more than ${limits.followed} schemas deep, too deep to be compiled; shorten the chain of references`;
      problems.push({ pointer: at, kind: 'ref', message });
      return;
    }
    path.push({ at, steps: innerSteps(step.to, places) });
  }
}

interface Step {
  readonly to: Place;
  /** The reference that leads there, if one does. */
  readonly at?: string;
}

/** The schemas inside this schema and those it refers to, the last first. */
function innerSteps(place: Place, places: Places): Step[] {
  const inside = place.children.flatMap(({ pointer }) => places.all.get(pointer) ?? []);
  return [...inside.map((to) => ({ to })), ...referredSteps(place, places)].reverse();
}

/** The schemas that judge the same value as this schema, and the reference that leads there, if one does. */
function stepsFrom(place: Place, places: Places): Step[] {
  const inPlace = place.children.flatMap(({ pointer, inPlace }) => (inPlace ? (places.all.get(pointer) ?? []) : []));
  return [...inPlace.map((to) => ({ to })), ...referredSteps(place, places)];
}

function referredSteps(place: Place, places: Places): Step[] {
  return places.referencesOf(place).flatMap(({ keyword, target }) => {
    return typeof target === 'object' ? [{ to: target, at: `${place.pointer}/${keyword}` }] : [];
  });
}
