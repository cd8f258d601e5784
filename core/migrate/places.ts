import { splitAgentReference } from '../config/agentReference.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { nextVersion } from '../config/nextVersion.js';
import { pathOf } from '../config/paths.js';
import { expectationsOf, readCases } from '../eval/readCases.js';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import type { AgentUse, ProjectUses } from './agentUses.js';

/** A place that names a model. */
export interface ModelPlace {
  readonly file: string;
  readonly pointer: string;
  readonly layer: 'agent' | 'llm' | 'persona' | 'system' | 'environment' | 'task';
  /** The value of the file. */
  readonly value: Json | undefined;
  readonly uses: readonly AgentUse[];
}

/** How a place is written. */
export type PlaceDecision =
  | { readonly write: 'in_place' }
  | {
      readonly write: 'new_version';
      readonly version: string;
      readonly file: string;
      readonly why: string;
      readonly notes: readonly string[];
    }
  | { readonly write: 'left'; readonly why: string };

export function placeKey({ file, pointer }: { readonly file: string | null; readonly pointer: string }): string {
  return `${file} ${pointer}`;
}

/** Names of models in files that layer over others, whether or not an agent gets its model from there. */
export function namedInLayers(
  index: LoadedIndex,
): readonly (Omit<ModelPlace, 'uses' | 'value'> & { readonly name: string; readonly provider: Json | undefined })[] {
  return [...index.read.values()].flatMap(({ path: file, identity, value }) => {
    if (!isObject(value) || index.identityOf(file) === undefined) return [];
    const layer = identity.kind === 'system' ? (identity.id === 'system' ? 'system' : 'environment') : identity.kind;
    if (layer !== 'llm' && layer !== 'persona' && layer !== 'system' && layer !== 'environment') return [];
    return sectionsOf(identity.kind, value).flatMap((at) => {
      const section = valueAt(value, at);
      if (!isObject(section) || typeof section.model_name !== 'string') return [];
      return [{ file, pointer: `${at}/model_name`, layer, name: section.model_name, provider: section.provider }];
    });
  });
}

function sectionsOf(kind: string, value: JsonObject): readonly string[] {
  if (kind !== 'system') return [''];
  const named = (['llms', 'agents'] as const).flatMap((part) =>
    isObject(value[part]) ? Object.keys(value[part]).map((name) => pointerOf(part, name)) : [],
  );
  return ['/agent_defaults', '/persona_defaults', ...named];
}

/** What the cases of the project say about its agents. */
export interface CaseFacts {
  /** Inputs of an agent's cases. */
  readonly inputs: ReadonlyMap<string, readonly JsonObject[]>;
  /** Agents with cases that have `expect`. */
  readonly tested: ReadonlySet<string>;
}

/** @param payloads the values of payload files, by `agent/case` */
export function caseFacts(payloads: ReadonlyMap<string, JsonObject>): CaseFacts {
  const inputs = new Map<string, JsonObject[]>();
  const tested = new Set<string>();
  for (const [id, value] of payloads) {
    const at = id.indexOf('/');
    const agent = id.slice(0, at);
    for (const each of readCases(id.slice(at + 1), value)) {
      inputs.set(agent, [...(inputs.get(agent) ?? []), ...each.turns.map(({ input }) => input)]);
      if (expectationsOf(each).length > 0) tested.add(agent);
    }
  }
  return { inputs, tested };
}

/**
 * The place where a model comes from is edited there. An agent's own model is part of its version: where others rely on that version (cases,
 * a baseline, callers from outside), a new version is written beside it.
 */
export function decidePlace(
  { file, pointer, layer, value, uses }: ModelPlace,
  from: string,
  index: LoadedIndex,
  cases: CaseFacts,
): PlaceDecision {
  const written = valueAt(value, pointer);
  if (typeof written === 'string' && written.includes('${'))
    return { write: 'left', why: `its name comes from a variable (${written}): change the variable.` };
  if (written !== from) return { write: 'left', why: 'it does not write the name of the model.' };
  const agent = uses[0]?.agent;
  if (layer !== 'agent' || agent === undefined) return { write: 'in_place' };
  const { name, version } = agent;
  const versions = index.versions(name);
  const [pins, users] = [`${name}@${version}`, name].map((reference) => filesNaming(index, reference).filter((path) => path !== file)) as [
    string[],
    string[],
  ];
  if (version !== versions.at(-1)) {
    const pinned = pins.length === 0 ? 'nothing names it' : `${pins.join(', ')} ${pins.length === 1 ? 'names' : 'name'} it`;
    return {
      write: 'left',
      why: `it is an older version than ${versions.at(-1)}, and ${pinned}: a new version would take the place of ${versions.at(-1)}.`,
    };
  }
  const reasons = [
    ...(cases.tested.has(name) ? ['it has cases'] : []),
    ...(index.ids('baseline').has(name) ? ['it has a baseline'] : []),
    ...(isObject(value) && value.expose === true ? ['it is exposed'] : []),
    ...(pins.length > 0 ? [`${pins.join(', ')} ${pins.length === 1 ? 'names' : 'name'} this version`] : []),
  ];
  if (reasons.length === 0) return { write: 'in_place' };
  const next = nextVersion(version, versions);
  if (next === undefined)
    return {
      write: 'left',
      why: `${reasons.join(', ')}, and what comes after ${version} is not obvious: use \`agent-stack new version ${name} --to VERSION\` first.`,
    };
  const notes = [
    ...users.map((user) => `${user} gets ${next}, since it names no version.`),
    ...pins.map((pin) => `${pin} keeps ${name}@${version} with the old model: change the version there.`),
  ];
  return { write: 'new_version', version: next, file: pathOf('agent', `${name}@${next}`, index.settings), why: reasons.join(', '), notes };
}

/** Its own cases and settings aside. */
function filesNaming(index: LoadedIndex, reference: string): readonly string[] {
  const places = index
    .referencesTo('agent', reference)
    .filter(({ file, pointer }) => pointer !== '' && index.identityOf(file)?.kind !== 'system');
  return [...new Set(places.map(({ file }) => file))];
}

/** Whether a subject that the user names is this use: `Reviewer`, `Reviewer@v1`, or an orchestration, which includes the agents that it calls. */
export function isNamed(
  { subject, agent, file }: Pick<AgentUse, 'subject' | 'agent' | 'file'>,
  name: string,
  members: ProjectUses['members'],
): boolean {
  if (agent === undefined) return subject.startsWith(`${name}: `);
  const { name: wanted, version } = splitAgentReference(name);
  return (agent.name === wanted && (version === undefined || version === agent.version)) || (members.get(name)?.has(file) ?? false);
}
