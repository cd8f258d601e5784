import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../json.js';
import { OutputContract } from '../schema/outputContract.js';

/** One field of the answer, as the prompt describes it. Pointers are into the agent config. */
export interface Field {
  readonly name: string;
  readonly pointer: string;
  readonly description: { readonly text: string; readonly pointer: string } | undefined;
  /** Its allowed values, without null; undefined for a field without an enum. */
  readonly choices: readonly Choice[] | undefined;
  /** The answer is an array of one or more choices. */
  readonly multiple: boolean;
}

export interface Choice {
  readonly value: Json;
  readonly pointer: string;
}

/** The parts of an agent config that define the fields. */
export interface FieldSource {
  readonly output_schema?: JsonObject;
  readonly enums?: Enums;
}

type Enums = { readonly [field: string]: readonly string[] };

/**
 * The fields of the answer in schema order, then those that only `enums` names. The choices of a field are those of its schema; if that
 * has no choices, those of `enums`.
 */
export function findFields({ output_schema = {}, enums = {} }: FieldSource): readonly Field[] {
  const contract = new OutputContract(output_schema);
  const { properties } = contract.fields;
  const others = Object.keys(enums).filter((name) => !Object.hasOwn(properties, name));
  return [...Object.keys(properties).map((name) => toField(name, contract, enums)), ...others.map((name) => listedField(name, enums))];
}

function listedField(name: string, enums: Enums): Field {
  const pointer = `/enums${pointerOf(name)}`;
  return { name, pointer, description: undefined, choices: listedChoices(name, enums), multiple: false };
}

function toField(name: string, contract: OutputContract, enums: Enums): Field {
  const { properties, pointer } = contract.fields;
  const place = { schema: properties[name] as Json, pointer: `${pointer}${pointerOf(name)}` };
  const meanings = contract.meanings(place);
  const described = meanings.find(({ schema }) => typeof schema.description === 'string' && schema.description.trim() !== '');
  const choices = contract.choices(place);
  return {
    name,
    pointer: `${schemaPointer}${place.pointer}`,
    description: described && { text: String(described.schema.description), pointer: `${schemaPointer}${described.pointer}/description` },
    choices:
      choices === undefined || choices.values.length === 0
        ? listedChoices(name, enums)
        : choices.values.map((value, at) => ({ value, pointer: `${schemaPointer}${choices.pointerAt(at)}` })),
    multiple: choices?.multiple === true || meanings.some(({ schema }) => isObject(schema.items) || [schema.type].flat().includes('array')),
  };
}

const schemaPointer = '/output_schema';

function listedChoices(name: string, enums: Enums): readonly Choice[] | undefined {
  const values = Object.hasOwn(enums, name) ? enums[name] : undefined;
  const choices = listOf(values).map((value, index) => ({ value, pointer: `/enums${pointerOf(name, index)}` }));
  return choices.length === 0 ? undefined : choices;
}
