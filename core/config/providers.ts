import { builtInProviderNames } from '../builtInProviders.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import type { Kind } from '../kinds.js';
import { tasksIn, teamsIn } from './orchestrationParts.js';
import type { ProjectIndex } from './projectIndex.js';

/** All providers that configs of a project may name: the built-in ones, those that agentstack.json lists, those that the program registers. */
export function knownProviders({ settings, registered }: Pick<ProjectIndex, 'settings' | 'registered'>): readonly string[] {
  return [...new Set([...builtInProviderNames, ...settings.providers, ...registered.providers])];
}

/** The end of a message about an unknown provider. */
export function howToAddProviders(providers: readonly string[]): string {
  return ` There are ${providers.join(', ')}. One that a program registers is listed under "providers" in agentstack.json.`;
}

/** A provider as a file names it. */
export interface NamedProvider {
  readonly name: string;
  readonly pointer: string;
}

/** The providers that a file names, wherever it may contain an agent or a profile. */
export function providersIn(kind: Kind, value: Json | undefined): readonly NamedProvider[] {
  if (!isObject(value)) return [];
  if (kind === 'agent' || kind === 'persona' || kind === 'llm') return providerOf(value, '');
  if (kind === 'orchestration') {
    return teamsIn(value).flatMap((team) => tasksIn(team).flatMap((task) => providerOf(task.value.config, `${task.pointer}/config`)));
  }
  if (kind !== 'system') return [];
  const named = (['agent_defaults', 'persona_defaults'] as const).flatMap((key) => providerOf(value[key], pointerOf(key)));
  const tables = (['llms', 'agents'] as const).flatMap((key) =>
    entriesOf(value[key]).flatMap(([id, entry]) => providerOf(entry, pointerOf(key, id))),
  );
  return [...named, ...tables];
}

function providerOf(value: Json | undefined, pointer: string): readonly NamedProvider[] {
  const name = isObject(value) ? value.provider : undefined;
  return typeof name === 'string' && !name.includes('${') ? [{ name, pointer: `${pointer}/provider` }] : [];
}

function entriesOf(value: Json | undefined): readonly (readonly [string, JsonObject[string]])[] {
  return isObject(value) ? Object.entries(value) : [];
}
