import type { TextRange } from '../../core/finding.js';
import { skipValue } from '../../core/jsonText/jsonScan.js';
import { readTokens } from '../jsonTokens.js';

/** A value of a JSON text. What is inside is read when somebody looks there. */
export interface JsonNode extends TextRange {
  readonly type: 'object' | 'list' | 'scalar';
}

/** A member of an object or an item of a list, as written. */
export interface JsonPart extends TextRange {
  /** Of a member: the key with its quotes; `start` is the key's. Of an item undefined. */
  readonly key: TextRange | undefined;
  /** Decoded key, or the index as text. */
  readonly name: string;
  readonly value: JsonNode;
}

/** The root value of a text that is JSON. */
export function rootOf(text: string): JsonNode {
  const token = readTokens(text);
  token.read(text.charCodeAt(0) === 0xfeff ? 1 : 0);
  return nodeAt(text, token.start);
}

/** Members or items in text order; a key given twice is there twice. None of a scalar. */
export function partsOf(text: string, node: JsonNode): readonly JsonPart[] {
  if (node.type === 'scalar') return [];
  const parts: JsonPart[] = [];
  const token = readTokens(text);
  token.read(node.start + 1);
  while (token.start < node.end - 1) {
    const start = token.start;
    let key: TextRange | undefined;
    if (node.type === 'object') {
      key = { start, end: token.end };
      token.read(token.end);
      token.read(token.end);
    }
    const value = nodeAt(text, token.start);
    const name = key === undefined ? String(parts.length) : decoded(text, key);
    parts.push({ start, end: value.end, key, name, value });
    token.read(value.end);
    if (token.type === ',') token.read(token.end);
  }
  return parts;
}

/** The part that a name leads to: of a key given twice the last, as in `JSON.parse`. */
export function findPart(parts: readonly JsonPart[], name: string): JsonPart | undefined {
  return parts.findLast((part) => part.name === name);
}

/** The nodes of a text, each read once: for many edits of one long text, one after the other. */
export class JsonNodes {
  readonly text: string;
  readonly root: JsonNode;
  private readonly read = new Map<JsonNode, readonly JsonPart[]>();

  /** @param text JSON */
  constructor(text: string) {
    this.text = text;
    this.root = rootOf(text);
  }

  partsOf(node: JsonNode): readonly JsonPart[] {
    const parts = this.read.get(node) ?? partsOf(this.text, node);
    this.read.set(node, parts);
    return parts;
  }
}

function nodeAt(text: string, start: number): JsonNode {
  const token = readTokens(text);
  token.read(start);
  if (token.type !== '{' && token.type !== '[') return { type: 'scalar', start, end: token.end };
  const end = skipValue(text, token.start);
  if (end < 0) throw new Error(`The text ends inside the value at ${start}: it is not JSON.`);
  return { type: token.type === '{' ? 'object' : 'list', start: token.start, end };
}

function decoded(text: string, { start, end }: TextRange): string {
  const quoted = text.slice(start, end);
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}
