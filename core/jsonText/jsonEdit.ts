import type { Node } from 'jsonc-parser';
import type { TextRange } from '../finding.js';
import { pointerOf, segmentsOf } from '../json.js';
import { type JsonStyle, type NewJson, RawJson, renderJson, styleOf } from './jsonStyle.js';
import { JsonTree, keyOf, rangeOf } from './jsonTree.js';
import { rawStretch } from './placeFindings.js';

/** A stretch of a text and its replacement. */
export interface TextReplacement extends TextRange {
  readonly text: string;
}

/** Where a new member is inserted. Default: after the last one. */
export interface Placement {
  /** Names of members, in order of preference; missing ones are skipped. */
  readonly after?: readonly string[];
  readonly first?: boolean;
}

/** A member or item that is not yet in the text. */
interface NewPart {
  readonly name: string;
  readonly value: NewJson;
}

/** A member (a node of type `property`) or item of the text, or a new one. */
type Part = Node | NewPart;

/**
 * Edits a JSON text as a value, and leaves every byte that no edit concerns unchanged: line ends, indentation, digits, escapes. All
 * pointers refer to the original text; edits are collected, and `replacements` returns their result. For a duplicate key the last one counts.
 *
 * `modify` of jsonc-parser is not suitable for this: it expands the whole line that it edits, and removes a bracket's neighbour with the last item of
 * a list on one line (`[1, 2]` without its last item becomes `[12]`).
 */
export class JsonEdit {
  private readonly text: string;
  private readonly style: JsonStyle;
  private readonly tree: JsonTree;
  /** The parts of objects and lists in their new order. */
  private readonly contents = new Map<Node, Part[]>();
  /** The members of objects that do not exist in the text, by the pointer of the object. */
  private readonly added = new Map<string, ReadonlyMap<string, NewJson>>();
  /** By start offset, since each stretch is replaced once. */
  private readonly direct = new Map<number, TextReplacement>();

  /** @param text must be JSON: edits of anything else make no sense */
  constructor(text: string) {
    this.text = text;
    this.style = styleOf(text);
    this.tree = new JsonTree(text);
  }

  has(pointer: string): boolean {
    return this.tree.find(pointer) !== undefined;
  }

  /** Whether a pointer leads to a member of an object, which has a key. */
  isMember(pointer: string): boolean {
    return this.tree.find(pointer)?.parent?.type === 'property';
  }

  /** Replaces an existing value. */
  replace(pointer: string, value: NewJson): this {
    const node = this.nodeAt(pointer);
    const container = partOf(node).parent;
    const isFlat = container !== undefined && this.levelIn(container) === undefined;
    const level = this.indentAt(node.offset);
    const before = node.offset - this.lineStart(node.offset) - level.length;
    this.put(rangeOf(node), renderJson(value, isFlat ? { ...this.style, isFlat } : this.style, level, before));
    return this;
  }

  /** Sets the value of a member: replaces it, or adds it along with missing objects around it. */
  set(pointer: string, value: NewJson, placement: Placement = {}): this {
    if (this.has(pointer)) return this.replace(pointer, value);
    const segments = segmentsOf(pointer);
    const name = segments.pop() ?? '';
    const around = pointerOf(...segments);
    const container = this.tree.find(around);
    if (container?.children === undefined) {
      const members = new Map(this.added.get(around)).set(name, value);
      this.added.set(around, members);
      return this.set(around, Object.fromEntries(members), placement);
    }
    this.insertInto(this.contentOf(container), { name, value }, placement);
    return this;
  }

  /** Adds an item at an index of a list; after the last one by default. */
  insertItem(list: string, value: NewJson, index = Number.POSITIVE_INFINITY): this {
    const node = this.nodeAt(list);
    if (node.type !== 'array') throw new Error(`There is no list at ${list}`);
    const parts = this.contentOf(node);
    const next = node.children?.[index];
    const at = next === undefined ? -1 : parts.indexOf(next);
    parts.splice(at < 0 ? parts.length : at, 0, { name: '', value });
    return this;
  }

  /** Removes a member or item, with its comma. */
  remove(pointer: string): this {
    const part = partOf(this.nodeAt(pointer));
    if (part.parent === undefined) throw new Error('The root of a file cannot be removed');
    const parts = this.contentOf(part.parent);
    const at = parts.indexOf(part);
    if (at >= 0) parts.splice(at, 1);
    return this;
  }

  /** Renames a member, keeping its value and its place. */
  rename(pointer: string, key: string): this {
    const node = keyOf(this.nodeAt(pointer));
    if (node === undefined) throw new Error(`${pointer} has no key`);
    this.put(rangeOf(node), JSON.stringify(key));
    return this;
  }

  /** Replaces a stretch of a string, counted in UTF-16 units of the decoded string, and keeps the escapes of the rest. */
  replaceWithin(pointer: string, target: 'key' | 'value', within: TextRange, text: string): this {
    const value = this.nodeAt(pointer);
    const node = target === 'key' ? keyOf(value) : value;
    if (node?.type !== 'string') throw new Error(`There is no text at ${pointer}`);
    this.put(rawStretch(this.text, rangeOf(node), within), JSON.stringify(text).slice(1, -1));
    return this;
  }

  /** JSON of a value as written in the text, to be inserted at another depth. */
  rawOf(pointer: string): RawJson {
    const { offset, length } = this.nodeAt(pointer);
    const level = this.indentAt(offset);
    const lines = this.text.slice(offset, offset + length).split(/\r\n|\n|\r/);
    return new RawJson(lines.map((line, at) => (at > 0 && line.startsWith(level) ? line.slice(level.length) : line)).join(this.style.eol));
  }

