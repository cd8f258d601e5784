import { joinWith, messageOf, typesOf } from './ajvMessages.js';
import type { ShownError } from './types.js';

/**
 * What to say of `anyOf` or `oneOf` that failed: `union` is its own error, `branches` are the errors of each alternative.
 * People want the alternative they meant, so: those of another type are left out, those with another value of the same
 * field (`type: "a"`) give way to the one that has it, and what is left is merged, or its nearest shown.
 */
export function chooseAlternative(union: ShownError, branches: readonly (readonly ShownError[])[]): readonly ShownError[] {
  // Only of `oneOf`, which has looked no further than the second that fits.
  if (branches.some((errors) => errors.length === 0)) return [{ ...union, message: `${union.message}, but fits several` }];

  const ofType = branches.filter((errors) => !errors.some((error) => isAt(error, union.pointer) && error.keyword === 'type'));
  if (ofType.length === 0) return [otherType(union, branches)];
  const merged = otherValue(ofType) ?? missingField(union, ofType);
  if (merged) return [merged];

  const meant = ofType.filter(
    (errors) => !errors.some((error) => error.allowed !== undefined && parentOf(error.pointer) === union.pointer),
  );
  const candidates = meant.length === 0 ? ofType : meant;
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

/** Every alternative wants another type of value. */
function otherType(union: ShownError, branches: readonly (readonly ShownError[])[]): ShownError {
  const types = branches.flatMap((errors) => errors.find((error) => isAt(error, union.pointer) && error.keyword === 'type')?.params.type);
  return { ...union, message: `must be ${typesOf([...new Set(types)])}` };
}

/** Every alternative names the values that one and the same place may have: together they are one list. */
function otherValue(branches: readonly (readonly ShownError[])[]): ShownError | undefined {
  const listed = branches[0]?.find(({ allowed }) => allowed !== undefined);
  if (!listed) return undefined;
  const lists = branches.map((errors) => errors.find((error) => error.allowed !== undefined && isAt(error, listed.pointer))?.allowed);
  if (lists.includes(undefined)) return undefined;
  const allowed = [...new Set(lists.flatMap((list) => list ?? []))];
  const params = { allowedValues: allowed };
  return { pointer: listed.pointer, keyword: 'enum', params, allowed, message: messageOf('enum', params) };
}

/** Every alternative only lacks a field, each another one. */
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
