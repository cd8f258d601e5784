import type { AgentEvent, RunResult } from '../agent/events.js';
import { answerOf } from '../agent/runResult.js';
import { errorLine } from '../errorTitles.js';
import { isObject, type JsonObject } from '../json.js';

/** A run's result as the result of an MCP tool. */
export interface ToolAnswer {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: JsonObject;
  readonly isError?: true;
  readonly _meta: { readonly [key: string]: JsonObject };
}

/** Key of the facts about the run. */
export const runMeta = 'agent-stack/run';

/**
 * A completed run answers with its output: structured if it is an object, and as text for clients that read only text. Any other run is an error for
 * the model, with the cause and the remedy.
 */
export function toolAnswer(result: RunResult): ToolAnswer {
  const { status, output } = result;
  const _meta = { [runMeta]: runFacts(result) };
  const answer = answerOf(result);
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2);
  if (status === 'completed') {
    return { content: [{ type: 'text', text }], ...(isObject(answer) && { structuredContent: answer }), _meta };
  }
  const words = failureWords(result);
  const kept = status === 'partial' && isObject(output) ? `\n\nWhat was done:\n${text}` : '';
  return { content: [{ type: 'text', text: `${words}${kept}` }], isError: true, _meta };
}

/** The cause of a failure, with the title of its code: `The input does not fit (input-invalid): ...`. */
export function failureWords({ status, error }: Pick<RunResult, 'status' | 'error'>): string {
  return error ? errorLine(error) : `The run ended ${status}.`;
}

/** The facts about a run for other programs. */
export function runFacts({ run_id, status, error, metadata }: RunResult): JsonObject {
  const { agent_name, agent_version, token_usage, estimated_cost_usd, trace_id, simulated } = metadata;
  return {
    run_id,
    status,
    agent_name,
    agent_version,
    token_usage: { ...token_usage },
    estimated_cost_usd,
    trace_id,
    simulated,
    ...(error && { error: { code: error.code, message: error.message, recoverable: error.recoverable } }),
  };
}

/** The progress that an event shows, in a line; undefined for frequent events, and those of no interest to a client. */
export function progressWords(event: AgentEvent): string | undefined {
  const words = wordsOf(event);
  if (words === undefined) return undefined;
  const place =
    'task' in event && event.task !== undefined && event.type !== 'task_start' && event.type !== 'task_end' ? `${event.task}: ` : '';
  return `${place}${words}`;
}

function wordsOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'run_start':
      return 'Started';
    case 'step_start':
      return event.plan_step === undefined ? `Step ${event.step}` : `Step ${event.plan_step}`;
    case 'tool_call':
      return `Calls ${event.tool_calls.map(({ name }) => name).join(', ')}`;
    case 'retry':
      return `Tries again: ${event.reason}`;
    case 'team_start':
      return `Team ${event.team}`;
    case 'task_start':
      return `Task ${event.task}`;
    case 'task_end':
      return `Task ${event.task} ${event.status}`;
    default:
      return undefined;
  }
}