  /** The result of all edits, in text order, without overlaps. */
  replacements(): readonly TextReplacement[] {
    const all = [...this.direct.values(), ...[...this.contents].flatMap(([container, parts]) => this.changesOf(container, parts))];
    all.sort((left, right) => left.start - right.start || left.end - right.end);
    // Edits inside a part that is replaced or removed as a whole are dropped.
    const outer: TextReplacement[] = [];
    for (const edit of all) {
      const before = outer.at(-1);
      if (before === undefined || before.end <= edit.start) outer.push(edit);
      else if (edit.start === before.start && before.end < edit.end) outer[outer.length - 1] = edit;
    }
    return outer;
  }

  private nodeAt(pointer: string): Node {
    const node = this.tree.find(pointer);
    if (node === undefined) throw new Error(`Nothing is at ${pointer}`);
    return node;
  }

  private contentOf(container: Node): Part[] {
    const parts = this.contents.get(container) ?? [...(container.children ?? [])];
    this.contents.set(container, parts);
    return parts;
  }

  private insertInto(parts: Part[], part: NewPart, { after = [], first = false }: Placement): void {
    const same = parts.findIndex((other) => !isWritten(other) && other.name === part.name);
    const neighbour = after.map((name) => parts.findLastIndex((other) => nameOf(other) === name)).find((at) => at >= 0);
    if (same >= 0) parts[same] = part;
    else parts.splice(first ? 0 : neighbour === undefined ? parts.length : neighbour + 1, 0, part);
  }

  /** One change for each run of new and removed parts between two parts that remain. */
  private changesOf(container: Node, parts: readonly Part[]): readonly TextReplacement[] {
    const { children = [] } = container;
    const level = this.levelIn(container);
    const changes: TextReplacement[] = [];
    let added: NewPart[] = [];
    let from = 0;
    for (const part of [...parts, undefined]) {
      if (part !== undefined && !isWritten(part)) {
        added.push(part);
        continue;
      }
      let to = from;
      while (children[to] !== part) to += 1;
      if (added.length > 0 || from < to) changes.push(this.change(container, { from, to, level, added }));
      added = [];
      from = to + 1;
    }
    return changes;
  }

  /** Replaces the parts from one index up to another with new ones. */
  private change(container: Node, { from, to, level, added }: Change): TextReplacement {
    const { children = [], offset, length, type } = container;
    const outer = this.indentAt(offset);
    const gap = level === undefined ? this.style.gap : this.style.eol + level;
    const texts = added.map(({ name, value }) => {
      const key = type === 'object' ? `${JSON.stringify(name)}:${this.style.gap}` : '';
      const style = level === undefined || this.hasFlatItems(container) ? { ...this.style, isFlat: true } : this.style;
      return key + renderJson(value, style, level ?? outer, key.length);
    });
    const [before, first, last, behind] = [children[from - 1], children[from], children[to - 1], children[to]];
    if (before !== undefined)
      return { start: endOf(before), end: endOf(from < to && last ? last : before), text: texts.map((text) => `,${gap}${text}`).join('') };
    if (behind !== undefined)
      return { start: (first ?? behind).offset, end: behind.offset, text: texts.map((text) => `${text},${gap}`).join('') };
    const list = texts.join(`,${gap}`);
    if (list !== '' && first !== undefined && last !== undefined) return { start: first.offset, end: endOf(last), text: list };
    const padding = type === 'object' ? this.style.padding : '';
    const inside = level === undefined ? padding + list + padding : gap + list + this.style.eol + outer;
    return { start: offset + 1, end: offset + length - 1, text: list === '' ? '' : inside };
  }

  /** The indentation of members or items on separate lines; undefined if all are on one line. */
  private levelIn({ children = [], offset, type }: Node): string | undefined {
    if (children.length === 0) return this.style.isFlat || type === 'array' ? undefined : this.indentAt(offset) + this.style.indent;
    let end = offset + 1;
    for (const child of children) {
      if (/[\r\n]/.test(this.text.slice(end, child.offset))) return this.indentAt(child.offset);
      end = endOf(child);
    }
    return undefined;
  }

  /** Whether it is a list of objects or lists, each on one line: new items are written like these. */
  private hasFlatItems({ type, children = [] }: Node): boolean {
    const isFlat = (item: Node) => item.children !== undefined && !/[\r\n]/.test(this.text.slice(item.offset, endOf(item)));
    return type === 'array' && children.length > 0 && children.every(isFlat);
  }

  private put({ start, end }: TextRange, text: string): void {
    this.direct.set(start, { start, end, text });
  }

  private lineStart(offset: number): number {
    return Math.max(this.text.lastIndexOf('\n', offset - 1), this.text.lastIndexOf('\r', offset - 1)) + 1;
  }

  private indentAt(offset: number): string {
    return /[ \t]*/.exec(this.text.slice(this.lineStart(offset), offset))?.[0] ?? '';
  }
}

interface Change {
  readonly from: number;
  readonly to: number;
  readonly level: string | undefined;
  readonly added: readonly NewPart[];
}

function isWritten(part: Part): part is Node {
  return 'offset' in part;
}

function nameOf(part: Part): string | undefined {
  return isWritten(part) ? part.children?.[0]?.value : part.name;
}

/** The member or item whose value a node is. */
function partOf(node: Node): Node {
  return node.parent?.type === 'property' ? node.parent : node;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** The text after replacements that do not overlap. */
export function applyReplacements(text: string, replacements: readonly TextReplacement[]): string {
  let edited = '';
  let at = 0;
  for (const { start, end, text: put } of [...replacements].sort((left, right) => left.start - right.start || left.end - right.end)) {
    edited += text.slice(at, start) + put;
    at = end;
  }
  return edited + text.slice(at);
}
