import type { ConfigFile } from '../../config/configFile.js';
import { isObject, type JsonObject, pointerOf } from '../../json.js';
import { nearestNames } from '../../names.js';
import type { OutputContract, OutputFields, SchemaPlace } from '../../schema/outputContract.js';
import type { RuleContext } from '../rule.js';
import { findChoices, type TextChoices } from './choices.js';
import { type ContractField, findField } from './contractField.js';
import { contractOf } from './contractOf.js';
import { forLastFile } from './forLastFile.js';
import { isEssential, misspeltKeywords } from './misspeltKeywords.js';

/** What an agent or persona answers, where its fields can be listed. */
export interface AgentContract {
  readonly schema: ContractField & { readonly value: JsonObject };
  readonly contract: OutputContract;
  readonly fields: OutputFields;
  /** The fields by name, in schema order. */
  readonly byName: ReadonlyMap<string, AgentField>;
  /** The fields that look like a name, best first. */
  readonly findNearest: (name: string) => readonly string[];
}

export interface AgentField extends SchemaPlace {
  /** Undefined where the field is not limited to a list of strings. */
  readonly choices: TextChoices | undefined;
}

/** Undefined without an output schema, and where its fields cannot be listed: rules about fields have nothing to say then. */
export const findAgentContract = forLastFile((file: ConfigFile, context: RuleContext): AgentContract | undefined => {
  const schema = findField(file, context, 'output_schema');
  if (schema === undefined || !isObject(schema.value)) return undefined;
  const contract = contractOf(schema.value, file, context);
  // Fields may be behind a misspelt keyword, which schema-keyword-unknown tells of.
  if (misspeltKeywords(schema.value, file, context).some(isEssential)) return undefined;
  const { fields } = contract;
  if (!fields.complete) return undefined;
  const byName = new Map<string, AgentField>();
  for (const [name, property] of Object.entries(fields.properties)) {
    const place = { schema: property, pointer: `${fields.pointer}${pointerOf(name)}` };
    byName.set(name, { ...place, choices: findChoices(contract, place) });
  }
  // Searching many fields for each of many wrong names would take long.
  const findNearest = (name: string) => (byName.size > mostCompared ? [] : nearestNames(name, byName.keys()));
  return { schema: { ...schema, value: schema.value }, contract, fields, byName, findNearest };
});

const mostCompared = 1_000;
