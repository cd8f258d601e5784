import type { Json } from '../json.js';
import { joinWith, messageOf, type Params, typesOf } from './ajvMessages.js';
import type { ShownError } from './types.js';

/** The parts of ajv's errors that are read here. */
interface AjvError {
  readonly instancePath: string;
  readonly keyword: string;
  /** `anyOf` and `oneOf` carry `ends`, `contains` carries `inner` (`reportInnerErrors`). */
  readonly params: Params;
  /** Set on errors about a field's name. */
  readonly propertyName?: string;
}

interface PlacedError {
  readonly error: ShownError;
  /** Index of the first of ajv's errors that this error replaces. */
  readonly from: number;
}

/**
 * Ajv's errors without their noise. Ajv lists the errors inside a keyword right before the keyword itself: of the
 * alternatives of `anyOf` only helpful errors are kept, of `contains` and `propertyNames` only the keyword, of `if` only the errors
 * inside. None is repeated. `patternMessages` describes what a pattern requires.
 */
export function shownErrors(errors: readonly AjvError[], patternMessages?: ReadonlyMap<string, string>): readonly ShownError[] {
  const placed: PlacedError[] = [];
  for (const [index, error] of errors.entries()) {
    const from = index - innerCount(errors, index);
    const inner = placed.splice(placed.findLastIndex((earlier) => earlier.from < from) + 1);
    const ends = error.params.ends as readonly number[] | undefined;
    if (ends !== undefined) {
      const branches = ends.map((end, branch) => inner.filter(({ from: at }) => from + (ends[branch - 1] ?? 0) <= at && at < from + end));
      const chosen = chooseAlternative(
        toShown(error, patternMessages),
        branches.map((branch) => branch.map(({ error: inside }) => inside)),
      );
      placed.push(...chosen.map((chosenError) => ({ error: chosenError, from })));
    } else if (error.keyword !== 'if') {
      const shownError = toShown(error, patternMessages);
      const reason = error.keyword === 'propertyNames' ? inner[0]?.error.message : undefined;
      placed.push({ error: reason === undefined ? shownError : { ...shownError, message: `${shownError.message}: it ${reason}` }, from });
    }
  }
  return withoutRepeats(placed.map(({ error }) => error));
}

/** Number of errors right before this error that belong to it. */
function innerCount(errors: readonly AjvError[], index: number): number {
  const { keyword, params, instancePath } = errors[index] as AjvError;
  const ends = params.ends as readonly number[] | undefined;
  if (ends !== undefined) return ends.at(-1) ?? 0;
  if (typeof params.inner === 'number') return params.inner;
  if (keyword !== 'propertyNames') return 0;
  let first = index;
  while (errors[first - 1]?.propertyName === params.propertyName && errors[first - 1]?.instancePath === instancePath) first--;
  return index - first;
}

function toShown({ instancePath, keyword, params }: AjvError, patternMessages?: ReadonlyMap<string, string>): ShownError {
  const allowed = allowedBy(keyword, params);
  const inWords = keyword === 'pattern' ? patternMessages?.get(String(params.pattern)) : undefined;
  return { pointer: instancePath, keyword, params, message: inWords ?? messageOf(keyword, params), ...(allowed && { allowed }) };
}

function allowedBy(keyword: string, params: Params): readonly Json[] | undefined {
  if (keyword === 'enum') return params.allowedValues as readonly Json[];
  return keyword === 'const' ? [params.allowedValue as Json] : undefined;
}

function withoutRepeats(errors: readonly ShownError[]): readonly ShownError[] {
  const seen = new Set<string>();
  return errors.filter(({ pointer, message }) => {
    const key = `${pointer}\n${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * The errors to show for a failed `anyOf` or `oneOf`: `union` is its own error, `branches` are the errors of each alternative.
 * People want the intended alternative, so alternatives of another type are dropped, those with another value of the same
 * field (`type: "a"`) are dropped if one has the right value, and the others are merged, or the nearest is shown.
 */
function chooseAlternative(union: ShownError, branches: readonly (readonly ShownError[])[]): readonly ShownError[] {
  // Only for `oneOf`, which stops at the second that fits.
  if (branches.some((errors) => errors.length === 0)) return [{ ...union, message: `${union.message}, but fits several` }];

  const ofType = branches.filter((errors) => !errors.some((error) => isAt(error, union.pointer) && error.keyword === 'type'));
  if (ofType.length === 0) return [otherType(union, branches)];
  const merged = otherValue(ofType) ?? missingField(union, ofType);
  if (merged) return [merged];

  const matching = ofType.filter(
    (errors) => !errors.some((error) => error.allowed !== undefined && parentOf(error.pointer) === union.pointer),
  );
  const candidates = matching.length === 0 ? ofType : matching;
  const nearest = candidates.reduce((best, errors) => (errors.length < best.length ? errors : best));
  if (candidates.length === 1) return nearest;
  const [first] = nearest;
  if (!first) return [union];
  const place = first.pointer.slice(union.pointer.length);
  const subject = place === '' ? 'it' : place;
  return [{ ...union, message: `${union.message}; for the nearest ${subject} ${first.message}` }];
}

const isAt = (error: ShownError, pointer: string) => error.pointer === pointer;
const parentOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'));

/** The error where every alternative requires another type of value. */
function otherType(union: ShownError, branches: readonly (readonly ShownError[])[]): ShownError {
  const types = branches.flatMap((errors) => errors.find((error) => isAt(error, union.pointer) && error.keyword === 'type')?.params.type);
  return { ...union, message: `must be ${typesOf([...new Set(types)])}` };
}

/** The error where every alternative lists the values of the same place: together they are one list. */
function otherValue(branches: readonly (readonly ShownError[])[]): ShownError | undefined {
  const listError = branches[0]?.find(({ allowed }) => allowed !== undefined);
  if (!listError) return undefined;
  const lists = branches.map((errors) => errors.find((error) => error.allowed !== undefined && isAt(error, listError.pointer))?.allowed);
  if (lists.includes(undefined)) return undefined;
  const allowed = [...new Set(lists.flatMap((list) => list ?? []))];
  const params = { allowedValues: allowed };
  return { pointer: listError.pointer, keyword: 'enum', params, allowed, message: messageOf('enum', params) };
}

/** The error where every alternative fails only for a missing field. */
function missingField(union: ShownError, branches: readonly (readonly ShownError[])[]): ShownError | undefined {
  const missing = branches.map(([error, ...more]) =>
    error?.keyword === 'required' && isAt(error, union.pointer) && more.length === 0 ? error : undefined,
  );
  if (missing.includes(undefined) || missing.length < 2) return undefined;
  const names = [...new Set(missing.map((error) => String(error?.params.missingProperty)))];
  const message = `must have the field ${joinWith(
    names.map((name) => JSON.stringify(name)),
    'or',
  )}`;
  return { ...union, params: { ...union.params, missingProperties: names }, message };
}
