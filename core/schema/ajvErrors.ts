import type { Json } from '../json.js';
import { chooseAlternative } from './ajvAlternatives.js';
import { messageOf, type Params } from './ajvMessages.js';
import type { ShownError } from './types.js';

/** What ajv reports, as far as it is read here. */
export interface AjvError {
  readonly instancePath: string;
  readonly keyword: string;
  /** `anyOf` and `oneOf` carry `ends`, `contains` carries `inner` (`reportInnerErrors`). */
  readonly params: Params;
  /** Set on what is wrong with a field's name. */
  readonly propertyName?: string;
}

interface Placed {
  readonly error: ShownError;
  /** Index of the first of ajv's errors that this one stands for. */
  readonly from: number;
}

/**
 * Ajv's errors without their noise. Ajv lists what failed inside a keyword right before the keyword itself: of the
 * alternatives of `anyOf` only what helps is kept, of `contains` and `propertyNames` only the keyword, of `if` only what
 * is wrong inside. None is given twice. `patternMessages` says in words what a pattern asks for.
 */
export function shownErrors(errors: readonly AjvError[], patternMessages?: ReadonlyMap<string, string>): readonly ShownError[] {
  const shown: Placed[] = [];
  for (const [index, error] of errors.entries()) {
    const from = index - innerCount(errors, index);
    const inner = shown.splice(shown.findLastIndex((earlier) => earlier.from < from) + 1);
    const ends = error.params.ends as readonly number[] | undefined;
    if (ends !== undefined) {
      const branches = ends.map((end, branch) => inner.filter(({ from: at }) => from + (ends[branch - 1] ?? 0) <= at && at < from + end));
      const chosen = chooseAlternative(
        toShown(error, patternMessages),
        branches.map((branch) => branch.map((placed) => placed.error)),
      );
      shown.push(...chosen.map((one) => ({ error: one, from })));
    } else if (error.keyword !== 'if') {
      const one = toShown(error, patternMessages);
      const reason = error.keyword === 'propertyNames' ? inner[0]?.error.message : undefined;
      shown.push({ error: reason === undefined ? one : { ...one, message: `${one.message}: it ${reason}` }, from });
    }
  }
  return withoutRepeats(shown.map(({ error }) => error));
}

/** How many errors right before this one belong to it. */
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
