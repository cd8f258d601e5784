import type { Finding, PlacedFinding, RelatedPlace, TextRange } from '../finding.js';
import { type Located, locate, parentPointer } from './locate.js';
import { positionsIn } from './textPositions.js';

type Place = Pick<Finding, 'pointer' | 'target' | 'within' | 'range'>;

/**
 * Findings of one file with their places in its text, in the order given. A pointer to nothing marks the key of the nearest value around
 * it; the root marks its opening bracket, never the whole file.
 *
 * @param text the file's text as read, a BOM included
 * @param textOf the text of another file that a related place is in; without it, or when it has none, such places stay without lines
 */
export function placeFindings(text: string, findings: readonly Finding[], textOf?: (file: string) => string | undefined): PlacedFinding[] {
  if (findings.length === 0) return [];
  const file = findings[0]?.file;
  const related = findings.flatMap(({ related = [] }) => related.filter((place) => place.file === file));
  const own = placesIn(text, related.length === 0 ? findings : [...findings, ...related]);
  const others = new Map<string, (place: Place) => Positioned>();
  const place = (related: RelatedPlace): RelatedPlace => {
    if (related.file === file) return positioned(related, own(related));
    let find = others.get(related.file);
    if (find === undefined) {
      const otherText = textOf?.(related.file);
      if (otherText === undefined) return related;
      const all = findings.flatMap((finding) => finding.related ?? []).filter((other) => other.file === related.file);
      find = placesIn(otherText, all);
      others.set(related.file, find);
    }
    return positioned(related, find(related));
  };
  return findings.map((finding) => ({
    ...finding,
    ...own(finding),
    ...(finding.related !== undefined && { related: finding.related.map(place) }),
  }));
}

type Positioned = Pick<PlacedFinding, 'range' | 'line' | 'column' | 'end_line' | 'end_column'>;

function positioned(related: RelatedPlace, { range, line, column }: Positioned): RelatedPlace {
  return { ...related, range, line, column };
}

function placesIn(text: string, places: readonly Place[]): (place: Place) => Positioned {
  const pointers = new Set<string>();
  for (const { pointer, range } of places) if (range === undefined) pointers.add(pointer);
  const located = pointers.size === 0 ? undefined : locateOrAround(text, pointers);
  const positionOf = positionsIn(text);
  return (place) => {
    const range = place.range ?? rangeOf(text, place, located);
    const start = positionOf(range.start);
    const end = positionOf(range.end);
    return { range, line: start.line, column: start.column, end_line: end.line, end_column: end.column };
  };
}

/** What pointers lead to, and where some lead to nothing all that is around those. */
function locateOrAround(text: string, pointers: ReadonlySet<string>): ReadonlyMap<string, Located> {
  const located = locate(text, pointers);
  if (located.size === pointers.size) return located;
  const all = new Set(pointers);
  for (const pointer of pointers) {
    if (located.has(pointer)) continue;
    for (let around = parentPointer(pointer); around !== undefined; around = parentPointer(around)) all.add(around);
  }
  return locate(text, all);
}

function rangeOf(text: string, { pointer, target, within }: Place, located: ReadonlyMap<string, Located> | undefined): TextRange {
  const exact = located?.get(pointer);
  if (exact !== undefined) {
    const half = target === 'key' ? (exact.key ?? exact.value) : exact.value;
    if (within !== undefined && text[half.start] === '"') return rawStretch(text, half, within);
    return pointer === '' ? rootRange(text, half) : half;
  }
  for (let around = parentPointer(pointer); around !== undefined; around = parentPointer(around)) {
    const found = located?.get(around);
    if (found !== undefined && around !== '') return found.key ?? found.value;
  }
  return rootRange(text, located?.get('')?.value);
}

function rootRange(text: string, value: TextRange | undefined): TextRange {
  const start = value?.start ?? firstVisible(text);
  const opens = text[start] === '{' || text[start] === '[';
  return opens || value === undefined ? { start, end: Math.min(start + 1, text.length) } : value;
}

function firstVisible(text: string): number {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const offset = text.slice(start).search(/[^ \t\r\n]/);
  return offset < 0 ? start : start + offset;
}

/** A stretch of a decoded string in the raw text, where one unit may be written as `\n` or `\u00e9`. Past the end means the closing quote. */
export function rawStretch(text: string, quoted: TextRange, within: TextRange): TextRange {
  let at = quoted.start + 1;
  let unit = 0;
  const last = quoted.end - 1;
  const advance = (wanted: number): number => {
    for (; unit < wanted && at < last; unit++) {
      if (text[at] !== '\\') at += 1;
      else at += text[at + 1] === 'u' ? 6 : 2;
    }
    return Math.min(at, last);
  };
  const start = advance(within.start);
  const end = advance(within.end);
  return { start, end };
}
