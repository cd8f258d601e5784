import type { Position } from 'vscode-languageserver';
import type { PositionEncoding, TextLines } from '../textLines.js';

/** The lines of a document, as far as it can be read. */
export type LinesOf = (uri: string) => TextLines | undefined;

export interface Conversion {
  readonly encoding: PositionEncoding;
  readonly linesOf: LinesOf;
}

/**
 * Parameters of a request with every position in UTF-16 units. A position is any `{line, character}`; it is about the document whose `uri`
 * stands nearest around it. `data` is the server's own and stays as it is.
 */
export function fromWire(params: unknown, { encoding, linesOf }: Conversion): unknown {
  if (encoding === 'utf-16') return params;
  return new Walk((position, uri) => linesOf(uri)?.decode(position, encoding) ?? position).visit(params, uriOf(params));
}

/** A result with every position as the client counts it. @param params of the request, UTF-16 or not: they say which document it is about */
export function toWire(result: unknown, params: unknown, { encoding, linesOf }: Conversion): unknown {
  if (encoding === 'utf-16') return result;
  const uri = uriOf(params);
  const walk = new Walk((position, about) => linesOf(about)?.encode(position, encoding) ?? position);
  return walk.visit(result, uri, (data) => (uri === undefined ? data : encodeTokens(data, linesOf(uri), encoding)));
}

type Convert = (position: Position, uri: string) => Position;

class Walk {
  private readonly convert: Convert;

  constructor(convert: Convert) {
    this.convert = convert;
  }

  visit(value: unknown, around: string | undefined, tokens?: (data: readonly number[]) => readonly number[]): unknown {
    if (Array.isArray(value)) return value.map((item) => this.visit(item, around, tokens));
    if (typeof value !== 'object' || value === null) return value;
    if (isPosition(value)) return around === undefined ? value : { ...value, ...this.convert(value, around) };
    const own = uriOf(value) ?? around;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.member(value, key, item, own, tokens)]));
  }

  private member(
    parent: object,
    key: string,
    item: unknown,
    own: string | undefined,
    tokens: ((data: readonly number[]) => readonly number[]) | undefined,
  ): unknown {
    // Semantic tokens are numbers of which some are positions; any other `data` is opaque.
    if (key === 'data') return isTokenData(item) && tokens !== undefined ? tokens(item) : item;
    if (byUri.has(key) && typeof item === 'object' && item !== null && !Array.isArray(item))
      return Object.fromEntries(Object.entries(item).map(([uri, inside]) => [uri, this.visit(inside, uri)]));
    if ((key === 'targetRange' || key === 'targetSelectionRange') && 'targetUri' in parent && typeof parent.targetUri === 'string')
      return this.visit(item, parent.targetUri);
    // Where a caller calls is in the caller's document.
    if (key === 'fromRanges' && 'from' in parent) return this.visit(item, uriOf(parent.from) ?? own);
    return this.visit(item, own, tokens);
  }
}

/** Members that hold one thing for each document, by URI. */
const byUri = new Set(['changes', 'relatedDocuments']);

function isPosition(value: object): value is Position {
  return 'line' in value && 'character' in value && typeof value.line === 'number' && typeof value.character === 'number';
}

/** The document an object is about: its own `uri`, its `textDocument`'s, its `item`'s (call hierarchy), or what a resolvable item has in `data`. */
function uriOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { uri, textDocument, item, data } = value as Readonly<Record<string, unknown>>;
  if (typeof uri === 'string') return uri;
  for (const part of [textDocument, item, data]) {
    if (typeof part === 'object' && part !== null && 'uri' in part && typeof part.uri === 'string') return part.uri;
  }
  return undefined;
}

function isTokenData(data: unknown): data is readonly number[] {
  return Array.isArray(data) && data.length % 5 === 0 && data.every((item) => typeof item === 'number');
}

/** Five numbers a token, its place relative to the one before: LSP 3.17, Semantic Tokens. */
function encodeTokens(data: readonly number[], lines: TextLines | undefined, encoding: PositionEncoding): readonly number[] {
  if (lines === undefined) return data;
  const encoded: number[] = [];
  let [line, character, before] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [lineStep = 0, step = 0, length = 0, type = 0, modifiers = 0] = data.slice(at, at + 5);
    if (lineStep > 0) [character, before] = [0, 0];
    line += lineStep;
    character += step;
    const start = lines.encode({ line, character }, encoding).character;
    const end = lines.encode({ line, character: character + length }, encoding).character;
    encoded.push(lineStep, start - before, end - start, type, modifiers);
    before = start;
  }
  return encoded;
}
