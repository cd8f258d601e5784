import type { ConfigFile } from '../../config/configFile.js';
import { isObject, type Json } from '../../json.js';
import type { RuleContext } from '../rule.js';
import { findGiven, layersOf } from './layers.js';

/** The fields that say what an agent answers; each is replaced whole by a higher layer, so it stands in one place. */
export type ContractFieldName = 'output_schema' | 'enums' | 'defaults' | 'mode';

/** A field of an agent or persona, wherever it is written. */
export interface ContractField {
  readonly value: Json;
  /** Project path of the file it is written in. */
  readonly file: string;
  /** Pointer of the field in that file. */
  readonly pointer: string;
  /** Whether that is the checked file. */
  readonly own: boolean;
}

/**
 * A field as the checked file has it, or for an agent that lacks it, as a lower layer gives it. A null of the file's own removes
 * what lies below.
 */
export function findField(file: ConfigFile, context: RuleContext, name: ContractFieldName): ContractField | undefined {
  if (!isObject(file.value)) return undefined;
  if (Object.hasOwn(file.value, name)) {
    const value = file.value[name];
    return value === undefined || value === null ? undefined : { value, file: file.path, pointer: `/${name}`, own: true };
  }
  const stack = file.identity.kind === 'agent' ? layersOf(file, context) : undefined;
  const given = stack && findGiven(stack, name);
  if (given === undefined || given.fragment.file === null) return undefined;
  return { value: given.value, file: given.fragment.file, pointer: given.pointer, own: false };
}

/** Whether two fields come from one other file, which then has the finding itself. */
export function areInheritedTogether(one: ContractField, other: ContractField): boolean {
  return !one.own && !other.own && one.file === other.file;
}

/** Where in the checked file a finding about an inherited field belongs: the key that pulls the field in. */
export function inheritancePointer(file: ConfigFile, context: RuleContext, field: ContractField): string {
  if (!isObject(file.value)) return '';
  const { persona_key: persona } = file.value;
  if (typeof persona === 'string' && context.project.ids('persona').get(persona) === field.file) return '/persona_key';
  return Object.hasOwn(file.value, 'agent_name') ? '/agent_name' : '';
}
