import { isObject, type JsonObject, pointerOf, segmentsOf } from '../../json.js';
import type { ImportSource } from '../importSource.js';
import { stemOf } from '../values.js';

export interface Part {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** The agents of a config by their key, or the one of a file in Markdown. */
export function agentsOf({ format, value }: ImportSource): readonly Part[] {
  if (!isObject(value)) return [];
  if (format === 'markdown') return [{ value, pointer: '' }];
  return isObject(value.agent)
    ? Object.entries(value.agent).flatMap(([name, agent]) => (isObject(agent) ? [{ value: agent, pointer: pointerOf('agent', name) }] : []))
    : [];
}

/** What holds a field `permission`: the config, and each agent. */
export function holdersOf(source: ImportSource): readonly Part[] {
  const agents = agentsOf(source);
  return source.format !== 'markdown' && isObject(source.value) ? [{ value: source.value, pointer: '' }, ...agents] : agents;
}

/** The agents of a file by name. */
export function definedBy(source: ImportSource): readonly (Part & { readonly name: string })[] {
  return agentsOf(source).map((part) => ({ ...part, name: segmentsOf(part.pointer).at(-1) ?? stemOf(source) }));
}
