import type { LoadedAgent } from '../agent/load/loadAgent.js';
import { Refused } from '../agent/load/refused.js';
import type { Agent } from '../agent/types.js';
import { findAgent } from '../config/agentReference.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { expectationsOf } from '../eval/readCases.js';
import { type EvalSubject, type EvalTarget, judgesOf, type PlannedCase } from '../eval/runner/plan.js';
import type { EvalCall } from '../eval/runner/runEval.js';
import { isFree } from '../llm/price.js';
import type { LoadedOrchestration } from '../team/loadOrchestration.js';
import type { EvalAdapters } from './adapters.js';
import type { Project } from './types.js';

/** A project whose cases run. */
export interface EvalProject {
  readonly project: Project;
  readonly adapters: EvalAdapters;
  /** Which `environments/{name}.json` applies; undefined for its default. */
  readonly environment: string | undefined;
  /** Other states of its files, by the name that stands for one where the id of a profile would. Default: none. */
  readonly states?: ReadonlyMap<string, LoadSubject>;
}

type Loaded = LoadedAgent | LoadedOrchestration | Refused;

/** Loads an agent or orchestration as it is in another state of the project, for example with another model. */
export type LoadSubject = (subject: EvalSubject) => Promise<Loaded>;

export interface EvalLoader {
  load(subject: EvalSubject, llm: string | null): Promise<Loaded>;
  /** The agent that an expectation names as its judge; undefined if it does not exist. */
  judgeOf(reference: string): EvalSubject | undefined;
  /** The record that answers a call in place of the offline provider, as `RecordFiles` take it; undefined for a case without records. */
  recordOf(call: EvalCall): Promise<string | undefined>;
  /** The snapshots of cases and judges, always in the same order. */
  targets(cases: readonly PlannedCase[], llms: readonly (string | null)[]): Promise<readonly EvalTarget[]>;
}

/** Loads agents and orchestrations once each, from the files of the index. */
export function createLoader({ project, adapters, environment, states }: EvalProject, index: LoadedIndex): EvalLoader {
  const loads = new Map<string, ReturnType<EvalLoader['load']>>();
  const load: EvalLoader['load'] = ({ kind, subject, version }, llm) => {
    const key = JSON.stringify([kind, subject, version, llm]);
    const earlier = loads.get(key);
    if (earlier !== undefined) return earlier;
    const loadState = llm === null ? undefined : states?.get(llm);
    const common = { index, environment_name: environment, ...(llm !== null && { overrides: { llm } }) };
    const loaded =
      loadState !== undefined
        ? loadState({ kind, subject, version })
        : kind === 'agent'
          ? project.load({ ...common, agent_name: subject, version: version ?? undefined })
          : project.loadOrchestration({ ...common, name: subject });
    loads.set(key, loaded);
    return loaded;
  };
  const judgeOf: EvalLoader['judgeOf'] = (reference) => {
    const agent = findAgent(index, reference);
    return agent && { kind: 'agent', subject: agent.name, version: agent.version };
  };
  return {
    load,
    judgeOf,
    async recordOf({ record, ...call }) {
      const { recordings } = index.settings;
      if (recordings === undefined) return undefined;
      const agents = agentsOf(await load(call, call.llm));
      if (agents.length === 0 || !agents.every(({ resolved }) => isFree(resolved.llm))) return undefined;
      const path = `${recordings}/${record}`;
      const ofCase = await project.ports.files.list(path.slice(0, path.lastIndexOf('/')));
      // A run without a record, of a case with others, is not made up: it cannot be judged.
      return ofCase.some(({ name, kind }) => kind === 'file' && name.endsWith('.jsonl')) ? adapters.systemPath(path) : undefined;
    },
    async targets(cases, llms) {
      const wanted = new Map<string, Omit<EvalTarget, 'snapshot_hash'>>();
      const add = ({ kind, subject, version }: EvalSubject, llm: string | null) =>
        wanted.set(JSON.stringify([kind, subject, version, llm]), { kind, subject, version, llm });
      for (const planned of cases) for (const llm of llms) add(planned, llm);
      for (const planned of cases) {
        for (const reference of judgesOf(expectationsOf(planned))) {
          const judge = judgeOf(reference);
          if (judge !== undefined) add(judge, null);
        }
      }
      return Promise.all(
        [...wanted.values()].map(
          async (target): Promise<EvalTarget> => ({ ...target, snapshot_hash: hashOf(await load(target, target.llm)) }),
        ),
      );
    },
  };
}

function hashOf(loaded: Loaded): string | null {
  if (loaded instanceof Refused) return null;
  return 'agent' in loaded ? loaded.agent.snapshot.hash : loaded.orchestration.snapshot.hash;
}

/** The agents that may ask a model when this runs. None where it was refused: the run says why. */
export function agentsOf(loaded: Loaded): readonly Agent[] {
  if (loaded instanceof Refused) return [];
  return 'orchestration' in loaded ? [...loaded.orchestration.agents.values()] : [loaded.agent, ...(loaded.agent.agents?.values() ?? [])];
}
