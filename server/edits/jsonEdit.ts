import type { TextRange } from '../../core/finding.js';
import { type Json, pointerOf, segmentsOf } from '../../core/json.js';
import { rawStretch } from '../../core/jsonText/placeFindings.js';
import { findPart, type JsonNode, JsonNodes, type JsonPart } from './jsonNodes.js';
import { type JsonStyle, renderJson, styleOf } from './jsonStyle.js';

/** A stretch of a text and what takes its place. */
export interface TextReplacement extends TextRange {
  readonly text: string;
}

/** JSON to be written as it is, so that `15.0` keeps its zero. Lines but the first are indented as if the value began a line of its own at the margin. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Where a new member goes. Default: behind the last one. */
export interface Placement {
  /** Names of members, the best first; those that are not there are passed over. */
  readonly after?: readonly string[];
  readonly first?: boolean;
}

/** A part that is not in the text yet. */
interface NewPart {
  readonly name: string;
  readonly value: Json | RawJson;
}

/** What becomes of an object or list: its parts in their new order, those of the text in their old one. */
interface Container {
  readonly node: JsonNode;
  readonly parts: readonly JsonPart[];
  readonly kept: (JsonPart | NewPart)[];
  /** Indentation of the line the container begins on. */
  readonly level: string;
}

/**
 * Edits a JSON text as a value, and leaves every byte that an edit is not about as it is: line ends, indentation, digits, escapes. All
 * pointers are about the text as it was; edits are collected, and `replacements` says what they come to. Of a key given twice the last counts.
 */
export class JsonEdit {
  private readonly text: string;
  private readonly style: JsonStyle;
  private readonly nodes: JsonNodes;
  private readonly containers = new Map<number, Container>();
  /** By start, since each stretch is replaced once. */
  private readonly direct = new Map<number, TextReplacement>();

  /**
   * @param text JSON: edits of anything else make no sense
   * @param nodes those of the text, where somebody has read it already
   */
  constructor(text: string, nodes = new JsonNodes(text)) {
    this.text = text;
    this.style = styleOf(text);
    this.nodes = nodes;
  }

  has(pointer: string): boolean {
    return this.find(pointer) !== undefined;
  }

  /** Whether a pointer leads to a member of an object, which has a key. */
  isMember(pointer: string): boolean {
    return pointer !== '' && this.has(pointer) && this.locate(pointer).part.key !== undefined;
  }

  /** Replaces a value that is there. */
  replace(pointer: string, value: Json | RawJson): this {
    const node = this.find(pointer);
    if (node === undefined) throw new Error(`Nothing is at ${pointer}`);
    const level = this.levelAt(node.start);
    const around = pointer === '' ? undefined : this.locate(pointer).container;
    const isFlat = around !== undefined && !this.layoutOf(around).isMultiLine;
    this.put(node, this.render(value, { level, before: node.start - this.lineStart(node.start) - level.length, isFlat }));
    return this;
  }

  /** Gives a member a value: replaces it, or adds it, with the objects around it that are not there. */
  set(pointer: string, value: Json | RawJson, placement: Placement = {}): this {
    if (this.find(pointer) !== undefined) return this.replace(pointer, value);
    const segments = segmentsOf(pointer);
    const last = segments.pop();
    if (last === undefined) return this.replace('', value);
    const around = pointerOf(...segments);
    const node = this.find(around);
    if (node === undefined) return this.set(around, this.wrapped(last, value), placement);
    if (node.type === 'scalar') return this.replace(around, this.wrapped(last, value));
    this.insertInto(this.containerOf(node), { name: last, value }, placement);
    return this;
  }

  /** Adds an item at an index of a list; behind the last one by default. */
  insertItem(list: string, value: Json | RawJson, index = Number.POSITIVE_INFINITY): this {
    const node = this.find(list);
    if (node?.type !== 'list') throw new Error(`There is no list at ${list}`);
    const { kept, parts } = this.containerOf(node);
    const before = parts[index];
    const at = before === undefined ? kept.length : kept.indexOf(before);
    kept.splice(at < 0 ? kept.length : at, 0, { name: '', value });
    return this;
  }

  /** Takes a member or item out, with its comma. */
  remove(pointer: string): this {
    const { container, part } = this.locate(pointer);
    const at = container.kept.indexOf(part);
    if (at >= 0) container.kept.splice(at, 1);
    return this;
  }

