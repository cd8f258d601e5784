import type { ASTNode, StringASTNode } from 'vscode-json-languageservice';
import { SymbolKind } from 'vscode-languageserver';
import type { TextRange } from '../../core/finding.js';
import { conditionWords, expectationWords } from '../../core/routing/conditionWords.js';
import { looksLikeSecret } from '../../core/secrets/secretPatterns.js';
import type { Document } from '../document.js';
import { jsonOf, memberOf, rangeOf, treeOf } from '../jsonTree.js';
import { preview } from '../preview.js';

/** A part of a config file, as shown in the outline. */
export interface NamedPart {
  /** The member or item. */
  readonly range: TextRange;
  /** The range that is selected when the symbol is chosen. */
  readonly selection: TextRange;
  /** Never empty: clients refuse that. */
  readonly name: string;
  readonly detail: string | undefined;
  readonly kind: SymbolKind;
  readonly children: () => readonly NamedPart[];
}

/** The outermost parts of a file. Fields of the answer, teams, tasks and rules are named by their meaning. */
export function partsOf(document: Document): readonly NamedPart[] {
  return membersOf(new Reader(document), treeOf(document).root, '');
}

/** A member of an object, or an item of a list. */
interface Part {
  readonly key: StringASTNode | undefined;
  /** Undefined if it is not typed yet. */
  readonly value: ASTNode | undefined;
  readonly range: TextRange;
}

function partsIn(node: ASTNode | undefined): readonly Part[] {
  if (node?.type === 'array') return node.items.map((value) => ({ key: undefined, value, range: rangeOf(value) }));
  if (node?.type !== 'object') return [];
  return node.properties.map((member) => ({ key: member.keyNode, value: member.valueNode, range: rangeOf(member) }));
}

/** The key of a part, or its first character. */
function startOf({ key, range }: Part): TextRange {
  return key === undefined ? { start: range.start, end: Math.min(range.start + 1, range.end) } : rangeOf(key);
}

class Reader {
  readonly kind: string;
  private readonly text: string;

  constructor({ text, config }: Document) {
    this.text = text;
    this.kind = config?.identity.kind ?? '';
  }

  /** The text of a string member. */
  string(node: ASTNode | undefined, name: string): string | undefined {
    const member = memberOf(node, name)?.valueNode;
    return member?.type === 'string' && member.value !== '' ? member.value : undefined;
  }

  preview({ key, value, range }: Part): string {
    const { start, end } = value === undefined ? { start: range.end, end: range.end } : rangeOf(value);
    const near = this.text.slice(start, Math.min(end, start + 400)).replace(/^"|"$/g, '');
    if (key !== undefined && looksLikeSecret(near, key.value) !== undefined) return '***';
    return preview(near);
  }
}

function membersOf(reader: Reader, node: ASTNode | undefined, place: string): readonly NamedPart[] {
  return partsIn(node).map((part, index) => partOf(reader, part, index, place));
}

/** The members of a part without the one that the part is named by. */
function otherMembersOf(reader: Reader, node: ASTNode | undefined, place: string, nameKey: string): readonly NamedPart[] {
  return partsIn(node).flatMap((part, index) => (part.key?.value === nameKey ? [] : [partOf(reader, part, index, place)]));
}

