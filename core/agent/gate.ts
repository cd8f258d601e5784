import type { Issue } from '../errors.js';
import type { Json, JsonObject } from '../json.js';
import type { Completion, LlmRequest, Message, ToolUseBlock } from '../llm/types.js';
import type { MaybePromise } from '../ports.js';
import type { AgentPrompt } from '../prompt/agentPrompt.js';
import type { TaskOutcome } from '../routing/evaluateCondition.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { ResolvedAgent } from '../snapshot/types.js';
import type { Tool } from '../tools/types.js';
import type { ReadOutcome } from './react/observation.js';

/**
 * Called where a run can stop: before and after each model call and each tool call, at what is found in them, and at each route of an
 * orchestration. The run waits for its
 * answer, and that time does not count as the run's. Undefined continues unchanged. To end the run, abort its signal.
 */
export type Gate = (stop: Stop) => MaybePromise<Change | undefined>;

/** What a person changed at a stop. Each kind of stop takes its own fields only. */
export interface Change {
  /** `model`: the messages to send, as many as there are and in the same roles. */
  readonly messages?: readonly Message[];
  /** `tool`: its arguments. */
  readonly input?: JsonObject;
  /** `tool`: the answer in place of a call; `tool_answer`: the answer in place of that of the tool. */
  readonly output?: string;
  /** `route`: the whole context. */
  readonly context?: JsonObject;
}

/** A change as it is kept. */
export interface KeptChange extends Omit<Change, 'messages'> {
  /** As many as there are, null for each that was not changed. */
  readonly messages?: readonly (Message | null)[];
}

/** A stop: unique in the run of its agent, or of a route in the run. */
export interface StopPlace {
  readonly stop: Stop['at'];
  /** Of the agent. Of a route: which team execution it ends. */
  readonly step: number;
  /** Id of the tool call; at a route, the team. */
  readonly call?: string;
}

/** Where changes go besides the steps of a run, or come from. */
export interface EditLog {
  /** What the recorded run changed at this stop, now that it is reached. Default: nothing. */
  take?(place: StopPlace): KeptChange | undefined;
  /** Called before the run continues with a change. @throws StorageError */
  keep?(place: StopPlace, change: KeptChange): Promise<void>;
}

interface StopBase {
  /** Of a task of an orchestration. */
  readonly team?: string;
  readonly task?: string;
  readonly execution?: number;
  /** Whether a task of its team is at work now: events tell later. Absent outside an orchestration, and at a route, where none is. */
  isAtWork?(task: string): boolean;
  /** Why nothing can be changed here; undefined if it can. */
  readonly locked: string | undefined;
  /** What is wrong with a change; empty if the run accepts it. The run ends with `input-invalid` at a change that it does not accept. */
  check(change: Change): MaybePromise<readonly Issue[]>;
}

interface AgentStop extends StopBase {
  readonly agent: { readonly resolved: ResolvedAgent; readonly prompt: AgentPrompt; readonly snapshot: Snapshot };
  /** Of the agent's own run: a task and an agent that a plan calls have each their own. */
  readonly run_id: string;
  /** The agents whose plans led here, outermost first. */
  readonly callers: readonly string[];
  /** The steps of their plans that led here: one of each caller. */
  readonly caller_steps: readonly string[];
  /** The step of the agent's own plan; undefined without a plan. */
  readonly plan_step: string | undefined;
  /** How the steps of its plan before this one ended. */
  readonly plan_outcomes: { readonly [step: string]: TaskOutcome } | undefined;
  readonly step: number;
  readonly payload: JsonObject;
  /** Up to here; null for an unknown cost. */
  readonly used: { readonly total_tokens: number; readonly cost: number | null };
  /** USD that may still be spent; undefined without a budget. */
  readonly cost_left: number | undefined;
}

type StoppedCall = Pick<ToolUseBlock, 'id' | 'name' | 'input'> & { readonly input_text?: string | undefined };

/** Before a model call. */
export interface ModelStop extends AgentStop {
  readonly at: 'model';
  /** As it is sent. */
  readonly request: Omit<LlmRequest, 'signal' | 'deadline' | 'logger' | 'cache'>;
  /** About how many tokens it sends. */
  readonly tokens: number;
  /** The tools of the run, some of which `request` offers the model. */
  readonly offered: readonly Tool[];
}

/** After the answer of a model, before it is judged. */
export interface AnswerStop extends AgentStop {
  readonly at: 'answer';
  readonly completion: Completion;
}

/** Before a tool call. */
export interface ToolStop extends AgentStop {
  readonly at: 'tool';
  readonly call: StoppedCall;
  readonly tool: Tool;
}

/** After a tool call. */
export interface ToolAnswerStop extends AgentStop {
  readonly at: 'tool_answer';
  readonly call: StoppedCall;
  /** Undefined if the run has no tool of that name. */
  readonly tool: Tool | undefined;
  readonly outcome: ReadOutcome;
}

/** What a run may find: the kinds of stop at which nothing can be changed. */
export type FindingKind = 'repair' | 'retry' | 'refused' | 'denied' | 'budget' | 'error';

/**
 * Where something was found: an answer that was repaired, or that is refused; a try of a call that failed and is made again; a tool call that was
 * denied; a call after which more than 80 % of the budget is spent; an error that ends the run of the agent.
 */
export interface FindingStop extends AgentStop {
  readonly at: 'finding';
  readonly finding: {
    readonly kind: FindingKind;
    /** As the provider, the schema, the policy or the run says it. */
    readonly message: string;
    /** Of an error. */
    readonly code?: string;
    readonly reason?: string;
    readonly issues?: readonly Issue[];
    /** The answer that was repaired or refused. */
    readonly answer?: string;
    /** The tool that was denied. */
    readonly tool?: string;
  };
}

/** After a team, before the next one. */
export interface RouteStop extends StopBase {
  readonly at: 'route';
  readonly team: string;
  /** Index of the rule that matched; null for the default. */
  readonly rule: number | null;
  /** Null: the run ends. */
  readonly next_team: string | null;
  /** By task. */
  readonly outcomes: { readonly [task: string]: { readonly status: string; readonly output: Json } };
  readonly context: JsonObject;
  readonly notes: readonly string[];
}

export type Stop = ModelStop | AnswerStop | ToolStop | ToolAnswerStop | FindingStop | RouteStop;
