import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import { toLocalPointer } from './localReference.js';

/** One field of the answer, as the prompt speaks of it. Pointers are into the agent config. */
export interface Field {
  readonly name: string;
  readonly pointer: string;
  readonly description: { readonly text: string; readonly pointer: string } | undefined;
  /** What it may be, null left out; undefined for a field without an enum. */
  readonly choices: readonly Choice[] | undefined;
  /** An array of choices: one or more. */
  readonly multiple: boolean;
}

export interface Choice {
  readonly value: Json;
  readonly pointer: string;
}

/** What of an agent config says which fields there are. */
export interface FieldSource {
  readonly output_schema?: JsonObject;
  readonly enums?: { readonly [field: string]: readonly string[] };
}

interface Place {
  readonly node: JsonObject;
  readonly pointer: string;
}

/** References and wrappers followed for one property; a cycle ends here. */
const hopLimit = 32;

/**
 * The fields of the answer in schema order, then those that only `enums` names. A property's enum may stand behind a local `$ref`,
 * a single `allOf`, or an `anyOf`/`oneOf` whose only other member is null; where it has none, `enums` is used.
 */
export function findFields({ output_schema, enums = {} }: FieldSource): readonly Field[] {
  const root: Place = { node: output_schema ?? {}, pointer: '/output_schema' };
  const properties = propertiesOf(root);
  const fields = properties ? Object.keys(properties.node).map((name) => toField(name, properties, root, enums)) : [];
  for (const name of Object.keys(enums)) {
    if (properties && Object.hasOwn(properties.node, name)) continue;
    fields.push({
      name,
      pointer: `/enums${pointerOf(name)}`,
      description: undefined,
      choices: choicesFrom(enums[name], `/enums${pointerOf(name)}`),
      multiple: false,
    });
  }
  return fields;
}

function propertiesOf(root: Place): Place | undefined {
  for (const { node, pointer } of follow(root, root)) {
    if (isObject(node.properties)) return { node: node.properties, pointer: `${pointer}/properties` };
  }
  return undefined;
}

function toField(name: string, properties: Place, root: Place, enums: NonNullable<FieldSource['enums']>): Field {
  const pointer = `${properties.pointer}${pointerOf(name)}`;
  const property = properties.node[name];
  const way = isObject(property) ? follow({ node: property, pointer }, root) : [];

  const described = way.find(({ node }) => typeof node.description === 'string' && node.description.trim() !== '');
  const description = described && { text: String(described.node.description), pointer: `${described.pointer}/description` };

  const single = enumOn(way);
  const array = single ? undefined : way.find(({ node }) => isObject(node.items) || [node.type].flat().includes('array'));
  const items = array && isObject(array.node.items) ? follow({ node: array.node.items, pointer: `${array.pointer}/items` }, root) : [];
  const listed = Object.hasOwn(enums, name) ? choicesFrom(enums[name], `/enums${pointerOf(name)}`) : undefined;
  return { name, pointer, description, choices: single ?? enumOn(items) ?? listed, multiple: array !== undefined };
}

/** The schema itself and what it stands for, outermost first. */
function follow(start: Place, root: Place): Place[] {
  const way = [start];
  let place: Place | undefined = start;
  while (way.length < hopLimit) {
    place = next(place, root);
    if (!place) break;
    way.push(place);
  }
  return way;
}

function next({ node, pointer }: Place, root: Place): Place | undefined {
  if (typeof node.$ref === 'string') {
    const local = toLocalPointer(node.$ref);
    const target = local === undefined ? undefined : valueAt(root.node, local);
    return isObject(target) ? { node: target, pointer: `${root.pointer}${local}` } : undefined;
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    const members = node[keyword];
    if (!Array.isArray(members)) continue;
    const open = members.flatMap((member, index) => (isNullSchema(member) ? [] : [{ member, index }]));
    const [only] = open;
    if (open.length !== 1 || !only || !isObject(only.member)) continue;
    return { node: only.member, pointer: `${pointer}/${keyword}/${only.index}` };
  }
  return undefined;
}

function isNullSchema(schema: Json): boolean {
  return isObject(schema) && (schema.type === 'null' || schema.const === null);
}

function enumOn(way: readonly Place[]): readonly Choice[] | undefined {
  const place = way.find(({ node }) => Array.isArray(node.enum));
  return place && choicesFrom(place.node.enum, `${place.pointer}/enum`);
}

function choicesFrom(values: Json | undefined, pointer: string): readonly Choice[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const choices = values.map((value, index) => ({ value, pointer: `${pointer}/${index}` })).filter(({ value }) => value !== null);
  return choices.length === 0 ? undefined : choices;
}
