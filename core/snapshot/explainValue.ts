import { isObject, type Json, type JsonObject, pointerOf, segmentsOf, valueAt } from '../json.js';
import type { SnapshotSubject } from './createSnapshot.js';
import type { Layer, Origin } from './effective.js';
import { agentTable, llmTable, takenFromAgent } from './fields.js';
import { written } from './layering.js';
import { forEachLeaf } from './origins.js';
import type { SnapshotValue } from './snapshotValue.js';
import type { ResolvedAgent } from './types.js';

/** The value that one layer gives. */
export interface LayerWord {
  readonly layer: Layer;
  /** Null for built-in defaults and the call. */
  readonly file: string | null;
  /** In that file. */
  readonly pointer: string;
  /** As it is written there, placeholders included; null removes the value of lower layers. */
  readonly value: Json;
}

export interface ExplainedLeaf {
  /** In the snapshot. */
  readonly pointer: string;
  readonly value: Json;
  /** The layer that decided; null for the snapshot's own members. */
  readonly origin: Origin | null;
  /** Every layer that gives a value, lowest first. Empty if nothing is layered. */
  readonly layers: readonly LayerWord[];
}

/**
 * Where the value at a pointer of a snapshot comes from, leaf by leaf, and what each layer below sets for it. Undefined if there is no such
 * value.
 *
 * @param subject what the snapshot was made from; without it only the deciding layer is known
 */
export function explainValue(
  { value, origins }: { readonly value: SnapshotValue; readonly origins: ReadonlyMap<string, Origin> },
  pointer: string,
  subject?: SnapshotSubject,
): readonly ExplainedLeaf[] | undefined {
  // A snapshot is JSON by construction.
  const frozen = valueAt(value as unknown as JsonObject, pointer);
  if (frozen === undefined) return undefined;
  const leaves: ExplainedLeaf[] = [];
  forEachLeaf(frozen, (inner) => {
    const at = pointer + inner;
    const leaf = valueAt(frozen, inner) ?? null;
    leaves.push({ pointer: at, value: leaf, origin: origins.get(at) ?? null, layers: subject ? layersAt(value, at, subject) : [] });
  });
  return leaves;
}

/**
 * The pointer for user input: a pointer or a dotted path, from the root of the snapshot, from its only agent (`temperature`), from an
 * agent it names (`triage/labels.temperature`) or from the orchestration (`teams.triage.routing`). Undefined if none of these exists.
 */
export function findPointer(value: SnapshotValue, written: string): string | undefined {
  const paths = written.startsWith('/') ? [segmentsOf(written)] : dottedPaths(value, written);
  for (const path of paths) {
    for (const start of [[], value.kind === 'agent' ? ['agents', value.name] : ['orchestration'], ['agents']]) {
      const pointer = pointerOf(...start, ...path);
      if (valueAt(value as unknown as JsonObject, pointer) !== undefined) return pointer;
    }
  }
  return undefined;
}

/** Names of instances and models may contain dots themselves. */
function dottedPaths({ agents }: SnapshotValue, written: string): readonly (readonly string[])[] {
  const instance = Object.keys(agents).find((name) => written === name || written.startsWith(`${name}.`));
  const below = instance === undefined ? undefined : written.slice(instance.length + 1);
  const plain = written === '' ? [] : written.split('.');
  return instance === undefined || below === undefined ? [plain] : [[instance, ...(below === '' ? [] : below.split('.'))], plain];
}

function layersAt(value: SnapshotValue, pointer: string, subject: SnapshotSubject): readonly LayerWord[] {
  const [part, name = '', ...path] = segmentsOf(pointer);
  if (part !== 'agents' && part !== 'llms') return [];
  const agent = part === 'agents' ? agentAt(subject, name) : agentWith(value, name, subject);
  const table = part === 'agents' || takenFromAgent.includes(String(path[0])) ? agentTable : llmTable;
  return (agent?.layers ?? []).flatMap((fragment) => {
    const field = table[fragment.kind].get(String(path[0]));
    const said = field === undefined ? undefined : written(fragment.value, path);
    if (said === undefined) return [];
    const { layer, file } = fragment;
    return [{ layer, file, pointer: fragment.pointer + pointerOf(...path), value: said === 'removed' ? null : said.value }];
  });
}

function agentAt(subject: SnapshotSubject, instance: string): ResolvedAgent | undefined {
  if (subject.kind === 'orchestration') return subject.resolved.agents.get(instance);
  return instance === subject.resolved.config.agent_name ? subject.resolved : subject.called?.get(instance);
}

/** The first agent that uses this llm entry: all of them have the same settings. */
function agentWith({ agents, llms }: SnapshotValue, llm: string, subject: SnapshotSubject): ResolvedAgent | undefined {
  const ownInstance = llm.startsWith('@') ? llm.slice(1) : undefined;
  const users =
    ownInstance === undefined
      ? Object.keys(agents).filter((name) => agents[name]?.llm_config_id === llm && !isObject(llms[`@${name}`]))
      : [ownInstance];
  return users.map((name) => agentAt(subject, name)).find((agent) => agent !== undefined);
}