  /** Gives a member another key, and leaves its value and its place. */
  rename(pointer: string, key: string): this {
    const { part } = this.locate(pointer);
    if (part.key === undefined) throw new Error(`${pointer} has no key`);
    this.put(part.key, JSON.stringify(key));
    return this;
  }

  /** Replaces a stretch of a string, counted in UTF-16 units of the decoded string, and leaves the rest as it is escaped. */
  replaceWithin(pointer: string, target: 'key' | 'value', within: TextRange, text: string): this {
    const half = pointer === '' ? this.nodes.root : target === 'key' ? this.locate(pointer).part.key : this.locate(pointer).part.value;
    if (half === undefined || this.text[half.start] !== '"') throw new Error(`There is no text at ${pointer}`);
    this.put(rawStretch(this.text, half, within), JSON.stringify(text).slice(1, -1));
    return this;
  }

  /** JSON of a value as it is written in the text, moved to another depth. */
  rawOf(pointer: string): RawJson {
    const node = this.find(pointer);
    if (node === undefined) throw new Error(`Nothing is at ${pointer}`);
    const level = this.levelAt(node.start);
    const lines = this.text.slice(node.start, node.end).split(/\r\n|\n|\r/);
    return new RawJson(lines.map((line, at) => (at > 0 && line.startsWith(level) ? line.slice(level.length) : line)).join(this.style.eol));
  }

  /** What all edits come to, in text order; none overlaps another. */
  replacements(): readonly TextReplacement[] {
    const all = [...this.direct.values(), ...[...this.containers.values()].flatMap((container) => this.changesOf(container))];
    all.sort((left, right) => left.start - right.start || left.end - right.end);
    // What lies in a part that goes as a whole goes with it.
    const outer: TextReplacement[] = [];
    for (const edit of all) {
      const before = outer.at(-1);
      if (before === undefined || before.end <= edit.start) outer.push(edit);
      else if (edit.start === before.start && before.end < edit.end) outer[outer.length - 1] = edit;
    }
    return outer;
  }

  private find(pointer: string): JsonNode | undefined {
    let node: JsonNode | undefined = this.nodes.root;
    for (const name of segmentsOf(pointer)) {
      if (node === undefined) return undefined;
      node = findPart(this.containerOf(node).parts, name)?.value;
    }
    return node;
  }

  private locate(pointer: string): { container: Container; part: JsonPart } {
    const segments = segmentsOf(pointer);
    const name = segments.pop();
    const node = name === undefined ? undefined : this.find(pointerOf(...segments));
    const container = node === undefined ? undefined : this.containerOf(node);
    const part = container === undefined || name === undefined ? undefined : findPart(container.parts, name);
    if (container === undefined || part === undefined) throw new Error(`Nothing is at ${pointer}`);
    return { container, part };
  }

  private containerOf(node: JsonNode): Container {
    let container = this.containers.get(node.start);
    if (container === undefined) {
      const parts = this.nodes.partsOf(node);
      container = { node, parts, kept: [...parts], level: this.levelAt(node.start) };
      this.containers.set(node.start, container);
    }
    return container;
  }

  private insertInto({ kept }: Container, part: NewPart, { after = [], first = false }: Placement): void {
    const before = kept.findIndex((other) => !('start' in other) && other.name === part.name);
    if (before >= 0) kept.splice(before, 1, part);
    else if (first) kept.unshift(part);
    else {
      const neighbour = after.map((name) => kept.findLastIndex((other) => other.name === name)).find((at) => at >= 0);
      kept.splice(neighbour === undefined ? kept.length : neighbour + 1, 0, part);
    }
  }

  /** Runs of new and removed parts, each between two parts that stay. */
  private changesOf(container: Container): readonly TextReplacement[] {
    const { parts, kept } = container;
    if (parts.length === kept.length && parts.every((part, at) => part === kept[at])) return [];
    const changes: TextReplacement[] = [];
    let added: NewPart[] = [];
    let previous = -1;
    const close = (next: number) => {
      const change = this.changeBetween(container, previous, next, added);
      if (change !== undefined) changes.push(change);
      added = [];
      previous = next;
    };
    for (const part of kept) {
      if ('start' in part) close(parts.indexOf(part));
      else added.push(part);
    }
    close(parts.length);
    return changes;
  }

