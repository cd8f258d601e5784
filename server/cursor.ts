import { createScanner } from 'jsonc-parser';
import type { ASTNode, PropertyASTNode } from 'vscode-json-languageservice';
import type { TextRange } from '../core/finding.js';
import { endOf, hasColon, insideOf, isScalar, type JsonTree, type Path, pathOf, rangeOf } from './jsonTree.js';

/** What is at an offset of a JSON text, valid or not. */
export interface Cursor {
  /**
   * Object keys (decoded) and list indices from the root to what the cursor is about: the value it is on or would begin, or the member whose
   * key it is on or would begin. For a key not yet written the last segment is the empty string.
   */
  readonly path: Path;
  /**
   * `key`: on a key, or where one may begin. `value`: on a scalar, or where a value may begin. `none`: nothing can begin here (right after a finished
   * value, after a key before its colon, in a comment, after the root).
   */
  readonly place: 'key' | 'value' | 'none';
  /** The whole key or scalar around or touching the cursor, quotes included; otherwise empty at the cursor. What a completion replaces. */
  readonly token: TextRange;
  /** Decoded text of the token up to the cursor, without quotes. */
  readonly typed: string;
  /** `none`: the token is not a string. `open`: a string without its closing quote. */
  readonly quotes: 'none' | 'closed' | 'open';
  /** Keys of the enclosing object, in order, without the one at the cursor; empty in a list. */
  readonly siblings: readonly string[];
  /** Whether a colon follows the key. */
  readonly hasColon: boolean;
  /** Whether a value follows the empty token, so that another one would be one too many. */
  readonly hasValue: boolean;
  /** Where a comma is missing before the token, and whether one is missing between it and what follows. */
  readonly needsComma: { readonly before: number | undefined; readonly after: boolean };
  /** The object or list around the cursor; undefined at the root. */
  readonly container: ASTNode | undefined;
}

/** @param offset UTF-16 units, 0 to the length of the text */
export function cursorAt(tree: JsonTree, offset: number): Cursor {
  const { text, root, open } = tree;
  const at = Math.max(0, Math.min(offset, text.length));
  const { scalar, member, container } = nodesAt(tree, at);
  const gap = gapBefore(tree, container, scalar?.offset ?? at);
  const key = scalar !== undefined && member?.keyNode === scalar ? member.keyNode : undefined;
  const place = key !== undefined ? 'key' : scalar !== undefined ? 'value' : placeIn(gap, container);
  const token = scalar === undefined ? gap.word : rangeOf(scalar);
  const isString = scalar !== undefined && text[scalar.offset] === '"';
  const hasOwnColon = key !== undefined && member !== undefined && hasColon(member);
  const lacksComma = place === 'key' ? gap.state !== 'key' : place === 'value' && gap.state === 'comma';
  const owner = gap.previous?.type === 'property' ? gap.previous : undefined;
  const ahead = container === undefined ? root : owner?.valueNode;
  return {
    path: container === undefined ? [] : [...pathOf(container), ownSegment()],
    place,
    token,
    typed: isString ? typedText(tree, scalar, at) : text.slice(token.start, at),
    quotes: !isString ? 'none' : open.has(scalar.offset) ? 'open' : 'closed',
    siblings: container?.type === 'object' ? container.properties.flatMap(({ keyNode }) => (keyNode === key ? [] : [keyNode.value])) : [],
    hasColon: hasOwnColon,
    hasValue: gap.state === 'value' && token.start === token.end && ahead !== undefined,
    needsComma: {
      before: lacksComma && container !== undefined ? gap.end : undefined,
      after: place !== 'none' && !hasOwnColon && /[^\]}:,]/.test(signAfter(text, token.end)),
    },
    container,
  };

  function ownSegment(): string | number {
    if (container?.type === 'array') {
      const before = container.items.filter((item) => item.offset < token.start).length;
      return place === 'none' ? Math.max(0, before - 1) : before;
    }
    if (key !== undefined) return key.value;
    return place === 'key' ? text.slice(token.start, token.end) : (owner?.keyNode.value ?? '');
  }
}

interface NodesAt {
  /** The key, string, number or literal that the cursor touches. */
  readonly scalar: ASTNode | undefined;
  /** The member that has it as key or value, or that the cursor is in. */
  readonly member: PropertyASTNode | undefined;
  readonly container: ASTNode | undefined;
}

