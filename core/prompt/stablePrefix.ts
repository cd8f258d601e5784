import { roundedUsd } from '../amounts.js';
import { isObject, type Json, type JsonObject, segmentsOf } from '../json.js';
import type { ModelPrice } from '../llm/modelTable.js';
import type { CachedPart, CachingFacts } from '../llm/providers/provider.js';
import type { PromptShape } from './composePrompt.js';
import type { Piece } from './promptText.js';
import { findTemplatePaths, toTemplateText } from './template.js';

/**
 * The part of an agent's request that is the same in every call and session, whatever the payload, and where it ends. A provider's cache keeps the
 * beginning of a request up to the first byte that differs.
 */
export interface StablePrefix {
  /** The equal beginning, part by part in the provider's order. Parts without text are left out. */
  readonly parts: readonly StablePart[];
  /** UTF-16 units of the system text that are equal in every call; undefined if all of it is. */
  readonly stable_system: number | undefined;
  /** The first thing that differs. */
  readonly end: PrefixEnd;
  /** Texts that are equal in every call as well, but come after something that differs. */
  readonly behind: readonly string[];
}

interface StablePart {
  readonly part: CachedPart;
  readonly text: string;
}

interface PrefixEnd {
  readonly part: 'system' | 'messages';
  /** Into the payload; empty for all of it, where the user message begins. */
  readonly pointer: string;
  /** As the template writes it, `{{input.task}}`. */
  readonly written: string;
}

/** The beginning that is the same in every call of all these agents, part by part. They share a provider, so their parts have the same order. */
export function sharedPrefix([first, ...others]: readonly StablePrefix[]): readonly StablePart[] {
  const shared: StablePart[] = [];
  for (const [index, { part, text }] of (first?.parts ?? []).entries()) {
    let length = text.length;
    for (const { parts } of others) {
      const other = parts[index];
      length = other?.part === part ? Math.min(length, equalLength(text, other.text)) : 0;
    }
    if (length > 0) shared.push({ part, text: text.slice(0, length) });
    if (length < text.length || others.some(({ parts }) => parts[index]?.text.length !== length)) break;
  }
  return shared;
}

function equalLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

/**
 * Proves how far a request is stable. A value of the payload counts as changing unless `input_schema` allows only one value; everything else in a
 * frozen config is the same in every call.
 *
 * @param order the parts of a request as the provider's cache compares them
 */
export function proveStablePrefix(shape: PromptShape, order: readonly CachedPart[], inputSchema?: JsonObject): StablePrefix {
  const system = pieceByPiece(shape.system, inputSchema);
  const stop = system.findIndex(({ changing }) => changing !== undefined);
  const stableSystem = textBefore(system, stop);
  const user = pieceByPiece(shape.user, inputSchema);
  const isWritten = shape.user.some(({ from }) => from === 'config');
  const userStop = user.findIndex(({ changing }) => changing !== undefined);
  const texts: Readonly<Record<CachedPart, string>> = {
    tools: shape.tools.length === 0 ? '' : JSON.stringify(shape.tools),
    schema: shape.response_format === null ? '' : JSON.stringify(shape.response_format.json_schema),
    system: stableSystem,
    messages: textBefore(user, userStop),
  };
  const parts: StablePart[] = [];
  for (const part of order) {
    if (texts[part] !== '') parts.push({ part, text: texts[part] });
    if (part === 'messages' || (part === 'system' && stop >= 0)) break;
  }
  const ending = system[stop]?.changing;
  const userEnding = user[userStop]?.changing ?? { pointer: '', written: '{{input}}' };
  return {
    parts,
    stable_system: stop < 0 ? undefined : stableSystem.length,
    end: ending === undefined ? { part: 'messages', ...userEnding } : { part: 'system', ...ending },
    behind: [
      ...stableAfter(system, stop),
      // The lines that follow a payload belong there.
      ...(isWritten ? (stop < 0 ? stableAfter(user, userStop) : stableAfter(user, 0)) : []),
    ],
  };
}

function stableAfter(pieces: readonly ShapedPiece[], stop: number): readonly string[] {
  if (stop < 0) return [];
  return pieces.slice(stop).flatMap(({ text, changing }) => (changing === undefined && text !== '' ? [text] : []));
}

function textBefore(pieces: readonly ShapedPiece[], stop: number): string {
  return (stop < 0 ? pieces : pieces.slice(0, stop)).map(({ text }) => text).join('');
}

