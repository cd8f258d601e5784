import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Agent } from '../../../core/agent/types.js';
import { AgentPromptValidationError } from '../../../core/errors.js';
import { isObject, type JsonObject, pointerOf } from '../../../core/json.js';
import { powerWords } from '../../../core/permits/permitWords.js';
import { subjectPermits } from '../../../core/permits/subjectPermits.js';
import type { Project } from '../../../core/project/types.js';
import type { OpenRun } from '../../../core/run/openRun.js';
import { mergePatch } from '../../../core/snapshot/mergePatch.js';
import type { Orchestration } from '../../../core/team/types.js';
import { sourceOf } from '../../panels/run/approvals.js';
import type { RunPlan } from '../../panels/run/liveRun.js';
import type { ViewFacts } from '../../panels/run/messages.js';
import { isReplay, keptAs, toRecordContext, toRecordOptions, toViewRecording } from '../../panels/run/recordings.js';
import { type FieldCheck, newFacts, Transcript, type TranscriptOptions, toFields } from '../../panels/run/transcript.js';
import type { RunChoice, TeamChoice } from '../../panels/run/types.js';
import { askUnfinished } from './askUnfinished.js';
import type { CheckedAgent, CheckedOrchestration } from './checkedRun.js';

/** A run of one agent. @param isDurable its steps are stored, so that it can be resumed after its process ended */
export function planAgentRun({ project, agent, loaded }: CheckedAgent, chosen: RunChoice, isDurable: boolean): RunPlan {
  // An agent that remembers starts a conversation, which another run can continue.
  const session = agent.resolved.config.include_history ? (chosen.session ?? randomUUID()) : undefined;
  const choice = { ...chosen, session };
  const { payload, recording, case: name } = choice;
  return {
    ...planOfAgent(project, agent, choice, { isDurable, started: Date.now() }),
    start(hooks) {
      const durable = isDurable && !isReplay(recording);
      const context = {
        ...toRecordContext(choice),
        ...(session !== undefined && { session_id: session }),
        ...(name !== undefined && { case: name }),
      };
      return project.run({ agent: loaded, payload, context, keep: keptAs(recording), durable, ...toRecordOptions(recording), ...hooks });
    },
  };
}

/** A run of an orchestration. */
export function planTeamRun({ project, orchestration, loaded }: CheckedOrchestration, choice: TeamChoice): RunPlan {
  const { input, recording } = choice;
  return {
    ...planOfTeams(project, orchestration.agents, choice, orchestration.frozen.context, { started: Date.now() }),
    start(hooks) {
      const context = toRecordContext(choice);
      const keep = keptAs(recording);
      return project.orchestrate({ orchestration: loaded, input, context, keep, ...toRecordOptions(recording), ...hooks });
    },
  };
}

/** A run of one agent, resumed where an earlier process ended, with the config it started with even if the files have changed since. */
export function planResumedAgentRun(project: Project, open: OpenRun, agent: Agent, choice: RunChoice): RunPlan {
  return { ...planOfAgent(project, agent, choice, { ...resumed(open), isDurable: true }), start: resumeOf(project, open) };
}

/** The same for the run of an orchestration. */
export function planResumedTeamRun(project: Project, open: OpenRun, agents: Agents, choice: TeamChoice): RunPlan {
  const { context } = open.snapshot.value.orchestration ?? {};
  return { ...planOfTeams(project, agents, choice, context, resumed(open)), start: resumeOf(project, open) };
}

function resumed({ run_id, context }: OpenRun): KnownFacts {
  return { run_id, started: Date.parse(context.timestamp) || null, isKept: true };
}

function resumeOf(project: Project, { run_id }: OpenRun): RunPlan['start'] {
  return (hooks) => project.resume(run_id, { ...hooks, askUnfinished });
}

type Agents = Orchestration['agents'];
type KnownFacts = Pick<ViewFacts, 'started'> & Partial<Pick<ViewFacts, 'run_id' | 'isKept' | 'isDurable'>>;

function planOfAgent(project: Project, agent: Agent, choice: RunChoice, known: KnownFacts): Omit<RunPlan, 'start'> {
  const { config, llm } = agent.resolved;
  const { session } = choice;
  const origins = toolOrigins(agent);
  const facts = {
    agent: choice.agent_name,
    version: choice.version,
    provider: llm.provider,
    model: config.model_name ?? null,
    profile: llm.llm_id ?? null,
    payload: choice.case ?? null,
    simulated: llm.provider === 'offline',
    input: toFields(choice.payload, 'unchecked'),
    session: session ?? null,
    permits: powersOf('agent', choice.agent_name, new Map([[choice.agent_name, agent], ...(agent.agents ?? [])])),
    // The text protocol writes thoughts and actions into it, and a plan has several texts.
    isText: config.output_schema === undefined && config.tool_protocol !== 'text' && config.agent_type !== 'orchestrating',
    canContinue: session !== undefined && !isReplay(choice.recording),
    ...known,
  };
  return planOf(project, choice, facts, { check: fieldCheckOf(agent), price: agent.price, originOf: (tool) => origins.get(tool) ?? '' });
}

function planOfTeams(
  project: Project,
  agents: Agents,
  choice: TeamChoice,
  context: JsonObject | undefined,
  known: KnownFacts,
): Omit<RunPlan, 'start'> {
  const origins = new Map([...agents].map(([instance, agent]) => [instance, toolOrigins(agent)]));
  const facts = {
    kind: 'orchestration' as const,
    isDurable: true,
    agent: choice.orchestration,
    version: '',
    profile: choice.llm ?? null,
    permits: powersOf('orchestration', choice.orchestration, agents),
    simulated: [...agents.values()].every(({ resolved }) => resolved.llm.provider === 'offline'),
    input: toFields(contextWith(context, choice.input), 'unchecked'),
    ...known,
  };
  return planOf(project, choice, facts, {
    priceOf: (instance) => agents.get(instance)?.price,
    originOf: (tool, instance) => origins.get(instance)?.get(tool) ?? '',
  });
}

function planOf(
  project: Project,
  choice: RunChoice | TeamChoice,
  facts: Omit<Parameters<typeof newFacts>[0], 'project' | 'root' | 'status'>,
  options: TranscriptOptions,
): Omit<RunPlan, 'start'> {
  const { folder } = choice;
  const recording = toViewRecording(choice);
  const { name: projectName, root } = folder;
  const transcript = new Transcript(newFacts({ ...facts, project: projectName, root, status: 'running', recording }), options);
  return { folder, project, choice, transcript };
}

/** What a run begins with: the input merged over the context of the file, as the run itself does it. */
export function contextWith(context: JsonObject | undefined, input: JsonObject): JsonObject {
  const merged = mergePatch(context, input);
  return isObject(merged) ? merged : {};
}

/** Who offers each tool of an agent. */
function toolOrigins({ resolved }: Agent): ReadonlyMap<string, string> {
  return new Map(resolved.tools.map(({ name, origin }) => [name, sourceOf(origin)]));
}

/** What a run may do, in words. Which routes it takes adds nothing to that. */
function powersOf(kind: 'agent' | 'orchestration', name: string, agents: ReadonlyMap<string, Agent>): string | null {
  const resolved = new Map([...agents].map(([instance, agent]) => [instance, agent.resolved]));
  return powerWords(subjectPermits({ kind, name, agents: resolved }), vscode.l10n.t) ?? null;
}

/** A field by itself is valid when nothing that the schema says about the whole answer concerns it. */
function fieldCheckOf({ prompt }: Agent): FieldCheck {
  return (name, value) => {
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