function nodesAt(tree: JsonTree, offset: number): NodesAt {
  const node = nodeAround(tree, offset);
  const scalar = node !== undefined && isScalar(node) ? node : undefined;
  const around = scalar === undefined ? node : scalar.parent;
  if (around?.type === 'property') return { scalar, member: around, container: around.parent };
  return { scalar, member: undefined, container: around };
}

function isContainer({ type }: ASTNode): boolean {
  return type === 'object' || type === 'array';
}

/** The innermost node that holds the offset or touches it. Objects and lists hold what is between their brackets. */
function nodeAround({ parsed, open }: JsonTree, offset: number): ASTNode | undefined {
  let node = parsed.getNodeFromOffset(offset, true);
  const isOutside = (around: ASTNode) => offset <= around.offset || (offset >= endOf(around) && !open.has(around.offset));
  while (node !== undefined && isContainer(node) && isOutside(node)) node = node.parent;
  return node;
}

/** What is written between the previous member or item and the cursor. */
interface Gap {
  readonly state: State;
  /** Where its last part ends. */
  readonly end: number;
  /** The member or item. */
  readonly previous: ASTNode | undefined;
  readonly isComment: boolean;
  /** Whether the cursor is on a later line. */
  readonly isOnNewLine: boolean;
  /** The word that the cursor touches, which is not JSON yet; an empty range at the cursor if there is none. */
  readonly word: TextRange;
}

/** The next token. */
type State = 'key' | 'colon' | 'value' | 'comma';

function gapBefore({ text, root }: JsonTree, container: ASTNode | undefined, offset: number): Gap {
  const children = container === undefined ? [root] : container.children;
  const previous = children?.findLast((child) => child !== undefined && child.offset < offset);
  const first: State = container?.type === 'object' ? 'key' : 'value';
  const start = container === undefined ? (text.startsWith('\ufeff') ? 1 : 0) : container.offset + 1;
  let { state, end } = previous === undefined ? { state: first, end: start } : stateAfter(previous, offset);
  const gap = (word: TextRange = { start: offset, end: offset }, isComment = false): Gap => {
    return { state, end, previous, isComment, word, isOnNewLine: /[\r\n]/.test(text.slice(end, word.start)) };
  };
  const scanner = createScanner(text);
  scanner.setPosition(end);
  for (scanner.scan(); scanner.getTokenLength() > 0 && scanner.getTokenOffset() <= offset; scanner.scan()) {
    const token = { start: scanner.getTokenOffset(), end: scanner.getTokenOffset() + scanner.getTokenLength() };
    const sign = text.charAt(token.start);
    if (/\s/.test(sign)) continue;
    if (sign === '/') {
      if (token.start < offset && offset <= token.end) return gap(undefined, true);
      continue;
    }
    const isWord = !/[{}[\],:"]/.test(sign);
    if (isWord && offset <= token.end) return gap(token);
    if (token.start === offset) break;
    state = sign === ',' ? first : sign === ':' ? 'value' : 'comma';
    end = token.end;
  }
  return gap();
}

/** What comes after a member or item, or after the part of it that is before the offset. */
function stateAfter(node: ASTNode, offset: number): Pick<Gap, 'state' | 'end'> {
  if (node.type !== 'property') return { state: 'comma', end: endOf(node) };
  const { keyNode, valueNode, colonOffset = -1 } = node;
  if (valueNode !== undefined && valueNode.offset < offset) return { state: 'comma', end: endOf(valueNode) };
  return 0 <= colonOffset && colonOffset < offset ? { state: 'value', end: colonOffset + 1 } : { state: 'colon', end: endOf(keyNode) };
}

/** What may begin in a container. On a new line the comma may still be to come, and with it the next member or item. */
function placeIn({ state, isComment, isOnNewLine, word }: Gap, container: ASTNode | undefined): Cursor['place'] {
  if (isComment) return 'none';
  if (state === 'key' || state === 'value') return state;
  const isWord = word.start < word.end;
  if (container === undefined || (!isWord && (state === 'colon' || !isOnNewLine))) return 'none';
  return container.type === 'array' ? 'value' : 'key';
}

/** The first character of the next token; empty at the end. */
function signAfter(text: string, offset: number): string {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text.charAt(scanner.getTokenOffset());
}

/** Wrong or unfinished escapes stay as written. */
function typedText(tree: JsonTree, scalar: ASTNode, offset: number): string {
  const { start, end } = insideOf(scalar, tree);
  const written = tree.text.slice(start, Math.max(start, Math.min(offset, end)));
  return written.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, (escaped) => JSON.parse(`"${escaped}"`) as string);
}
