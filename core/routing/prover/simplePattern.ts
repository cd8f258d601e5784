/** A pattern of fixed characters and one repeated class, from the start of a text to its end: `^id-[0-9]+$`. */
interface SimplePattern {
  /** The characters that are possible at each of the first places, the repeated one last. */
  readonly places: readonly (readonly string[])[];
  readonly least: number;
  readonly most: number;
}

/** Whether no text matches both regular expressions, as far as they are simple; false where that is not known. */
export function areDisjoint(one: string, other: string): boolean {
  const [left, right] = [simplePatternOf(one), simplePatternOf(other)];
  if (left === undefined || right === undefined) return false;
  const least = Math.max(left.least, right.least);
  if (least > Math.min(left.most, right.most)) return true;
  // Beyond its last place a pattern repeats that place.
  const length = Math.min(least, Math.max(left.places.length, right.places.length));
  return Array.from({ length }).some((_, index) => !placeAt(left, index).some((character) => placeAt(right, index).includes(character)));
}

const placeAt = ({ places }: SimplePattern, index: number) => places[Math.min(index, places.length - 1)] as readonly string[];

const fixed = String.raw`[\w \-:/@#%&=,;"'~!]|\\[^\w\s]`;
const classItem = String.raw`\\[dw]|[A-Za-z0-9]-[A-Za-z0-9]|[\w .,:;@#/+]`;
const whole = new RegExp(String.raw`^\^((?:${fixed})*)(\\[dw]|\[(?:${classItem})+-?\]|${fixed})([*+?]|\{\d{1,4}(?:,\d{0,4})?\})?\$$`);

function simplePatternOf(pattern: string): SimplePattern | undefined {
  const [, start, repeated, quantifier = '{1}'] = whole.exec(pattern) ?? [];
  if (start === undefined || repeated === undefined) return undefined;
  const fixedPlaces = Array.from(start.matchAll(/\\(.)|(.)/g), ([, escaped, plain]) => [escaped ?? plain ?? '']);
  const [least, most] = boundsOf(quantifier);
  const before = fixedPlaces.length;
  return { places: [...fixedPlaces, charactersOf(repeated)], least: before + least, most: before + most };
}

function boundsOf(quantifier: string): readonly [least: number, most: number] {
  if (quantifier === '*' || quantifier === '+') return [quantifier === '+' ? 1 : 0, Number.POSITIVE_INFINITY];
  if (quantifier === '?') return [0, 1];
  const [least = '', most = least] = quantifier.slice(1, -1).split(',');
  return [Number(least), most === '' ? Number.POSITIVE_INFINITY : Number(most)];
}

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const digits = ascii.filter((character) => /\d/.test(character));
const wordCharacters = ascii.filter((character) => /\w/.test(character));

function charactersOf(repeated: string): readonly string[] {
  const items = repeated.startsWith('[') ? repeated.slice(1, -1) : repeated;
  return Array.from(items.matchAll(/[A-Za-z0-9]-[A-Za-z0-9]|\\.|./g), ([item]) => item).flatMap((item) => {
    if (item === '\\d') return digits;
    if (item === '\\w') return wordCharacters;
    const [from, , to] = item;
    return item.length === 3 && to !== undefined
      ? ascii.filter((character) => character >= (from ?? '') && character <= to)
      : item.slice(-1);
  });
}
