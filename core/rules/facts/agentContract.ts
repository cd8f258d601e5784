import type { ConfigFile } from '../../config/configFile.js';
import type { RelatedPlace } from '../../finding.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';
import { nearestAmong, nearestNames } from '../../names.js';
import { type Choices, filterChoices, OutputContract, type OutputFields, type SchemaPlace } from '../../schema/outputContract.js';
import { isSchemaWord, schemaKeywords } from '../../schema/schemaKeywords.js';
import { forLastFile } from '../forLastFile.js';
import type { Report, RuleContext } from '../rule.js';
import { schemasIn } from './agentFragments.js';
import { findSetting, layersOf } from './layers.js';

/** The answer of an agent or persona, if its fields can be listed. */
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

/** Undefined without an output schema, and where its fields cannot be listed: rules about fields then stay silent. */
export const findAgentContract = forLastFile((file: ConfigFile, context: RuleContext): AgentContract | undefined => {
  const schema = findField(file, context, 'output_schema');
  if (schema === undefined || !isObject(schema.value)) return undefined;
  const contract = contractOf(schema.value, file, context);
  // A misspelt keyword, which schema-keyword-unknown reports, may hide fields.
  if (misspeltKeywords(contract).some(isEssential)) return undefined;
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

const contracts = forLastFile(() => new Map<JsonObject, OutputContract>());

/** The contract of a schema in a file or in one of its layers, read once for all rules that check the file. */
export function contractOf(schema: JsonObject, file: ConfigFile, context: RuleContext): OutputContract {
  const cached = contracts(file, context);
  const contract = cached.get(schema) ?? new OutputContract(schema);
  cached.set(schema, contract);
  return contract;
}

/**
 * The schemas of a file, with their pointers and a `report` about each: findings about pinned tools are info, since only the author of their server
 * can change them.
 */
export function schemasOf(file: ConfigFile, context: RuleContext, report: Report) {
  const reportForeign: Report = (finding) => report({ ...finding, severity: 'info' });
  return schemasIn(file).map(({ schema, pointer: at }) => {
    return { contract: contractOf(schema, file, context), at, report: file.identity.kind === 'lock' ? reportForeign : report };
  });
}

/** The fields that define the answer of an agent; a higher layer replaces each as a whole, so each comes from one file. */
type ContractFieldName = 'output_schema' | 'enums' | 'defaults' | 'mode';

/** A field of an agent or persona, wherever it is written. */
export interface ContractField {
  readonly value: Json;
  /** Project path of the file it is written in. */
  readonly file: string;
  /** Pointer of the field in that file. */
  readonly pointer: string;
  /** Whether that is the checked file. */
  readonly isOwn: boolean;
}

/**
 * A field as the checked file gives it, or, for an agent that lacks it, as a lower layer gives it. A null in the file removes
 * the inherited value.
 */
export function findField(file: ConfigFile, context: RuleContext, name: ContractFieldName): ContractField | undefined {
  if (!isObject(file.value)) return undefined;
  if (Object.hasOwn(file.value, name)) {
    const value = file.value[name];
    return value === undefined || value === null ? undefined : { value, file: file.path, pointer: `/${name}`, isOwn: true };
  }
  const stack = file.identity.kind === 'agent' ? layersOf(file, context) : undefined;
  const setting = stack && findSetting(stack, name);
  if (setting === undefined || setting.fragment.file === null) return undefined;
  return { value: setting.value, file: setting.fragment.file, pointer: setting.pointer, isOwn: false };
}

/** Whether two fields come from the same other file, which then has the finding itself. */
export function areInheritedTogether(one: ContractField, other: ContractField): boolean {
  return !one.isOwn && !other.isOwn && one.file === other.file;
}

/** Where in the checked file a finding about an inherited field belongs: the key that brings the field in. */
export function inheritancePointer(file: ConfigFile, context: RuleContext, field: ContractField): string {
  if (!isObject(file.value)) return '';
  const { persona_key: persona } = file.value;
  if (typeof persona === 'string' && context.project.ids('persona').get(persona) === field.file) return '/persona_key';
  return Object.hasOwn(file.value, 'agent_name') ? '/agent_name' : '';
}

/** Where a finding about a part of a field belongs: at the part, or where the checked file inherits the field. */
export function placeInField(
  file: ConfigFile,
  context: RuleContext,
  field: ContractField,
  part: string,
): { pointer: string; target?: 'key' } {
  return field.isOwn ? { pointer: field.pointer + part, target: 'key' } : { pointer: inheritancePointer(file, context, field) };
}

/** The related place of a part of an inherited field; none for a field of the checked file, where the finding is already. */
export function relatedPart({ isOwn, file, pointer }: ContractField, part: string, message: string): { related?: readonly RelatedPlace[] } {
  return isOwn ? {} : { related: [{ file, pointer: pointer + part, message }] };
}

/** The strings that an output field may be. */
export interface TextChoices extends Choices {
  readonly values: readonly string[];
}

/** The strings among the values of a field; undefined where it allows other values only, or any value. */
export function findChoices(contract: OutputContract, field: SchemaPlace): TextChoices | undefined {
  const choices = contract.choices(field);
  const texts = choices && filterChoices(choices, (value) => typeof value === 'string');
  return texts === undefined || texts.values.length === 0 ? undefined : (texts as TextChoices);
}

/** A key of a schema that resembles a keyword. */
interface MisspeltKeyword {
  readonly key: string;
  /** From the root schema. */
  readonly pointer: string;
  /** Similar keywords that the schema does not have yet, best first; never empty. */
  readonly nearest: readonly string[];
}

/** The misspelt keywords of a schema. Other unknown keys are for the author's own tools. */
export function misspeltKeywords(contract: OutputContract): readonly MisspeltKeyword[] {
  const keywords = misspelt.get(contract) ?? findMisspelt(contract);
  misspelt.set(contract, keywords);
  return keywords;
}

const misspelt = new WeakMap<OutputContract, readonly MisspeltKeyword[]>();

function findMisspelt({ schemas }: OutputContract): readonly MisspeltKeyword[] {
  const keywords: MisspeltKeyword[] = [];
  for (const { schema, pointer } of schemas) {
    for (const key of Object.keys(schema)) {
      if (isSchemaWord(key) || key.length > longest) continue;
      const nearest = findNearest(key).filter((keyword) => !Object.hasOwn(schema, keyword));
      if (nearest.length > 0) keywords.push({ key, pointer: pointer + pointerOf(key), nearest });
    }
  }
  return keywords;
}

/** Without the shortest keywords, which resemble too many other words. */
const findNearest = nearestAmong(schemaKeywords.filter((keyword) => !['if', 'not', 'then', 'else'].includes(keyword)));

/** No keyword, and no misspelling of one, is longer. */
const longest = 30;

/** Keywords without which the fields and values of a schema are unknown. */
const essential: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'items',
  'enum',
  '$ref',
  'anyOf',
  'allOf',
  'oneOf',
  '$defs',
  'definitions',
]);

/** Whether the misspelling changes which fields and values the schema has. */
export function isEssential({ nearest }: MisspeltKeyword): boolean {
  return essential.has(nearest[0] ?? '');
}
