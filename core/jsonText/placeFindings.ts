import type { Finding, PlacedFinding, RelatedPlace, TextRange } from '../finding.js';
import { decodeString } from './decodedString.js';
import { type Located, locate, parentPointer } from './locate.js';
import { jsonTextOf } from './promptText.js';
import { positionsIn } from './textPositions.js';

type Place = Pick<Finding, 'pointer' | 'target' | 'within' | 'range'>;

/**
 * Findings of one file with their places in its text, in the order given. A dangling pointer marks the key of the nearest value around
 * it; the root marks its opening bracket, never the whole file.
 *
 * @param text the file's text as read, a BOM included; of a prompt in Markdown, ranges given are those of its JSON text, and ranges returned of the file
 * @param textOf the text of another file with a related place; without it, or if it returns none, such places have no lines
 */
export function placeFindings(text: string, findings: readonly Finding[], textOf?: (file: string) => string | undefined): PlacedFinding[] {
  const [first] = findings;
  if (first === undefined) return [];
  const all = placesByFile(findings);
  const findPlace = placesIn(first.file, text, all.get(first.file) ?? []);
  const finders = new Map<string, FindPlace | undefined>([[first.file, findPlace]]);
  const placesOf = (file: string): FindPlace | undefined => {
    if (finders.has(file)) return finders.get(file);
    const other = textOf?.(file);
    const places = other === undefined ? undefined : placesIn(file, other, all.get(file) ?? []);
    finders.set(file, places);
    return places;
  };
  const placed = (related: RelatedPlace): RelatedPlace => {
    const place = placesOf(related.file)?.(related);
    return place === undefined ? related : { ...related, range: place.range, line: place.line, column: place.column };
  };
  return findings.map((finding) => ({
    ...finding,
    ...findPlace(finding),
    ...(finding.related !== undefined && { related: finding.related.map(placed) }),
  }));
}

type FindPlace = (place: Place) => Pick<PlacedFinding, 'range' | 'line' | 'column' | 'end_line' | 'end_column'>;

/** The places to find in each file, so that its text is read once. */
function placesByFile(findings: readonly Finding[]): ReadonlyMap<string, readonly Place[]> {
  const all = new Map<string, Place[]>();
  const add = (file: string, place: Place) => {
    const places = all.get(file) ?? [];
    all.set(file, places);
    places.push(place);
  };
  const [first] = findings;
  for (const finding of findings) {
    add(first?.file ?? finding.file, finding);
    for (const related of finding.related ?? []) add(related.file, related);
  }
  return all;
}

/** @param all the places that will be looked up */
function placesIn(file: string, fileText: string, all: readonly Place[]): FindPlace {
  const { json: text, toFile } = jsonTextOf(file, fileText);
  let located: LocatedPlaces | undefined;
  const find = (place: Place): TextRange => {
    located ??= locate(text, withParents(all));
    return rangeIn(text, place, located);
  };
  const positionOf = positionsIn(fileText);
  return (place) => {
    const inJson = place.range ?? find(place);
    const range = { start: toFile(inJson.start), end: toFile(inJson.end) };
    const start = positionOf(range.start);
    const end = positionOf(range.end);
    return { range, line: start.line, column: start.column, end_line: end.line, end_column: end.column };
  };
}

type LocatedPlaces = ReadonlyMap<string, Located>;

/** The pointers of places and of the values around them. */
function withParents(places: readonly Place[]): ReadonlySet<string> {
  const pointers = new Set(['']);
  for (const place of places) {
    if (place.range !== undefined) continue;
    for (let pointer: string | undefined = place.pointer; pointer !== undefined; pointer = parentPointer(pointer)) {
      if (pointers.has(pointer)) break;
      pointers.add(pointer);
    }
  }
  return pointers;
}

function rangeIn(text: string, { pointer, target, within }: Place, located: LocatedPlaces): TextRange {
  const exact = located.get(pointer);
  if (exact !== undefined) {
    const half = target === 'key' ? (exact.key ?? exact.value) : exact.value;
    if (within !== undefined && text[half.start] === '"') return rawStretch(text, half, within);
    return pointer === '' ? rootRange(text, half) : half;
  }
  for (let around = parentPointer(pointer); around !== undefined && around !== ''; around = parentPointer(around)) {
    const outer = located.get(around);
    if (outer !== undefined) return outer.key ?? outer.value;
  }
  return rootRange(text, located.get('')?.value);
}

function rootRange(text: string, value: TextRange | undefined): TextRange {
  const start = value?.start ?? text.search(/[^\ufeff \t\r\n]|$/);
  if (text[start] === '{' || text[start] === '[') return { start, end: start + 1 };
  return value ?? { start, end: start + text.slice(start).search(/\s|$/) };
}

/** A stretch of a decoded string in the raw text, where one unit may be written as `\n` or `\u00e9`. Past the end means the closing quote. */
export function rawStretch(text: string, quoted: TextRange, { start, end }: TextRange): TextRange {
  const string = decodeString(text, quoted);
  return string === undefined ? quoted : { start: string.rawOffset(start), end: string.rawOffset(end) };
}
