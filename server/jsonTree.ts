import { getNodeValue } from 'jsonc-parser';
import {
  type ASTNode,
  getLanguageService,
  type JSONDocument,
  type ObjectASTNode,
  type PropertyASTNode,
  TextDocument,
} from 'vscode-json-languageservice';
import type { TextRange } from '../core/finding.js';
import { type Json, segmentsOf } from '../core/json.js';
import type { Located } from '../core/jsonText/locate.js';
import { type CompletedText, completeText } from './completedText.js';
import type { Document } from './document.js';

/** Object keys and list indices from the root. */
export type Path = readonly (string | number)[];

/** The parse of a text by the JSON language service, whether or not it is valid JSON. */
export interface JsonTree {
  readonly text: string;
  /** The text with its missing quotes, brackets and commas. */
  readonly completed: TextDocument;
  /** Nodes with their offsets in `text`. */
  readonly parsed: JSONDocument;
  /** Undefined for a text without a value, and for one that is nested more deeply than a config may be. */
  readonly root: ASTNode | undefined;
  /** Offsets of the objects, lists and strings whose end is missing. */
  readonly open: ReadonlySet<number>;
}

export const jsonService = getLanguageService({});

const trees = new WeakMap<Document, JsonTree>();

/** The tree of one version of a document, if it has been parsed. */
export function knownTree(document: Document): JsonTree | undefined {
  return trees.get(document);
}

/** The tree of one version of a document, parsed at first use. */
export function treeOf(document: Document): JsonTree {
  const cached = trees.get(document);
  if (cached !== undefined) return cached;
  const tree = document.config?.value === undefined ? parseTree(document.text) : parseJsonTree(document.text);
  trees.set(document, tree);
  return tree;
}

/** For a text that is JSON apart from comments and trailing commas: nothing is missing. */
function parseJsonTree(text: string): JsonTree {
  const completed = TextDocument.create('', 'json', 0, text.replace(/^\ufeff/, ' '));
  const parsed = jsonService.parseJSONDocument(completed);
  return { text, completed, parsed, root: parsed.root, open: new Set() };
}

/** For any text. */
export function parseTree(text: string): JsonTree {
  const completion = completeText(text) ?? { text: '', open: new Set(), toOriginal: () => 0 };
  const completed = TextDocument.create('', 'json', 0, completion.text);
  const parsed = jsonService.parseJSONDocument(completed);
  if (parsed.root !== undefined) moveToOriginal(parsed.root, completion.toOriginal);
  return { text, completed, parsed, root: parsed.root, open: completion.open };
}

type Mutable<Node> = { -readonly [Member in keyof Node]: Node[Member] };

function moveToOriginal(node: ASTNode, toOriginal: CompletedText['toOriginal']): void {
  const offset = toOriginal(node.offset);
  const end = toOriginal(node.type === 'property' ? endOfMember(node) : endOf(node));
  if (node.type === 'property') {
    moveToOriginal(node.keyNode, toOriginal);
    if (node.valueNode !== undefined) moveToOriginal(node.valueNode, toOriginal);
    if (hasColon(node)) (node as Mutable<PropertyASTNode>).colonOffset = toOriginal(node.colonOffset as number);
  } else for (const child of node.children ?? []) moveToOriginal(child, toOriginal);
  const moved: Mutable<ASTNode> = node;
  moved.offset = offset;
  moved.length = end - offset;
}

/** The service extends a member without a value to the next token. */
function endOfMember(member: PropertyASTNode): number {
  if (member.valueNode !== undefined) return endOf(member.valueNode);
  return hasColon(member) ? (member.colonOffset as number) + 1 : endOf(member.keyNode);
}

export function hasColon({ colonOffset }: PropertyASTNode): boolean {
  return colonOffset !== undefined && colonOffset >= 0;
}

export function isScalar({ type }: ASTNode): boolean {
  return type !== 'object' && type !== 'array' && type !== 'property';
}

export function endOf({ offset, length }: ASTNode): number {
  return offset + length;
}

export function rangeOf(node: ASTNode): TextRange {
  return { start: node.offset, end: endOf(node) };
}

/** The text between the quotes of a string or the brackets of an object or list; for any other node, all of it. */
export function insideOf(node: ASTNode, { text, open }: JsonTree): TextRange {
  const isEnclosed = node.type !== 'property' && /["{[]/.test(text.charAt(node.offset));
  if (!isEnclosed) return rangeOf(node);
  return { start: node.offset + 1, end: open.has(node.offset) ? endOf(node) : endOf(node) - 1 };
}

/** The value of a node: for a duplicate key the last one counts, and a member without a value is left out. */
export function jsonOf(node: ASTNode | undefined): Json | undefined {
  return node === undefined ? undefined : (getNodeValue(node) as Json);
}

/** A member of an object, by its name: for a duplicate key, the last one that has a value. */
export function memberOf(node: ASTNode | undefined, name: string): PropertyASTNode | undefined {
  return node?.type === 'object' ? membersOf(node).get(name) : undefined;
}

const members = new WeakMap<ObjectASTNode, ReadonlyMap<string, PropertyASTNode>>();

/** By name, created at first use: an object may have thousands of members, and each is looked up. */
function membersOf(node: ObjectASTNode): ReadonlyMap<string, PropertyASTNode> {
  let byName = members.get(node);
  if (byName === undefined) {
    const properties = new Map<string, PropertyASTNode>();
    for (const member of node.properties) {
      const name = member.keyNode.value;
      if (member.valueNode !== undefined || properties.get(name)?.valueNode === undefined) properties.set(name, member);
    }
    byName = properties;
    members.set(node, byName);
  }
  return byName;
}

/** The value at a path. */
export function nodeAt(root: ASTNode | undefined, path: Path): ASTNode | undefined {
  let node = root;
  for (const segment of path) node = node?.type === 'array' ? node.items[Number(segment)] : memberOf(node, String(segment))?.valueNode;
  return node;
}

/** Object keys and list indices that lead to a value, or to the member of a key. */
export function pathOf(node: ASTNode | undefined): Path {
  const path: (string | number)[] = [];
  for (let at = node; at?.parent !== undefined; at = at.parent) {
    if (at.type === 'property') path.push(at.keyNode.value);
    else if (at.parent.type === 'array') path.push(at.parent.items.indexOf(at));
  }
  return path.reverse();
}

/** Where values are written, by JSON pointer; pointers to nothing are absent. A value that is not typed yet is empty, right after its key. */
export function locateIn({ root }: JsonTree, pointers: Iterable<string>): ReadonlyMap<string, Located> {
  const locations = new Map<string, Located>();
  for (const pointer of pointers) {
    const segments = segmentsOf(pointer);
    const member = memberOf(nodeAt(root, segments.slice(0, -1)), segments.at(-1) ?? '');
    const value = segments.length > 0 && member !== undefined ? member.valueNode : nodeAt(root, segments);
    if (member !== undefined && segments.length > 0) {
      const key = rangeOf(member.keyNode);
      locations.set(pointer, { key, value: value === undefined ? { start: key.end, end: key.end } : rangeOf(value) });
    } else if (value !== undefined) locations.set(pointer, { value: rangeOf(value) });
  }
  return locations;
}
