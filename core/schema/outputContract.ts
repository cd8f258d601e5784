import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { type Dialect, dialectOf, findPlaces, type Place, type Places, type Reference } from './schemaPlaces.js';

/** A schema inside a contract's schema. */
export interface SchemaPlace {
  readonly schema: Json;
  /** JSON pointer from the root schema. */
  readonly pointer: string;
}

/** The named fields of an answer. */
export interface OutputFields {
  readonly properties: JsonObject;
  /** Pointer of `properties` from the root schema. */
  readonly pointer: string;
  /** The `additionalProperties` of the same schema; undefined where it is missing. */
  readonly additional: Json | undefined;
  readonly patterned: boolean;
  /** False where a combination, or a dangling `$ref`, may name other fields. */
  readonly complete: boolean;
}

/** The values that a field may have. */
export interface Choices {
  /** In schema order, with repetitions, without null, which only allows the field to stay empty. */
  readonly values: readonly Json[];
  /** Pointer of one of `values`, from the root schema. */
  readonly pointerAt: (index: number) => string;
  /** Pointer of the `enum`, the `const` or the alternatives that list them. */
  readonly pointer: string;
  /** The field is a list of them. */
  readonly multiple: boolean;
}

/**
 * The meaning of an output schema: its fields, the values they may have, and the targets of its references. An input schema is read the same
 * way.
 */
export class OutputContract {
  readonly root: JsonObject;
  readonly dialect: Dialect;
  private foundPlaces: Places | undefined;
  private bySchema: ReadonlyMap<Json, Place> | undefined;
  private withKeywords: readonly ObjectPlace[] | undefined;
  private rootFields: OutputFields | undefined;

  constructor(root: JsonObject) {
    this.root = root;
    this.dialect = dialectOf(root);
  }

  /** Every schema in it by pointer, outer schemas first. */
  get places(): Places {
    this.foundPlaces ??= findPlaces(this.root, this.dialect, mostPlaces);
    return this.foundPlaces;
  }

  /** Every schema in it that has keywords, outer schemas first. */
  get schemas(): readonly ObjectPlace[] {
    if (this.withKeywords !== undefined) return this.withKeywords;
    const places: ObjectPlace[] = [];
    for (const place of this.places.all.values()) if (isObjectPlace(place) && !place.unexpected) places.push(place);
    this.withKeywords = places;
    return places;
  }

  /** The place of a schema of the contract; undefined for a schema that is not part of it. */
  private placeOf(schema: Json): Place | undefined {
    this.bySchema ??= new Map([...this.places.all.values()].map((place) => [place.schema, place]));
    return this.bySchema.get(schema);
  }

  /** The references of a schema inside the contract, and their targets. */
  referencesOf(schema: JsonObject): readonly Reference[] {
    if (!hasReference(schema)) return [];
    return this.places.referencesOf(this.placeOf(schema) ?? { ...(this.places.all.get('') as Place), schema });
  }

  /** The target of a schema's `$ref`; undefined without a `$ref`, and where it leads out of the contract or to nothing. */
  target(schema: JsonObject): SchemaPlace | undefined {
    const reference = this.referencesOf(schema).find(({ keyword }) => keyword === '$ref');
    return typeof reference?.target === 'object' ? reference.target : undefined;
  }

  /** The first schema without a `$ref` at the end of a chain; undefined where the chain dangles or is a circle. */
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

  /** Whether every `$ref` in a schema of the contract has a target. A schema with a dangling `$ref` may mean anything. */
  isResolvable(schema: Json | undefined): boolean {
    return this.within(schema).every((place) => place.schema.$ref === undefined || this.follow(place) !== undefined);
  }

  /** A schema of the contract and those inside it, without definitions. */
  private within(schema: Json | undefined): readonly ObjectPlace[] {
    const place = schema === undefined ? undefined : this.placeOf(schema);
    if (place === undefined || !isObject(place.schema)) return [];
    const { pointer, children } = place;
    return [{ schema: place.schema, pointer }, ...children.flatMap((child) => this.within(this.places.all.get(child.pointer)?.schema))];
  }

  /** A schema and the schemas it stands for, outermost first: the target of its `$ref`, or the only member of a combination besides null. */
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
   * The values that a schema allows: by `enum` or `const`, through a `$ref`, in a member of `allOf`, or in every alternative that is not
   * null; for a list, by its `items`. Undefined where the schema lists no values.
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
   * A schema of the contract as a schema that compiles alone: unchanged without references, otherwise with the whole contract. Undefined for a
   * schema that is not part of it.
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
  /** Targets of references seen so far; skipping them keeps the search linear. */
  readonly seen: Set<Json>;
  readonly isItem: boolean;
  readonly depth: number;
}

/** Maximum depth of combinations that are followed to a list of values. */
const mostLevels = 500;

/** Far more schemas than anybody writes by hand. */
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

/** The choices that pass a test. */
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

/** Whether a schema allows only null. */
function isNull(schema: Json): boolean {
  if (!isObject(schema)) return false;
  if (schema.type === 'null' || schema.const === null) return true;
  return Array.isArray(schema.enum) && schema.enum.length > 0 && schema.enum.every((value: Json) => value === null);
}
