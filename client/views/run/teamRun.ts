import type { JsonObject } from '../../../core/json.js';
import type { Project } from '../../../core/node/openProject.js';
import { createRunPath } from '../../../core/routing/graph/runPath.js';
import type { Orchestration } from '../../../core/team/types.js';
import { toolOrigins } from './agentRun.js';
import { askUnfinished } from './askUnfinished.js';
import type { RunPlan, TeamChoice } from './liveRun.js';
import { newFacts } from './newFacts.js';
import type { RunReference } from './runs.js';
import { Transcript, toFields } from './transcript.js';

/** A run of an orchestration. */
export function planTeamRun(project: Project, orchestration: Orchestration, choice: TeamChoice): RunPlan {
  const { agents, frozen } = orchestration;
  const origins = new Map([...agents].map(([instance, agent]) => [instance, toolOrigins(agent)]));
  const simulated = [...agents.values()].every(({ resolved }) => resolved.llm.provider === 'offline');
  const input = { ...frozen.context, ...choice.input };
  return {
    folder: choice.folder,
    project,
    choice,
    path: createRunPath(),
    transcript: new Transcript(factsOf(choice, { input, simulated, profile: choice.llm ?? null, started: Date.now() }), {
      priceOf: (instance) => agents.get(instance)?.price,
      originOf: (tool, instance) => origins.get(instance)?.get(tool) ?? '',
    }),
    start(hooks) {
      const { orchestration: name, input: given, llm } = choice;
      return project.orchestrate({ name, input: given, overrides: llm === undefined ? {} : { llm }, ...hooks });
    },
  };
}

/** A run that goes on where an earlier process ended: with the config it began with, whatever the files say now. */
export function planResumedRun(project: Project, { run_id }: RunReference, choice: TeamChoice, known: Known): RunPlan {
  return {
    folder: choice.folder,
    project,
    choice,
    path: createRunPath(),
    transcript: new Transcript({ ...factsOf(choice, known), run_id, isKept: true }),
    start: (hooks) => project.resume(run_id, { ...hooks, askUnfinished }),
  };
}

interface Known {
  readonly input: JsonObject;
  readonly simulated: boolean;
  readonly profile: string | null;
  /** Milliseconds since 1970. */
  readonly started: number | null;
}

function factsOf({ folder, orchestration }: TeamChoice, { input, ...known }: Known) {
  return newFacts({
    kind: 'orchestration',
    agent: orchestration,
    version: '',
    project: folder.name,
    root: folder.root,
    status: 'running',
    ...known,
    input: toFields(input, 'unchecked'),
  });
}
