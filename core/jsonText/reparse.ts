import { isObject, type Json, type JsonObject } from '../json.js';
import { decodeKey, skipSpace } from './jsonScan.js';
import { countKeys } from './jsonShape.js';
import { parseJson } from './parseJson.js';
import { differenceOf, type TextDifference } from './textDifference.js';
import { largeObject, layoutOf, type MemberLayout, membersFrom, moved, type TextLayout } from './textLayout.js';

/** A text that is a JSON object in which no key is given twice. */
export class KnownJson {
  readonly text: string;
  readonly value: JsonObject;
  /** Of the object, behind a BOM and white space. */
  readonly start: number;
  private made: TextLayout | undefined;

  /** @param value what `parseJson` has read from the text, without a fault */
  constructor(text: string, value: JsonObject, layout?: TextLayout) {
    this.text = text;
    this.value = value;
    this.start = skipSpace(text, text.charCodeAt(0) === bom ? 1 : 0);
    this.made = layout;
  }

  /** Made when it is first asked for: most texts are never changed. */
  get layout(): TextLayout {
    this.made ??= layoutOf(this.text, this.start);
    return this.made;
  }
}

/**
 * What a text says that differs in one stretch from one that is known, or undefined when the whole must be parsed to tell: the value is
 * the one that `parseJson` would give, and nothing is wrong with it. Of every large object the members around the change are the
 * same objects as before. So whatever has been found out about them holds, and only what has been typed in is read.
 *
 * @param given the stretch, where somebody knows it
 */
export function reparse(known: KnownJson, text: string, given?: TextDifference): KnownJson | undefined {
  const difference = given ?? differenceOf(known.text, text);
  if (difference === undefined) return known;
  const change = new Change(known.text, text, fromQuote(known.text, text, difference));
  if (!change.isInside(known.start, known.layout)) return undefined;
  const changed = change.inObject(known.value, known.layout, known.start, 0);
  return changed && new KnownJson(text, changed.value, changed.layout);
}

const bom = 0xfeff;
/** In UTF-16 units: more than what is typed or pasted, less than what takes long to parse. */
const mostChanged = 65_536;

interface ObjectRead {
  readonly value: JsonObject;
  readonly layout: TextLayout;
}

interface MemberRead {
  readonly value: Json;
  readonly member: MemberLayout;
}

/** One change of a text. Places are offsets in the text before, unless they say otherwise; in front of the change they are the same in both. */
class Change {
  private readonly before: string;
  private readonly after: string;
  private readonly start: number;
  private readonly end: number;
  /** How much longer the text is. */
  private readonly growth: number;

  constructor(before: string, after: string, { start, endBefore, endAfter }: TextDifference) {
    this.before = before;
    this.after = after;
    this.start = start;
    this.end = endBefore;
    this.growth = endAfter - endBefore;
  }

  /** Whether an object's own braces are left alone. */
  isInside(at: number, { end }: TextLayout): boolean {
    return at < this.start && this.end < at + end;
  }

  /** @param depth how many objects and lists are around it */
  inObject(object: JsonObject, layout: TextLayout, at: number, depth: number): ObjectRead | undefined {
    const index = layout.members.findIndex(({ start, end }) => at + start <= this.start && this.end <= at + end);
    const member = layout.members[index];
    if (member === undefined) return this.amongMembers(object, layout, at, depth);
    const key = this.keyOf(member, at);
    if (member.inside !== undefined && this.isInside(at + member.start, member.inside)) {
      const read = this.inObject(object[key] as JsonObject, member.inside, at + member.start, depth + 1);
      if (read === undefined) return undefined;
      const grown = { ...member, end: member.end + this.growth, inside: read.layout };
      return this.withMember(object, layout, index, key, { value: read.value, member: grown });
    }
    const place = { ...member, end: member.end + this.growth };
    const read = this.read(place, at, depth + 1);
    // What looks like a value may have become several members.
    return read === undefined ? this.amongMembers(object, layout, at, depth) : this.withMember(object, layout, index, key, read);
  }

