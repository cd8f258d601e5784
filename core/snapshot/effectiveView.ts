import { escapeSegment, isObject, type Json, type JsonObject } from '../json.js';
import { coverField, coverSecrets } from '../secrets/secretPatterns.js';
import { inEnglish, type Translate } from '../words.js';
import type { Origin } from './effective.js';
import { readableOrder } from './readableOrder.js';

/** One line of a pretty-printed effective config. */
export interface EffectiveLine {
  readonly text: string;
  /** Pointer, in the snapshot, of the value that begins, continues or ends here. */
  readonly pointer: string;
  /** Where a scalar, an empty object or an empty list is written. Null for the snapshot's own members. */
  readonly origin: Origin | null;
  /** On a line that opens or closes an object or a list: the place all of it comes from; null if its members come from several places. */
  readonly whole: Origin | null;
}

export interface EffectiveRequest {
  /** The value of a snapshot, or a similar one of a config that cannot be frozen yet. */
  readonly value: JsonObject;
  /** Pointer of a leaf of `value` to where it is written. */
  readonly origins: ReadonlyMap<string, Origin>;
}

/**
 * An effective config as human-readable text, line by line with origins: keys in the order of the documentation, the user's own keys
 * in the order they are written. Secrets are covered; `secret://name` stays. The lines joined are JSON.
 *
 * It is a view, not the bytes that are hashed: those are canonical and keep the order of keys in `key_order`, which is left out here.
 */
export function effectiveView({ value, origins }: EffectiveRequest): readonly EffectiveLine[] {
  const lines: EffectiveLine[] = [];

  /** @returns where all of it comes from */
  function write(item: Json, pointer: string, key: string | undefined, head: string, tail: string, depth: number): Origin | null {
    const indent = '  '.repeat(depth);
    const keys = typeof item === 'object' && item !== null ? Object.keys(item) : [];
    if (keys.length === 0) {
      const origin = origins.get(pointer) ?? null;
      lines.push({ text: `${indent}${head}${leafText(item, key)}${tail}`, pointer, origin, whole: origin });
      return origin;
    }
    const isList = Array.isArray(item);
    const start = lines.push({ text: `${indent}${head}${isList ? '[' : '{'}`, pointer, origin: null, whole: null }) - 1;
    let whole: Origin | null | undefined;
    for (const [index, name] of keys.entries()) {
      const member = (item as JsonObject)[name] as Json;
      const suffix = `/${escapeSegment(name)}`;
      const label = isList ? '' : `${JSON.stringify(coverSecrets(name))}: `;
      const end = index === keys.length - 1 ? '' : ',';
      const origin = write(member, pointer + suffix, isList ? key : name, label, end, depth + 1);
      whole = whole === undefined ? around(origin, suffix) : common(whole, around(origin, suffix));
    }
    const opening = lines[start] as EffectiveLine;
    lines[start] = { ...opening, whole: whole ?? null };
    lines.push({ text: `${indent}${isList ? ']' : '}'}${tail}`, pointer, origin: null, whole: whole ?? null });
    return whole ?? null;
  }

  write(readableOrder(value), '', undefined, '', '', 0);
  return lines;
}

/** `config/personas/kind.json, layer persona`. */
export function originWords({ file, layer }: Origin, t: Translate = inEnglish): string {
  if (file !== null) return t('{0}, layer {1}', file, layer);
  return layer === 'call' ? t('given with the call') : t('built-in default');
}

/** The same in a few words, the layer first: `persona: personas/kind.json`. */
export function originMark(origin: Origin, t: Translate = inEnglish): string {
  const { file, layer } = origin;
  if (file === null) return originWords(origin, t);
  return `${layer}: ${/(?:^|\/)((?:agents|llms|personas|prompts|orchestrations|environments)\/.*|[^/]+)$/.exec(file)?.[1] ?? file}`;
}

/** The place of the object that contains the member at `suffix`, if it is in an object of that shape. */
function around(origin: Origin | null, suffix: string): Origin | null {
  if (origin === null || !origin.pointer.endsWith(suffix)) return null;
  return { ...origin, pointer: origin.pointer.slice(0, -suffix.length) };
}

function common(left: Origin | null, right: Origin | null): Origin | null {
  const isSame = left?.file === right?.file && left?.layer === right?.layer && left?.pointer === right?.pointer;
  return isSame ? left : null;
}

function leafText(value: Json, key: string | undefined): string {
  if (typeof value === 'string') return JSON.stringify(coverField(value, key));
  if (Array.isArray(value)) return '[]';
  return isObject(value) ? '{}' : String(value);
}
