import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { type Dialect, dialectOf, findPlaces, type Place, type Places, type Reference } from './schemaPlaces.js';

/** A schema inside a contract's schema. */
export interface SchemaPlace {
  readonly schema: Json;
  /** JSON pointer from the root schema. */
  readonly pointer: string;
}

/** The fields that an answer has by name. */
export interface OutputFields {
  readonly properties: JsonObject;
  /** Of `properties`, from the root schema. */
  readonly pointer: string;
  /** `additionalProperties` beside them; undefined where it is not given. */
  readonly additional: Json | undefined;
  readonly patterned: boolean;
  /** False where a combination, or a `$ref` to nothing, may name other fields. */
  readonly complete: boolean;
}

/** The values that a field is chosen from. */
export interface Choices {
  /** In schema order, repeated ones kept, null left out: it says that the field may stay empty. */
  readonly values: readonly Json[];
  /** Pointer of one of `values`, from the root schema. */
  readonly pointerAt: (index: number) => string;
  /** Pointer of the `enum`, the `const` or the alternatives that list them. */
  readonly pointer: string;
  /** The field is a list of them. */
  readonly multiple: boolean;
}

/**
 * What an output schema means: its fields, the values they are chosen from, and where its references lead. An input schema is read in the same
 * way.
 */
export class OutputContract {
  readonly root: JsonObject;
  readonly dialect: Dialect;
  private found: Places | undefined;
  private bySchema: ReadonlyMap<Json, Place> | undefined;
  private withKeywords: readonly ObjectPlace[] | undefined;
  private rootFields: OutputFields | undefined;

  constructor(root: JsonObject) {
    this.root = root;
    this.dialect = dialectOf(root);
  }

  /** Every schema in it by pointer, outer ones first. */
  get places(): Places {
    this.found ??= findPlaces(this.root, this.dialect, mostPlaces);
    return this.found;
  }

  /** Every schema in it that has keywords, outer ones first. */
  get schemas(): readonly ObjectPlace[] {
    if (this.withKeywords !== undefined) return this.withKeywords;
    const places: ObjectPlace[] = [];
    for (const place of this.places.all.values()) if (isObjectPlace(place) && !place.unexpected) places.push(place);
    this.withKeywords = places;
    return places;
  }

  /** Where a schema of the contract stands; undefined for one that was made elsewhere. */
  private placeOf(schema: Json): Place | undefined {
    this.bySchema ??= new Map([...this.places.all.values()].map((place) => [place.schema, place]));
    return this.bySchema.get(schema);
  }

  /** The references that a schema inside the contract makes, and where each leads. */
  referencesOf(schema: JsonObject): readonly Reference[] {
    if (!hasReference(schema)) return [];
    return this.places.referencesOf(this.placeOf(schema) ?? { ...(this.places.all.get('') as Place), schema });
  }

  /** What the `$ref` of a schema leads to; undefined without one, and where it leads out of the contract or to nothing. */
  target(schema: JsonObject): SchemaPlace | undefined {
    const reference = this.referencesOf(schema).find(({ keyword }) => keyword === '$ref');
    return typeof reference?.target === 'object' ? reference.target : undefined;
  }

  /** The first schema without a `$ref` that a chain of them leads to; undefined where that never comes. */
  follow(start: SchemaPlace): SchemaPlace | undefined {
    const seen = new Set<Json>();
    let place: SchemaPlace | undefined = start;
    while (place !== undefined && isObject(place.schema) && place.schema.$ref !== undefined) {
      if (seen.has(place.schema)) return undefined;
      seen.add(place.schema);
      place = this.target(place.schema);
    }
    return place;
  }

  /** Whether every `$ref` in a schema of the contract leads somewhere. A schema in which one does not may mean anything. */
  isResolvable(schema: Json | undefined): boolean {
    return this.within(schema).every((place) => place.schema.$ref === undefined || this.follow(place) !== undefined);
  }