  private withMember(object: JsonObject, layout: TextLayout, index: number, key: string, read: MemberRead): ObjectRead {
    const members = layout.members.map((member, at) => (at < index ? member : at === index ? read.member : moved(member, this.growth)));
    return { value: { ...object, [key]: read.value }, layout: { end: layout.end + this.growth, members } };
  }

  /** Reads all members that the change touches, whole. Those before and behind them stay. */
  private amongMembers(object: JsonObject, { members, end }: TextLayout, at: number, depth: number): ObjectRead | undefined {
    const before = members.filter((member) => at + member.end <= this.start - (this.isOpenEnded(at + member.end) ? 1 : 0));
    const behind = members.filter((member) => this.end <= at + member.keyStart);
    const from = at + (before.at(-1)?.end ?? 1);
    const to = at + (behind[0]?.keyStart ?? end - 1) + this.growth;
    if (to - from > mostChanged || !areMembers(this.after.slice(from, to), before.length > 0, behind.length > 0)) return undefined;

    const entries = before.map((member): [string, Json] => this.entryOf(member, at, object));
    const read: MemberLayout[] = [];
    for (const place of membersFrom(this.after.slice(0, to), from, at).members) {
      const found = this.read(place, at, depth + 1);
      if (found === undefined) return undefined;
      entries.push([decodeKey(this.after.slice(at + place.keyStart, at + place.keyEnd)), found.value]);
      read.push(found.member);
    }
    for (const member of behind) entries.push(this.entryOf(member, at, object));
    const value = Object.fromEntries(entries);
    // A key that is there twice is a fault, which only the whole text shows.
    if (Object.keys(value).length < entries.length) return undefined;
    const layout = { end: end + this.growth, members: [...before, ...read, ...behind.map((member) => moved(member, this.growth))] };
    return { value, layout };
  }

  /** The value at a place in the text after the change; undefined when there is anything wrong with it. */
  private read(place: MemberLayout, at: number, depth: number): MemberRead | undefined {
    const text = this.after.slice(at + place.start, at + place.end);
    // At the start of a whole text it would be passed over.
    if (text.charCodeAt(0) === bom) return undefined;
    const { value, syntax } = parseJson(text);
    if (value === undefined || syntax.length > 0 || countKeys(value, depth) === Number.POSITIVE_INFINITY) return undefined;
    const start = place.start + skipSpace(text, 0);
    const end = place.start + text.trimEnd().length;
    const inside = isObject(value) && end - start >= largeObject ? layoutOf(this.after, at + start) : undefined;
    return { value, member: { ...place, start, end, inside } };
  }

  /** Whether a value that ends there would go on with what is typed behind it: a number or a word. */
  private isOpenEnded(end: number): boolean {
    return !'"}]'.includes(this.before.charAt(end - 1));
  }

  private keyOf({ keyStart, keyEnd }: MemberLayout, at: number): string {
    return decodeKey(this.before.slice(at + keyStart, at + keyEnd));
  }

  private entryOf(member: MemberLayout, at: number, object: JsonObject): [string, Json] {
    const key = this.keyOf(member, at);
    return [key, object[key] as Json];
  }
}

/**
 * Of a member that comes or goes in front of another, the same difference may begin at its own first quote or within the key of the other,
 * where `differenceOf` finds it.
 */
function fromQuote(before: string, after: string, difference: TextDifference): TextDifference {
  const { start, endBefore, endAfter } = difference;
  if (start !== endBefore && start !== endAfter) return difference;
  const [longer, end] = start === endBefore ? [after, endAfter] : [before, endBefore];
  if (longer[start - 1] !== '"' || longer[end - 1] !== '"') return difference;
  return { start: start - 1, endBefore: endBefore - 1, endAfter: endAfter - 1 };
}

/** Whether a text is members of an object, with the commas to those around it. */
function areMembers(text: string, hasBefore: boolean, hasBehind: boolean): boolean {
  try {
    // No text goes on past a line break: one that is left open must not end at a quote behind it.
    JSON.parse(`${hasBefore ? '{"":""' : '{'}${text}\n${hasBehind ? '"":0}' : '}'}`);
    return true;
  } catch {
    return false;
  }
}
