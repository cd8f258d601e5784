import type { AgentEvent } from '../agent/events.js';

/** What an event says about how far a run is, in a line; undefined for those that come too often, or say nothing to an outsider. */
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
