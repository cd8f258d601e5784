import { escapeSegment, isObject, type Json, type JsonObject, valueAt } from '../../core/json.js';
import { findChoices, type TextChoices } from '../../core/rules/facts/agentContract.js';
import { OutputContract } from '../../core/schema/outputContract.js';

/** A property of an output schema. Pointers are from the schema's root. */
export interface SchemaField {
  readonly name: string;
  /** Names of the properties that lead to it; lists are stepped into without a name. */
  readonly path: readonly string[];
  /** Of its first declaration, by which it is known. */
  readonly pointer: string;
  /** Of all its declarations: branches of a combination may each have one. */
  readonly declarations: readonly string[];
}

const read = new WeakMap<JsonObject, SchemaFields>();

/** The fields of a schema, read once for each version of a text: a large one has thousands. */
export function fieldsOf(schema: JsonObject): SchemaFields {
  const fields = read.get(schema) ?? new SchemaFields(schema);
  read.set(schema, fields);
  return fields;
}

interface Place {
  readonly node: JsonObject;
  readonly pointer: string;
}

/** The fields of one output schema: by path, and all of them. `$ref`s, combinations and lists are followed; cycles end the search. */
export class SchemaFields {
  readonly root: JsonObject;
  private readonly contract: OutputContract;
  private readonly choices = new Map<string, TextChoices | undefined>();
  private byDeclaration: Map<string, SchemaField> | undefined;
  private every: readonly SchemaField[] | undefined;

  constructor(root: JsonObject) {
    this.root = root;
    this.contract = new OutputContract(root);
  }

  /** The field a path leads to; numbers that are not properties step into a list. */
  find(path: readonly string[]): SchemaField | undefined {
    let places = this.spread([{ node: this.root, pointer: '' }]);
    let field: SchemaField | undefined;
    const names: string[] = [];
    for (const [index, name] of path.entries()) {
      const declared = propertyIn(places, name);
      if (declared.length === 0) {
        if (index > 0 && /^\d+$/.test(name)) continue;
        return undefined;
      }
      names.push(name);
      field = toField(names, declared);
      places = this.spread(declared);
    }
    return field;
  }

  /** Every field, outer ones first. A field reached in several ways is listed once. */
  all(): readonly SchemaField[] {
    this.every ??= [...this.visit(() => true)];
    return this.every;
  }

  /**
   * The fields of a schema without a `$ref` that have a declaration for which `isWanted` holds. It must hold for everything around such a
   * declaration: the rest of a large schema is not visited.
   */
  *visit(isWanted: (declaration: string) => boolean): Generator<SchemaField, void, undefined> {
    const queue: { readonly places: readonly Place[]; readonly path: readonly string[] }[] = [
      { places: [{ node: this.root, pointer: '' }], path: [] },
    ];
    const seen = new Set<string>();
    for (let at = 0; at < queue.length; at++) {
      const { places, path } = queue[at] as (typeof queue)[number];
      const around = this.spread(places);
      for (const name of namesIn(around, isWanted)) {
        const declared = propertyIn(around, name);
        const field = toField([...path, name], declared);
        if (seen.has(field.pointer)) continue;
        seen.add(field.pointer);
        yield field;
        queue.push({ places: declared, path: field.path });
      }
    }
  }

  /** The field with a declaration at a pointer. */
  declaredAt(pointer: string): SchemaField | undefined {
    if (this.byDeclaration === undefined) {
      this.byDeclaration = new Map();
      for (const field of this.all())
        for (const declaration of field.declarations) if (!this.byDeclaration.has(declaration)) this.byDeclaration.set(declaration, field);
    }
    return this.byDeclaration.get(pointer);
  }

  /** Whether it is a list, rather than one value. */
  isList({ declarations }: SchemaField): boolean {
    return declarations.some((pointer) => {
      const node = valueAt(this.root, pointer);
      if (!isObject(node)) return false;
      return this.spread([{ node, pointer }]).some(({ node: part }) => [part.type].flat().includes('array'));
    });
  }

  /** The strings it is limited to; undefined if it is not limited. */
  choicesOf({ pointer: fieldPointer, declarations }: SchemaField): TextChoices | undefined {
    if (!this.choices.has(fieldPointer)) {
      let choices: TextChoices | undefined;
      for (const pointer of declarations) choices ??= findChoices(this.contract, { schema: valueAt(this.root, pointer) ?? true, pointer });
      this.choices.set(fieldPointer, choices);
    }
    return this.choices.get(fieldPointer);
  }

  /** The places themselves, and everything they refer to or combine. */
  private spread(start: readonly Place[]): readonly Place[] {
    const reached: Place[] = [];
    const seen = new Set<string>();
    const open = [...start].reverse();
    for (let place = open.pop(); place !== undefined && reached.length < mostPlaces; place = open.pop()) {
      if (seen.has(place.pointer)) continue;
      seen.add(place.pointer);
      reached.push(place);
      open.push(...this.partsOf(place).reverse());
    }
    return reached;
  }

  private partsOf({ node, pointer }: Place): Place[] {
    const parts: Place[] = [];
    const add = (schema: Json | undefined, at: string) => {
      if (isObject(schema)) parts.push({ node: schema, pointer: at });
    };
    const target = this.contract.target(node);
    if (target !== undefined) add(target.schema, target.pointer);
    for (const keyword of combinations) {
      const schemas = node[keyword];
      if (Array.isArray(schemas)) for (const [index, schema] of schemas.entries()) add(schema, `${pointer}/${keyword}/${index}`);
      else add(schemas, `${pointer}/${keyword}`);
    }
    return parts;
  }
}

/** The most schemas that are followed for one place of the output, since each name is looked up in all of them. */
const mostPlaces = 500;

const combinations = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'items', 'prefixItems'];

function toField(path: readonly string[], declared: readonly Place[]): SchemaField {
  const declarations = declared.map(({ pointer }) => pointer);
  return { name: path.at(-1) ?? '', path: [...path], pointer: declarations[0] ?? '', declarations };
}

const unlimited: JsonObject = {};

function propertyIn(places: readonly Place[], name: string): Place[] {
  return places.flatMap(({ node: { properties }, pointer }) =>
    isObject(properties) && Object.hasOwn(properties, name) ? [property(properties[name], pointer, name)] : [],
  );
}

/** Names of the properties with a declaration that is wanted. */
function namesIn(places: readonly Place[], isWanted: (declaration: string) => boolean): ReadonlySet<string> {
  const names = new Set<string>();
  for (const {
    node: { properties },
    pointer,
  } of places) {
    if (!isObject(properties)) continue;
    for (const name of Object.keys(properties)) if (isWanted(pointerTo(name, pointer))) names.add(name);
  }
  return names;
}

function property(schema: Json | undefined, pointer: string, name: string): Place {
  return { node: isObject(schema) ? schema : unlimited, pointer: pointerTo(name, pointer) };
}

function pointerTo(property: string, schema: string): string {
  return `${schema}/properties/${escapeSegment(property)}`;
}