/** @param place keys that lead to it, lists and named members as `*` */
function partOf(reader: Reader, part: Part, index: number, place: string): NamedPart {
  const at = `${place}/${part.key?.value ?? '*'}`;
  if (/(?:^|\/config|\/agent_defaults|\/persona_defaults|\/agents\/[^/]+)\/(?:output|input)_schema$/.test(at))
    return schemaPart(reader, part);
  if (/\/enums$/.test(place) && part.value?.type === 'array') return enumPart(reader, part);
  if (reader.kind === 'orchestration') {
    if (place === '/teams') return teamPart(reader, part, at);
    if (/^\/teams\/[^/]+\/tasks$/.test(place)) return taskPart(reader, part, index, at);
    if (/^\/teams\/[^/]+\/routing\/rules$/.test(place)) return rulePart(reader, part, index, at);
  }
  if (/\/execution_plan\/steps$/.test(place)) return taskPart(reader, part, index, at);
  if (reader.kind === 'payload') {
    if (place === '/cases') return casePart(reader, part, index, at);
    if (/^(?:\/cases\/\*)?\/turns$/.test(place)) return plainPart(reader, part, at, `Turn ${index + 1}`);
    if (/^(?:\/cases\/\*)?(?:\/turns\/\*)?\/expect$/.test(place)) return expectationPart(part, index);
  }
  if (place === '/few_shot_examples') return plainPart(reader, part, at, `Example ${index + 1}`);
  return plainPart(reader, part, at, part.key === undefined ? undefined : nameOf(part.key.value));
}

/** @param name undefined for an item of a list, which is named by its value */
function plainPart(reader: Reader, part: Part, place: string, name: string | undefined): NamedPart {
  const { value } = part;
  const detail = value?.type === 'object' || value?.type === 'array' ? undefined : reader.preview(part);
  const nameText = reader.string(value, 'name');
  return {
    range: part.range,
    selection: startOf(part),
    name: name ?? nameOf(detail ?? (nameText === undefined ? (value?.type === 'array' ? '[…]' : '{…}') : preview(nameText))),
    detail: name === undefined ? undefined : detail || countOf(value),
    kind: kindOf(value),
    children: () => membersOf(reader, value, place),
  };
}

function kindOf(node: ASTNode | undefined): SymbolKind {
  switch (node?.type) {
    case 'object':
      return SymbolKind.Object;
    case 'array':
      return SymbolKind.Array;
    case 'string':
      return SymbolKind.String;
    case 'number':
      return SymbolKind.Number;
    case 'boolean':
      return SymbolKind.Boolean;
    default:
      return SymbolKind.Null;
  }
}

function countOf(node: ASTNode | undefined): string | undefined {
  return node?.type === 'array' ? `${node.items.length} ${node.items.length === 1 ? 'item' : 'items'}` : undefined;
}

function keyedPart(part: Part, description: Omit<NamedPart, 'range' | 'selection' | 'name'>): NamedPart {
  return { range: part.range, selection: startOf(part), name: nameOf(part.key?.value ?? ''), ...description };
}

function schemaPart(reader: Reader, part: Part): NamedPart {
  const { value } = part;
  return keyedPart(part, { detail: typeWords(reader, value), kind: SymbolKind.Interface, children: () => fieldsOf(reader, value) });
}

/** The fields of a schema and of the items of lists, without the keywords around them. */
function fieldsOf(reader: Reader, schema: ASTNode | undefined): readonly NamedPart[] {
  const holders = ['properties', '$defs', 'definitions'].map((name) => memberOf(schema, name)?.valueNode);
  const items = memberOf(schema, 'items')?.valueNode;
  return holders
    .flatMap((holder) => (holder?.type === 'object' ? partsIn(holder) : []))
    .map((part) => {
      const { value } = part;
      return keyedPart(part, { detail: typeWords(reader, value), kind: SymbolKind.Field, children: () => fieldsOf(reader, value) });
    })
    .concat(items === undefined ? [] : fieldsOf(reader, items));
}

/** `string`, `direct | friendly`, `array of object`. */
function typeWords(reader: Reader, schema: ASTNode | undefined): string | undefined {
  const values = memberOf(schema, 'enum')?.valueNode;
  if (values?.type === 'array') return listWords(reader, partsIn(values));
  const type = partsIn(schema).findLast(({ key }) => key?.value === 'type');
  const reference = reader.string(schema, '$ref');
  if (type === undefined) return reference === undefined ? undefined : preview(reference);
  const words = type.value?.type === 'array' ? listWords(reader, partsIn(type.value)) : reader.preview(type);
  const items = words === 'array' ? memberOf(schema, 'items')?.valueNode : undefined;
  const inner = items && typeWords(reader, items);
  return inner === undefined ? words : preview(`array of ${inner}`);
}

