import { isObject, type JsonObject } from '../../../core/json.js';
import type { Project } from '../../../core/project/types.js';
import type { OpenRun } from '../../../core/run/openRun.js';
import { mergePatch } from '../../../core/snapshot/mergePatch.js';
import type { Orchestration } from '../../../core/team/types.js';
import type { RunPlan } from '../../panels/run/liveRun.js';
import type { ViewFacts } from '../../panels/run/messages.js';
import { keptAs, toRecordContext, toRecordOptions, toViewRecording } from '../../panels/run/recordings.js';
import { newFacts, Transcript, toFields } from '../../panels/run/transcript.js';
import type { TeamChoice } from '../../panels/run/types.js';
import { toolOrigins } from './agentRun.js';
import { askUnfinished } from './askUnfinished.js';
import type { CheckedOrchestration } from './checkedOrchestration.js';

/** A run of an orchestration. */
export function planTeamRun({ project, orchestration, loaded }: CheckedOrchestration, choice: TeamChoice): RunPlan {
  const { agents, frozen } = orchestration;
  return {
    ...planOf(project, choice, agents, frozen.context, { started: Date.now() }),
    start: (hooks) => {
      const { input, recording } = choice;
      return project.orchestrate({
        orchestration: loaded,
        input,
        context: toRecordContext(choice),
        keep: keptAs(recording),
        ...toRecordOptions(recording),
        ...hooks,
      });
    },
  };
}

/** A run resumed where an earlier process ended, with the config it started with even if the files have changed since. */
export function planResumedRun(project: Project, { run_id, snapshot, context }: OpenRun, agents: Agents, choice: TeamChoice): RunPlan {
  const started = Date.parse(context.timestamp) || null;
  return {
    ...planOf(project, choice, agents, snapshot.value.orchestration?.context, { run_id, started, isKept: true }),
    start: (hooks) => project.resume(run_id, { ...hooks, askUnfinished }),
  };
}

type Agents = Orchestration['agents'];

function planOf(
  project: Project,
  choice: TeamChoice,
  agents: Agents,
  context: JsonObject | undefined,
  known: Pick<ViewFacts, 'started'> & Partial<Pick<ViewFacts, 'run_id' | 'isKept'>>,
): Omit<RunPlan, 'start'> {
  const { folder, orchestration, input, llm } = choice;
  const origins = new Map([...agents].map(([instance, agent]) => [instance, toolOrigins(agent)]));
  const facts = newFacts({
    kind: 'orchestration',
    isDurable: true,
    agent: orchestration,
    version: '',
    project: folder.name,
    root: folder.root,
    status: 'running',
    profile: llm ?? null,
    simulated: [...agents.values()].every(({ resolved }) => resolved.llm.provider === 'offline'),
    input: toFields(contextWith(context, input), 'unchecked'),
    recording: toViewRecording(choice),
    ...known,
  });
  return {
    folder,
    project,
    choice,
    transcript: new Transcript(facts, {
      priceOf: (instance) => agents.get(instance)?.price,
      originOf: (tool, instance) => origins.get(instance)?.get(tool) ?? '',
    }),
  };
}

/** What a run begins with: as the run itself lays the input over the context of the file. */
export function contextWith(context: JsonObject | undefined, input: JsonObject): JsonObject {
  const merged = mergePatch(context, input);
  return isObject(merged) ? merged : {};
}
