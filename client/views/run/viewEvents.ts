import { isObject, type Json, type JsonObject } from '../../../core/json.js';
import { numberAt, objectAt, objectsAt, ownAt, textAt } from '../../../core/run/untrusted.js';
import type { ViewEvent, ViewIssue } from './messages.js';
import type { Texts } from './texts.js';

/** What events themselves do not say. */
export interface EventKnowledge {
  readonly texts: Texts;
  /** Who offers a tool of this name to an agent: its instance, `team/task` in an orchestration, else empty. */
  readonly originOf: (name: string, instance: string) => string;
  /** What the tokens of a step of an agent cost, in USD; null when it is not known. */
  readonly costOf: (usage: JsonObject, instance: string) => number | null;
}

/** An event of a run as the page shows it. Events that were read back may say anything. */
export function toViewEvents(event: JsonObject, { texts, originOf, costOf }: EventKnowledge): readonly ViewEvent[] {
  const team = textAt(event, 'team') ?? '';
  const task = textAt(event, 'task') ?? '';
  const place = placeOf(team, task);
  const instance = task === '' ? '' : `${team}/${task}`;
  const text = textAt(event, 'text') ?? '';
  const type = textAt(event, 'type') ?? '';
  switch (type) {
    case 'step_start':
      return [{ type: 'step', place, step: numberAt(event, 'step') ?? 0, name: textAt(event, 'plan_step') }];
    case 'chunk':
      return text === '' ? [] : [{ type: 'text', place, text }];
    case 'thinking':
      return text === '' ? [] : [{ type: 'thinking', place, text }];
    case 'tool_call':
      return objectsAt(event, 'tool_calls').map((call) => {
        const name = textAt(call, 'name') ?? '';
        const input = ownAt(call, 'input');
        const excerpt = isObject(input) ? shortInput(input) : undefined;
        const shown = texts.add(readable(input));
        return {
          type: 'tool_call',
          place,
          id: textAt(call, 'id') ?? '',
          name,
          origin: originOf(name, instance),
          input: { ...shown, excerpt: excerpt ?? shown.excerpt },
        };
      });
    case 'tool_result':
      return objectsAt(event, 'tool_results').map((result) => ({
        type: 'tool_result',
        place,
        id: textAt(result, 'id') ?? '',
        name: textAt(result, 'name') ?? '',
        output: texts.add(readable(ownAt(result, 'output'))),
        isError: ownAt(result, 'is_error') === true,
      }));
    case 'retry':
      return [
        {
          type: 'retry',
          place,
          attempt: numberAt(event, 'attempt') ?? 0,
          wait_ms: numberAt(event, 'wait_ms') ?? 0,
          reason: textAt(event, 'reason') ?? '',
        },
      ];
    case 'repair':
      return [{ type: 'repair', place, issues: objectsAt(event, 'issues').map(toIssue) }];
    case 'output_limit':
      return [{ type: 'output_limit', place, tokens: numberAt(event, 'max_output_tokens') ?? 0 }];
    case 'step_end': {
      const usage = objectAt(event, 'usage');
      const observation = textAt(event, 'observation') ?? '';
      return [
        {
          type: 'step_end',
          place,
          step: numberAt(event, 'step') ?? 0,
          thought: textAt(event, 'thought') ?? '',
          observation: observation === '' ? null : texts.add(observation),
          isCorrection: false,
          hints: hintsIn(observation),
          tokens: numberAt(usage, 'total_tokens'),
          cost: costOf(usage, instance),
        },
      ];
    }
    case 'run_start': {
      const steps = numberAt(event, 'resumed');
      return steps === null ? [] : [{ type: 'resumed', place: '', steps }];
    }
    case 'team_start':
      return [
        { type: 'team', place, team, execution: numberAt(event, 'execution') ?? 0, isNewContext: textAt(event, 'snapshot_hash') !== null },
      ];
    case 'task_start':
      return [{ type: 'task', place, team, task }];
    case 'task_end':
      return [taskEnd(event, place, texts)];
    case 'route': {
      const updates = ownAt(event, 'context_updates');
      const notes = ownAt(event, 'notes');
      return [
        {
          type: 'route',
          place,
          rule: numberAt(event, 'rule'),
          next: textAt(event, 'next_team'),
          updates: isObject(updates) ? JSON.stringify(updates) : '',
          notes: Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : [],
        },
      ];
    }
    case 'team_end':
      return [{ type: 'team_end', place }];
    default:
      return [{ type: 'other', place, name: type.replaceAll('_', ' '), text: restOf(event) }];
  }
}

/** `team / task`, or the team alone. */
export function placeOf(team: string, task: string): string {
  return [team, task].filter((part) => part !== '').join(' / ');
}

function taskEnd(event: JsonObject, place: string, texts: Texts): ViewEvent {
  const result = objectAt(event, 'result');
  const metadata = objectAt(result, 'metadata');
  const status = textAt(event, 'status');
  const output = ownAt(result, 'output');
  const text = textAt(result, 'text') ?? '';
  const shown = isObject(output) ? readable(output) : text;
  return {
    type: 'task_end',
    place,
    status: status === 'completed' || status === 'cancelled' ? status : 'failed',
    duration_ms: numberAt(metadata, 'execution_time_ms'),
    tokens: numberAt(objectAt(metadata, 'token_usage'), 'total_tokens'),
    cost: ownAt(metadata, 'simulated') === true ? null : numberAt(metadata, 'estimated_cost_usd'),
    output: shown === '' ? null : texts.add(shown),
    error: textAt(objectAt(result, 'error'), 'message') ?? '',
  };
}

export function toIssue(issue: JsonObject): ViewIssue {
  return { path: textAt(issue, 'path') ?? '', keyword: textAt(issue, 'keyword') ?? '', message: textAt(issue, 'message') ?? '' };
}

export function readable(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2);
}

/** `query: "budget", limit: 5`: what a call is about, in a line; undefined for an input of very much. */
function shortInput(input: JsonObject): string | undefined {
  const parts: string[] = [];
  let units = 0;
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === 'object' && value !== null) parts.push(`${name}: ${Array.isArray(value) ? '[…]' : '{…}'}`);
    else if (typeof value === 'string' && value.length > 80) parts.push(`${name}: ${JSON.stringify(`${value.slice(0, 79)}…`)}`);
    else parts.push(`${name}: ${JSON.stringify(value)}`);
    units += parts.at(-1)?.length ?? 0;
    if (units > 140) break;
  }
  return units > 300 ? undefined : parts.join(', ');
}

const mostHints = 12;

/** The lines by which core tells the model what a tool says about its own result. */
function hintsIn(observation: string): readonly string[] {
  const found = observation.slice(0, 20_000).match(/^(?:Estimated impact|Risks|Source quality): .{1,400}$/gm);
  return (found ?? []).slice(0, mostHints);
}

/** What an event says beside what every event does. A result that it carries is shown by its own events. */
function restOf(event: JsonObject): string {
  const usual = new Set(['type', 'run_id', 'seq', 'time', 'final', 'team', 'task', 'result']);
  const rest = Object.entries(event).filter(([name, value]) => !usual.has(name) && value !== null);
  return rest
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}