function listWords(reader: Reader, items: readonly Part[]): string {
  const listed = items.slice(0, 8).map((item) => reader.preview(item));
  return preview(listed.join(' | ') + (items.length > listed.length ? ` | … ${items.length}` : ''));
}

function enumPart(reader: Reader, part: Part): NamedPart {
  const { value } = part;
  return keyedPart(part, {
    detail: countOf(value),
    kind: SymbolKind.Enum,
    children: () =>
      partsIn(value).map((item) => {
        const name = nameOf(reader.preview(item));
        return { range: item.range, selection: startOf(item), name, detail: undefined, kind: SymbolKind.EnumMember, children: () => [] };
      }),
  });
}

/** A case of a data set, by its name or number. */
function casePart(reader: Reader, part: Part, index: number, place: string): NamedPart {
  const { value } = part;
  const name = memberOf(value, 'name')?.valueNode;
  const expect = memberOf(value, 'expect')?.valueNode;
  return {
    range: part.range,
    selection: name === undefined ? startOf(part) : rangeOf(name),
    name: nameOf(reader.string(value, 'name') ?? `${index + 1}`),
    detail: expect?.type === 'array' ? `${expect.items.length} expected` : undefined,
    kind: SymbolKind.Event,
    children: () => otherMembersOf(reader, value, place, 'name'),
  };
}

/** An expectation in words: `verdict of Judge@v1 equals faithful`. */
function expectationPart(part: Part, index: number): NamedPart {
  const value = jsonOf(part.value);
  return {
    range: part.range,
    selection: startOf(part),
    name: nameOf(value === undefined ? `${index + 1}` : preview(expectationWords(value))),
    detail: undefined,
    kind: SymbolKind.Boolean,
    children: () => [],
  };
}

function teamPart(reader: Reader, part: Part, place: string): NamedPart {
  const detail = reader.string(part.value, 'name');
  return keyedPart(part, {
    detail: detail === undefined ? undefined : preview(detail),
    kind: SymbolKind.Namespace,
    children: () => otherMembersOf(reader, part.value, place, 'name'),
  });
}

/** A task or a step of a plan, by its name. The agent, persona, skill or prompt that it runs is its detail. */
function taskPart(reader: Reader, part: Part, index: number, place: string): NamedPart {
  const { value } = part;
  const name = memberOf(value, 'name')?.valueNode;
  const runs = ['agent', 'persona_key', 'skill', 'llm'].map((field) => reader.string(value, field)).find((text) => text !== undefined);
  return {
    range: part.range,
    selection: name === undefined ? startOf(part) : rangeOf(name),
    name: nameOf(reader.string(value, 'name') ?? `${index + 1}`),
    detail: runs === undefined ? undefined : preview(runs),
    kind: SymbolKind.Function,
    children: () => otherMembersOf(reader, value, place, 'name'),
  };
}

/** A routing rule, by its target and its condition. */
function rulePart(reader: Reader, part: Part, index: number, place: string): NamedPart {
  const { value } = part;
  const next = memberOf(value, 'next_team');
  const condition = jsonOf(memberOf(value, 'condition')?.valueNode);
  const target = reader.string(value, 'next_team');
  const leads = target === undefined ? (next === undefined ? `rule ${index + 1}` : 'ends the run') : preview(target);
  return {
    range: part.range,
    selection: next?.valueNode === undefined ? startOf(part) : rangeOf(next.valueNode),
    name: nameOf(target === undefined ? leads : `→ ${leads}`),
    detail: condition === undefined ? undefined : preview(conditionWords(condition), 120),
    kind: SymbolKind.Event,
    children: () => otherMembersOf(reader, value, place, 'condition'),
  };
}

function nameOf(text: string): string {
  return preview(text) || '""';
}
