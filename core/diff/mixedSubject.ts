import { agentsOfSnapshot } from '../agent/load/agentsOfSnapshot.js';
import type { LoadedAgent } from '../agent/load/loadAgent.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { mcpInputs } from '../config/mcpFiles.js';
import type { PlannedCase } from '../eval/runner/plan.js';
import { askedKey } from '../eval/verdictKey.js';
import { loadSchemaCompiler, type SchemaCompiler } from '../schema/schemaCompiler.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { ResolvedAgent } from '../snapshot/types.js';
import type { LoadedOrchestration } from '../team/loadOrchestration.js';
import { orchestrationOfSnapshot } from '../team/orchestrationOfSnapshot.js';
import { createSide, type FrozenSource } from './comparedSide.js';
import { accepts } from './costs.js';
import { unmetReferences } from './mixFaults.js';
import { createMixer } from './mixSnapshots.js';
import type { ChangedField } from './types.js';

type Loaded = LoadedAgent | LoadedOrchestration;

/** Two states of one agent or orchestration, and every mix of their fields, ready to run. */
export interface MixedSubject {
  readonly fields: readonly ChangedField[];
  /** @param taken numbers of the fields as after the change, in order */
  load(taken: readonly number[]): Loaded;
  /** The cases whose input both states take. */
  readonly cases: readonly PlannedCase[];
  /** Why a mix cannot be asked; undefined if it can. */
  faultOf(taken: readonly number[]): string | undefined;
  /** Whether the field is in any request: whether taking it alone, or leaving it alone out, changes what decides the answer to a case. */
  isSent(field: number): boolean;
}

export interface MixRequest {
  readonly before: FrozenSource;
  readonly after: FrozenSource;
  /** Of an orchestration in the files: what a run does not read comes from it. */
  readonly resolved: LoadedOrchestration['resolved'] | undefined;
  readonly index: LoadedIndex;
  readonly planned: readonly PlannedCase[];
  readonly sha256: (text: string) => string;
}

/** The reason where the two cannot be mixed. */
export async function mixSubject({ before, after, resolved, index, planned, sha256 }: MixRequest): Promise<MixedSubject | string> {
  const schemas = await loadSchemaCompiler();
  const mixer = createMixer(createSide('before', before, schemas), createSide('after', after, schemas), sha256);
  const all = [...mixer.fields.keys()];
  if (mixer.mix([]).hash !== before.hash || mixer.mix(all).hash !== after.hash) return 'Its frozen configs cannot be mixed field by field.';

  const inputsOf = (agents: Iterable<ResolvedAgent>) => mcpInputs(index, agents);
  const loads = new Map<string, Loaded>();
  const load = (taken: readonly number[]): Loaded => {
    const key = taken.join();
    const loaded = loads.get(key) ?? loadSnapshot(mixer.mix(taken), { schemas, inputsOf, resolved });
    loads.set(key, loaded);
    return loaded;
  };
  const cases = planned.filter((tested) => takes(load([]), tested) && takes(load(all), tested));
  const faultsOfEnds = new Set([...unmetIn(load([])), ...unmetIn(load(all))]);
  const faultOf = (taken: readonly number[]): string | undefined => {
    const loaded = load(taken);
    const refused = cases.find((tested) => !takes(loaded, tested));
    return (
      unmetIn(loaded).find((fault) => !faultsOfEnds.has(fault)) ??
      (refused === undefined ? undefined : `the input of the case ${JSON.stringify(refused.name)} does not fit`)
    );
  };
  /** Undefined for what cannot be asked. */
  const keysOf = (taken: readonly number[]): string | undefined =>
    faultOf(taken) === undefined ? cases.map((tested) => askedKey({ subject: subjectOf(load(taken)), tested, sha256 })).join() : undefined;
  return {
    fields: mixer.fields,
    load,
    cases,
    faultOf,
    isSent: (field) => keysOf([field]) !== keysOf([]) || keysOf(all.filter((other) => other !== field)) !== keysOf(all),
  };
}

interface SnapshotTools {
  readonly schemas: SchemaCompiler;
  readonly inputsOf: (agents: Iterable<ResolvedAgent>) => LoadedAgent['mcp_inputs'];
  readonly resolved: MixRequest['resolved'];
}

/** Makes a frozen config runnable. */
function loadSnapshot(snapshot: Snapshot, { schemas, inputsOf, resolved }: SnapshotTools): Loaded {
  const { name } = snapshot.value;
  const orchestration = orchestrationOfSnapshot(snapshot, schemas);
  const instances = orchestration?.agents ?? agentsOfSnapshot(snapshot, { schemas });
  const agents = new Map([...instances].map(([instance, agent]) => [instance, agent.resolved] as const));
  const mcp_inputs = inputsOf(agents.values());
  if (orchestration !== undefined && resolved !== undefined)
    return { orchestration, resolved: { ...resolved, frozen: orchestration.frozen, agents }, mcp_inputs };
  const agent = instances.get(name);
  if (agent === undefined) throw new Error('The snapshot of an agent does not contain it.');
  agents.delete(name);
  return { agent, called: agents, mcp_inputs };
}

function subjectOf(loaded: Loaded) {
  return 'agent' in loaded ? loaded.agent : loaded.orchestration;
}

function takes(loaded: Loaded, { turns }: PlannedCase): boolean {
  return turns.every(({ input }) =>
    'agent' in loaded ? accepts(loaded.agent.prompt, input) : loaded.orchestration.checkInput(input).length === 0,
  );
}

function unmetIn(loaded: Loaded): readonly string[] {
  if (!('agent' in loaded)) return unmetReferences(loaded.orchestration.snapshot.value, loaded.orchestration.agents);
  const { snapshot, agents } = loaded.agent;
  return unmetReferences(snapshot.value, agents ?? new Map([[snapshot.value.name, loaded.agent]]));
}
