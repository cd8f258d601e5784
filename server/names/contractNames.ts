import { isObject, type Json, pointerOf, valueAt } from '../../core/json.js';
import type { Contract } from './contracts.js';
import type { Entity } from './entity.js';
import type { Listing } from './listing.js';
import type { SchemaField } from './schemaFields.js';

/** The names an output schema declares: properties, entries of `required`, and the values listed in enums. */
export function schemaNames(listing: Listing, contract: Contract): void {
  if (!listing.wants('field', 'enum-value') || !listing.reaches(contract.pointer)) return;
  const { fields, pointer: at } = contract;
  const listed = new Set<string>();
  const required = new Set<string>();
  for (const field of wantedFields(listing, contract)) {
    const entity = fieldEntity(contract, field);
    for (const declaration of field.declarations) {
      listing.add(entity, at + declaration, { target: 'key', isDeclaration: true });
      const owner = ownerOf(declaration);
      if (required.has(owner)) continue;
      required.add(owner);
      requiredNames(listing, contract, owner);
    }
    if (!listing.wants('enum-value')) continue;
    const choices = fields.choicesOf(field);
    // Several fields may share one list.
    if (choices === undefined || listed.has(choices.pointer)) continue;
    listed.add(choices.pointer);
    const { file, pointer: schema } = contract;
    for (const [index, name] of choices.values.entries()) {
      const pointer = choices.pointerAt(index);
      if (!listing.mayBe(name) || !listing.reaches(at + pointer)) continue;
      listing.add({ kind: 'enum-value', file, schema, list: at + choices.pointer, name }, at + pointer, { isDeclaration: true });
    }
  }
}

/** The fields of a schema in the listing's file that may have a name in the wanted places. The target of a `$ref` may be anywhere. */
function wantedFields(listing: Listing, { fields, pointer: at }: Contract): Iterable<SchemaField> {
  const { text } = listing.view.document;
  // An escaped `$` also counts.
  if (!listing.isLimited || text.includes('$ref') || text.includes('\\u')) return fields.all();
  return fields.visit((declaration) => listing.reaches(at + declaration) || listing.reaches(`${at}${ownerOf(declaration)}/required`));
}

function ownerOf(declaration: string): string {
  return declaration.slice(0, declaration.lastIndexOf('/properties/'));
}

/** @param owner pointer of the object schema, from the root of the contract's */
function requiredNames(listing: Listing, contract: Contract, owner: string): void {
  const { fields, pointer: at } = contract;
  if (!listing.reaches(`${at}${owner}/required`)) return;
  const required = valueAt(fields.root, `${owner}/required`);
  if (!Array.isArray(required)) return;
  const properties = valueAt(fields.root, `${owner}/properties`);
  for (const [index, name] of (required as readonly Json[]).entries()) {
    if (typeof name !== 'string' || !listing.mayBe(name)) continue;
    if (!isObject(properties) || !Object.hasOwn(properties, name)) continue;
    const place = `${at}${owner}/required/${index}`;
    if (!listing.reaches(place)) continue;
    const field = fields.declaredAt(`${owner}/properties${pointerOf(name)}`);
    if (field !== undefined) listing.add(fieldEntity(contract, field), place);
  }
}

/**
 * The names of `enums`, `{field: [value]}`.
 * @param contract undefined when no output schema is known: then the fields are those of `enums` itself
 */
export function enumNames(listing: Listing, enums: Json | undefined, pointer: string, contract: Contract | undefined): void {
  if (!isObject(enums) || !listing.wants('field', 'enum-value') || !listing.reaches(pointer)) return;
  for (const [name, values] of Object.entries(enums)) {
    const at = pointer + pointerOf(name);
    if (!listing.reaches(at)) continue;
    const field = contract?.fields.find([name]);
    const entity = contract && field ? fieldEntity(contract, field) : undeclared(listing, name, pointer, contract);
    if (listing.mayBe(name)) listing.add(entity, at, { target: 'key' });
    if (!Array.isArray(values) || !listing.wants('enum-value')) continue;
    const list = listOf(contract, field) ?? entity.pointer;
    for (const [index, value] of (values as readonly Json[]).entries()) {
      if (typeof value !== 'string' || !listing.mayBe(value)) continue;
      const { file, schema } = entity;
      listing.add({ kind: 'enum-value', file, schema, list, name: value }, `${at}/${index}`, { isDeclaration: true });
    }
  }
}

/** How certain it is that an output belongs to this contract: a prompt's examples may serve several agents. */
interface Meant {
  readonly isCertain: boolean;
}