  /** A schema of the contract and those inside it, definitions aside. */
  private within(schema: Json | undefined): readonly ObjectPlace[] {
    const place = schema === undefined ? undefined : this.placeOf(schema);
    if (place === undefined || !isObject(place.schema)) return [];
    const { pointer, children } = place;
    return [{ schema: place.schema, pointer }, ...children.flatMap((child) => this.within(this.places.all.get(child.pointer)?.schema))];
  }

  /** A schema and what it stands for, outermost first: what its `$ref` leads to, or the only member of a combination, null aside. */
  meanings(start: SchemaPlace): readonly ObjectPlace[] {
    const objects: ObjectPlace[] = [];
    for (let place: SchemaPlace | undefined = start; place !== undefined; ) {
      const { schema, pointer }: SchemaPlace = place;
      if (!isObject(schema) || objects.some((outer) => outer.schema === schema)) break;
      objects.push({ schema, pointer });
      place = schema.$ref === undefined ? onlyMember(schema, pointer) : this.target(schema);
    }
    return objects;
  }

  /** The fields of the root. */
  get fields(): OutputFields {
    this.rootFields ??= this.findFields();
    return this.rootFields;
  }

  private findFields(): OutputFields {
    const meanings = this.meanings({ schema: this.root, pointer: '' });
    const { schema, pointer } = meanings.find((place) => isObject(place.schema.properties)) ?? (meanings.at(-1) as ObjectPlace);
    const isFollowed = (place: ObjectPlace, index: number) =>
      combining.filter((keyword) => place.schema[keyword] !== undefined).length === (index < meanings.length - 1 ? 1 : 0);
    const isRead = ({ schema: { properties } }: ObjectPlace) => properties === undefined || properties === schema.properties;
    const { properties = {}, additionalProperties, patternProperties } = schema;
    return {
      properties: isObject(properties) ? properties : {},
      pointer: `${pointer}/properties`,
      additional: additionalProperties,
      patterned: patternProperties !== undefined,
      complete: isObject(properties) && meanings.every(isFollowed) && meanings.every(isRead),
    };
  }

  /**
   * The values a schema limits its value to: by `enum` or `const`, behind a `$ref`, in a member of `allOf`, or in every alternative that is not
   * null; those of a list by its `items`. Undefined where it limits to none.
   */
  choices(place: SchemaPlace): Choices | undefined {
    return this.choicesOf(place, { seen: new Set(), isItem: false, depth: 0 });
  }

  private choicesOf(start: SchemaPlace, search: ChoiceSearch): Choices | undefined {
    const { seen, isItem, depth } = search;
    if (depth > mostLevels) return undefined;
    const chain: ObjectPlace[] = [];
    for (let place: SchemaPlace | undefined = start; place !== undefined; ) {
      const { schema, pointer }: SchemaPlace = place;
      if (!isObject(schema)) break;
      const listed = listedIn(schema, pointer, isItem);
      if (listed !== undefined) return listed;
      chain.push({ schema, pointer });
      const target = this.target(schema);
      place = target === undefined || seen.has(target.schema) ? undefined : target;
      if (place !== undefined) seen.add(place.schema);
    }
    for (const place of chain.reverse()) {
      const choices = this.choicesInParts(place, search);
      if (choices !== undefined) return choices;
    }
    return undefined;
  }

