import { randomUUID } from 'node:crypto';
import type { Agent } from '../../../core/agent/types.js';
import { AgentPromptValidationError } from '../../../core/errors.js';
import { type Json, pointerOf } from '../../../core/json.js';
import type { Project } from '../../../core/project/types.js';
import type { OpenRun } from '../../../core/run/openRun.js';
import { sourceOf } from '../../panels/run/approvals.js';
import type { RunPlan } from '../../panels/run/liveRun.js';
import type { ViewFacts } from '../../panels/run/messages.js';
import { isReplay, keptAs, toRecordContext, toRecordOptions, toViewRecording } from '../../panels/run/recordings.js';
import { type FieldCheck, newFacts, Transcript, toFields } from '../../panels/run/transcript.js';
import type { RunChoice } from '../../panels/run/types.js';
import { askUnfinished } from './askUnfinished.js';
import type { CheckedAgent } from './checkedAgent.js';

/** A run of one agent. `isDurable`: its steps are stored, so that it can be resumed after its process ended. */
export function planAgentRun({ project, agent, loaded }: CheckedAgent, chosen: RunChoice, isDurable: boolean): RunPlan {
  // An agent that remembers starts a conversation, which another run can continue.
  const session = agent.resolved.config.include_history ? (chosen.session ?? randomUUID()) : undefined;
  const choice = { ...chosen, session };
  return {
    ...planOf(project, agent, choice, { isDurable, started: Date.now() }),
    start(hooks) {
      const context = {
        ...toRecordContext(choice),
        ...(session !== undefined && { session_id: session }),
        ...(choice.case !== undefined && { case: choice.case }),
      };
      const { payload, recording } = choice;
      const durable = isDurable && !isReplay(recording);
      return project.run({ agent: loaded, payload, context, keep: keptAs(recording), durable, ...toRecordOptions(recording), ...hooks });
    },
  };
}

/** A run of one agent, resumed where an earlier process ended, with the config it started with even if the files have changed since. */
export function planResumedAgentRun(project: Project, { run_id, context }: OpenRun, agent: Agent, choice: RunChoice): RunPlan {
  const started = Date.parse(context.timestamp) || null;
  return {
    ...planOf(project, agent, choice, { run_id, started, isDurable: true, isKept: true }),
    start: (hooks) => project.resume(run_id, { ...hooks, askUnfinished }),
  };
}

function planOf(
  project: Project,
  agent: Agent,
  choice: RunChoice,
  known: Pick<ViewFacts, 'started' | 'isDurable'> & Partial<Pick<ViewFacts, 'run_id' | 'isKept'>>,
): Omit<RunPlan, 'start'> {
  const { config, llm } = agent.resolved;
  const { session } = choice;
  const facts = newFacts({
    agent: choice.agent_name,
    version: choice.version,
    project: choice.folder.name,
    root: choice.folder.root,
    status: 'running',
    provider: llm.provider,
    model: config.model_name ?? null,
    profile: llm.llm_id ?? null,
    payload: choice.case ?? null,
    simulated: llm.provider === 'offline',
    input: toFields(choice.payload, 'unchecked'),
    session: session ?? null,
    canContinue: session !== undefined && !isReplay(choice.recording),
    recording: toViewRecording(choice),
    ...known,
  });
  const origins = toolOrigins(agent);
  return {
    folder: choice.folder,
    project,
    choice,
    transcript: new Transcript(facts, { check: fieldCheckOf(agent), price: agent.price, originOf: (tool) => origins.get(tool) ?? '' }),
  };
}

/** Who offers each tool of an agent. */
export function toolOrigins({ resolved }: Agent): ReadonlyMap<string, string> {
  return new Map(resolved.tools.map(({ name, origin }) => [name, sourceOf(origin)]));
}

/** A field by itself is valid when nothing that the schema says of the whole answer concerns it. */
function fieldCheckOf({ prompt }: Agent): FieldCheck {
  return (name: string, value: Json) => {
    try {
      prompt.parseAndValidate(Object.fromEntries([[name, value]]));
      return true;
    } catch (error) {
      if (!(error instanceof AgentPromptValidationError)) throw error;
      const pointer = pointerOf(name);
      return !error.issues.some(
        ({ path, keyword }) => path === pointer || path.startsWith(`${pointer}/`) || keyword === 'additionalProperties',
      );
    }
  };
}
