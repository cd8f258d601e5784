import { groupBy } from '../groupBy.js';
import { type Json, pointerOf } from '../json.js';
import { compareNatural } from '../names.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { EffectiveAgent, EffectiveLlm, Origin } from '../snapshot/effective.js';
import { withKeyOrder } from '../snapshot/keyOrder.js';
import type { SnapshotValue } from '../snapshot/snapshotValue.js';
import { type ComparedSide, placeOf } from './comparedSide.js';
import type { ChangedField, DiffPlace } from './types.js';

/** Two frozen configs of one subject, and all that lies between them. */
export interface Mixer {
  /** What changed, by name. */
  readonly fields: readonly ChangedField[];
  /** The config as before, but with these fields (by number) as after: with none or all of them exactly one of the two. */
  mix(taken: readonly number[]): Snapshot;
}

/**
 * Fields of an agent that are one change if several of them differ: a mix of them would be none that anybody wrote. A connection is never mixed, so
 * that no key is sent to another host, nor is the choice of tools, so that nothing can be called that neither side allows.
 */
const groups: Readonly<Record<string, readonly string[]>> = {
  version: ['agent_name', 'version', 'persona_key', 'description', 'tracing'],
  input: ['input_keys', 'input_schema'],
  answer: ['mode', 'output_schema', 'enums', 'defaults'],
  template: ['prompts', 'template'],
  connection: ['llm_config_id', 'provider'],
  tools: ['agent_type', 'tool_protocol', 'client_ids', 'enabled_tools', 'exclude_components', 'execution_plan'],
};
const groupOfField = new Map(Object.entries(groups).flatMap(([group, fields]) => fields.map((field) => [field, group] as const)));
/** Groups that are one change in all agents together. */
const shared: readonly string[] = ['environment', 'version', 'tools', 'models', 'structure'];

/** A part of a snapshot that is taken from one side as a whole. */
interface Atom {
  /** Undefined for what all agents share. */
  readonly instance: string | undefined;
  readonly group: string;
  readonly names: readonly string[];
  readonly pointers: readonly string[];
  /** Equal for the same change in several agents. */
  readonly change: string;
}

export function createMixer(before: ComparedSide, after: ComparedSide, sha256: (text: string) => string): Mixer {
  const [old, current] = [before.value, after.value];
  const isOtherStructure = Object.keys(old.agents).sort().join('\n') !== Object.keys(current.agents).sort().join('\n');
  const instances = Object.keys(current.agents).filter((instance) => Object.hasOwn(old.agents, instance));
  const movesModel = new Set(
    instances.filter((instance) => {
      const [left, right] = [llmOf(old, instance), llmOf(current, instance)];
      return left?.provider !== right?.provider || left?.base_url !== right?.base_url;
    }),
  );
  /** The group of a field of an agent. */
  const groupOf = (instance: string, field: string): string => {
    const group = groupOfField.get(field) ?? field;
    if (field === 'model_name' && movesModel.has(instance)) return 'connection';
    return isOtherStructure && group === 'tools' ? 'structure' : group;
  };
  const atoms = [
    ...instances.flatMap((instance) => agentAtoms(old, current, instance, (field) => groupOf(instance, field))),
    ...sharedAtoms(old, current, isOtherStructure),
  ];
  const fields = [...groupBy(atoms, ({ group, change }) => (shared.includes(group) ? group : `${group} ${change}`)).values()].sort(byName);
  const numbers = new Map(fields.flatMap((members, number) => members.map((atom) => [keyOf(atom), number] as const)));

  return {
    fields: fields.map((members) => ({
      names: [...new Set(members.flatMap(({ names }) => names))],
      instances: [...new Set(members.flatMap(({ instance }) => instance ?? []))],
      places: placesOf(
        members.flatMap(({ pointers }) => pointers),
        before,
        after,
      ),
    })),
    mix(taken) {
      const chosen = new Set(taken);
      const isTaken = (group: string, instance?: string): boolean => {
        const number = numbers.get(keyOf({ group, instance: shared.includes(group) ? undefined : instance }));
        return number !== undefined && chosen.has(number);
      };
      const structure = isTaken('structure') ? current : old;
      const agents: (readonly [string, EffectiveAgent])[] = [];
      const llms = new Map<string, EffectiveLlm>();
      for (const [instance, config] of Object.entries(structure.agents)) {
        const isOnBoth = instances.includes(instance);
        const sideOf = (group: string) => (isOnBoth ? (isTaken(group, instance) ? current : old) : structure);
        const connection = llmOf(sideOf('connection'), instance);
        agents.push([instance, isOnBoth ? mixConfig(old, current, instance, (field) => sideOf(groupOf(instance, field))) : config]);
        if (connection !== undefined) addLlm(llms, instance, connection);
      }
      const tools = isTaken(isOtherStructure ? 'structure' : 'tools') ? after : before;
      const { servers, skills, policy } = tools.value;
      const { version } = isTaken('version') ? current : old;
      const { models } = isTaken('models') ? current : old;
      const { environment } = isTaken('environment') ? current : old;
      const { format, kind, name } = old;
      const value = withKeyOrder({
        format,
        kind,
        name,
        ...(version !== undefined && { version }),
        environment,
        agents: Object.fromEntries(agents),
        llms: Object.fromEntries(llms),
        servers,
        ...(skills && { skills }),
        ...(models && { models }),
        ...(policy && { policy }),
        ...(structure.orchestration && { orchestration: structure.orchestration }),
      });
      // A snapshot is JSON by construction.
      const text = canonicalJson(value as unknown as Json);
      return { value, text, hash: sha256(text), origins_text: JSON.stringify(originsOf(before, after, tools)) };
    },
  };
}

