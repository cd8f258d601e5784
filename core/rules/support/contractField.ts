import type { ConfigFile } from '../../config/configFile.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';
import type { Origin } from '../../snapshot/effective.js';
import type { RuleContext } from '../rule.js';

/** The fields that say what an agent answers; each is replaced whole by a higher layer, so it has one origin. */
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
 * what lies below. The effective config is asked for only when some layer below names the field.
 */
export function findField(file: ConfigFile, context: RuleContext, name: ContractFieldName): ContractField | undefined {
  const own = file.value;
  if (!isObject(own)) return undefined;
  if (Object.hasOwn(own, name)) {
    const value = own[name];
    return value === undefined || value === null ? undefined : { value, file: file.path, pointer: `/${name}`, own: true };
  }
  if (file.identity.kind !== 'agent' || !isInherited(file, own, context, name)) return undefined;
  const resolved = context.effective(file);
  const value = (resolved.config as unknown as JsonObject)[name];
  if (value === undefined || value === null) return undefined;
  const origin = originOf(value, name, resolved.origins);
  if (origin === undefined || origin.file === null) return undefined;
  return { value, file: origin.file, pointer: origin.pointer, own: false };
}

/** Where in the checked file a finding about an inherited field belongs: the key that pulls the field in. */
export function inheritancePointer(file: ConfigFile, context: RuleContext, field: ContractField): string {
  const key = isObject(file.value) ? file.value.persona_key : undefined;
  if (typeof key === 'string' && context.project.ids('persona').get(key) === field.file) return '/persona_key';
  return isObject(file.value) && Object.hasOwn(file.value, 'agent_name') ? '/agent_name' : '';
}

/** A cheap look at the layers below; `${VAR}` in a persona key makes it say yes, and the effective config decides. */
function isInherited(file: ConfigFile, own: JsonObject, context: RuleContext, name: ContractFieldName): boolean {
  const { project } = context;
  const key = own.persona_key;
  if (typeof key === 'string') {
    const persona = project.value('persona', key);
    if (persona === undefined ? key.includes('${') : Object.hasOwn(persona, name)) return true;
  }
  return (
    systemNames(project.value('system', 'system'), file.identity.name, name) ||
    systemNames(project.value('system', project.settings.environment), file.identity.name, name)
  );
}

function systemNames(system: JsonObject | undefined, agentName: string, name: ContractFieldName): boolean {
  if (system === undefined) return false;
  const agents = system.agents;
  const forAgent = isObject(agents) && Object.hasOwn(agents, agentName) ? agents[agentName] : undefined;
  return [system.agent_defaults, system.persona_defaults, forAgent].some((layer) => isObject(layer) && Object.hasOwn(layer, name));
}

/** The origin of the whole field, from the origin of its first leaf. */
function originOf(value: Json, name: string, origins: ReadonlyMap<string, Origin>): Origin | undefined {
  const below = firstLeaf(value);
  const origin = origins.get(`/${name}${below}`);
  if (origin === undefined) return undefined;
  return { ...origin, pointer: origin.pointer.slice(0, origin.pointer.length - below.length) };
}

function firstLeaf(value: Json): string {
  let pointer = '';
  let current: Json = value;
  while (typeof current === 'object' && current !== null) {
    const first: string | undefined = Object.keys(current)[0];
    if (first === undefined) break;
    pointer += pointerOf(first);
    current = (current as JsonObject)[first] as Json;
  }
  return pointer;
}