  /** @param previous index of the part before, -1 for none @param next index of the part behind, the number of parts for none */
  private changeBetween(container: Container, previous: number, next: number, added: readonly NewPart[]): TextReplacement | undefined {
    const { parts, node } = container;
    const removed = parts.slice(previous + 1, next);
    if (removed.length === 0 && added.length === 0) return undefined;
    const { isMultiLine, level } = this.layoutOf(container);
    const gap = isMultiLine ? this.style.eol + level : this.style.gap;
    const texts = added.map((part) => this.renderPart(part, container, level));
    const [before, behind] = [parts[previous], parts[next]];
    if (before !== undefined)
      return { start: before.end, end: removed.at(-1)?.end ?? before.end, text: texts.map((text) => `,${gap}${text}`).join('') };
    if (behind !== undefined)
      return { start: removed[0]?.start ?? behind.start, end: behind.start, text: texts.map((text) => `${text},${gap}`).join('') };
    const list = texts.join(`,${gap}`);
    const [first, last] = [removed[0], removed.at(-1)];
    if (list !== '' && first !== undefined && last !== undefined) return { start: first.start, end: last.end, text: list };
    const padding = node.type === 'object' ? this.style.padding : '';
    const inside = isMultiLine ? this.style.eol + level + list + this.style.eol + container.level : padding + list + padding;
    return { start: node.start + 1, end: node.end - 1, text: list === '' ? '' : inside };
  }

  /** Whether the parts of a container stand on lines of their own, and how these are indented. An empty one does as the file does. */
  private layoutOf({ parts, node, level }: Container): { readonly isMultiLine: boolean; readonly level: string } {
    const inner = level + this.style.indent;
    const [first] = parts;
    if (first === undefined) return { isMultiLine: !this.style.isFlat && node.type === 'object', level: inner };
    const starts = parts.filter((part) => /[\r\n][ \t]*$/.test(this.text.slice(Math.max(node.start, part.start - 200), part.start)));
    const own = starts[0];
    return own === undefined ? { isMultiLine: false, level } : { isMultiLine: true, level: this.levelAt(own.start) };
  }

  private renderPart({ name, value }: NewPart, container: Container, level: string): string {
    const key = container.node.type === 'object' ? JSON.stringify(name) + this.style.colon : '';
    const isFlat = !this.layoutOf(container).isMultiLine || this.hasFlatItems(container);
    return key + this.render(value, { level, before: key.length, isFlat });
  }

  /** A list of objects or lists, each on a line of its own: new items are written so too. */
  private hasFlatItems({ node, parts }: Container): boolean {
    if (node.type !== 'list' || parts.length === 0) return false;
    return parts.every(({ value, start, end }) => value.type !== 'scalar' && !/[\r\n]/.test(this.text.slice(start, end)));
  }

  private render(value: Json | RawJson, { level, before, isFlat }: { level: string; before: number; isFlat: boolean }): string {
    if (value instanceof RawJson) return value.text.replace(/\r\n|\n|\r/g, this.style.eol + level);
    return renderJson(value, isFlat ? { ...this.style, isFlat } : this.style, level, before);
  }

  /** An object with one member around a value; as raw JSON around a raw one, since that can be part of no other value. */
  private wrapped(name: string, value: Json | RawJson): Json | RawJson {
    if (!(value instanceof RawJson)) return Object.fromEntries([[name, value]]);
    const { eol, indent, colon, isFlat, padding } = this.style;
    const member = JSON.stringify(name) + colon + this.render(value, { level: isFlat ? '' : indent, before: 0, isFlat });
    return new RawJson(isFlat ? `{${padding}${member}${padding}}` : `{${eol}${indent}${member}${eol}}`);
  }

  private put({ start, end }: TextRange, text: string): void {
    this.direct.set(start, { start, end, text });
  }

  private lineStart(offset: number): number {
    let at = offset;
    while (at > 0 && this.text[at - 1] !== '\n' && this.text[at - 1] !== '\r') at -= 1;
    return at;
  }

  private levelAt(offset: number): string {
    const start = this.lineStart(offset);
    let end = start;
    while (this.text[end] === ' ' || this.text[end] === '\t') end += 1;
    return this.text.slice(start, end);
  }
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