interface ShapedPiece {
  readonly text: string;
  /** Set if the text differs from call to call. */
  readonly changing: Omit<PrefixEnd, 'part'> | undefined;
}

function pieceByPiece(pieces: readonly Piece[], inputSchema: JsonObject | undefined): readonly ShapedPiece[] {
  return pieces.map(({ text, from, pointer }) => {
    if (from !== 'input') return { text, changing: undefined };
    const only = onlyValue(inputSchema, segmentsOf(pointer));
    return only === undefined ? { text, changing: { pointer, written: text } } : { text: toTemplateText(only), changing: undefined };
  });
}

/** The one value that a schema allows at a place; undefined if it allows several, or is not understood. */
function onlyValue(schema: Json | undefined, [segment, ...rest]: readonly string[]): Json | undefined {
  if (!isObject(schema)) return undefined;
  if (segment === undefined) {
    if (schema.const !== undefined) return schema.const;
    const { enum: choices } = schema;
    return Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined;
  }
  const { properties } = schema;
  return isObject(properties) && Object.hasOwn(properties, segment) ? onlyValue(properties[segment], rest) : undefined;
}

/** What a provider's cache does with a prompt in each call. Tokens are counted by `count`. */
export interface CachePrediction {
  /** Tokens of the beginning that is equal in every call. */
  readonly stable_tokens: number;
  /** Tokens of stable text after the first difference: billed in full again with each call. */
  readonly billed_again_tokens: number;
  /** USD by which these cost more in each call than from the cache; null when the price is unknown. */
  readonly billed_again_usd: number | null;
  /** Tokens that a call reads from the cache while the beginning is cached: 0 below the provider's minimum. */
  readonly cached_tokens: number;
  /** The minimum number of tokens that the provider caches for this model; null if it is not known to cache. */
  readonly minimum: number | null;
}

export function predictCache(
  prefix: StablePrefix,
  count: (text: string) => number,
  caching: CachingFacts | undefined,
  price: ModelPrice | undefined,
): CachePrediction {
  const stable_tokens = prefix.parts.reduce((sum, { text }) => sum + count(text), 0);
  const billed_again_tokens = prefix.behind.reduce((sum, text) => sum + count(text), 0);
  const saved = price && price.input - (price.cached_input ?? price.input);
  return {
    stable_tokens,
    billed_again_tokens,
    billed_again_usd: saved === undefined ? null : roundedUsd((billed_again_tokens * saved) / 1_000_000),
    cached_tokens: caching === undefined || stable_tokens < caching.minimum ? 0 : stable_tokens - (stable_tokens % caching.step),
    minimum: caching?.minimum ?? null,
  };
}

/**
 * A template with its changing parts moved after the stable ones: whole paragraphs, or whole lines of a one-paragraph template, each in its
 * order. A heading, or a line that ends with a colon, moves with the part below it. Undefined if that changes nothing.
 *
 * @param isStable whether a path inserts the same text in every call. Default: no path does
 */
export function withChangingLast(template: string, isStable: (path: string) => boolean = () => false): string | undefined {
  const paragraphs = splitAt(template, /(?:\r?\n[ \t]*){2,}/g);
  const { units, separator } =
    paragraphs.length > 1
      ? { units: paragraphs, separator: breakOf(template, 2) }
      : { units: splitAt(template, /\r?\n/g), separator: breakOf(template, 1) };
  const changing = units.map((unit) => findTemplatePaths(unit).some(({ path }) => !isStable(path)));
  for (let at = units.length - 2; at >= 0; at -= 1) if (changing[at + 1] && isHeading(units[at] ?? '')) changing[at] = true;
  const ordered = [...units.filter((_, at) => !changing[at]), ...units.filter((_, at) => changing[at])];
  const isSame = ordered.every((unit, at) => unit === units[at]);
  return isSame ? undefined : ordered.join(separator);
}

function splitAt(text: string, separator: RegExp): readonly string[] {
  return text.split(separator).filter((unit) => unit.trim() !== '');
}

function breakOf(template: string, times: number): string {
  return (template.includes('\r\n') ? '\r\n' : '\n').repeat(times);
}

function isHeading(unit: string): boolean {
  const isOneLine = !unit.includes('\n');
  return isOneLine && (/^#{1,6}\s/.test(unit) || unit.trimEnd().endsWith(':'));
}
