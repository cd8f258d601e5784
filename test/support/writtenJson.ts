import fc from 'fast-check';
import type { TextRange } from '../../core/finding.js';
import { type Json, pointerOf } from '../../core/json.js';

/** JSON as a user might have typed it, with what is known about every place in it. */
export interface WrittenJson {
  readonly text: string;
  /** By pointer; of a key given twice the last one. */
  readonly places: ReadonlyMap<string, WrittenPlace>;
  /** Keys given more than once in one object, counted once for every time but the first. */
  readonly duplicates: readonly { readonly pointer: string; readonly range: TextRange; readonly first: TextRange }[];
}

export interface WrittenPlace {
  readonly key: TextRange | undefined;
  readonly value: TextRange;
  /** Of a string: where each UTF-16 unit of the decoded text is written, and the offset of the closing quote last. */
  readonly units: readonly number[] | undefined;
}

interface Text {
  readonly decoded: string;
  /** How each unit is written. */
  readonly written: readonly string[];
}

type Node =
  | { readonly type: 'literal'; readonly written: string }
  | { readonly type: 'text'; readonly text: Text }
  | { readonly type: 'list'; readonly items: readonly Node[]; readonly gaps: readonly string[] }
  | {
      readonly type: 'object';
      readonly members: readonly { readonly key: Text; readonly value: Node }[];
      readonly gaps: readonly string[];
    };

const unit = fc
  .tuple(
    fc.constantFrom('a', 'b', 'é', '"', '\\', '/', '\n', '\u0001', '\u2028', '\ud83d', '\ude00', '~', '0', '{', ':', ','),
    fc.boolean(),
  )
  .map(([character, escaped]): [string, string] => {
    const short = JSON.stringify(character).slice(1, -1);
    const hexadecimal = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    if (!escaped) return [character, character >= ' ' && character !== '"' && character !== '\\' ? character : short];
    return [character, character === '/' ? '\\/' : hexadecimal];
  });

const text = (maxLength: number): fc.Arbitrary<Text> =>
  fc
    .array(unit, { maxLength })
    .map((units) => ({ decoded: units.map(([decoded]) => decoded).join(''), written: units.map(([, written]) => written) }));

const plain = (decoded: string): Text => ({ decoded, written: [...decoded] });
const key = fc.oneof(text(3), fc.constantFrom('a', 'b', '', '__proto__', 'constructor', '0').map(plain));
const gaps = fc.array(fc.constantFrom('', '', ' ', '\n', '\r\n', '\r', '\t', ' \n  '), { minLength: 4, maxLength: 4 });

const { node } = fc.letrec<{ node: Node; list: Node; object: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false', '0', '-0', '1.5e+3', '-12').map((written): Node => ({ type: 'literal', written })),
    text(6).map((decoded): Node => ({ type: 'text', text: decoded })),
    tie('list'),
    tie('object'),
  ),
  list: fc.record({ type: fc.constant('list' as const), items: fc.array(tie('node'), { maxLength: 4 }), gaps }),
  object: fc.record({
    type: fc.constant('object' as const),
    members: fc.array(fc.record({ key, value: tie('node') }), { maxLength: 5 }),
    gaps,
  }),
}));

/** Any JSON value written in any legal way: white space, escapes, odd keys, and now and then a key given twice. */
export const writtenJson: fc.Arbitrary<WrittenJson> = fc
  .tuple(node, gaps, fc.constantFrom('', '\uFEFF'))
  .map(([root, around, start]) => new Writer(start).write(root, around));

class Writer {
  private text: string;
  private readonly places = new Map<string, WrittenPlace>();
  private readonly duplicates: { pointer: string; range: TextRange; first: TextRange }[] = [];

  constructor(start: string) {
    this.text = start;
  }

  write(root: Node, around: readonly string[]): WrittenJson {
    this.text += around[0] ?? '';
    this.node(root, [], undefined);
    this.text += around[1] ?? '';
    return { text: this.text, places: this.places, duplicates: this.duplicates };
  }

  private node(node: Node, path: readonly (string | number)[], key: TextRange | undefined): void {
    const start = this.text.length;
    let units: readonly number[] | undefined;
    if (node.type === 'literal') this.text += node.written;
    else if (node.type === 'text') units = this.quoted(node.text);
    else if (node.type === 'list') this.list(node, path);
    else this.object(node, path);
    this.places.set(pointerOf(...path), { key, value: { start, end: this.text.length }, units });
  }

  private list(
    { items, gaps: [before = '', after = '', inside = ''] }: Extract<Node, { type: 'list' }>,
    path: readonly (string | number)[],
  ): void {
    this.text += `[${inside}`;
    for (const [index, item] of items.entries()) {
      if (index > 0) this.text += `${before},${after}`;
      this.node(item, [...path, index], undefined);
    }
    this.text += `${inside}]`;
  }

  private object(
    { members, gaps: [before = '', after = '', inside = '', colon = ''] }: Extract<Node, { type: 'object' }>,
    path: readonly (string | number)[],
  ): void {
    const seen = new Map<string, TextRange>();
    this.text += `{${inside}`;
    for (const [index, { key, value }] of members.entries()) {
      if (index > 0) this.text += `${before},${after}`;
      const start = this.text.length;
      this.quoted(key);
      const range = { start, end: this.text.length };
      const pointer = pointerOf(...path, key.decoded);
      const first = seen.get(key.decoded);
      if (first === undefined) seen.set(key.decoded, range);
      else this.duplicates.push({ pointer, range, first });
      for (const place of [...this.places.keys()]) if (place === pointer || place.startsWith(`${pointer}/`)) this.places.delete(place);
      this.text += `${colon}:${after}`;
      this.node(value, [...path, key.decoded], range);
    }
    this.text += `${inside}}`;
  }

  private quoted({ written }: Text): readonly number[] {
    this.text += '"';
    const units: number[] = [];
    for (const piece of written) {
      units.push(this.text.length);
      this.text += piece;
    }
    units.push(this.text.length);
    this.text += '"';
    return units;
  }
}

/** Whether two parsed values are the same, `__proto__` keys, their order and -0 included. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return Object.is(left, right);
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  const others = Object.keys(right);
  return keys.length === others.length && keys.every((name, at) => name === others[at] && sameJson(own(left, name), own(right, name)));
}

function own(value: object, name: string): Json | undefined {
  return Object.getOwnPropertyDescriptor(value, name)?.value as Json | undefined;
}