function byName([left]: readonly [Atom, ...Atom[]], [right]: readonly [Atom, ...Atom[]]): number {
  return compareNatural(`${left.names[0]} ${left.instance}`, `${right.names[0]} ${right.instance}`);
}

function keyOf({ group, instance }: Pick<Atom, 'group' | 'instance'>): string {
  return JSON.stringify([group, instance ?? null]);
}

function llmKey({ agents, llms }: SnapshotValue, instance: string): string | undefined {
  const keys = [`@${instance}`, agents[instance]?.llm_config_id];
  return keys.find((key) => key !== undefined && Object.hasOwn(llms, key));
}

function llmOf(value: SnapshotValue, instance: string): EffectiveLlm | undefined {
  const key = llmKey(value, instance);
  return key === undefined ? undefined : value.llms[key];
}

/** Agents of one profile share an entry, as in `createSnapshot`. */
function addLlm(llms: Map<string, EffectiveLlm>, instance: string, llm: EffectiveLlm): void {
  const { llm_id: id } = llm;
  const same = id === undefined ? undefined : llms.get(id);
  if (same !== undefined && canonicalJson(same as unknown as Json) === canonicalJson(llm as unknown as Json)) return;
  llms.set(id === undefined || same !== undefined ? `@${instance}` : id, llm);
}

/** The changes of an agent that both sides have. */
function agentAtoms(before: SnapshotValue, after: SnapshotValue, instance: string, groupOf: (field: string) => string): readonly Atom[] {
  const [old, current] = [before.agents[instance], after.agents[instance]] as unknown as [Fields, Fields];
  const names = [...new Set([...Object.keys(old), ...Object.keys(current)])].filter((field) => !isSame(old[field], current[field]));
  const changed = groupBy(names, groupOf);
  const [llmBefore, llmAfter] = [llmOf(before, instance), llmOf(after, instance)];
  const atoms = new Map<string, Atom>();
  for (const [group, fields] of changed) {
    const change = JSON.stringify(fields.map((field) => [field, old[field], current[field]]));
    atoms.set(group, { instance, group, names: fields, pointers: fields.map((field) => pointerOf('agents', instance, field)), change });
  }
  if (!isSame(llmBefore, llmAfter)) {
    const connection = atoms.get('connection') ?? { instance, group: 'connection', names: [], pointers: [], change: '' };
    const [left, right] = [llmBefore ?? {}, llmAfter ?? {}] as [Fields, Fields];
    const inside = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter((field) => !isSame(left[field], right[field]));
    const key = llmKey(after, instance) ?? '';
    atoms.set('connection', {
      ...connection,
      names: [...connection.names, ...inside.filter((field) => field !== 'llm_id' && !connection.names.includes(field))],
      pointers: [...connection.pointers, ...inside.map((field) => pointerOf('llms', key, field))],
      change: JSON.stringify([connection.change, llmBefore, llmAfter]),
    });
  }
  return [...atoms.values()].map((atom) => (shared.includes(atom.group) ? { ...atom, instance: undefined } : atom));
}

