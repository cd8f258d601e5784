import type { AgentEvent } from '../generated/types.js';

export type {
  AgentEvent,
  AgentResult as RunResult,
  CalledTool,
  ContentBlock,
  ConversationMessage,
  FinalEvent,
  ReasoningStep,
  ResultMetadata,
  RunError,
} from '../generated/types.js';

export type { RunContext } from '../runContext.js';

/** An event of an agent type, without number, time and run, which the run adds. The run itself makes the final event. */
export type EventBody = Body<Exclude<AgentEvent, { final: true }>>;

type Body<Event> = Event extends unknown ? Omit<Event, 'run_id' | 'seq' | 'time' | 'final'> : never;