  private choicesInParts({ schema, pointer }: ObjectPlace, { seen, isItem, depth }: ChoiceSearch): Choices | undefined {
    const inner = (part: Json | undefined, at: string, inItems = isItem) =>
      part === undefined
        ? undefined
        : this.choicesOf({ schema: part, pointer: `${pointer}${at}` }, { seen, isItem: inItems, depth: depth + 1 });
    for (const [index, part] of listOf(schema.allOf).entries()) {
      const choices = inner(part, `/allOf/${index}`);
      if (choices !== undefined) return choices;
    }
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const branches = listOf(schema[keyword]).flatMap((part, index) => (isNull(part) ? [] : [inner(part, `/${keyword}/${index}`)]));
      const choices = branches.filter((branch) => branch !== undefined);
      if (choices.length === 0 || choices.length < branches.length) continue;
      if (choices.length === 1) return choices[0];
      const pointers = choices.flatMap((branch) => branch.values.map((_, at) => branch.pointerAt(at)));
      return {
        values: choices.flatMap((branch) => branch.values),
        pointerAt: (at) => pointers[at] as string,
        pointer: `${pointer}/${keyword}`,
        multiple: choices.some((branch) => branch.multiple),
      };
    }
    return isItem ? undefined : inner(schema.items, '/items', true);
  }

  /**
   * A schema of the contract as one that compiles by itself: alone where it refers to nothing, otherwise together with the whole. Undefined for a
   * schema that was made elsewhere.
   */
  standalone(schema: JsonObject): JsonObject | undefined {
    const place = this.placeOf(schema);
    if (place === undefined || place.pointer === '') return place && schema;
    const { $schema, $id } = this.root;
    const dialect = $schema === undefined ? {} : { $schema };
    if (!this.within(schema).some((inner) => hasReference(inner.schema))) return { ...dialect, ...schema };
    const id = typeof $id === 'string' && !$id.startsWith('#') ? $id : 'contract:/';
    return { ...dialect, $ref: `${id}#${encodeURI(place.pointer)}`, definitions: { contract: { ...this.root, $id: id } } };
  }
}

export interface ObjectPlace extends SchemaPlace {
  readonly schema: JsonObject;
}

function isObjectPlace(place: Place): place is Place & ObjectPlace {
  return isObject(place.schema);
}

interface ChoiceSearch {
  /** What references have led to: met again, it says nothing new, and the search stays linear. */
  readonly seen: Set<Json>;
  readonly isItem: boolean;
  readonly depth: number;
}

/** The most combinations, one behind the other, that are followed to a list of values. */
const mostLevels = 500;

/** Far more schemas than an author writes into one. */
const mostPlaces = 20_000;

const combining = ['$ref', 'allOf', 'anyOf', 'oneOf'] as const;

function hasReference({ $ref, $dynamicRef, $recursiveRef }: JsonObject): boolean {
  return $ref !== undefined || $dynamicRef !== undefined || $recursiveRef !== undefined;
}

function onlyMember(schema: JsonObject, pointer: string): SchemaPlace | undefined {
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    const members = listOf(schema[keyword]).flatMap((member, index) =>
      isNull(member) ? [] : [{ schema: member, pointer: `${pointer}/${keyword}/${index}` }],
    );
    if (members.length === 1) return members[0];
  }
  return undefined;
}

/** The values among them that pass a test. */
export function filterChoices(choices: Choices, test: (value: Json) => boolean): Choices {
  if (choices.values.every(test)) return choices;
  const kept = choices.values.flatMap((value, at) => (test(value) ? [at] : []));
  return {
    ...choices,
    values: kept.map((at) => choices.values[at] as Json),
    pointerAt: (index) => choices.pointerAt(kept[index] as number),
  };
}

function listedIn(schema: JsonObject, pointer: string, multiple: boolean): Choices | undefined {
  if (schema.const !== undefined && schema.const !== null) {
    const at = `${pointer}/const`;
    return { values: [schema.const], pointerAt: () => at, pointer: at, multiple };
  }
  if (!Array.isArray(schema.enum)) return undefined;
  const at = `${pointer}/enum`;
  const listed: Choices = { values: schema.enum, pointerAt: (index) => `${at}/${index}`, pointer: at, multiple };
  return filterChoices(listed, (value) => value !== null);
}

/** Whether a schema takes null and nothing else. */
function isNull(schema: Json): boolean {
  if (!isObject(schema)) return false;
  if (schema.type === 'null' || schema.const === null) return true;
  return Array.isArray(schema.enum) && schema.enum.length > 0 && schema.enum.every((value: Json) => value === null);
}
