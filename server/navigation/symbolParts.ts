import { SymbolKind } from 'vscode-languageserver';
import type { TextRange } from '../../core/finding.js';
import { conditionWords } from '../../core/routing/conditionWords.js';
import { looksLikeSecret } from '../../core/secrets/secretPatterns.js';
import type { Document } from '../document.js';
import { type OutlineNode, toValue } from '../jsonOutline.js';
import { preview } from '../preview.js';

/** A part of a config file as its outline shows it. */
export interface NamedPart {
  readonly node: OutlineNode;
  /** Never empty: clients refuse that. */
  readonly name: string;
  readonly detail: string | undefined;
  readonly kind: SymbolKind;
  /** What is marked when it is chosen; the key when absent. */
  readonly selection?: TextRange;
  readonly children: () => readonly NamedPart[];
}

/** The parts of a file, outermost first: fields of an agent and of its answer, teams, tasks and rules by what they are called. */
export function partsOf(root: OutlineNode | undefined, document: Document): readonly NamedPart[] {
  return root === undefined ? [] : membersOf(new Reader(document), root, '');
}

class Reader {
  readonly text: string;
  readonly kind: string;

  constructor({ text, config }: Document) {
    this.text = text;
    this.kind = config?.identity.kind ?? '';
  }

  member(node: OutlineNode, name: string): OutlineNode | undefined {
    return node.type === 'object' ? node.children.findLast(({ key }) => key?.name === name) : undefined;
  }

