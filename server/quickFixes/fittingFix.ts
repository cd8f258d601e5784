import type { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { RawJson } from '../../core/jsonText/jsonStyle.js';
import { nearestValue } from '../../core/rules/facts/nearestValue.js';
import type { Fix, FixContext } from './quickFix.js';
import { editFix, formFaults } from './support.js';

/** A value that gets another place in its file. */
export interface Placing {
  readonly title: string;
  readonly from: string;
  readonly to: string;
  readonly move: (edit: JsonEdit) => void;
  /** The same with another value. */
  readonly moveAs: (edit: JsonEdit, value: RawJson) => void;
}

/**
 * A fix that gives a value another place: as it is written, or converted where another type is wanted there. Undefined where it does not fit at
 * all: the finding would only give way to an error.
 */
export function fittingFix(context: FixContext, { title, from, to, move, moveAs }: Placing): Fix | undefined {
  const faults = faultsAt(context, to, move);
  if (faults.length === 0) return editFix(context, title, move);
  const types = faults.flatMap(({ keyword, params }) => (keyword === 'type' ? [params.type].flat().map(String) : []));
  const meant = nearestValue(context.file, from, types);
  if (meant === undefined) return undefined;
  const convert = (edit: JsonEdit) => moveAs(edit, new RawJson(meant.text));
  return faultsAt(context, to, convert).length > 0 ? undefined : editFix(context, `${title} and write ${meant.text}`, convert);
}

/** Faults of the value itself. Those deeper in it are found as soon as it has its place. */
function faultsAt(context: FixContext, place: string, change: (edit: JsonEdit) => void) {
  return formFaults(context, place, change).filter(({ pointer, keyword }) => pointer === place && keyword !== 'additionalProperties');
}
