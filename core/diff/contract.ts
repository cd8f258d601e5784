import { groupBy } from '../groupBy.js';
import { isObject, type Json, pointerOf } from '../json.js';
import { type ContractFieldChange, findContractChanges } from '../rules/facts/contractChanges.js';
import type { EffectiveAgent } from '../snapshot/effective.js';
import { instanceOf } from '../snapshot/snapshotValue.js';
import { plural } from '../words.js';
import { type ComparedSide, placeOf } from './comparedSide.js';
import { type ContractFacts, callersOf, type PlacedReader } from './contractFacts.js';
import { breaks, type FoundReader, orchestrationReaders, planReaders } from './contractReaders.js';
import { pairAgents, together } from './pairAgents.js';
import type { ContractChange, ContractReader, DiffPlace, SubjectName } from './types.js';

/**
 * What changes in the inputs and answers of the agents that both sides have, and of an orchestration. What breaks is judged as by the rule
 * `schema-changed-in-place`.
 *
 * @param facts of the project on the side after. Without them, readers outside the snapshots are not looked for: other orchestrations and plans,
 * cases, and programs that call what is exposed
 */
export function compareContract(before: ComparedSide, after: ComparedSide, facts: ContractFacts | undefined): readonly ContractChange[] {
  const inside = readersInside(after);
  const changes: ContractChange[] = [];
  for (const { instance, before: was, after: is } of pairAgents(before, after)) {
    if (was === undefined || is === undefined) continue;
    const [old, now] = [was.agent.resolved.config, is.agent.resolved.config];
    const readers = [...(inside.get(instance) ?? []), ...readersOutside(after, instance, facts)];
    const compared: Compared = { instance, before, after, was: ['agents', was.instance], is: ['agents', instance], readers };
    for (const change of [...findContractChanges(old, now), ...answerChange(old, now)]) changes.push(changed(change, compared));
  }
  const [old, now] = [before.value.orchestration, after.value.orchestration];
  if (old !== undefined && now !== undefined) {
    const readers = placed(facts?.ofOrchestration(after.value.name) ?? []);
    const input = (frozen: typeof old) => ({ input_keys: frozen.input_keys, input_schema: frozen.input_schema });
    const of = { instance: after.value.name, before, after, was: ['orchestration'], is: ['orchestration'], readers };
    for (const change of findContractChanges(input(old), input(now))) changes.push(changed(change, of));
  }
  changes.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  return together(changes, ({ instance: _its, also: _others, ...change }) => JSON.stringify(change));
}

/**
 * What was exposed and no longer is.
 *
 * @param file where it was exposed
 * @param otherVersion whether another version of the agent is exposed, which may have taken over its name
 */
export function unexposed({ kind, name }: SubjectName, file: string, instance: string, otherVersion: boolean): ContractChange {
  const place: DiffPlace = { file, pointer: '/expose', side: 'before' };
  const callers = otherVersion ? 'get another version of the agent, or are refused' : 'are refused';
  return {
    effect: otherVersion ? 'unknown' : 'breaking',
    instance,
    also: [],
    side: 'output',
    field: '',
    message: `It is not offered any more: programs that call it ${callers}.`,
    place,
    readers: otherVersion ? [] : [{ kind: 'exposed', words: callersOf(kind, name), place }],
  };
}

function keyOf({ instance, side, field, message }: ContractChange): string {
  return JSON.stringify([instance, side === 'input', field, message]);
}

interface Compared {
  readonly instance: string;
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  /** Where the instance is in the snapshots. */
  readonly was: readonly string[];
  readonly is: readonly string[];
  readonly readers: readonly (FoundReader & { readonly place: ContractReader['place'] })[];
}

function changed(change: ContractFieldChange, { instance, before, after, was, is, readers }: Compared): ContractChange {
  const { effect, side, field, message, part, pointer, gone } = change;
  const old = gone === undefined ? undefined : placeOf(before, pointerOf(...was, part) + gone);
  return {
    effect,
    instance,
    also: [],
    side,
    field,
    message,
    place: old ?? placeOf(after, pointerOf(...is, part) + pointer) ?? placeOf(after, pointerOf(...is, part)) ?? null,
    readers: effect === 'breaking' ? casesTogether(readers.filter((reader) => breaks(reader, change))) : [],
  };
}

/** Cases of one file as one reader: the first of them. */
function casesTogether(readers: Compared['readers']): readonly ContractReader[] {
  const groups = groupBy(readers, (reader) => (reader.kind === 'case' && reader.place !== null ? reader.place.file : reader));
  return [...groups.values()].map(([{ kind, words, place }, ...others]) => {
    return { kind, words: others.length === 0 ? words : `${words} and ${plural(others.length, 'other')} of its file`, place };
  });
}

/** Agents without a schema answer with a text; what a plan or an object as a Final Answer yields is known only in a run. */
function answerChange(before: EffectiveAgent, after: EffectiveAgent): readonly ContractFieldChange[] {
  if (isObject(before.output_schema) || isObject(after.output_schema)) return [];
  const [was, is] = [formOf(before), formOf(after)];
  if (was === is) return [];
  const message = `The answer is ${is} now (was ${was}): whether readers are affected is not known.`;
  return [{ part: 'agent_type', side: 'output', effect: 'unknown', change: 'keyword', field: '', pointer: '', target: 'value', message }];
}

function formOf({ agent_type, tool_protocol }: EffectiveAgent): string {
  if (agent_type === 'orchestrating') return 'what its plan yields';
  return agent_type === 'react' && tool_protocol === 'text' ? 'a text or an object' : 'a text';
}

type Placed = Compared['readers'][number];

function placed(readers: readonly PlacedReader[]): readonly Placed[] {
  return readers.map((reader) => ({ ...reader, place: { file: reader.file, pointer: reader.pointer, side: 'after' } }));
}

/** What reads the agents of a snapshot in the snapshot itself, by instance. */
function readersInside(side: ComparedSide): ReadonlyMap<string, readonly Placed[]> {
  const { orchestration, agents } = side.value;
  const all = new Map<string, Placed[]>();
  const add = (at: string, found: ReadonlyMap<string, readonly FoundReader[]>) => {
    for (const [instance, readers] of found) {
      const list = readers.map((reader) => ({ ...reader, place: placeOf(side, at + reader.pointer) ?? null }));
      all.set(instance, [...(all.get(instance) ?? []), ...list]);
    }
  };
  // A snapshot is JSON by construction.
  add('/orchestration', orchestrationReaders(orchestration as unknown as Json));
  for (const [instance, config] of Object.entries(agents))
    add(pointerOf('agents', instance), planReaders(config as unknown as Json, instance));
  return all;
}

function readersOutside({ value }: ComparedSide, instance: string, facts: ContractFacts | undefined): readonly Placed[] {
  if (facts === undefined) return [];
  if (value.kind === 'agent') return instance === value.name ? placed(facts.ofAgent(`${value.name}@${value.version ?? ''}`)) : [];
  const task = Object.entries(value.orchestration?.teams ?? {})
    .flatMap(([team, { tasks }]) => tasks.map(({ name }) => ({ name, key: instanceOf(team, name) })))
    .find(({ key }) => key === instance);
  if (task === undefined) return [];
  const exposed = facts.ofOrchestration(value.name).filter(({ kind }) => kind === 'exposed');
  return placed([...facts.ofTask(value.name, task.name), ...exposed]);
}