/** The names in an output, or in `defaults`, which are part of one. At most as deep as config files. */
export function outputNames(
  listing: Listing,
  output: Json | undefined,
  pointer: string,
  contract: Contract,
  { isCertain }: Meant = { isCertain: true },
  path: readonly string[] = [],
): void {
  if (!listing.wants('field', 'enum-value') || !listing.reaches(pointer)) return;
  if (Array.isArray(output)) {
    for (const [index, item] of (output as readonly Json[]).entries())
      outputNames(listing, item, `${pointer}/${index}`, contract, { isCertain }, path);
  } else if (isObject(output)) {
    for (const [name, value] of Object.entries(output)) {
      const at = pointer + pointerOf(name);
      const inner = [...path, name];
      const field = listing.reaches(at) ? contract.fields.find(inner) : undefined;
      if (field === undefined) continue;
      if (listing.mayBe(name)) listing.add(fieldEntity(contract, field), at, { target: 'key', isWrite: true, isCertain });
      outputNames(listing, value, at, contract, { isCertain }, inner);
    }
  } else if (typeof output === 'string' && path.length > 0 && listing.mayBe(output)) {
    const field = contract.fields.find(path);
    if (field !== undefined) valueName(listing, output, pointer, contract, field, { isCertain });
  }
}

/** A dotted path into the output: one name for each property it leads through. @param from its start in the decoded text */
export function pathNames(listing: Listing, segments: readonly string[], pointer: string, from: number, contract: Contract): void {
  if (!listing.wants('field') || !listing.reaches(pointer)) return;
  let start = from;
  for (const [index, name] of segments.entries()) {
    const end = start + name.length;
    const field = listing.mayBe(name) ? contract.fields.find(segments.slice(0, index + 1)) : undefined;
    if (field?.name === name) listing.add(fieldEntity(contract, field), pointer, { within: { start, end } });
    start = end + 1;
  }
}

/** The operand of a comparison with a field: a value of its enum, or a list of them. */
export function comparedNames(listing: Listing, condition: ComparedWith, pointer: string, contract: Contract): void {
  const { output_field: path, operator, value } = condition;
  const at = `${pointer}/value`;
  if (typeof path !== 'string' || !listing.wants('enum-value') || !listing.reaches(at)) return;
  const field = contract.fields.find(path.split('.'));
  const choices = field && contract.fields.choicesOf(field);
  if (field === undefined || choices === undefined) return;
  const isPart = operator === 'contains' || operator === 'not_contains';
  if (!isPart && operator !== 'equals' && operator !== 'not_equals' && operator !== 'in') return;
  const isList = contract.fields.isList(field);
  const each = (text: Json, place: string) => {
    if (typeof text !== 'string' || !listing.mayBe(text)) return;
    // Part of a text may equal a whole value by chance.
    if (isPart && !isList && !choices.values.includes(text)) return;
    valueName(listing, text, place, contract, field, { isCertain: !isPart || isList });
  };
  if (Array.isArray(value)) for (const [index, item] of (value as readonly Json[]).entries()) each(item, `${at}/${index}`);
  else if (value !== undefined) each(value, at);
}

interface ComparedWith {
  readonly output_field?: Json;
  readonly operator?: Json;
  readonly value?: Json;
}

function valueName(listing: Listing, name: string, pointer: string, contract: Contract, field: SchemaField, { isCertain }: Meant): void {
  const list = listOf(contract, field);
  if (list === undefined) return;
  listing.add({ kind: 'enum-value', file: contract.file, schema: contract.pointer, list, name }, pointer, { isCertain });
}

function listOf(contract: Contract | undefined, field: SchemaField | undefined): string | undefined {
  const choices = field && contract?.fields.choicesOf(field);
  return choices && `${contract?.pointer ?? ''}${choices.pointer}`;
}

type FieldEntity = Extract<Entity, { kind: 'field' }>;

function fieldEntity({ file, pointer: schema }: Contract, { name, pointer }: SchemaField): FieldEntity {
  return { kind: 'field', file, schema, pointer: schema + pointer, name };
}

/** A field that the schema, if any, does not declare at its root. */
function undeclared(listing: Listing, name: string, enums: string, contract: Contract | undefined): FieldEntity {
  const schema = contract?.pointer ?? `${enums.slice(0, enums.lastIndexOf('/'))}/output_schema`;
  return { kind: 'field', file: contract?.file ?? listing.path, schema, pointer: `${schema}/properties${pointerOf(name)}`, name };
}