  /** The text of a string member. */
  string(node: OutlineNode, name: string): string | undefined {
    const member = this.member(node, name);
    const value = member?.type === 'string' ? toValue(member, this.text) : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  preview(node: OutlineNode): string {
    const near = this.text.slice(node.start, Math.min(node.end, node.start + 400)).replace(/^"|"$/g, '');
    if (node.key !== undefined && looksLikeSecret(near, node.key.name) !== undefined) return '***';
    return preview(near);
  }
}

function membersOf(reader: Reader, node: OutlineNode, place: string): readonly NamedPart[] {
  return node.children.flatMap((child, index) => partOf(reader, child, index, place));
}

/** @param place keys that lead to it, lists and named members as `*` */
function partOf(reader: Reader, node: OutlineNode, index: number, place: string): NamedPart | readonly NamedPart[] {
  const at = `${place}/${node.key?.name ?? '*'}`;
  if (/(?:^|\/config|\/agent_defaults|\/persona_defaults|\/agents\/[^/]+)\/(?:output|input)_schema$/.test(at))
    return schemaPart(reader, node);
  if (/\/enums$/.test(place) && node.type === 'array') return enumPart(reader, node);
  if (reader.kind === 'orchestration') {
    if (place === '/teams') return teamPart(reader, node, at);
    if (/^\/teams\/[^/]+\/tasks$/.test(place)) return taskPart(reader, node, index, at);
    if (/^\/teams\/[^/]+\/routing\/rules$/.test(place)) return rulePart(reader, node, index, at);
  }
  if (/\/execution_plan\/steps$/.test(place)) return taskPart(reader, node, index, at);
  if (place === '/few_shot_examples') return plainPart(reader, node, at, `Example ${index + 1}`);
  return plainPart(reader, node, at, node.key === undefined ? undefined : nameOf(node.key.name));
}

/** @param name undefined for an item of a list, which is named by what it says */
function plainPart(reader: Reader, node: OutlineNode, place: string, name: string | undefined): NamedPart {
  const isScalar = node.type === 'string' || node.type === 'word';
  const shown = isScalar ? reader.preview(node) : undefined;
  const own = reader.string(node, 'name');
  return {
    node,
    name: name ?? nameOf(shown ?? (own === undefined ? (node.type === 'array' ? '[…]' : '{…}') : preview(own))),
    detail: name === undefined ? undefined : shown || countOf(node),
    kind: plainKind(reader, node),
    children: () => membersOf(reader, node, place),
  };
}

function countOf({ type, children }: OutlineNode): string | undefined {
  return type === 'array' ? `${children.length} ${children.length === 1 ? 'item' : 'items'}` : undefined;
}

function plainKind({ text }: Reader, { type, start, end }: OutlineNode): SymbolKind {
  if (type === 'object') return SymbolKind.Object;
  if (type === 'array') return SymbolKind.Array;
  if (type === 'string') return SymbolKind.String;
  const word = text.slice(start, end);
  if (word === 'true' || word === 'false') return SymbolKind.Boolean;
  return /^-?\d/.test(word) ? SymbolKind.Number : SymbolKind.Null;
}

function schemaPart(reader: Reader, node: OutlineNode): NamedPart {
  const name = nameOf(node.key?.name ?? '');
  return { node, name, detail: typeWords(reader, node), kind: SymbolKind.Interface, children: () => fieldsOf(reader, node) };
}

/** The fields that a schema names, lists stepped into; the keywords around them are left out. */
function fieldsOf(reader: Reader, schema: OutlineNode): readonly NamedPart[] {
  const properties = reader.member(schema, 'properties');
  const items = reader.member(schema, 'items');
  const definitions = ['$defs', 'definitions'].flatMap((name) => reader.member(schema, name) ?? []);
  return [...(properties?.type === 'object' ? [properties] : []), ...definitions]
    .flatMap((holder) =>
      holder.children.map((node): NamedPart => {
        const detail = typeWords(reader, node);
        return { node, name: nameOf(node.key?.name ?? ''), detail, kind: SymbolKind.Field, children: () => fieldsOf(reader, node) };
      }),
    )
    .concat(items === undefined ? [] : fieldsOf(reader, items));
}

/** `string`, `direct | friendly`, `array of object`. */
function typeWords(reader: Reader, schema: OutlineNode): string | undefined {
  const values = reader.member(schema, 'enum');
  if (values?.type === 'array') return listWords(reader, values.children);
  const type = reader.member(schema, 'type');
  const reference = reader.string(schema, '$ref');
  if (type === undefined) return reference === undefined ? undefined : preview(reference);
  const words = type.type === 'array' ? listWords(reader, type.children) : reader.preview(type);
  const items = words === 'array' ? reader.member(schema, 'items') : undefined;
  const inner = items && typeWords(reader, items);
  return inner === undefined ? words : preview(`array of ${inner}`);
}

function listWords(reader: Reader, items: readonly OutlineNode[]): string {
  const shown = items.slice(0, 8).map((item) => reader.preview(item));
  return preview(shown.join(' | ') + (items.length > shown.length ? ` | … ${items.length}` : ''));
}

function enumPart(reader: Reader, node: OutlineNode): NamedPart {
  return {
    node,
    name: nameOf(node.key?.name ?? ''),
    detail: countOf(node),
    kind: SymbolKind.Enum,
    children: () =>
      node.children.map((value) => {
        const name = nameOf(reader.preview(value));
        return { node: value, name, detail: undefined, kind: SymbolKind.EnumMember, children: () => [] };
      }),
  };
}

function teamPart(reader: Reader, node: OutlineNode, place: string): NamedPart {
  const detail = reader.string(node, 'name');
  return {
    node,
    name: nameOf(node.key?.name ?? ''),
    detail: detail === undefined ? undefined : preview(detail),
    kind: SymbolKind.Namespace,
    children: () => membersOf(reader, node, place).filter(({ node: part }) => part.key?.name !== 'name'),
  };
}

/** A task or a step of a plan, by its name; what runs is its detail. */
function taskPart(reader: Reader, node: OutlineNode, index: number, place: string): NamedPart {
  const name = reader.member(node, 'name');
  const runs = ['agent', 'persona_key', 'skill', 'llm'].map((field) => reader.string(node, field)).find((text) => text !== undefined);
  return {
    node,
    name: nameOf(reader.string(node, 'name') ?? `${index + 1}`),
    detail: runs === undefined ? undefined : preview(runs),
    kind: SymbolKind.Function,
    ...(name !== undefined && name.end > name.start && { selection: { start: name.start, end: name.end } }),
    children: () => membersOf(reader, node, place).filter(({ node: part }) => part.key?.name !== 'name'),
  };
}

/** A rule by where it leads and when. */
function rulePart(reader: Reader, node: OutlineNode, index: number, place: string): NamedPart {
  const next = reader.member(node, 'next_team');
  const condition = reader.member(node, 'condition');
  const target = reader.string(node, 'next_team');
  const leads = target === undefined ? (next === undefined ? `rule ${index + 1}` : 'ends the run') : preview(target);
  return {
    node,
    name: nameOf(target === undefined ? leads : `→ ${leads}`),
    detail: condition === undefined ? undefined : preview(conditionWords(toValue(condition, reader.text)), 120),
    kind: SymbolKind.Event,
    ...(next !== undefined && next.end > next.start && { selection: { start: next.start, end: next.end } }),
    children: () => membersOf(reader, node, place).filter(({ node: part }) => part !== condition),
  };
}

function nameOf(text: string): string {
  return preview(text) || '""';
}