type Fields = Readonly<Record<string, Json | undefined>>;

function sharedAtoms(before: SnapshotValue, after: SnapshotValue, isOtherStructure: boolean): readonly Atom[] {
  const differing = (part: 'servers' | 'skills' | 'models') => {
    const [old, current] = [before[part] ?? {}, after[part] ?? {}];
    const names = [...new Set([...Object.keys(old), ...Object.keys(current)])];
    return names.filter((name) => !isSame(old[name], current[name])).map((name) => [part, name] as const);
  };
  const atomOf = (group: string, paths: readonly (readonly string[])[]): readonly Atom[] =>
    paths.length === 0
      ? []
      : [
          {
            instance: undefined,
            group,
            names: paths.map((path) => path.join('.')),
            pointers: paths.map((path) => pointerOf(...path)),
            change: '',
          },
        ];
  const agents = isOtherStructure
    ? [...new Set([...Object.keys(before.agents), ...Object.keys(after.agents)])].filter(
        (name) => !(Object.hasOwn(before.agents, name) && Object.hasOwn(after.agents, name)),
      )
    : [];
  const structure = [
    ...(isSame(before.orchestration, after.orchestration) ? [] : [['orchestration']]),
    ...agents.map((name) => ['agents', name]),
  ];
  const policy = isSame(before.policy, after.policy) ? [] : [['policy']];
  const tools = [...differing('servers'), ...differing('skills'), ...policy];
  return [
    ...atomOf('structure', isOtherStructure ? [...structure, ...tools] : structure),
    ...(isOtherStructure ? [] : atomOf('tools', tools)),
    ...atomOf('models', differing('models')),
    ...(before.version === after.version ? [] : atomOf('version', [['version']])),
    ...(before.environment === after.environment ? [] : atomOf('environment', [['environment']])),
  ];
}

function mixConfig(
  before: SnapshotValue,
  after: SnapshotValue,
  instance: string,
  sideOf: (field: string) => SnapshotValue,
): EffectiveAgent {
  const fields = new Set([...Object.keys(before.agents[instance] ?? {}), ...Object.keys(after.agents[instance] ?? {})]);
  const entries = [...fields].flatMap((field) => {
    const config = sideOf(field).agents[instance] as unknown as Fields;
    return config[field] === undefined ? [] : [[field, config[field]] as const];
  });
  return Object.freeze(Object.fromEntries(entries)) as unknown as EffectiveAgent;
}

/** Order counts: prompts follow it. */
function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Where fields are written after the change, else where they were. Without doubles, at most 10. */
function placesOf(pointers: readonly string[], before: ComparedSide, after: ComparedSide): readonly DiffPlace[] {
  const places = pointers.flatMap((pointer) => placeOf(after, pointer) ?? placeOf(before, pointer) ?? []);
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()].slice(0, 10);
}

/** Good enough to find a value again: a mixed config is never written down. */
function originsOf(before: ComparedSide, after: ComparedSide, tools: ComparedSide): Readonly<Record<string, Origin>> {
  const isTool = ([pointer]: readonly [string, Origin]) => /^\/(?:skills|servers|policy)\//.test(pointer);
  const others = [before, after].flatMap(({ origins }) => [...origins].filter((entry) => !isTool(entry)));
  return Object.fromEntries([...others, ...[...tools.origins].filter(isTool)]);
}
